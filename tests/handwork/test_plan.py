"""Handwork that is found, done again by a second opinion."""

from dataclasses import replace

import numpy as np
import pytest
from handwork.hard_models import along_x, chair, hard_models
from handwork.replay import wrongs

from brickbybrick.construction import Construction
from brickbybrick.handwork.plan import MOST_PLANNED, handwork_of, planned
from brickbybrick.judging.check import judge


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in hard_models()])
def test_hard_models_never_have_to_be_held(model: Construction) -> None:
    assert judge(model).stands
    handwork = handwork_of(model)
    assert handwork.to_hold == []
    assert handwork.reasons == ()
    assert wrongs(model.bricks, handwork) == []


def test_what_falls_when_it_is_done_is_held_and_said_to() -> None:
    """Stairs without a foot."""
    model = Construction(tuple(along_x("2x4", 2 * step, 0, step) for step in range(6)))
    handwork = handwork_of(model)
    assert handwork.to_hold is not None
    assert handwork.to_hold[-1] == len(handwork.steps) - 1
    assert handwork.reasons[-1] == "It falls even when it is finished."
    assert wrongs(model.bricks, handwork) == []


def test_a_plan_depends_on_the_bricks_alone() -> None:
    """Not on their order or colours, nor on what was planned before."""
    bricks = tuple(chair())
    first = handwork_of(Construction(bricks))
    planned.cache_clear()
    rng = np.random.default_rng(1)
    for _ in range(3):
        shuffled = rng.permutation(len(bricks)).tolist()
        again = handwork_of(Construction(tuple(replace(bricks[brick], step=3) for brick in shuffled)))
        assert [shuffled[brick] for brick in again.order] == first.order
        assert [chunk.turned for chunk in again.chunks] == [chunk.turned for chunk in first.chunks]


def test_very_large_models_are_laid_without_a_word_on_forces() -> None:
    wall = [
        along_x("2x4", 4 * place + 2 * (up % 2), 0, up) for up in range(20) for place in range(MOST_PLANNED // 20 + 1)
    ]
    handwork = handwork_of(Construction(tuple(wall)))
    assert handwork.to_hold is None
    assert wrongs(wall, handwork, forces=False) == []
