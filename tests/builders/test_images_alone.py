"""Whoever sees images never looks at the volume: with none, and with a wrong one, the same bricks come out."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from brickbybrick.builders.agent import GraphAgent, SpatialAgent
from brickbybrick.builders.base import Builder, RandomBuilder
from brickbybrick.builders.beam.planner import PlanningBuilder, SearchBuilder, from_volume
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.builders.guided import GuidedBuilder
from brickbybrick.builders.register import builder, entries
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.targets.target import Target, target_of_image, target_of_voxels

JOINTS = {1: offset_set("mnist"), 3: offset_set("modelnet")}
SEEING = [name for name, entry in entries().items() if entry.sees == "images"]
views = pytest.mark.parametrize("views", [1, 3])


def thing(views: int, budget: int, side: int = 14) -> Target:
    """Something with a hole that no view shows: the hull is not the volume."""
    middle = side // 2
    if views == 1:
        image = np.zeros((side, side), bool)
        image[middle - 2 : middle + 2, middle - 2 : middle + 2] = True
        target = target_of_image("square", image)
        volume = target.hull.copy()
        volume[middle, :, 1] = False
        return replace(target, voxels=volume, budget=budget)
    voxels = np.zeros((side,) * 3, bool)
    voxels[middle - 2 : middle + 2, middle - 2 : middle + 2, :3] = True
    voxels[middle - 1 : middle + 1, middle - 1 : middle + 1, 1] = False
    target = target_of_voxels("hollow", voxels, budget=budget, side=side)
    assert target.hull.sum() > target.volume.sum()
    return target


def alike(maker: Builder, target: Target) -> list[Pose]:
    """Builds what the images show and with every kind of volume; the same bricks, which are returned."""
    elsewhere = np.zeros_like(target.hull)
    elsewhere[0, 0, -1] = True
    kinds = [replace(target, voxels=voxels) for voxels in (target.voxels, None, elsewhere, target.hull)]
    models = [maker.build(kind).poses for kind in kinds]
    assert all(model == models[0] for model in models)
    together = [each.poses for each in maker.build_all(kinds)]
    assert together == models
    return models[0]


def graph_agent(joints: OffsetSet) -> GraphAgent:
    torch.manual_seed(2)
    return GraphAgent(ActorCritic(ModelConfig(views=views_of(joints), offsets=len(joints), width=8)), joints)


def spatial_agent(joints: OffsetSet) -> SpatialAgent:
    torch.manual_seed(2)
    return SpatialAgent(SpatialPolicy(SpatialConfig(views_of(joints), width=4, layers=2)), joints)


def views_of(joints: OffsetSet) -> int:
    return 1 if joints.flat else 3


MAKERS: dict[str, Callable[[OffsetSet], Builder]] = {
    "random": RandomBuilder,
    "search": lambda joints: SearchBuilder(joints, work=500),
    "graph": graph_agent,
    "spatial": spatial_agent,
    "guided by a graph": lambda joints: GuidedBuilder(graph_agent(joints), work=30),
    "guided in space": lambda joints: GuidedBuilder(spatial_agent(joints), work=30),
}


@views
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_same_bricks_whatever_the_volume(make: Callable[[OffsetSet], Builder], views: int) -> None:
    assert len(alike(make(JOINTS[views]), thing(views, budget=9))) == 9


@views
@pytest.mark.parametrize("name", SEEING)
def test_everyone_in_the_register_who_sees_images(name: str, views: int) -> None:
    maker = builder(name, JOINTS[views], task={1: "mnist-0", 3: "modelnet-table"}[views])
    assert maker.sees == "images"
    if isinstance(maker, PlanningBuilder):
        maker.work = 10  # enough for a plan
    assert len(alike(maker, thing(views, budget=5))) == 5


@views
@pytest.mark.parametrize("name", ["search", "spatial", "guided in space"])
def test_beyond_a_plan_too(name: str, views: int) -> None:
    """A budget larger than all room around the target: the last bricks are placed greedily, by the hull."""
    budget = 30 if views == 1 else 160
    target = thing(views, budget, side=4)
    maker = MAKERS[name](JOINTS[views])
    bricks = alike(maker, target)
    assert len(bricks) == budget
    if isinstance(maker, PlanningBuilder):
        assert len(maker.plan(target, [target.start])) < budget
    else:  # its network sees two cells around the target, and a layer above, or fifteen in all
        layers = 5 if views == 1 else 15
        assert not all(-2 <= pose.x < 6 and -2 <= pose.y < 6 and pose.z < layers for pose in bricks)


@views
@pytest.mark.parametrize("name", ["search", "spatial", "guided in space"])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_far_from_the_target_too(name: str, views: int, axis: str) -> None:
    """Begun where a network sees nothing, beside the target or in front of it."""
    target = thing(views, budget=5)
    start = target.start._replace(**{axis: 40})
    assert len(alike(MAKERS[name](JOINTS[views]), replace(target, start=start))) == 5


TOLD: dict[str, Callable[[OffsetSet], Builder]] = {
    "greedy": GreedyBuilder,
    "search": lambda joints: SearchBuilder(joints, work=500, estimate=from_volume),
}


@views
@pytest.mark.parametrize("make", TOLD.values(), ids=TOLD)
def test_whoever_is_told_the_volume_builds_it(make: Callable[[OffsetSet], Builder], views: int) -> None:
    """The other side of it: bricks keep out of the hole that no view shows."""
    maker = make(JOINTS[views])
    assert maker.sees == "volume"
    target = thing(views, budget=9)
    told, shown = (maker.build(replace(target, voxels=voxels)) for voxels in (target.voxels, None))
    assert told.bricks != shown.bricks
