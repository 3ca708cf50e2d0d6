"""Compiled code: numba's decorators and arrays as they are used here, and random numbers that compiled and plain code
share."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., object])
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bits = npt.NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # by which SplitMix64's state grows
# Without Numba's runtime, which makes arrays and counts who holds them; an option of Numba's own library.
UNCOUNTED: dict[str, Any] = {"_nrt": False}


def compiled(function: Function) -> Function:
    """Compiles a function once for all; it runs without Python's lock, so that threads can share a batch."""
    return numba.njit(cache=True, nogil=True)(function)  # type: ignore[return-value]


def kernel(function: Function) -> Function:
    """The same for what makes no arrays, but reads and writes those that it is given.

    It need not count who holds them: with records of some thirty arrays that took longer than placing a brick.
    """
    return numba.njit(cache=True, nogil=True, **UNCOUNTED)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """The same for small functions in a kernel's hot loops, where passing records of arrays would cost more than the
    work."""
    return numba.njit(cache=True, nogil=True, forceinline=True, **UNCOUNTED)(function)  # type: ignore[no-any-return]


class Bound:
    """A kernel and its first arguments, for callers who give the others in the same types every time.

    It is compiled for those once, and then called without looking at the types of all again, which for records of
    arrays takes ten times as long as a step of the game.
    """

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._function, self._arguments = function, arguments
        self._code: Callable[..., object] | None = None

    def __call__(self, *others: object) -> None:
        if self._code is None:
            types = [numba.typeof(argument) for argument in (*self._arguments, *others)]  # type: ignore[no-untyped-call]
            self._code = self._function.compile(tuple(types))  # type: ignore[attr-defined]
        self._code(*self._arguments, *others)

    def __reduce__(self) -> tuple[object, ...]:
        return Bound, (self._function, *self._arguments)  # compiled code does not travel


def seeded(rows: int, seed: int) -> Bits:
    """A random generator's state for each row, far from each other for any two seeds."""
    return np.random.SeedSequence(seed).generate_state(rows, np.uint64).astype(np.uint64)


@compiled
def mixed(bits: Any) -> Any:
    """SplitMix64's mixing of a number, or of an array of them: any two become unlike each other; 0 stays 0."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled
def scrambled(bits: Any) -> Any:
    """What SplitMix64 makes of a state, or of an array of them."""
    return mixed(bits + GOLDEN)


@inlined
def next_bits(state: Bits, row: int) -> np.uint64:
    """The next 64 bits of the row's own generator (SplitMix64), so that a row's numbers do not depend on how the rows
    are spread over threads."""
    state[row] += GOLDEN
    return mixed(state[row])  # type: ignore[no-any-return]


@inlined
def random_number(state: Bits, row: int, below: int) -> int:
    """A number from 0 to below - 1 from the row's own generator."""
    return int(np.int64(((next_bits(state, row) >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)))


@inlined
def popcount(word: np.uint64) -> int:
    """The number of bits set in a word."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@inlined
def lowest_bit(word: np.uint64) -> int:
    """The number of the lowest bit set."""
    return popcount((word & (~word + np.uint64(1))) - np.uint64(1))
