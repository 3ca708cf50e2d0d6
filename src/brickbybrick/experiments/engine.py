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
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from brickbybrick.cluster import ray_cluster
from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import Beyond
from brickbybrick.experiments.job import RESULT, Job, Machine, Progress, perform, to_record
from brickbybrick.experiments.learning_jobs import (
    Imitation,
    Rewarded,
    Teaching,
    Training,
    Validity,
    Volume,
    train_together,
)
from brickbybrick.experiments.measuring_jobs import Contents, Evaluation, Timing
from brickbybrick.files import write_whole

TRIES = 3
WRONG = 2  # what a worker ends with where a user got something wrong
JOB = "job.json"
LOG = "worker.log"
JOBS: tuple[type[Job], ...] = (
    Training,
    Teaching,
    Rewarded,
    Volume,
    Imitation,
    Validity,
    Evaluation,
    Timing,
    Contents,
    Beyond,
)
KINDS = {job.__name__.lower(): job for job in JOBS}

News = Callable[[Job, str], None]  # told what became of a job: started, done, again, failed


def from_record(record: dict[str, Any]) -> Job:
    """The job of a record that `to_record` made."""
    record = dict(record)
    kind = KINDS.get(record.pop("kind", ""))
    if kind is None:
        raise InputError("a job of no known kind")
    return kind(**record)


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
    """Does what is missing, in processes of this machine or on a Ray cluster.

    Args:
        jobs: What to do, in this order.
        root: Folder of the results, on the machine that calls; each job has one of its name in it.
        machine: How each worker runs.
        workers: How many at a time. With Ray, how many share a GPU; on CPUs as many run as there are cores for.
        engine: Where. Machines of a Ray cluster need the package and the data but no common folder.
        address: Of the cluster; one is started on this machine, for this call, if not given.
        tell: Told what becomes of each.
    """
    todo = missing(jobs, root)
    if engine == "ray":
        failed = _on_cluster(todo, root, machine, workers, address, tell)
    else:
        failed = _here(todo, root, machine, workers, tell)
    if failed:
        raise InputError(f"{len(failed)} jobs failed, first {failed[0]}")


def _here(jobs: Sequence[Job], root: Path, machine: Machine, workers: int, tell: News) -> list[str]:
    """Does jobs in processes of this machine; returns what went wrong."""
    waiting = [(bundle, 1) for bundle in bundles(jobs, machine.together)]  # and which try it is
    running: dict[subprocess.Popen[bytes], tuple[list[Job], int]] = {}

    def tell_all(bundle: list[Job], what: str) -> None:
        for job in bundle:
            tell(job, what)

    failed: list[str] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                bundle, tries = waiting.pop(0)
                running[_start(bundle, root, machine)] = bundle, tries
                tell_all(bundle, "started")
            time.sleep(0.1)
            for process in [each for each in running if each.poll() is not None]:
                bundle, tries = running.pop(process)
                log = root / bundle[0].name / LOG
                left = missing(bundle, root)  # a result is written last, so that a worker may die after it
                tell_all([job for job in bundle if job not in left], "done")
                # What a user got wrong stays wrong; a worker that died is worth another try.
                if left and (process.returncode == WRONG or tries == TRIES):
                    said = _last_line(log.read_text(encoding="utf-8", errors="replace") if log.exists() else "")
                    failed += [f"{job.name}: {said}; see {log}" for job in left]
                    tell_all(left, "failed")
                    continue
                for file in (log, log.with_name(JOB)):
                    file.unlink(missing_ok=True)
                if left:
                    waiting.insert(0, (left, tries + 1))
                    tell_all(left, "again")
    finally:
        for process in running:
            process.kill()
            process.wait()
    return failed


def bundles(jobs: Sequence[Job], together: int) -> list[list[Job]]:
    """The jobs as workers get them: those of one team together, so many at most."""
    teams: dict[str, list[Job]] = {}
    for job in jobs:
        teams.setdefault(job.team or job.name, []).append(job)
    return [team[k : k + together] for team in teams.values() for k in range(0, len(team), together)]


def _start(bundle: list[Job], root: Path, machine: Machine) -> subprocess.Popen[bytes]:
    """A worker for jobs, which finds them in the folder of the first."""
    folder = root / bundle[0].name
    jobs = {str(root / job.name): to_record(job) for job in bundle}
    write_whole(folder / JOB, json.dumps({"jobs": jobs, "machine": asdict(machine)}, indent=1).encode())
    environment = os.environ | {"OMP_NUM_THREADS": str(machine.threads)}
    with (folder / LOG).open("wb") as log:
        command = [sys.executable, "-m", "brickbybrick.experiments.engine", str(folder)]
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)


def work_in(folder: Path) -> int:
    """Does the jobs in a folder, as a worker of this machine; `WRONG` stands for what a user can put right."""
    try:
        record = json.loads((folder / JOB).read_text(encoding="utf-8"))
        machine = Machine(**record["machine"])
        jobs = {Path(name): from_record(job) for name, job in record["jobs"].items()}
        trainings = {place: job for place, job in jobs.items() if isinstance(job, Training)}
        if len(trainings) > 1:
            train_together(trainings, machine)
        else:
            perform(jobs[folder], folder, machine)
    except InputError as error:
        print(error)
        return WRONG
    return 0


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.split("\n")) if line.strip()), "it said nothing")


def _on_cluster(
    jobs: Sequence[Job], root: Path, machine: Machine, workers: int, address: str | None, tell: News
) -> list[str]:
    """Does jobs on a Ray cluster; returns what went wrong."""
    failed: list[str] = []
    with ray_cluster(address) as ray:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        keeper = ray.remote(_Keeper).options(num_cpus=0, scheduling_strategy=here).remote(root.resolve())
        share = 1 / workers if machine.device == "cuda" else 0
        task = ray.remote(_work).options(num_cpus=machine.threads, num_gpus=share, max_retries=TRIES - 1)
        waiting = {}
        for job in jobs:
            waiting[task.remote(to_record(job), asdict(machine), keeper)] = job
            tell(job, "started")
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            job = waiting.pop(done)
            try:
                wrong = ray.get(done)
            except ray.exceptions.RayError as error:
                wrong = _last_line(str(error))
            if wrong:
                failed.append(f"{job.name}: {wrong}")
            tell(job, "failed" if wrong else "done")
    return failed


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


if __name__ == "__main__":
    sys.exit(work_in(Path(sys.argv[1])))
