"""Grains: cells in words and back, and what parts fill of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.grains import ALL, FULL, GRAINS, body, counted, grains_of, packed, unpacked
from brickbybrick.geometry.part import PARTS, Part


@given(st.integers(0, 2**32 - 1), st.tuples(*[st.integers(1, 4)] * 3))
def test_words_hold_every_grain(seed: int, cells: tuple[int, int, int]) -> None:
    shape = [cell * grains for cell, grains in zip(cells, GRAINS, strict=True)]
    filled = np.random.default_rng(seed).random(shape) < 0.5
    words = packed(filled)
    assert words.shape == cells
    assert (unpacked(words) == filled).all()
    x, y, z = (cell - 1 for cell in cells)
    assert counted(words)[x, y, z] == filled[4 * x : 4 * x + 4, 4 * y : 4 * y + 4, 2 * z : 2 * z + 2].sum()


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_a_part_has_as_many_grains_as_its_profile_has_area(part: Part) -> None:
    along, up = np.array(part.profile).T
    area = abs(along @ np.roll(up, -1) - up @ np.roll(along, -1)) / 2  # in studs by plates
    for d in part.directions:
        words = grains_of(part, d)
        assert words.shape == (*part.extent(d), part.height)
        assert counted(words).sum() == pytest.approx(ALL * area * part.length, rel=0.07)
        assert not part.plain or (words == FULL).all()


@pytest.mark.parametrize("d", range(4))
def test_slopes_fall_the_way_they_are_turned(d: int) -> None:
    # +x, +y, -x, -y, as in the card of `Part`.
    columns = counted(grains_of(Part("slope 33", 3, 2), d)).sum(axis=2, dtype=np.int64)
    along = columns.sum(axis=1 - d % 2)
    assert (np.diff(along if d < 2 else along[::-1]) < 0).all()
    overhang = counted(grains_of(Part("inverted slope 45", 2, 1), d)).sum(axis=2, dtype=np.int64).ravel()
    assert (overhang[0] > overhang[1]) == (d < 2)


def test_a_slope_counts_for_the_cells_it_fills_half_of() -> None:
    # Its face goes from 3 plates down to half a plate over one stud: 0.95 of the lowest cell there, 0.6 and 0.2.
    pose = Pose(5, 6, 7, 0)
    assert set(body(Part("slope 45", 2, 1), pose)) == {(5, 6, 7), (5, 6, 8), (5, 6, 9), (6, 6, 7), (6, 6, 8)}
    assert set(body(Part("plate", 2, 3), pose)) == set(Part("plate", 2, 3).cells(pose))
