"""B3+ from several sides: what it builds is the best of what it would build from any."""

from unittest.mock import patch

import numpy as np
import pytest
import torch

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.beam.planner import from_views, worth_of
from brickbybrick.builders.register import builder
from brickbybrick.builders.sides import EXPLAINED, FLIPS, OTHERS, ManySidedBuilder
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.policies import quick
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import Target, target_of_voxels


def untaught() -> SpatialAgent:
    """A B3+ that has learned nothing, so that it does another thing from either side."""
    torch.manual_seed(2)
    return SpatialAgent(SpatialPolicy(SpatialConfig(3, width=8, layers=3)), offset_set("random"))


@pytest.fixture
def some() -> list[Target]:
    return list(load_task("random").train.targets[:4])


def test_it_is_worth_at_least_what_the_agent_builds_itself(some: list[Target], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "halves_time", lambda: False)  # at half the precision it may build something else
    agent = untaught()
    worths = [
        [worth_of(from_views(target), BRICK_2X4, model.poses) for target, model in zip(some, models, strict=True)]
        for models in (agent.build_all(some), ManySidedBuilder(agent).build_all(some))
    ]
    assert all(before <= after for before, after in zip(*worths, strict=True))
    assert sum(worths[0]) < sum(worths[1])


def test_where_bricks_explain_the_views_it_looks_until_it_shows_them(some: list[Target]) -> None:
    """Who has learned nothing errs; of objects made of bricks it makes four models, of a thin shell three."""
    planner = ManySidedBuilder(untaught())
    shell = np.ones((12, 12, 12), bool)
    shell[1:-1, 1:-1, 1:] = False
    for target, looks in ((some[0], EXPLAINED), (target_of_voxels("shell", shell), OTHERS)):
        with patch.object(planner, "_models", wraps=planner._models) as made:
            best = planner.plan(target, [])
        assert [len(call.args[2]) for call in made.call_args_list] == list(looks)
        models = planner._models(target, [target.start], FLIPS[: sum(looks)])
        worths = [worth_of(from_views(target), BRICK_2X4, model) for model in models]
        assert worth_of(from_views(target), BRICK_2X4, best) == max(worths)


def test_a_model_that_shows_the_views_is_enough() -> None:
    """The first brick alone is all that a target of one brick wants."""
    planner = ManySidedBuilder(untaught())
    with patch.object(planner, "_models", wraps=planner._models) as made:
        planner.plan(target_of_voxels("brick", np.ones((2, 4, 1), bool)), [])
    assert made.call_count == 1


def test_a_targets_result_is_its_own(some: list[Target]) -> None:
    planner = ManySidedBuilder(untaught())
    assert planner.build_all(some[::-1]) == [planner.build(target) for target in some[::-1]]


def test_what_the_agent_chooses_from_behind_is_placed_from_behind() -> None:
    """Turned round, an object that looks like no other becomes the same model, turned round."""
    volume = np.zeros((8, 6, 3), bool)
    volume[0:4, 0:2, 0], volume[2:8, 0:4, 1], volume[4:6, 1:6, 2] = True, True, True
    target = target_of_voxels("steps", volume)
    agent = untaught()
    sim = agent.begin([target] * len(FLIPS))
    actions = np.zeros((len(FLIPS), 2), np.int64)
    scenes = agent.scenes(sim, FLIPS)
    agent.chooser(sim, FLIPS)(actions)
    seen = scenes.look()
    chosen = agent.policy(seen).flatten(1).argmax(dim=1).numpy()
    sim.step(actions)
    placed = [Pose(*pose) for pose in sim.state.packed.placed[:, 1, :4].tolist()]
    assert placed == [Pose(*pose) for pose in scenes.poses(chosen).tolist()]


def test_it_goes_on_from_what_is_there(some: list[Target]) -> None:
    planner = ManySidedBuilder(untaught())
    whole = planner.plan(some[0], [])
    rest = planner.plan(some[0], whole[:3])
    assert rest[:3] == whole[:3]
    assert len(rest) == len(whole)
    assert worth_of(from_views(some[0]), BRICK_2X4, rest) >= 0.5 * worth_of(from_views(some[0]), BRICK_2X4, whole)


def test_the_one_that_comes_with_the_package_looks_from_several_sides_at_space_alone() -> None:
    assert isinstance(builder("b3plus", offset_set("modelnet")), ManySidedBuilder)
    assert isinstance(builder("b3plus", offset_set("mnist")), SpatialAgent)


def test_a_model_is_worth_its_cells_and_its_pixels() -> None:
    """One brick of eight cells in a hull of nothing else: all of it is wanted, and so are the pixels of three views."""
    volume = np.zeros((2, 4, 1), bool)
    volume[:] = True
    target = target_of_voxels("brick", volume)
    estimate = from_views(target)
    pixels = sum(prizes.sum() for _, prizes in estimate.views)
    assert worth_of(estimate, BRICK_2X4, [target.start]) == pytest.approx(estimate.cells.sum() + pixels)
    beside = target.start._replace(x=target.start.x + 20)
    assert worth_of(estimate, BRICK_2X4, [beside]) == 0
