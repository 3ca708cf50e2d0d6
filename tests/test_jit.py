"""Random numbers and bits of compiled code: against published numbers and against Python's."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.jit import kernel, lowest_bit, mixed, next_bits, popcount, random_number, scrambled, seeded

# The first numbers of SplitMix64 from the state 1234567, as Vigna's splitmix64.c gives them.
SPLITMIX = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
words = st.integers(1, 2**64 - 1)


def test_the_generator_is_splitmix64() -> None:
    state = np.array([0, 1234567], np.uint64)
    assert [int(next_bits(state, 1)) for _ in SPLITMIX] == SPLITMIX
    assert state[0] == 0  # a row's numbers are its own


def test_a_state_and_an_array_of_states_are_scrambled_alike() -> None:
    states = np.array([1234567, 0, 2**64 - 1], np.uint64)
    assert int(scrambled(states)[0]) == SPLITMIX[0]
    assert scrambled(states).tolist() == [int(scrambled(state)) for state in states]
    assert int(mixed(np.uint64(0))) == 0


@pytest.mark.parametrize("below", [1, 2, 7, 92])
def test_numbers_are_as_likely(below: int) -> None:
    """Chi-square within four deviations of its mean."""
    state, draws = np.array([3], np.uint64), 20_000
    counts = np.bincount([random_number(state, 0, below) for _ in range(draws)], minlength=below)
    assert len(counts) == below
    expected = draws / below
    assert ((counts - expected) ** 2 / expected).sum() <= below - 1 + 4 * np.sqrt(2 * (below - 1))


def test_rows_and_seeds_begin_unlike_each_other() -> None:
    states = np.concatenate([seeded(50, seed) for seed in range(50)])
    assert len(np.unique(states)) == 2500
    np.testing.assert_array_equal(seeded(50, 7), seeded(50, 7))
    flipped = [int(a) ^ int(b) for a, b in zip(seeded(500, 0), seeded(500, 1), strict=True)]
    assert np.mean([word.bit_count() for word in flipped]) == pytest.approx(32, abs=1)  # half of the bits


@given(word=words)
def test_bits_are_counted_as_python_does(word: int) -> None:
    assert popcount(np.uint64(word)) == word.bit_count()
    assert lowest_bit(np.uint64(word)) == (word & -word).bit_length() - 1


def test_a_kernel_makes_no_arrays() -> None:
    """Nothing in it counts who holds an array, so one that it made would never be given back: Numba refuses it."""

    @kernel
    def made(size: int) -> np.ndarray:
        return np.zeros(size)

    with pytest.raises(numba.core.errors.NumbaError):
        made(3)
