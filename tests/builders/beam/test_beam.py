"""The search: against trying everything, against proven optima, and against the readable rules."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from builders.brute_force import every_model

from brickbybrick.builders.beam.beam import improve
from brickbybrick.builders.beam.planner import Estimate, SearchBuilder, from_views, from_volume
from brickbybrick.builders.beam.sites import UNIT, sites_of
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.voxels import fill, iou, three_views
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_views, target_of_voxels

# Cells inside in the best model of so many bricks as the budget allows, proven by CP-SAT with a parent for each brick.
OPTIMA = {
    "mnist-0/400": 112,
    "mnist-1/400": 76,
    "mnist-2/400": 132,
    "mnist-3/400": 132,
    "mnist-4/400": 92,
    "mnist-5/400": 100,
    "mnist-6/400": 92,
    "mnist-0/402": 196,
    "mnist-3/402": 72,
    "mnist-5/402": 48,
}


def follows_the_rules(construction: Construction, target: Target, offsets: OffsetSet) -> None:
    """Every brick has room and is joined to an earlier one by an offset, cell by cell; the score is the bricks'."""
    assembly = Assembly(offsets=offsets)
    for brick in construction.bricks:
        if assembly.poses:
            joined = {offsets.place(pivot, offset) for pivot in assembly.poses for offset in range(len(offsets))}
            assert brick.pose in joined
        assembly.put(brick.pose)  # refuses bricks that overlap or lie underground
    assert assembly.poses[0] == target.start
    assert len(assembly.poses) == target.budget
    assert construction.iou == pytest.approx(iou(BRICK_2X4, assembly.poses, target.volume))


def small_targets() -> Iterator[tuple[Target, str]]:
    """Things whose models can all be tried: slanted strokes for the digits' joints, a bridge and a step for others."""
    rng = np.random.default_rng(5)
    for number in range(4):
        image = np.zeros((14, 14), bool)
        image[4:9, 4:10] = rng.random((5, 6)) < 0.4
        yield replace(target_of_image(f"speckles {number}", image), budget=5), "mnist"
    bridge = np.zeros((14, 14, 14), bool)
    bridge[3:5, 4:8, 0] = bridge[7:9, 4:8, 0] = bridge[3:9, 5:7, 1] = True
    step = np.zeros((14, 14, 14), bool)
    step[3:7, 4:6, 0] = step[5:9, 4:6, 1] = step[7:11, 4:6, 2] = True
    for name, voxels in {"bridge": bridge, "step": step}.items():
        for offsets in ("random", "modelnet"):
            yield target_of_voxels(name, voxels, budget=3), offsets


@pytest.mark.parametrize(("target", "offsets"), list(small_targets()), ids=str)
def test_nothing_is_better_than_what_it_finds(target: Target, offsets: str) -> None:
    joints = offset_set(offsets)
    best = max(iou(BRICK_2X4, model, target.volume) for model in every_model(target, joints))
    found = SearchBuilder(joints, work=100_000, estimate=from_volume).build(target)
    assert found.iou == pytest.approx(best)


@pytest.mark.parametrize("name", OPTIMA)
def test_digits_are_built_as_well_as_can_be(name: str) -> None:
    task = load_task(name.partition("/")[0])
    target = next(target for target in task.test if target.name == name)
    construction = SearchBuilder(task.offsets, work=100_000).build(target)
    cells = BRICK_2X4.studs * target.budget + int(target.volume.sum())
    assert construction.iou == pytest.approx(OPTIMA[name] / (cells - OPTIMA[name]))


@pytest.mark.parametrize("offsets", ["mnist", "random", "modelnet", "all"])
def test_plans_obey_the_rules(offsets: str, solid_targets: TargetSet) -> None:
    joints = offset_set(offsets)
    for target, construction in zip(
        solid_targets, SearchBuilder(joints, work=20_000).build_all(solid_targets.targets), strict=True
    ):
        follows_the_rules(construction, target, joints)
        assert construction.builder == "search"


def test_sites_know_what_bricks_do() -> None:
    """Joints, clashes, worth and pixels of some sites, against cells."""
    offsets = offset_set("modelnet")
    worth = np.random.default_rng(3).random((6, 7, 4)).round(1)
    begun = [Pose(1, 1, 0, 0), Pose(2, 1, 1, 1)]
    front = worth.max(axis=1)
    sites = sites_of(offsets, worth, begun, [((0, 2), front)])
    poses = [Pose(*pose) for pose in sites.poses.tolist()]
    assert poses[:2] == begun
    assert len(set(poses)) == len(poses)
    assert {pose.z for pose in poses} == set(range(5))  # the four layers of the target and one above them
    cells = [set(BRICK_2X4.cells(pose)) for pose in poses]
    for site in (0, 1, 17, len(poses) // 2, len(poses) - 1):
        joined = {offsets.place(poses[site], offset) for offset in range(len(offsets))} & set(poses)
        assert {poses[other] for other in sites.joins[site] if other >= 0} == joined
        clashing = {pose for pose, other in zip(poses, cells, strict=True) if other & cells[site]}
        assert {poses[other] for other in sites.clashes[site] if other >= 0} == clashing
        inside = fill(BRICK_2X4, [poses[site]], worth.shape)
        assert sites.worths[site] == (worth[inside] * UNIT).round().sum()
        shown = inside.any(axis=1) & (front > 0)
        pixels = sites.pixels[site][sites.pixels[site] >= 0]
        if all(0 <= y < 7 for _, y, _ in cells[site]):  # cells outside the grid cover pixels too
            assert sorted(sites.prizes[pixels]) == sorted((front[shown] * UNIT).round())


def test_more_work_is_never_worse() -> None:
    task = load_task("mnist-5")
    scores = []  # (work, target)
    for work in 10 ** np.arange(6):
        built = SearchBuilder(task.offsets, work=work).build_all(task.test.targets[:10])
        scores.append([construction.iou or 0.0 for construction in built])
    assert np.all(np.diff(scores, axis=0) >= 0)
    assert np.mean(scores[-1]) > np.mean(scores[0]) + 0.02


def test_plans_get_better_as_time_goes_by(solid_targets: TargetSet) -> None:
    target = solid_targets[1]
    plans = list(SearchBuilder(offset_set("modelnet"), work=300_000, estimate=from_volume).plans(target))
    assert len(plans) > 2
    for (before, _), (after, poses) in itertools.pairwise(plans):
        assert after.worth > before.worth
        assert after.seconds >= before.seconds
        assert after.work > before.work
        assert after.worth == UNIT * (fill(BRICK_2X4, poses, target.volume.shape) & target.volume).sum()


def test_a_search_for_some_time_takes_some_time(solid_targets: TargetSet) -> None:
    builder = SearchBuilder(offset_set("modelnet"), work=None, seconds=0.2)
    *_, (found, poses) = builder.plans(solid_targets[1])
    assert len(poses) == solid_targets[1].budget
    assert found.seconds < 5  # it ends, however slow the machine is


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
    built = fill(BRICK_2X4, [brick.pose for brick in construction.bricks], wall.shape)
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
    built = fill(BRICK_2X4, [brick.pose for brick in builder.build(replace(target, budget=6)).bricks], upper.shape)
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
    poses = [brick.pose for brick in construction.bricks]
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
    *_, (_, poses) = builder.plans(target, [brick.pose for brick in whole.bricks[:7]])
    assert poses[:7] == [brick.pose for brick in whole.bricks[:7]]
    assert iou(BRICK_2X4, poses, target.volume) == pytest.approx(whole.iou)


def test_a_budget_beyond_the_room_is_used_up(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    target = replace(flat_targets[0], budget=80)
    follows_the_rules(SearchBuilder(offsets, work=1_000).build(target), target, offsets)


def test_bricks_far_away_do_not_matter(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    target = flat_targets[0]
    sites = sites_of(offsets, target.volume.astype(float), [Pose(900, 5, 0, 0)])
    (found,) = improve(sites, 5, seed=0, work=100)
    assert found.sites.size == 0


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
    assert [brick.pose for brick in construction.bricks[:6]] == tower
    assert len(construction.bricks) == target.budget


def test_a_search_without_an_end_is_refused() -> None:
    with pytest.raises(InputError, match="give a limit"):
        SearchBuilder(offset_set("mnist"), work=None)
    with pytest.raises(InputError, match="give a limit"):
        SearchBuilder(offset_set("mnist"), seconds=-1.0)
