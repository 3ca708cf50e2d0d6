"""Colours shared out among bricks: against SciPy's solver of assignments, and never more than there are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from brickbybrick.builders.sharing import Rack, shared_out
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.part import Part

BRICK, PLATE = Part.parse("2x4"), Part.parse("plate 1x2")
RED, BLUE, WHITE = 4, 1, 15


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.integers(1, 7), st.booleans())
def test_nothing_better_can_be_had(seed: int, rows: int, columns: int, alike: bool) -> None:
    """As cheap as SciPy's assignment of rows to as many copies of each column as it takes; also among equal rows."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, (rows, columns)).astype(float) if alike else rng.random((rows, columns))
    limits = rng.integers(0, 6, columns)
    limits[rng.integers(columns)] += max(0, rows - int(limits.sum()))
    costs[:, limits == 0] = np.inf
    chosen = shared_out(costs, limits.tolist())
    assert (np.bincount(chosen, minlength=columns) <= limits).all()
    copies = np.repeat(np.arange(columns), limits)
    best = costs[:, copies][linear_sum_assignment(costs[:, copies])].sum()
    assert costs[np.arange(rows), chosen].sum() == pytest.approx(best)


def test_what_is_of_any_colour_makes_up_for_what_is_lacking() -> None:
    """Of four bricks that want red, one is told to be red and one may be anything; the others are blue."""
    rack = Rack(Inventory.parse("red 2x4=1,blue 2x4=5,2x4=1,plate 1x2=1").entries, (RED, BLUE, WHITE))
    costs = np.array([[0.0, 5.0, 1.0]] * 4)
    assert sorted(rack.give([BRICK] * 4, costs).tolist()) == [0, 0, 1, 1]
    assert rack.of(BRICK).tolist() == [False, True, False]
    assert rack.give([PLATE, BRICK], np.array([[3.0, 2.0, 1.0], [0.0, 1.0, 2.0]])).tolist() == [2, 1]
    assert not rack.of(PLATE).any()


def test_who_loses_most_comes_first() -> None:
    rack = Rack(Inventory.parse("red 2x4=1,blue 2x4").entries, (RED, BLUE))
    assert rack.give([BRICK] * 3, np.array([[0.0, 1.0], [0.0, 9.0], [0.0, 2.0]])).tolist() == [1, 0, 1]


def test_a_told_colour_that_is_nearly_as_good_is_used_first() -> None:
    costs, worth = np.array([[0.9, 0.0], [1.1, 0.0]]), np.ones(2)
    rack = Rack(Inventory.parse("red 2x4=2,2x4").entries, (RED, BLUE))
    assert rack.give([BRICK] * 2, costs, worth).tolist() == [0, 1]


def test_thousands_of_bricks_are_shared_out_in_seconds() -> None:
    """The worst that can be: all want the one of which there are few."""
    rng = np.random.default_rng(1)
    costs = rng.random((3000, 40))
    costs[:, 0] = 0
    chosen = shared_out(costs, [100] * 40)
    assert np.bincount(chosen).max() <= 100
