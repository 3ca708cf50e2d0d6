"""The linear program of forces at rest, against the same written out in full."""

import numpy as np
import pytest
from geometry.models import BRICK_2X4, at, grown
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from brickbybrick.geometry.forces import _balance, least_friction, least_hold, spring_pushes
from brickbybrick.geometry.statics import Ground, Points, Statics


def full_program(statics: Statics, points: Points) -> float | None:
    """The least friction as the linear program has it word for word: every point, and push + friction >= 0 as rows."""
    balance, free = _balance(statics, points)
    count, forces = len(points.upper), balance.shape[1]
    weights = np.zeros((len(statics.bricks), 5))
    weights[:, 0] = statics.weights
    holding = np.zeros((count, forces + 1))  # (point, force) -push - friction <= 0
    holding[:, :count] = -np.eye(count)
    holding[points.holds, -1] = -1
    bounds = [(None, None)] * count + [(None if each else 0, None) for each in free[count:]] + [(0, None)]
    equal = np.hstack([balance.toarray(), np.zeros((balance.shape[0], 1))])
    solved = linprog(np.eye(forces + 1)[-1], holding, np.zeros(count), equal, weights.ravel(), bounds, "highs-ds")
    return float(solved.x[-1]) if solved.status == 0 else None


@given(st.integers(2, 12), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_outermost_points_are_enough(bricks: int, seed: int) -> None:
    statics = Statics(grown(bricks, seed))
    for ground in Ground:
        points = statics.points(ground, seed % 4)
        best, wanted = least_friction(statics, points), full_program(statics, points)
        assert (best is None) == (wanted is None)
        if best is not None:
            assert best.friction == pytest.approx(wanted, abs=1e-6)


@given(st.integers(1, 15), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_the_ground_bears_the_whole_weight(bricks: int, seed: int) -> None:
    statics = Statics(grown(bricks, seed))
    for ground in Ground:
        points = statics.points(ground)
        forces = least_friction(statics, points)
        if forces is None:
            continue  # it topples
        assert forces.pushes[points.lower < 0].sum() == pytest.approx(statics.weights.sum(), abs=1e-5)
        assert forces.pushes.min(initial=0) >= -forces.friction - 1e-6


def test_a_straight_tower_hands_its_weight_down() -> None:
    statics = Statics([(BRICK_2X4, at(0, 0, z, 0)) for z in range(5)])
    points = statics.points(Ground.TABLE)
    forces = least_friction(statics, points)
    assert forces is not None
    assert forces.friction == pytest.approx(0, abs=1e-9)
    for lower in range(-1, 4):
        assert forces.pushes[points.lower == lower].sum() == pytest.approx(4 - lower)


def test_a_hand_holds_what_nothing_else_does() -> None:
    """Two bricks in the air, one on the other: their whole weight."""
    statics = Statics([(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(9, 0, 1, 0)), (BRICK_2X4, at(9, 0, 2, 0))])
    holds = least_hold(statics, statics.points(Ground.PLATE))
    assert {hold.brick for hold in holds} <= {1, 2}
    assert sum(hold.force for hold in holds) == pytest.approx(2, abs=1e-4)


def test_springs_in_balance_prove_rest() -> None:
    """Where springs find forces, the program finds some too, and with no more friction.

    To a ten-thousandth: springs may miss the balance by a millionth of a weight at each brick.
    """
    proven = 0
    for seed in range(30):
        statics = Statics(grown(6, seed))
        points = statics.points(Ground.PLATE)
        pushes = spring_pushes(statics, points, statics.weights)
        if pushes is None:
            continue
        best = least_friction(statics, points)
        assert best is not None
        assert best.friction <= max(0.0, -pushes.min()) + 1e-4
        proven += 1
    assert proven > 20
