"""Policy-guided search: against the agent alone, against trying everything, and against the readable rules."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from builders.brute_force import every_model

from brickbybrick.builders import register
from brickbybrick.builders.agent import GraphAgent, SpatialAgent
from brickbybrick.builders.beam.planner import from_views, from_volume
from brickbybrick.builders.beam.sites import UNIT
from brickbybrick.builders.guided import Guided, GuidedBuilder, SiteWorths, look, propose
from brickbybrick.cli import main
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.voxels import fill, iou
from brickbybrick.policies.files import save_agent
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_voxels


def b3(task: str) -> GraphAgent:
    """The agent that comes with the package."""
    agent = register.builder("b3", load_task(task).offsets, task=task)
    assert isinstance(agent, GraphAgent)
    return agent


def untaught(offsets: str, views: int) -> SpatialAgent:
    """A B3+ that has learned nothing."""
    torch.manual_seed(1)
    return SpatialAgent(SpatialPolicy(SpatialConfig(views=views)), offset_set(offsets))


def worth_of(poses: list[Pose], target: Target) -> int:
    """What the images value a model at, cell by cell and pixel by pixel."""
    estimate = from_views(target)
    filled = fill(BRICK_2X4, poses, estimate.cells.shape)
    worth = int(np.rint(estimate.cells[filled] * UNIT).sum())
    for (first, second), prizes in estimate.views:
        (axis,) = {0, 1, 2} - {first, second}
        worth += int(np.rint(prizes[filled.any(axis=axis)] * UNIT).sum())
    return worth


@pytest.mark.parametrize("agent", [b3("mnist-3"), untaught("mnist", 1)], ids=["b3", "b3plus"])
def test_without_more_work_it_is_the_agent_itself(agent: GraphAgent | SpatialAgent) -> None:
    targets = load_task("mnist-3").test.targets[:3]
    alone, guided = agent.build_all(targets), GuidedBuilder(agent, work=0).build_all(targets)
    assert [each.bricks for each in guided] == [each.bricks for each in alone]
    assert [each.iou for each in guided] == [each.iou for each in alone]
    assert guided[0].builder == "guided"


def test_from_three_views_too() -> None:
    agent, target = b3("random"), load_task("random").test.targets[0]
    assert GuidedBuilder(agent, work=0).build(target).bricks == agent.build(target).bricks
    (first, *_, last) = GuidedBuilder(agent, work=60).plans(target)
    assert last.worth > first.worth
    assert last.worth == worth_of(last.poses, target)


def follows_the_rules(plan: Guided, target: Target, offsets: OffsetSet) -> None:
    """Every brick has room and is joined to an earlier one by an offset, cell by cell."""
    assembly = Assembly(offsets=offsets)
    assembly.put(target.start)
    assert plan.poses[0] == target.start
    for pose in plan.poses[1:]:
        assert pose in {offsets.place(pivot, offset) for pivot in assembly.poses for offset in range(len(offsets))}
        assembly.put(pose)  # refuses bricks that overlap or lie underground
    assert len(plan.poses) == target.budget


def test_more_work_makes_better_models_and_the_same_seed_the_same() -> None:
    agent = b3("mnist-3")
    target = load_task("mnist-3").test.targets[1]
    plans = list(GuidedBuilder(agent, work=600).plans(target))
    assert len(plans) > 2
    for before, after in itertools.pairwise(plans):
        assert after.worth > before.worth
        assert after.work > before.work
    for plan in plans:
        follows_the_rules(plan, target, agent.offsets)
        assert plan.worth == worth_of(plan.poses, target)
    again = list(GuidedBuilder(agent, work=600).plans(target))
    assert [plan.poses for plan in again] == [plan.poses for plan in plans]
    less = list(GuidedBuilder(agent, work=100).plans(target))
    assert [plan.poses for plan in less] == [plan.poses for plan in plans[: len(less)]]


def test_proposals_are_different_bricks_and_the_agents_own_is_the_first() -> None:
    agent = b3("random")
    target = load_task("random").test.targets[0]
    builder = GuidedBuilder(agent)
    sim = agent.begin([target])
    for _ in range(4):
        sim.step(look(agent, sim).choice)
    there = [Pose(*pose) for pose in sim.state.packed.placed[0, :5, :4].tolist()]
    beam = builder._first(target, there, SiteWorths(builder._sites(target, there)))
    likely = look(agent, sim).probabilities[0]
    by_pose: dict[Pose, float] = {}
    for pivot, offset in np.argwhere(likely).tolist():
        pose = agent.offsets.place(there[pivot], offset)
        by_pose[pose] = by_pose.get(pose, 0.0) + likely[pivot, offset]
    proposals = propose(beam, 10_000)
    poses = [Pose(*pose) for pose in proposals.pose.tolist()]
    assert sorted(poses) == sorted(by_pose)
    assert np.allclose(np.exp(proposals.log_prob), [by_pose[pose] for pose in poses])
    assert np.all(np.diff(proposals.log_prob[1:]) <= 0)
    assert tuple(proposals.action[0]) == tuple(look(agent, sim).choice[0])
    assert len(propose(beam, 3).parent) == 3


def test_nothing_is_better_than_what_a_wide_beam_finds() -> None:
    image = np.zeros((14, 14), bool)
    image[4:9, 4:10] = np.random.default_rng(5).random((5, 6)) < 0.4
    target = replace(target_of_image("speckles", image), budget=4)
    agent = b3("mnist-3")
    models = every_model(target, agent.offsets)
    *_, found = GuidedBuilder(agent, work=8 * len(models)).plans(target)
    assert found.worth == max(worth_of(list(model), target) for model in models)


def test_told_the_volume_nothing_is_better_either() -> None:
    step = np.zeros((14, 14, 14), bool)
    step[3:7, 4:6, 0] = step[5:9, 4:6, 1] = step[7:11, 4:6, 2] = True
    target = target_of_voxels("step", step, budget=3)
    agent = b3("random")
    models = every_model(target, agent.offsets)
    found = GuidedBuilder(agent, work=3 * len(models), estimate=from_volume).build(target)
    assert found.iou == pytest.approx(max(iou(BRICK_2X4, model, target.volume) for model in models))


def test_it_goes_on_from_what_others_began(solid_targets: TargetSet) -> None:
    target = solid_targets[0]
    agent = b3("random")
    builder = GuidedBuilder(agent, work=50)
    sim = builder.begin([target], by_hand=True)
    own = Pose(target.start.x, target.start.y - 2, 0, 1)  # that no offset joins
    sim.place(0, [own])
    for _ in builder.steps(sim):
        pass
    poses = sim.construction(0).poses
    assert poses[:2] == [target.start, own]
    assert len(poses) == target.budget
    assert not sim.state.invalid[0]


def test_a_target_far_from_what_the_agent_sees_is_built_all_the_same(flat_targets: TargetSet) -> None:
    """Where a B3+ sees no place for a brick, it places greedily, and so does the search that it guides."""
    agent = untaught("mnist", 1)
    target = replace(flat_targets[0], budget=60)
    built = GuidedBuilder(agent, work=0).build(target)
    assert len(built.bricks) == 60
    assert built.bricks == agent.build(target).bricks


def test_limits_are_checked() -> None:
    with pytest.raises(InputError, match="give a limit"):
        GuidedBuilder(untaught("mnist", 1), work=None)


def test_its_name_stands_for_the_agent_that_comes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "WEIGHTS", tmp_path)
    with pytest.raises(InputError, match="comes with the package"):
        register.builder("guided", offset_set("mnist"))
    save_agent(tmp_path / "mnist-b3plus.safetensors", "b3plus", untaught("mnist", 1).policy, {}, 0)
    builder = register.builder("guided", offset_set("mnist"))
    assert isinstance(builder, GuidedBuilder)


def test_the_bench_sets_it_beside_the_agent_and_the_plain_search(capsys: pytest.CaptureFixture[str]) -> None:
    main(["bench", "guided", "mnist-3", "--targets", "2", "--work", "0", "60", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["guided_0_iou"] == figures["agent_iou"]
    assert figures["guided_60_iou"] >= figures["agent_iou"]  # from one view what the images value is IoU
    with pytest.raises(SystemExit):
        main(["bench", "guided", "mnist-3", "--agent", "greedy"])
