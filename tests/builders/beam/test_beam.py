"""The search: against trying everything, and against proven optima."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from builders.brute_force import every_model

from brickbybrick.builders.beam.planner import SearchBuilder, from_volume
from brickbybrick.builders.beam.sites import UNIT
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import fill, iou
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_voxels

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
