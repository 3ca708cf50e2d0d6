"""Jobs are done once, go on after a worker dies, and say why they fail."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from brickbybrick.errors import InputError
from brickbybrick.experiments.engine import JOB, last_line, missing, run_local
from brickbybrick.experiments.jobs import (
    Contents,
    Imitation,
    Job,
    Machine,
    Search,
    Timing,
    Training,
    Validity,
    from_record,
    read_result,
    to_record,
)
from brickbybrick.experiments.paper import EXHIBITS, SCALES, exhibits, jobs_of

SMALL = Training(task="mnist-1", preset="quick", steps=6_144)


def test_every_job_survives_json() -> None:
    jobs = jobs_of(exhibits(), SCALES["paper"])
    assert {type(job) for job in jobs} == {Training, Imitation, Search, Validity, Timing, Contents}
    for job in jobs:
        assert from_record(json.loads(json.dumps(to_record(job)))) == job
    assert len({job.name for job in jobs}) == len(jobs)
    with pytest.raises(InputError, match="no known kind"):
        from_record({"kind": "holiday"})


def test_the_papers_grid() -> None:
    """What the issue of reproducing the paper asks for: 3 seeds of each curve, searches once."""
    jobs = jobs_of(exhibits(), SCALES["paper"])
    curves = [job for job in jobs if isinstance(job, Training) and (job.validation, job.frame) == ("exact", "first")]
    assert len([job for job in curves if job.agent in ("b3", "mlp")]) == (10 + 1 + 3) * 2 * 3
    assert len([job for job in jobs if isinstance(job, Training) and job.validation == "pretrained"]) == 3 * 3
    assert len([job for job in jobs if isinstance(job, Search) and job.builder == "bo"]) == 14
    assert [exhibit.name for exhibit in exhibits(("time",))] == ["time"]
    with pytest.raises(InputError, match="no figure or table named 'x'"):
        exhibits(("x",))
    assert len({exhibit.name for exhibit in EXHIBITS}) == len(EXHIBITS)


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    job = Search(task="mnist-1", builder="greedy", targets=3)
    said: list[str] = []

    def progress(_job: Job, what: str) -> None:
        said.append(what)

    run_local([job, job], tmp_path, Machine(), 2, progress)
    assert said == ["started", "done"]
    result = read_result(tmp_path / job.name)
    assert result is not None
    assert from_record(result["job"]) == job
    assert result["test"]["target"] == ["mnist-1/400", "mnist-1/433", "mnist-1/466"]
    assert all(0 < iou <= 1 for iou in result["test"]["iou"] + result["train"]["iou"])
    assert [path.name for path in (tmp_path / job.name).iterdir()] == ["result.json"]
    assert missing([job], tmp_path) == []
    before = (tmp_path / job.name / "result.json").stat().st_mtime_ns
    run_local([job], tmp_path, Machine(), 2, progress)
    assert said == ["started", "done"]
    assert (tmp_path / job.name / "result.json").stat().st_mtime_ns == before


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    """Killed after its first checkpoint; the next worker goes on from there and ends with the same weights."""
    folder, killed = tmp_path / "killed" / SMALL.name, []
    said: list[str] = []

    def kill() -> None:
        for status in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = status.read_bytes().split(b"\0")
            except OSError:
                continue
            if str(folder).encode() in words:
                os.kill(int(status.parent.name), signal.SIGKILL)
                killed.append(status.parent.name)

    def progress(_job: Job, what: str) -> None:
        said.append(what)
        if what == "started" and not killed:
            deadline = time.monotonic() + 120
            while not (folder / "checkpoint.safetensors").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            kill()

    run_local([SMALL], tmp_path / "killed", Machine(), 1, progress)
    assert said == ["started", "again", "started", "done"]
    assert len(killed) == 1
    run_local([SMALL], tmp_path / "whole", Machine(), 1)
    whole = tmp_path / "whole" / SMALL.name
    assert (folder / "agent.safetensors").read_bytes() == (whole / "agent.safetensors").read_bytes()
    results = [read_result(each) for each in (folder, whole)]
    assert results[0] is not None
    assert results[1] is not None
    assert results[0]["test"] == results[1]["test"]
    assert not (folder / JOB).exists()
    assert not (folder / "checkpoint.safetensors").exists()


def test_what_a_user_got_wrong_is_tried_once(tmp_path: Path) -> None:
    job = Search(task="modelnet-airplane", builder="greedy")
    said: list[str] = []
    with pytest.raises(InputError, match=r"1 jobs failed, modelnet-airplane/greedy first: .*nowhere") as error:
        run_local([job], tmp_path, Machine(data="nowhere"), 1, lambda _job, what: said.append(what))
    assert said == ["started", "failed"]
    assert "\n" not in str(error.value)
    assert "nowhere" in last_line(tmp_path / job.name / "worker.log")
    assert missing([job], tmp_path) == [job]
