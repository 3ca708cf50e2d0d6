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
from brickbybrick.targets.target import TargetSet, target_of_voxels

TINY = VolumeTraining(steps=6, batch=8, random=10, width=8, layers=2, evaluations=3)


def chests(number: int) -> Task:
    """Boxes that are open above, which no view shows: what is inside must be learned. As with ModelNet's objects the
    longest side is as long as the grid, and they stand in its middle."""
    draws, targets = np.random.default_rng(0), []
    for index in range(number):
        width, depth, height = 2 * draws.permutation([7, *draws.integers(3, 7, 2)])
        voxels = np.zeros((14, 14, 14), bool)
        x, y = 7 - width // 2, 7 - depth // 2
        voxels[x : x + width, y : y + depth, :height] = True
        voxels[x + 1 : x + width - 1, y + 1 : y + depth - 1, 1:height] = False
        targets.append(target_of_voxels(f"chests/{index:04d}", voxels))
    task = load_task("random")
    return replace(task, name="chests", train=TargetSet(tuple(targets)), test=TargetSet(tuple(targets[:4])))


def test_it_learns_what_no_view_shows() -> None:
    """In seconds: that chests are hollow. What it believes of those kept aside is nearly true, and builds them better
    than the rule of the hull."""
    task = chests(80)
    config = VolumeTraining(steps=150, batch=16, random=0, width=24, layers=3, cells=8, stretched=1.0, warped=0.0)
    learner = VolumeLearner(config, task)
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
