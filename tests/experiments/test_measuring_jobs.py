"""What jobs measure is what one finds by building the same targets oneself."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.experiments import measuring_jobs
from brickbybrick.experiments.job import Machine, perform
from brickbybrick.experiments.measuring_jobs import Contents, Evaluation, Timing, scored
from brickbybrick.policies.validation import Validation
from brickbybrick.targets.catalog import load_task


def test_a_builder_is_scored_on_all_unseen_targets_and_some_others(tmp_path: Path) -> None:
    result = perform(Evaluation(task="mnist-1", builder="greedy"), tmp_path, Machine())
    task = load_task("mnist-1")
    built = GreedyBuilder(task.offsets).build_all(list(task.test))
    assert result["test"]["target"] == [target.name for target in task.test]
    assert result["test"]["iou"] == [round(each.iou or 0, 5) for each in built]
    assert result["test"]["bricks"] == [len(each.bricks) for each in built]
    assert len(result["train"]["target"]) == 100
    assert set(result["train"]["target"]) <= {target.name for target in task.train}


def test_a_few_targets_are_some_of_each_kind() -> None:
    task = load_task("mnist")
    result = scored(GreedyBuilder(task.offsets), task, most=30)
    for split in ("train", "test"):
        assert {name.split("/")[0] for name in result[split]["target"]} == {f"mnist-{digit}" for digit in range(10)}


def test_one_view_says_as_much_as_the_volume(tmp_path: Path) -> None:
    """A digit is a plane: whoever is told its image knows its volume. That is not so of objects."""
    flat = perform(Evaluation(task="mnist-1", builder="bo", targets=2), tmp_path / "flat", Machine())
    for figure in ("iou", "return"):
        assert flat["views"][figure] == pytest.approx(flat["test"][figure], abs=2e-5)
    assert flat["distinct"]["candidates_per_step"] <= flat["candidates_per_step"]
    solid = perform(Evaluation(task="random", builder="bo", targets=2), tmp_path / "solid", Machine())
    assert sum(solid["views"]["iou"]) < sum(solid["test"]["iou"])


def test_every_way_to_keep_invalid_actions_out_is_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring_jobs, "TIMED_STEPS", 5)
    spent = iter((1.0, 2.0, 6.0))
    monkeypatch.setattr(measuring_jobs, "bench_validity", lambda: {"incremental_us_100": next(spent)})
    result = perform(Timing(repeats=3), tmp_path, Machine())
    assert result["figures"] == {"incremental_us_100": 3.0}
    assert result["deviations"] == {"incremental_us_100": pytest.approx(np.std([1, 2, 6], ddof=1), abs=1e-4)}
    assert set(result["ms_per_step"]) == set(get_args(Validation))
    assert min(result["ms_per_step"].values()) > 0


def test_what_a_task_consists_of(tmp_path: Path) -> None:
    """The paper's random objects: 800 to train on and 200 unseen, joined in 16 ways."""
    result = perform(Contents(task="random"), tmp_path, Machine())
    assert (result["train"], result["test"], result["offsets"]) == (800, 200, 16)
    assert result["budget_min"] <= result["budget_mean"] <= result["budget_max"]
