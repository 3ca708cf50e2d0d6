"""Plans: by the readable rules, from images alone, and on from what others began."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from brickbybrick.builders.beam.planner import Estimate, SearchBuilder, from_views, from_volume
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.voxels import fill, iou, three_views
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_views, target_of_voxels


def follows_the_rules(construction: Construction, target: Target, offsets: OffsetSet) -> None:
    """Every brick has room and is joined to an earlier one by an offset, cell by cell; the score is the bricks'."""
    assembly = Assembly(offsets=offsets)
    for pose in construction.poses:
        if assembly.poses:
            joined = {offsets.place(pivot, offset) for pivot in assembly.poses for offset in range(len(offsets))}
            assert pose in joined
        assembly.put(pose)  # refuses bricks that overlap or lie underground
    assert assembly.poses[0] == target.start
    assert len(assembly.poses) == target.budget
    assert construction.iou == pytest.approx(iou(BRICK_2X4, assembly.poses, target.volume))


@pytest.mark.parametrize("offsets", ["mnist", "random", "modelnet", "all"])
def test_plans_obey_the_rules(offsets: str, solid_targets: TargetSet) -> None:
    joints = offset_set(offsets)
    for target, construction in zip(
        solid_targets, SearchBuilder(joints, work=20_000).build_all(solid_targets.targets), strict=True
    ):
        follows_the_rules(construction, target, joints)
        assert construction.builder == "search"


@pytest.mark.parametrize("offsets", ["mnist", "modelnet"])
def test_a_targets_result_is_its_own(offsets: str, solid_targets: TargetSet) -> None:
    """The same seed, the same model: alone, or with others in any order."""
    builder = SearchBuilder(offset_set(offsets), seed=4, work=30_000)
    alone = [builder.build(target) for target in solid_targets]
    assert builder.build_all(solid_targets.targets[::-1]) == alone[::-1]


def test_only_the_images_count(solid_targets: TargetSet) -> None:
    """Built the same when the volume is not known, or is another one with these views."""
    offsets = offset_set("modelnet")
    for target in solid_targets:
        views = replace(target_of_views(target.name, target.images), budget=target.budget)
        known, unknown = (SearchBuilder(offsets, work=10_000).build(each) for each in (target, views))
        assert known.bricks == unknown.bricks


def test_three_views_are_enough_to_beat_greedy_told_the_volume() -> None:
    task = load_task("random")
    targets = task.test.targets[:20]
    seen = [construction.iou or 0.0 for construction in SearchBuilder(task.offsets, work=30_000).build_all(targets)]
    told = [construction.iou or 0.0 for construction in GreedyBuilder(task.offsets).build_all(targets)]
    assert np.mean(seen) > np.mean(told) + 0.1


def test_every_pixel_wants_a_brick() -> None:
    """A bar behind a wall: the front does not show it, the top does."""
    wall = np.zeros((14, 14, 14), bool)
    wall[2:10, 4:6, :4] = True
    wall[5:7, 6:10, 2] = True
    target = target_of_voxels("wall", wall)
    construction = SearchBuilder(offset_set("all"), work=100_000).build(target)
    built = fill(BRICK_2X4, construction.poses, wall.shape)
    missing = target.images & ~three_views(np.roll(built, target.lift, axis=2))
    assert missing.mean() < 0.01


def test_one_view_says_as_much_of_every_cell_and_three_say_more(flat_targets: TargetSet) -> None:
    flat = from_views(flat_targets[0])
    assert len(flat.views) == 1
    assert len(np.unique(flat.cells)) == 2  # in the hull or not
    rod = np.zeros((14, 14, 14), bool)
    rod[3:11, 4:8, 0:2] = True  # behind a pixel of the front are 4 cells, of the side 8, of the top 2
    rod[5, 5, 2:6] = True  # a thin pole: single cells, seen from the front and from the side
    cells = from_views(target_of_voxels("rod", rod)).cells
    assert sorted(np.unique(cells)) == pytest.approx([0, 0.625, 0.75, 1])  # 4 where the pole stands, 2, 1


def test_an_estimate_of_ones_own_is_built(solid_targets: TargetSet) -> None:
    """A learned volume takes the place of the hull."""
    target = solid_targets[0]
    upper = target.volume & (np.arange(14) == 1)
    builder = SearchBuilder(offset_set("modelnet"), work=30_000, estimate=lambda _: Estimate(upper * 0.9))
    built = fill(BRICK_2X4, builder.build(replace(target, budget=6)).poses, upper.shape)
    assert (built & upper).sum() == 24  # the first brick carries two; what connects a third lies in another layer


def test_it_goes_on_from_what_others_began(solid_targets: TargetSet) -> None:
    """From a turned brick beside the first one that no offset joins, and again after somebody else's brick."""
    target = solid_targets[0]
    builder = SearchBuilder(offset_set("modelnet"), work=10_000)
    sim = builder.begin([target], by_hand=True)
    own = [Pose(target.start.x, target.start.y - 2, 0, 1), Pose(target.start.x + 1, target.start.y - 1, 1, 0)]
    sim.place(0, own)
    for step, _ in enumerate(builder.steps(sim)):
        if step == 2:
            sim.place(0, [next(free_places(sim.construction(0)))])
    construction = sim.construction(0)
    poses = construction.poses
    assert poses[:3] == [target.start, *own]
    assert len(poses) == target.budget
    assert not sim.state.invalid[0]
    assert construction.iou == pytest.approx(iou(BRICK_2X4, poses, target.volume))
    follows = Assembly()
    for pose in poses:
        follows.put(pose)


def free_places(construction: Construction) -> Iterator[Pose]:
    """Where a brick can stand on the ground, to the right of everything."""
    yield Pose(max(brick.x for brick in construction.bricks) + 4, 5, 0, 0)


def test_a_begun_model_is_finished_as_well_as_can_be() -> None:
    task = load_task("mnist-3")
    target = task.test.targets[0]
    builder = SearchBuilder(task.offsets, work=30_000)
    whole = builder.build(target)
    *_, (_, poses) = builder.plans(target, whole.poses[:7])
    assert poses[:7] == whole.poses[:7]
    assert iou(BRICK_2X4, poses, target.volume) == pytest.approx(whole.iou)


def test_a_budget_beyond_the_room_is_used_up(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    target = replace(flat_targets[0], budget=80)
    follows_the_rules(SearchBuilder(offsets, work=1_000).build(target), target, offsets)


def test_where_no_brick_has_room_the_search_ends() -> None:
    """A tower in one plane: beside it every joined brick clashes, and above it is more than the target's height."""
    wall = np.zeros((14, 14), bool)
    wall[10:, 4:10] = True
    target = replace(target_of_image("four layers", wall), budget=20)
    tower = [Pose(6, target.start.y, layer, 0) for layer in range(6)]
    builder = SearchBuilder(offset_set("mnist"), work=1_000)
    ((found, poses),) = builder.plans(target, tower)
    assert found.work == 0
    assert poses == tower
    sim = builder.begin([replace(target, start=tower[0])], by_hand=True)
    sim.place(0, tower[1:])
    for _ in builder.steps(sim):
        pass
    construction = sim.construction(0)  # what no plan reaches is built greedily
    assert construction.poses[:6] == tower
    assert len(construction.bricks) == target.budget


def test_a_search_without_an_end_is_refused() -> None:
    with pytest.raises(InputError, match="give a limit"):
        SearchBuilder(offset_set("mnist"), work=None)
    with pytest.raises(InputError, match="give a limit"):
        SearchBuilder(offset_set("mnist"), seconds=-1.0)


def test_a_search_that_is_told_the_best_stops_there(solid_targets: TargetSet) -> None:
    """With the volume's bound on an object made of bricks, and with none: the same model, for less work."""
    task = load_task("random")
    target = task.test[0]
    asked: list[Target] = []

    def all_of_it(target: Target) -> int:
        asked.append(target)
        return int(target.volume.sum())

    told, endless = (
        list(SearchBuilder(task.offsets, work=200_000, estimate=from_volume, bound=bound).plans(target))
        for bound in (all_of_it, None)
    )
    assert asked == [target]
    assert told[-1][0].worth == endless[-1][0].worth == 64 * target.volume.sum()
    assert told[-1][1] == endless[-1][1]
    # A bound that is out of reach changes nothing, and one that is reached at once ends it with the first model.
    target = solid_targets[1]
    joints = offset_set("modelnet")
    never, at_once, usual = (
        list(SearchBuilder(joints, work=30_000, estimate=from_volume, bound=bound).plans(target))
        for bound in (lambda _: 10_000, lambda _: 1, None)
    )
    assert [poses for _, poses in never] == [poses for _, poses in usual]
    assert [poses for _, poses in at_once] == [usual[0][1]]
    with pytest.raises(InputError, match="told the volume"):
        SearchBuilder(joints, bound=lambda _: 5)
