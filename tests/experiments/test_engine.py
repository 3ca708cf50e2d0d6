"""Jobs are done once, go on after a worker or a machine is lost, and say why they fail."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

from brickbybrick.errors import InputError
from brickbybrick.experiments import engine
from brickbybrick.experiments.beyond import Beyond
from brickbybrick.experiments.engine import JOB, KINDS, WRONG, bundles, from_record, missing, run_jobs, work_in
from brickbybrick.experiments.job import RESULT, Job, Machine, read_result, to_record
from brickbybrick.experiments.learning_jobs import Training
from brickbybrick.experiments.measuring_jobs import Contents, Evaluation
from brickbybrick.experiments.paper import SCALES, jobs_of
from brickbybrick.policies.files import load_agent

pytestmark = pytest.mark.xdist_group("ray")  # clusters that start side by side take each other for their own

SMALL = Training(task="mnist-1", preset="quick", steps=6_144, tested=10)
TRAININGS: list[Job] = [replace(SMALL, seed=seed) for seed in range(2)]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    job = Evaluation(task="mnist-1", builder="greedy", targets=3)
    said: list[str] = []

    def progress(_job: Job, what: str) -> None:
        said.append(what)

    run_jobs([job, job], tmp_path, Machine(), 2, tell=progress)
    assert said == ["started", "done"]
    result = read_result(tmp_path / job.name)
    assert result is not None
    assert from_record(result["job"]) == job
    assert result["test"]["target"] == ["mnist-1/400", "mnist-1/433", "mnist-1/466"]
    assert all(0 < iou <= 1 for iou in result["test"]["iou"] + result["train"]["iou"])
    assert [path.name for path in (tmp_path / job.name).iterdir()] == ["result.json"]
    assert missing([job], tmp_path) == []
    before = (tmp_path / job.name / "result.json").stat().st_mtime_ns
    run_jobs([job], tmp_path, Machine(), 2, tell=progress)
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

    run_jobs([SMALL], tmp_path / "killed", Machine(), 1, tell=progress)
    assert said == ["started", "again", "started", "done"]
    assert len(killed) == 1
    run_jobs([SMALL], tmp_path / "whole", Machine(), 1)
    whole = tmp_path / "whole" / SMALL.name
    assert (folder / "agent.safetensors").read_bytes() == (whole / "agent.safetensors").read_bytes()
    results = [read_result(each) for each in (folder, whole)]
    assert results[0] is not None
    assert results[1] is not None
    assert results[0]["test"] == results[1]["test"]
    assert not (folder / JOB).exists()
    assert not (folder / "checkpoint.safetensors").exists()


def test_trainings_of_one_shape_are_one_workers_where_that_is_wanted(tmp_path: Path) -> None:
    other = replace(SMALL, frame="image")
    found = bundles([*TRAININGS, Contents(task="mnist-1"), other, replace(SMALL, task="mnist-2")], together=2)
    assert [[job.name for job in bundle] for bundle in found] == [
        ["mnist-1/b3-0", "mnist-1/b3-1"],
        ["mnist-2/b3-0"],
        ["mnist-1/contents"],
        ["mnist-1/b3-image-0"],
    ]
    short = [replace(job, steps=4_096) for job in (*TRAININGS, replace(SMALL, task="mnist-2"))]
    said: list[str] = []
    run_jobs(short, tmp_path, Machine(together=3), 1, tell=lambda job, what: said.append(f"{job.name} {what}"))
    assert said == [f"{job.name} {what}" for what in ("started", "done") for job in short]
    for job in short:
        result = read_result(tmp_path / job.name)
        assert result is not None
        assert from_record(result["job"]) == job
        agent = load_agent(tmp_path / job.name / "agent.safetensors")
        assert agent.steps == 4_096
        assert sorted(path.name for path in (tmp_path / job.name).iterdir()) == [
            "agent.safetensors",
            "config.json",
            "log.jsonl",
            "result.json",
        ]


def test_a_worker_that_dies_when_all_is_written_has_done_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code can end a process badly at its very end; and of two jobs one may have been written by then."""
    started: list[list[str]] = []

    def start(bundle: list[Job], root: Path, _machine: Machine) -> "subprocess.Popen[bytes]":
        started.append([job.name for job in bundle])
        (root / bundle[0].name).mkdir(parents=True)
        (root / bundle[0].name / RESULT).write_text("{}")
        return subprocess.Popen([sys.executable, "-c", "import os; os.abort()"], stderr=subprocess.DEVNULL)

    monkeypatch.setattr(engine, "_start", start)
    said: list[str] = []
    run_jobs(TRAININGS, tmp_path, Machine(together=2), 1, tell=lambda job, what: said.append(f"{job.name} {what}"))
    one, other = (job.name for job in TRAININGS)
    assert started == [[one, other], [other]]
    assert said == [f"{one} started", f"{other} started", f"{one} done", f"{other} again",
                    f"{other} started", f"{other} done"]  # fmt: skip


def test_what_a_user_got_wrong_is_tried_once(tmp_path: Path) -> None:
    job = Evaluation(task="modelnet-airplane", builder="greedy")
    said: list[str] = []
    with pytest.raises(InputError, match=r"1 jobs failed, first modelnet-airplane/greedy: .*nowhere") as error:
        run_jobs([job], tmp_path, Machine(data="nowhere"), 1, tell=lambda _job, what: said.append(what))
    assert said == ["started", "failed"]
    assert "\n" not in str(error.value)
    assert "nowhere" in (tmp_path / job.name / "worker.log").read_text().splitlines()[-1]
    assert missing([job], tmp_path) == [job]


def given(folder: Path, job: Job, machine: Machine) -> Path:
    (folder / JOB).write_text(json.dumps({"jobs": {str(folder): to_record(job)}, "machine": asdict(machine)}))
    return folder


def test_a_worker_does_the_job_in_its_folder(tmp_path: Path) -> None:
    assert work_in(given(tmp_path, Contents(task="mnist-1"), Machine())) == 0
    result = read_result(tmp_path)
    assert result is not None
    assert (result["train"], result["test"]) == (399, 100)


def test_what_a_user_can_put_right_is_printed_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert work_in(given(tmp_path, Contents(task="modelnet-chair"), Machine(data=str(tmp_path)))) == WRONG
    said = capsys.readouterr().out
    assert str(tmp_path) in said
    assert len(said.splitlines()) == 1
    assert read_result(tmp_path) is None


def test_every_job_survives_json() -> None:
    """Which is how it travels to workers and into records."""
    jobs = [*jobs_of(SCALES["paper"]), Beyond(task="mnist-0", targets=3)]
    assert {type(job) for job in jobs} == set(KINDS.values())
    for job in jobs:
        assert from_record(json.loads(json.dumps(to_record(job)))) == job
    with pytest.raises(InputError, match="no known kind"):
        from_record({"kind": "holiday"})


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two nodes with room for one job each."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, include_dashboard=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.slow
def test_a_node_that_is_lost_costs_no_result(cluster: Cluster, tmp_path: Path) -> None:
    there, here = tmp_path / "ray", tmp_path / "local"
    checkpoints = [there / job.name / "checkpoint.safetensors" for job in TRAININGS]
    killed: list[bool] = []

    def kill_a_node() -> None:
        deadline = time.monotonic() + 120
        while not all(path.exists() for path in checkpoints) and time.monotonic() < deadline:
            time.sleep(0.05)
        killed.append(missing(TRAININGS, there) == TRAININGS)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    accident = threading.Thread(target=kill_a_node, daemon=True)
    accident.start()
    run_jobs(TRAININGS, there, Machine(), 2, "ray")
    accident.join()
    assert killed == [True]  # in the middle of both
    run_jobs(TRAININGS, here, Machine(), workers=2)
    for job in TRAININGS:
        results = [read_result(root / job.name) for root in (there, here)]
        assert results[0] is not None
        assert results[1] is not None
        assert results[0]["test"] == results[1]["test"]
        names = [sorted(path.name for path in (root / job.name).iterdir()) for root in (there, here)]
        assert names[0] == names[1] == ["agent.safetensors", "config.json", "log.jsonl", "result.json"]
        weights = [(root / job.name / "agent.safetensors").read_bytes() for root in (there, here)]
        assert weights[0] == weights[1]
    said: list[str] = []
    run_jobs(TRAININGS, there, Machine(), 2, "ray", tell=lambda _job, what: said.append(what))
    assert said == []
    with pytest.raises(InputError, match=r"1 jobs failed, first modelnet-table/greedy: .*nowhere"):
        run_jobs([Evaluation(task="modelnet-table", builder="greedy")], there, Machine(data="nowhere"), 1, "ray")
