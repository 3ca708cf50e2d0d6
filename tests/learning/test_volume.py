"""How the volume behind three views is learned."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from learning.small import weights
from policies.begun import few

from brickbybrick.builders.beam.planner import SearchBuilder, from_views
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.voxels import three_views, visual_hull
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.learning.volume import (
    VolumeLearner,
    VolumeTraining,
    is_aside,
    objects_of,
    open_cells,
    reliability,
)
from brickbybrick.policies.files import load_agent, save_agent
from brickbybrick.policies.volume import VolumeNetwork
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import TargetSet, budget_for, target_of_voxels

TINY = VolumeTraining(steps=6, batch=8, random=10, width=8, layers=2, evaluations=3)


def chests(number: int) -> Task:
    """Boxes that are open above, which no view shows: what is inside must be learned."""
    draws, targets = np.random.default_rng(0), []
    for index in range(number):
        width, depth, height = draws.integers(5, 13, 3)
        voxels = np.zeros((14, 14, 14), bool)
        voxels[:width, :depth, :height] = True
        voxels[1 : width - 1, 1 : depth - 1, 1:height] = False
        targets.append(target_of_voxels(f"chests/{index:04d}", voxels))
    task = load_task("random")
    return replace(task, name="chests", train=TargetSet(tuple(targets)), test=TargetSet(tuple(targets[:4])))


def test_it_learns_what_no_view_shows() -> None:
    """In seconds: that chests are hollow. What it believes of those kept aside is nearly true, and builds them better
    than the rule of the hull."""
    task = chests(80)
    learner = VolumeLearner(VolumeTraining(steps=250, batch=16, random=0, width=24, layers=3, stretched=1.0), task)
    losses = [report.figures["loss"] for report in learner.run() if report.due == "test"]
    assert losses[-1] < 0.3 * losses[0]
    aside = [target for target in task.train if is_aside(target)]
    assert aside
    found = reliability(learner.policy, aside)
    assert found["hull_iou"] < 0.75
    assert found["belief_iou"] > 0.95
    believing, seeing = (
        evaluate(SearchBuilder(task.offsets, work=3_000, estimate=estimate), aside).iou.mean()
        for estimate in (learner.builder().estimate, from_views)
    )
    assert believing > seeing + 0.05


def test_only_what_views_leave_open_is_asked() -> None:
    objects = objects_of(few("random", 20).train.targets)
    undecided = open_cells(objects.hulls)
    assert not bool((undecided & ~objects.hulls).any())
    assert bool((objects.volumes | undecided | ~objects.hulls).all())  # what is empty in the hull is never certain


def test_objects_drawn_out_are_objects() -> None:
    """Their hull is the hull of their views; nothing is lost as far as there is room; budgets grow with volumes."""
    targets = few("random", 12).train.targets
    objects = objects_of(targets)
    same = objects.drawn_out((1.0, 1.0, 1.0))
    assert all(torch.equal(one, other) for one, other in zip(same, objects, strict=True))
    for factors in ((1.3, 0.8, 1.0), (0.75, 0.75, 0.75), (1.0, 1.35, 1.35)):
        longer = objects.drawn_out(factors)
        for hull, volume in zip(longer.hulls, longer.volumes, strict=True):
            seen = visual_hull(three_views(volume.numpy().transpose(2, 1, 0)))
            assert np.array_equal(hull.numpy().transpose(2, 1, 0), seen)
        assert bool(longer.volumes.flatten(1).any(dim=1).all())
        before, after = (each.volumes.sum(dim=(1, 2, 3)) for each in (objects, longer))
        assert torch.equal(longer.budgets, (objects.budgets * after / before).ceil().long())
    smaller = objects.drawn_out((0.5, 0.5, 0.5))
    assert bool((smaller.budgets < objects.budgets).all())


def test_a_box_twice_as_long_is_a_box_twice_as_long() -> None:
    voxels = np.zeros((14, 14, 14), bool)
    voxels[5:9, 6:8, :3] = True
    box = objects_of([target_of_voxels("box", voxels)])
    longer = box.drawn_out((2.0, 1.0, 2.0))
    wanted = np.zeros((14, 14, 14), bool)
    wanted[3:11, 6:8, :6] = True
    assert np.array_equal(longer.volumes[0].numpy().transpose(2, 1, 0), wanted)
    assert longer.budgets.tolist() == [4 * budget_for(24)]


def test_mirrors_show_the_same_object() -> None:
    objects = objects_of(few("random", 3).train.targets)
    for how in ((True, False, False), (False, True, False), (False, False, True)):
        twice = objects.seen(*how).seen(*how)
        assert all(torch.equal(one, other) for one, other in zip(twice, objects, strict=True))
        once = objects.seen(*how)
        assert torch.equal(once.volumes.sum(dim=(2, 3)), objects.volumes.sum(dim=(2, 3)))  # layer by layer


def test_a_run_that_was_stopped_goes_on_exactly(tmp_path: Path) -> None:
    task = few("random", 12)
    unbroken = VolumeLearner(TINY, task)
    reports = unbroken.run()
    next(report for report in reports if report.due)
    save_run(tmp_path / "run.safetensors", unbroken)
    list(reports)
    torch.manual_seed(9)
    again = VolumeLearner(TINY, task)
    load_run(tmp_path / "run.safetensors", again)
    assert again.done == 2
    list(again.run())
    assert torch.equal(weights(again.policy), weights(unbroken.policy))


def test_networks_come_back_from_their_files(tmp_path: Path) -> None:
    learner = VolumeLearner(TINY, few("random", 12))
    save_agent(tmp_path / "volume.safetensors", "volume", learner.policy, learner.settings(), 3)
    saved = load_agent(tmp_path / "volume.safetensors")
    assert isinstance(saved.policy, VolumeNetwork)
    assert torch.equal(weights(saved.policy), weights(learner.policy))


def test_what_cannot_be_learned() -> None:
    with pytest.raises(InputError, match="seen in one view"):
        VolumeLearner(TINY, few("mnist-3", 3))
    for changes in ({"steps": 0}, {"batch": 0}, {"random": -1}, {"learning_rate": 0.0}):
        with pytest.raises(InputError, match="a volume needs"):
            VolumeTraining(**changes)  # type: ignore[arg-type]
