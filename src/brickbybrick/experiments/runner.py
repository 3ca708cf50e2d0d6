"""Runs jobs: those that are not done yet, several at a time, again where a worker dies.

Here each job is a process of this machine; `cluster.py` does the same on many.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from brickbybrick.construction import write_whole
from brickbybrick.errors import InputError
from brickbybrick.experiments.jobs import RESULT, Job, Machine, to_record

TRIES = 3
JOB = "job.json"
LOG = "worker.log"

Progress = Callable[[Job, str], None]  # told what became of a job: started, done, again, failed


def missing(jobs: Sequence[Job], root: Path) -> list[Job]:
    """The jobs that are not done, each once."""
    return [job for job in dict.fromkeys(jobs) if not (root / job.name / RESULT).exists()]


@dataclass
class _Worker:
    """A process that does a job."""

    job: Job
    process: "subprocess.Popen[bytes]"
    tries: int


def run_local(
    jobs: Sequence[Job], root: Path, machine: Machine, workers: int, progress: Progress = lambda _job, _what: None
) -> None:
    """Does what is missing in processes of this machine.

    Args:
        jobs: What to do, in this order.
        root: Folder of the results; each job has one of its name in it.
        machine: How each worker runs.
        workers: How many at a time.
        progress: Told what becomes of each.
    """
    waiting = [(job, 1) for job in missing(jobs, root)]
    running: list[_Worker] = []
    failed: list[Job] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job, tries = waiting.pop(0)
                running.append(_Worker(job, _start(job, root / job.name, machine), tries))
                progress(job, "started")
            time.sleep(0.1)
            for worker in [each for each in running if each.process.poll() is not None]:
                running.remove(worker)
                what = _ended(worker, root)
                if what == "again":
                    waiting.insert(0, (worker.job, worker.tries + 1))
                elif what == "failed":
                    failed.append(worker.job)
                progress(worker.job, what)
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
