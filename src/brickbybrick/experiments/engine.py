"""The engine: does the jobs that are not done yet, several at a time, again where a worker dies.

A job runs in this process, where somebody watches it; in processes of this machine; or on a Ray cluster, in a folder of
the machine that it is given to. There its files travel as bytes to a keeper on the machine that called, whenever there
is something to go on from, so that a job whose machine is lost goes on elsewhere.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from brickbybrick.cluster import ray_cluster
from brickbybrick.errors import InputError
from brickbybrick.experiments.job import RESULT, Job, Machine, Progress, perform, to_record
from brickbybrick.experiments.jobs import from_record
from brickbybrick.files import write_whole

TRIES = 3
JOB = "job.json"
LOG = "worker.log"

News = Callable[[Job, str], None]  # told what became of a job: started, done, again, failed


def missing(jobs: Sequence[Job], root: Path) -> list[Job]:
    """The jobs that are not done, each once."""
    return [job for job in dict.fromkeys(jobs) if not job.is_done(root / job.name)]


def run_jobs(
    jobs: Sequence[Job],
    root: Path,
    machine: Machine,
    workers: int,
    engine: Literal["local", "ray"] = "local",
    address: str | None = None,
    tell: News = lambda _job, _what: None,
) -> None:
    """Does what is missing, in processes of this machine or on a Ray cluster."""
    if engine == "ray":
        run_ray(jobs, root, machine, workers, address, tell)
    else:
        run_local(jobs, root, machine, workers, tell)


@dataclass
class _Worker:
    """A process that does a job."""

    job: Job
    process: "subprocess.Popen[bytes]"
    tries: int


def run_local(
    jobs: Sequence[Job], root: Path, machine: Machine, workers: int, tell: News = lambda _job, _what: None
) -> None:
    """Does what is missing in processes of this machine.

    Args:
        jobs: What to do, in this order.
        root: Folder of the results; each job has one of its name in it.
        machine: How each worker runs.
        workers: How many at a time.
        tell: Told what becomes of each.
    """
    waiting = [(job, 1) for job in missing(jobs, root)]
    running: list[_Worker] = []
    failed: list[Job] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job, tries = waiting.pop(0)
                running.append(_Worker(job, _start(job, root / job.name, machine), tries))
                tell(job, "started")
            time.sleep(0.1)
            for worker in [each for each in running if each.process.poll() is not None]:
                running.remove(worker)
                what = _ended(worker, root)
                if what == "again":
                    waiting.insert(0, (worker.job, worker.tries + 1))
                elif what == "failed":
                    failed.append(worker.job)
                tell(worker.job, what)
    finally:
        for worker in running:
            worker.process.kill()
            worker.process.wait()
    if failed:
        log = root / failed[0].name / LOG
        raise InputError(f"{len(failed)} jobs failed, {failed[0].name} first: {last_line(log)}; see {log}")


def _start(job: Job, folder: Path, machine: Machine) -> "subprocess.Popen[bytes]":
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / JOB, json.dumps({"job": to_record(job), "machine": asdict(machine)}, indent=1).encode())
    environment = os.environ | {"OMP_NUM_THREADS": str(machine.threads)}
    with (folder / LOG).open("wb") as log:
        command = [sys.executable, "-m", "brickbybrick.experiments.worker", str(folder)]
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)


def _ended(worker: _Worker, root: Path) -> str:
    folder = root / worker.job.name
    if worker.process.returncode == 0 and (folder / RESULT).exists():
        for name in (JOB, LOG):
            (folder / name).unlink(missing_ok=True)
        return "done"
    # What a user got wrong stays wrong; a worker that died is worth another try.
    return "failed" if worker.process.returncode == 2 or worker.tries == TRIES else "again"


def last_line(log: Path) -> str:
    """The last thing that a worker said."""
    return last_words(log.read_text(encoding="utf-8", errors="replace") if log.exists() else "")


def last_words(text: str) -> str:
    return next((line.strip() for line in reversed(text.split("\n")) if line.strip()), "it said nothing")


def run_ray(
    jobs: Sequence[Job],
    root: Path,
    machine: Machine,
    workers: int,
    address: str | None = None,
    tell: News = lambda _job, _what: None,
) -> None:
    """Does what is missing on a Ray cluster, whose machines need the package and the data but no common folder.

    Args:
        jobs: What to do.
        root: Folder of the results, on the machine that calls.
        machine: How each worker runs.
        workers: How many share a GPU; on CPUs as many run as there are cores for.
        address: Of the cluster; one is started on this machine, for this call, if not given.
        tell: Told what becomes of each.
    """
    failed: list[str] = []
    with ray_cluster(address) as ray:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        keeper = ray.remote(_Keeper).options(num_cpus=0, scheduling_strategy=here).remote(root.resolve())
        share = 1 / workers if machine.device == "cuda" else 0
        task = ray.remote(_work).options(num_cpus=machine.threads, num_gpus=share, max_retries=TRIES - 1)
        waiting = {}
        for job in missing(jobs, root):
            waiting[task.remote(to_record(job), asdict(machine), keeper)] = job
            tell(job, "started")
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            job = waiting.pop(done)
            wrong = _outcome(done)
            if wrong:
                failed.append(f"{job.name}: {wrong}")
            tell(job, "failed" if wrong else "done")
    if failed:
        raise InputError(f"{len(failed)} jobs failed, first {failed[0]}")


class _Keeper:
    """Lives on the machine that called, and keeps the files of jobs wherever these run."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, name: str, files: dict[str, bytes]) -> None:
        """Writes files of a job; the result comes last, because a job that has one is done."""
        for file in sorted(files, key=lambda each: each == RESULT):
            write_whole(self.root / name / file, files[file])
        if RESULT in files:
            for file in {path.name for path in (self.root / name).iterdir()} - set(files):
                (self.root / name / file).unlink()

    def kept(self, name: str) -> dict[str, bytes]:
        """What there is of a job."""
        return _files(self.root / name)


def _work(record: dict[str, Any], machine: dict[str, Any], keeper: Any) -> str | None:
    """Does a job in a folder of its own, from where it was kept; returns what the user got wrong, if anything."""
    import ray

    job = from_record(record)
    with tempfile.TemporaryDirectory(prefix="brickbybrick-") as name:
        folder = Path(name)
        for file, content in ray.get(keeper.kept.remote(job.name)).items():
            write_whole(folder / file, content)

        def keep(progress: Progress | None = None) -> None:
            if progress is None or progress.kept:
                ray.get(keeper.keep.remote(job.name, _files(folder)))

        try:
            perform(job, folder, Machine(**machine), keep)
        except InputError as error:
            return str(error)
        keep()
    return None


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")} if folder.exists() else {}


def _outcome(done: Any) -> str | None:
    """What went wrong with a task, in one line."""
    import ray

    try:
        wrong: str | None = ray.get(done)
    except ray.exceptions.RayError as error:
        return last_words(str(error))
    return wrong
