"""Springs between bricks: the fast way finds what the direct one finds, and blocks move as rigid ones do."""

import time

import numpy as np
import pytest

from brickbybrick.builders.mason import Work
from brickbybrick.geometry import springs
from brickbybrick.geometry.forces import _balance, spring_pushes
from brickbybrick.geometry.inventory import ALL_BRICKS
from brickbybrick.geometry.springs import _rigid_blocks
from brickbybrick.geometry.stability import Model
from brickbybrick.geometry.statics import Ground, Statics


def ball(side: int) -> Model:
    """A solid ball on a small foot, which hangs over all around."""
    away = np.indices((side, side, side)) + 0.5 - side / 2
    work = Work((away**2).sum(axis=0) < side * side / 4, ALL_BRICKS, 0, 20_000)
    work.lay_all()
    work.join_all()
    return work.model


@pytest.mark.parametrize("ground", Ground)
def test_the_fast_way_finds_what_the_direct_one_finds(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ball(20)
    assert len(model) > springs.DIRECTLY
    statics = Statics(model)
    points = statics.points(ground)
    fast = spring_pushes(statics, points, statics.weights)
    monkeypatch.setattr(springs, "DIRECTLY", len(model))
    direct = spring_pushes(statics, points, statics.weights)
    assert fast is not None
    assert direct is not None
    np.testing.assert_allclose(fast, direct, atol=1e-5)


def test_no_spring_inside_a_block_feels_it_move_or_tilt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(springs, "BLOCK", 1000.0)
    statics = Statics(ball(10))
    points = statics.points(Ground.TABLE)
    balance, free = _balance(statics, points)
    inside = np.append(points.lower >= 0, np.ones(int(free.sum()), bool))  # the table's own points feel it
    felt = (balance[:, : len(inside)].T @ _rigid_blocks(statics)).toarray()[inside]
    assert felt.shape[1] == springs.ROWS
    np.testing.assert_allclose(felt, 0, atol=1e-9)


def test_thousands_of_bricks_take_seconds() -> None:
    """Taking the equations of so many apart took half a minute."""
    statics = Statics(ball(44))
    points = statics.points(Ground.TABLE)
    start = time.process_time()
    assert spring_pushes(statics, points, statics.weights) is not None
    assert time.process_time() - start < 10
