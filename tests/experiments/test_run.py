"""Runs on disk: they survive a kill, keep what they saw, and are not redone."""

import json
from pathlib import Path

import pytest
import torch
from learning.small import small, weights

from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.errors import InputError
from brickbybrick.experiments.job import Progress, Tell
from brickbybrick.experiments.run import Run, read_log
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.learner import Learner
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.teaching import Apprenticeship, TeachingConfig
from brickbybrick.learning.validation import make_validator
from brickbybrick.policies.files import load_agent
from brickbybrick.policies.validation import Exact, Validation
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import TargetSet


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def shapes(flat_targets: TargetSet) -> Task:
    return Task("shapes", offset_set("mnist"), 30, flat_targets, flat_targets)


ENDS = {f"{split}_{figure}" for split in ("train", "test") for figure in ("bricks", "invalid")}  # of episodes


class KilledError(Exception):
    pass


def run(learner: Learner, task: Task, folder: Path, tested: int, tell: Tell = lambda _: None) -> EpisodeBuilder:
    kept = Run(learner, task, folder, tested)
    kept.go_on(tell)
    return kept.end()


@pytest.mark.parametrize("validation", ["exact", "joint"])
def test_a_killed_run_ends_as_an_unbroken_one(shapes: Task, tmp_path: Path, validation: Validation) -> None:
    config = small(shapes, validation=validation)

    def train(folder: str, killed_after: float = float("inf")) -> None:
        def kill(progress: Progress) -> None:
            if progress.done >= killed_after:
                raise KilledError

        way = make_validator(validation, shapes.offsets, seed=3)
        run(Trainer(config, shapes, way), shapes, tmp_path / folder, 3, kill)

    train("unbroken")
    for after in (64, 160, 200):  # also between two checkpoints
        with pytest.raises(KilledError):
            train("broken", after)
    train("broken")
    one, other = (load_agent(tmp_path / name / "agent.safetensors").policy for name in ("unbroken", "broken"))
    assert torch.equal(weights(one), weights(other))
    logs = [read_log(tmp_path / name) for name in ("unbroken", "broken")]
    for record, same in zip(*logs, strict=True):
        assert {**record, "seconds": 0} == {**same, "seconds": 0}
    assert logs[0][-1]["steps"] == 256


def test_a_run_keeps_what_it_saw(shapes: Task, tmp_path: Path) -> None:
    told: list[Progress] = []
    run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3, told.append)
    # Where it begins, what it is tested as before it has learned anything, and iterations.
    assert [progress.done for progress in told] == [0, 0, *range(32, 257, 32)]
    assert {(progress.total, progress.unit) for progress in told} == {(256, "steps")}
    records = read_log(tmp_path)
    assert [record["steps"] for record in records] == [progress.done for progress in told if progress.line]
    for record, progress in zip(records, (progress for progress in told if progress.line), strict=True):
        assert f"IoU {record['train_iou']:.3f} train, {record['test_iou']:.3f} test" in progress.line
        assert progress.kept
    assert {"steps", "seconds", "train_iou", "test_iou", "train_return", "test_return"} == set(records[0]) - ENDS
    assert {"entropy", "value_loss", "rollout_iou", *records[0]} <= set(records[1])
    assert json.loads((tmp_path / "config.json").read_text())["task"] == "shapes"


def test_a_finished_run_is_not_redone(shapes: Task, tmp_path: Path) -> None:
    first = run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3)
    told: list[Progress] = []
    again = run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3, told.append)
    assert [(progress.done, progress.total, progress.line) for progress in told] == [(256, 256, "")]
    assert again.build_all(shapes.test.targets) == first.build_all(shapes.test.targets)


def test_a_run_that_goes_on_says_at_once_where_it_is(shapes: Task, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done >= 160:
            raise KilledError

    with pytest.raises(KilledError):
        run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3, stop)
    told: list[Progress] = []
    run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3, told.append)
    assert [progress.done for progress in told] == [128, *range(160, 257, 32)]  # 128: the last checkpoint
    assert not told[0].line


def test_a_run_goes_on_with_its_own_settings_alone(shapes: Task, tmp_path: Path) -> None:
    run(Trainer(small(shapes), shapes, Exact()), shapes, tmp_path, 3)
    with pytest.raises(InputError, match="is of another run, with other seed; give another folder"):
        run(Trainer(small(shapes, seed=1), shapes, Exact()), shapes, tmp_path, 3)


def test_a_log_that_was_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    assert read_log(tmp_path) == []
    (tmp_path / "log.jsonl").write_text('{"steps": 1}\n{"steps": 2}\n{"steps": 3, "sec')
    assert read_log(tmp_path) == [{"steps": 1}, {"steps": 2}]


def test_what_is_taught_is_kept_like_what_is_trained(shapes: Task, tmp_path: Path) -> None:
    """B3+ learns in runs too: the agent of the folder builds as the learner's own does."""
    learner = Apprenticeship(TeachingConfig(rounds=1, epochs=1, work=500, width=4, layers=1), shapes)
    told: list[Progress] = []
    agent = run(learner, shapes, tmp_path, 3, told.append)
    saved = load_agent(tmp_path / "agent.safetensors")
    assert (saved.name, saved.training["task"]) == ("b3plus", "shapes")
    assert torch.equal(weights(saved.policy), weights(learner.policy))
    assert told[-1].done == told[-1].total
    assert [record.get("round") for record in read_log(tmp_path)] == [None, 1]
    assert agent.name == "b3plus"
