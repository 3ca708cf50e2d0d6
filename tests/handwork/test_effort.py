"""What may be tried is counted."""

import pytest
from handwork.hard_models import arch

from brickbybrick.construction import Construction
from brickbybrick.handwork import effort
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.plan import handwork_of, planned


def test_large_models_may_be_tried_for_longer_and_last_resorts_too() -> None:
    assert Effort(100).left < Effort(1_000).left < Effort(1_000, times=2).left


def test_effort_is_spent_when_more_was_tried_than_may_be() -> None:
    some = Effort(10)
    some.spend(some.left)
    assert not some.is_spent
    some.spend(1)
    assert some.is_spent


def test_a_plan_comes_out_however_little_may_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "EFFORT", 0.0)
    monkeypatch.setattr(effort, "EFFORT_A_BRICK", 0.0)
    planned.cache_clear()
    handwork = handwork_of(Construction(tuple(arch())))
    planned.cache_clear()  # others may try more
    handwork.check(len(arch()))
    assert handwork.to_hold
    assert handwork.reasons
