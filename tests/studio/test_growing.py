"""Models that others began: what an agent sees of them, and what is left of them when a builder is stopped."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.builders.base import RandomBuilder
from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.policies.actor_critic import ActorCritic, Frame, ModelConfig
from brickbybrick.policies.observation import Observer
from brickbybrick.studio.growing import GrowingModel, candidates, in_layers, in_plates, show, views_of
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import TargetSet


def agent(views: int, frame: Frame) -> GraphAgent:
    """An agent that has learned nothing: it builds the same each time, and anything."""
    torch.manual_seed(views)
    offsets = offset_set("mnist" if views == 1 else "modelnet")
    return GraphAgent(ActorCritic(ModelConfig(views=views, offsets=len(offsets), width=16, frame=frame)), offsets)


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
    for first in (PlacedBrick("2x4", 9, 3, 6, 1), PlacedBrick("2x4", -4, 20, 0, 0)):
        second = PlacedBrick("2x4", first.x, first.y, first.z + 3, first.d)
        model = GrowingModel(builder, Wanted(target), [first, second])
        observer = Observer(model.sim, torch.device("cpu"), "image")
        seen = observer.observation.nodes[0, :2].tolist()
        for node, brick in zip(seen, (first, second), strict=True):
            x, y, z = BRICK_2X4.centre(in_layers(brick.pose))
            assert node == [x, y, z + target.lift, brick.d]


def test_what_there_is_so_far_is_what_was_told(solid_targets: TargetSet) -> None:
    """Also of a builder that has placed bricks since, and of one that has placed none."""
    builder = RandomBuilder(offset_set("modelnet"))
    given = [PlacedBrick("2x4", 3, 3, 0, 0, 14, 0), PlacedBrick("2x4", 3, 3, 3, 0, 14, 1)]
    model = GrowingModel(builder, Wanted(solid_targets[0]), given, budget=9, colours=[4])
    assert model.so_far("it was late").construction.bricks == tuple(given)
    told = list(itertools.islice(model.bricks(), 3))
    for _ in builder.steps(model.sim):
        pass
    made = model.so_far("it was late").construction
    assert made.bricks == (*given, *(news.brick for news in told))
    assert made.iou == told[-1].iou == iou(BRICK_2X4, made.poses, solid_targets[0].volume)
    assert made.notes == ("it was late",)
    assert len(model.finish().construction.bricks) == 9


def test_a_model_has_its_first_brick_from_the_start(flat_targets: TargetSet) -> None:
    model = GrowingModel(RandomBuilder(offset_set("mnist")), Wanted(flat_targets[0]))
    (only,) = model.so_far("it was late").construction.bricks
    assert only.pose == flat_targets[0].start
    assert [news.brick.pose for news in itertools.islice(model.bricks(), 1)] == [only.pose]


def test_probabilities_of_one_place_add_up(solid_targets: TargetSet) -> None:
    builder = agent(3, "first")
    one_below_two = [PlacedBrick("2x4", 1, 0, 0, 0), PlacedBrick("2x4", 0, 0, 3, 0), PlacedBrick("2x4", 2, 0, 3, 0)]
    model = GrowingModel(builder, Wanted(solid_targets[0]), one_below_two)
    shares = builder.advice(model.sim).probabilities[0]
    sums: dict[Pose, float] = {}
    for pivot, offset in np.argwhere(model.sim.mask()):
        pose = in_plates(builder.offsets.place(in_layers(model.given[pivot].pose), int(offset)))
        sums[pose] = sums.get(pose, 0.0) + shares[pivot, offset]
    found = {Pose(*(c[key] for key in "xyzd")): c["probability"] for c in candidates(model)["candidates"]}
    assert found == pytest.approx(sums)
    assert len(sums) < model.sim.mask().sum()  # a brick over both is joined to either


def test_a_brick_is_seen_from_the_front_the_side_and_the_top(solid_targets: TargetSet) -> None:
    """A 2x4 brick along y at (3, 5), on the ground: 2 wide from the front, 4 from the side, 2 x 4 from the top."""
    target = solid_targets[0]
    images = np.zeros_like(target.images)
    show(images, [Pose(3, 5, 0, 0)], target.lift)
    front, side, top = (np.argwhere(image) for image in images)
    row = 13 - target.lift  # the lowest that the target reaches
    assert front.tolist() == [[row, 3], [row, 4]]
    assert side.tolist() == [[row, 5], [row, 6], [row, 7], [row, 8]]
    assert top.tolist() == [[13 - y, x] for y in (8, 7, 6, 5) for x in (3, 4)]


def test_of_a_flat_target_only_the_front_is_shown(flat_targets: TargetSet) -> None:
    images = np.zeros_like(flat_targets[0].images)
    show(images, [Pose(3, 5, 2, 0)], flat_targets[0].lift)
    assert len(views_of(images)) == 1
    assert images.sum() == 2


def test_rows_are_text_from_the_top_down() -> None:
    assert views_of(np.array([[[True, False], [False, False]]])) == [{"rows": ["10", "00"]}]


def test_what_is_outside_the_frame_is_not_shown(solid_targets: TargetSet) -> None:
    images, lift = np.zeros_like(solid_targets[0].images), solid_targets[0].lift
    show(images, [Pose(-9, -9, 0, 0), Pose(40, 40, 40, 1), Pose(5, 5, -40, 0)], lift)
    assert not images[:2].any()
    assert images[2].sum() == 8  # far below, yet seen from above
    show(images, [Pose(-1, 12, 0, 0)], lift)
    assert images[0].sum() == 1
    assert images[1].sum() == 2
