"""Every builder on the same unseen targets: measured once, on all kinds of them, and never mixed."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.kept import KEPT

from brickbybrick.builders.base import RandomBuilder
from brickbybrick.builders.beam.planner import SearchBuilder, from_views
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.builders.register import usual_estimate
from brickbybrick.errors import InputError
from brickbybrick.experiments import beyond
from brickbybrick.experiments.beyond import Beyond, Contender, believed_worth, beyond_job, load_all
from brickbybrick.experiments.job import Machine, Progress, perform
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import Target


def kept(task: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((KEPT / f"beyond/{task}/result.json").read_text())
    return record


def test_agents_count_as_the_mean_over_their_seeds() -> None:
    runs = [json.loads((KEPT / f"runs/mnist-4/b3-{seed}/result.json").read_text()) for seed in range(3)]
    mean = np.mean([run["test"]["iou"] for run in runs], axis=0)
    measured = kept("mnist-4")["builders"]["b3"]
    assert measured["settings"]["seeds"] == 3
    assert measured["iou"] == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("task", ["mnist-8", "random", "modelnet-monitor"])
def test_more_work_never_makes_a_model_that_is_worth_less(task: str) -> None:
    """As far as a search can know."""
    builders = kept(task)["builders"]
    works = (1_000, 10_000, 100_000, 1_000_000)
    for kind, figure in (("volume", "iou"), ("search", "worth")):
        rows = [builders[f"{kind}-{work}"][figure] for work in works]
        assert all(list(column) == sorted(column) for column in zip(*rows, strict=True))


def test_what_a_search_believes_is_what_it_counted() -> None:
    """Cell by cell and pixel by pixel, the same as the sums that the beam keeps."""
    task = load_task("random")
    for estimate in (from_views, usual_estimate(task.offsets)):
        builder = SearchBuilder(task.offsets, work=1_000, estimate=estimate)
        for target in task.test.targets[:3]:
            *_, (found, _) = builder.plans(target)
            assert believed_worth(estimate(target), builder.build(target)) == found.worth


@pytest.fixture
def two_contenders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Only greedy and random take part; the list says who was asked to build, in turn."""
    asked: list[str] = []

    def contenders(task: Task, _runs: Path, _targets: Sequence[Target]) -> Iterator[Contender]:
        for name, kind in (("greedy", GreedyBuilder), ("random", RandomBuilder)):
            yield Contender(name, {}, lambda name=name, kind=kind: (asked.append(name), kind(task.offsets))[1])

    monkeypatch.setattr(beyond, "contenders", contenders)
    return asked


@pytest.mark.usefixtures("two_contenders")
def test_a_few_targets_are_some_of_each_kind(tmp_path: Path) -> None:
    """One of each digit, which the first ten are not."""
    result = perform(Beyond(task="mnist", targets=10), tmp_path, Machine())
    task = load_task("mnist")
    first = [next(each for each in task.test if each.name.startswith(f"mnist-{digit}/")) for digit in range(10)]
    built = GreedyBuilder(task.offsets).build_all(first)
    assert result["builders"]["greedy"]["iou"] == [round(each.iou or 0, 6) for each in built]


def test_what_was_measured_is_not_measured_again(tmp_path: Path, two_contenders: list[str]) -> None:
    """Stopped before the second builder, gone on with, and done once more."""
    job = Beyond(task="mnist-1", targets=2)

    def stop(progress: Progress) -> None:
        if "random" in progress.says:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(job, tmp_path, Machine(), stop)
    assert two_contenders == ["greedy"]
    assert not job.is_done(tmp_path)
    result = perform(job, tmp_path, Machine())
    assert two_contenders == ["greedy", "random"]
    assert list(result["builders"]) == ["greedy", "random"]
    assert job.is_done(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
    perform(job, tmp_path, Machine())
    assert two_contenders == ["greedy", "random"]


def test_another_network_is_another_job(tmp_path: Path) -> None:
    """So that a network that was trained anew is measured."""
    before = beyond_job("mnist-1", tmp_path, 2)
    trained = tmp_path / "mnist-1/b3-0/agent.safetensors"
    trained.parent.mkdir(parents=True)
    trained.write_bytes(b"other weights")
    after = beyond_job("mnist-1", tmp_path, 2)
    assert (before.name, before.networks != after.networks) == (after.name, True)


def test_measurements_of_other_targets_are_not_mixed(tmp_path: Path) -> None:
    content = {"task": "mnist-1", "best": [1.0], "bound": [1.0], "builders": {}}
    (tmp_path / "measured.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match="is of 1 targets, not 2: give another folder"):
        perform(Beyond(task="mnist-1", targets=2), tmp_path, Machine())


def test_a_file_that_is_no_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "mnist-1").mkdir()
    (tmp_path / "mnist-1/result.json").write_text('{"task": "mnist-1"}')
    with pytest.raises(InputError, match=r"mnist-1/result\.json: not a result of `b3 beyond`"):
        load_all(tmp_path)
