"""Models that others began: what an agent sees of them, and what is kept of targets."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning import checkpoint
from brickbybrick.learning.evaluate import Agent
from brickbybrick.learning.sight import Eyes
from brickbybrick.policies.actor_critic import ActorCritic, Frame, ModelConfig
from brickbybrick.studio.agents import registered
from brickbybrick.studio.growing import GrowingModel, candidates
from brickbybrick.studio.shelf import Shelf
from brickbybrick.studio.silhouettes import Silhouettes
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import TargetSet


def agent(views: int, frame: Frame) -> Agent:
    """An agent that has learned nothing: it builds the same each time, and anything."""
    torch.manual_seed(views)
    offsets = offset_set("mnist" if views == 1 else "modelnet")
    return Agent(ActorCritic(ModelConfig(views=views, offsets=len(offsets), width=16, frame=frame)), offsets)


@pytest.mark.parametrize("frame", ["first", "image"])
@pytest.mark.parametrize("views", [1, 3])
def test_an_agent_goes_on_as_if_it_had_not_stopped(
    flat_targets: TargetSet, solid_targets: TargetSet, views: int, frame: Frame
) -> None:
    builder = agent(views, frame)
    for target in (flat_targets if views == 1 else solid_targets)[:2]:
        target = replace(target, budget=16)
        whole = builder.build(target)
        for count in (1, 5, 9):
            model = GrowingModel(builder, Wanted(target), whole.bricks[:count])
            assert [news.index for news in model.bricks()] == list(range(count, len(whole.bricks)))
            assert model.finish().construction.bricks == whole.bricks
            assert model.sim.state.episode_return[0] == whole.episode_return


def test_an_agent_sees_where_in_the_image_others_began(solid_targets: TargetSet) -> None:
    builder, target = agent(3, "image"), solid_targets[1]
    for first in (PlacedBrick("2x4", 9, 3, 2, 1), PlacedBrick("2x4", -4, 20, 0, 0)):
        second = PlacedBrick("2x4", first.x, first.y, first.z + 1, first.d)
        model = GrowingModel(builder, Wanted(target), [first, second])
        eyes = Eyes(model.sim, torch.device("cpu"), "image")
        seen = eyes.sight.nodes[0, :2].tolist()
        for node, brick in zip(seen, (first, second), strict=True):
            x, y, z = BRICK_2X4.centre(brick.pose)
            assert node == [x, y, z + target.lift, brick.d]


def test_probabilities_of_one_place_add_up(solid_targets: TargetSet) -> None:
    builder = agent(3, "first")
    one_below_two = [PlacedBrick("2x4", 1, 0, 0, 0), PlacedBrick("2x4", 0, 0, 1, 0), PlacedBrick("2x4", 2, 0, 1, 0)]
    model = GrowingModel(builder, Wanted(solid_targets[0]), one_below_two)
    shares = builder.probabilities(model.sim)[0]
    sums: dict[Pose, float] = {}
    for pivot, offset in np.argwhere(model.sim.mask()):
        pose = builder.offsets.place(model.given[pivot].pose, int(offset))
        sums[pose] = sums.get(pose, 0.0) + shares[pivot, offset]
    found = {Pose(*(c[key] for key in "xyzd")): c["probability"] for c in candidates(model)["candidates"]}
    assert found == pytest.approx(sums)
    assert len(sums) < model.sim.mask().sum()  # a brick over both is joined to either


def test_silhouettes_leave_out_what_is_outside(solid_targets: TargetSet) -> None:
    shown = Silhouettes(solid_targets[0], BRICK_2X4)
    shown.add([Pose(-9, -9, 0, 0), Pose(40, 40, 40, 1), Pose(5, 5, -40, 0)])
    assert not shown.images[:2].any()
    assert shown.images[2].sum() == 8  # far below, yet seen from above
    shown.add([Pose(-1, 12, 0, 0)])
    assert shown.images[0].sum() == 1
    assert shown.images[1].sum() == 2


def test_a_shelf_is_bounded_and_forgets(flat_targets: TargetSet) -> None:
    now = 0.0
    shelf = Shelf(most=3, seconds=10, clock=lambda: now)
    wanted = [Wanted(target) for target in flat_targets]
    names = [shelf.put(each) for each in wanted]
    assert len(set(names)) == 3
    assert all(len(name) >= 20 for name in names)
    assert shelf.get(names[0]) is wanted[0]
    shelf.put(wanted[0])
    assert shelf.get(names[1]) is None  # it was not asked for longest
    assert len(shelf) == 3
    now = 9
    assert shelf.get(names[0]) is wanted[0]
    now = 15
    assert shelf.get(names[0]) is wanted[0]
    assert len(shelf) == 1
    now = 26
    assert shelf.get(names[0]) is None
    assert shelf.get("nothing") is None


def test_every_builder_is_registered_once() -> None:
    entries = registered()
    assert [entry.name for entry in entries.values()] == list(entries)
    for entry in entries.values():
        assert set(entry.views) <= {1, 3}
        assert entry.probabilities == hasattr(entry.builder(entry.views[0], 0), "probabilities")


def test_the_best_come_first_and_agents_for_a_digit_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED_AGENTS", tmp_path)
    assert list(registered()) == ["search", "greedy", "bo", "random"]
    for name in ("mnist-b3plus", "mnist-b3", "mnist-mlp", "objects-b3", "mnist-7-b3", "mnist-2-b3"):
        (tmp_path / f"{name}.safetensors").touch()
    found = registered()
    agents = ["b3plus", "b3", "mlp"]
    assert list(found) == ["search", *agents, "greedy", "bo", "random", "b3-digit-2", "b3-digit-7"]
    assert [found[name].views for name in (*agents, "b3-digit-2")] == [(1,), (1, 3), (1,), (1,)]
