"""Runs jobs on a Ray cluster: the same jobs and the same folder of results as `runner.py`, on any number of machines.

A job runs in a folder of the machine that it is given to. Its files travel as bytes to a keeper on the machine that
called, after every test of a training too, so that a job whose machine is lost goes on elsewhere.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from brickbybrick.cluster import ray_cluster
from brickbybrick.construction import write_whole
from brickbybrick.errors import InputError
from brickbybrick.experiments.jobs import RESULT, Job, Machine, from_record, perform, to_record
from brickbybrick.experiments.runner import TRIES, Progress, last_words, missing


def run_ray(
    jobs: Sequence[Job],
    root: Path,
    machine: Machine,
    workers: int,
    address: str | None = None,
    progress: Progress = lambda _job, _what: None,
) -> None:
    """Does what is missing on a Ray cluster, whose machines need the package and the data but no common folder.

    Args:
        jobs: What to do.
        root: Folder of the results, on the machine that calls.
        machine: How each worker runs.
        workers: How many share a GPU; on CPUs as many run as there are cores for.
        address: Of the cluster; one is started on this machine, for this call, if not given.
        progress: Told what becomes of each.
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
            progress(job, "started")
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            job = waiting.pop(done)
            wrong = _outcome(done)
            if wrong:
                failed.append(f"{job.name}: {wrong}")
            progress(job, "failed" if wrong else "done")
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

        def keep() -> None:
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
