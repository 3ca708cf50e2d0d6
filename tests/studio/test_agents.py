"""Who can be asked to build."""

from pathlib import Path

import pytest

from brickbybrick.builders import register
from brickbybrick.errors import InputError
from brickbybrick.studio.agents import offered
from brickbybrick.targets.target import TargetSet


def test_every_builder_is_offered_once_and_says_whether_it_weighs_bricks(
    flat_targets: TargetSet, solid_targets: TargetSet
) -> None:
    agents = offered()
    assert [agent.name for agent in agents.values()] == list(agents)
    assert next(iter(agents)) == "mason"
    for agent in (agent for agent in agents.values() if agent.name != "mason"):
        assert set(agent.views) <= {1, 3}
        builder = agent.builder(agent.views[0], 0)
        sim = builder.begin((flat_targets if agent.views[0] == 1 else solid_targets)[:1])
        assert agent.probabilities == (builder.advice(sim) is not None)


def test_the_best_come_first_and_agents_for_a_digit_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "WEIGHTS", tmp_path)
    assert list(offered()) == ["mason", "search", "greedy", "bo", "bo-kim", "random"]
    for name in ("mnist-b3plus", "mnist-b3", "mnist-mlp", "objects-b3", "mnist-7-b3", "mnist-2-b3"):
        (tmp_path / f"{name}.safetensors").touch()
    found = offered()
    agents = ["b3plus", "b3", "mlp"]
    assert list(found) == [
        "mason",
        "search",
        *agents,
        "guided",
        "greedy",
        "bo",
        "bo-kim",
        "random",
        "b3-digit-2",
        "b3-digit-7",
    ]
    assert [found[name].views for name in (*agents, "guided", "b3-digit-2")] == [(1,), (1, 3), (1,), (1,), (1,)]


def test_the_mason_places_no_bricks_one_by_one() -> None:
    mason = offered()["mason"]
    assert mason.described()["default"]
    assert mason.cells is None
    with pytest.raises(InputError, match="Mason does not place one brick after the other"):
        mason.builder(1, 0)


def test_an_agent_for_one_digit_is_not_asked_for_objects() -> None:
    with pytest.raises(InputError, match="B3, trained on digit 2 does not build from 3 views"):
        offered()["b3-digit-2"].builder(3, 0)
