"""A job: a small record of something to find out. Its result is a folder of files.

Every folder ends with `result.json`, which is written last: a job that has one is done. A job that learns goes on from
its checkpoint where it was stopped.
"""

import json
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from brickbybrick.files import write_whole

RESULT = "result.json"
Result = dict[str, Any]


@dataclass(frozen=True)
class Machine:
    """Where a job runs."""

    device: str = "cpu"
    """cpu or cuda."""
    threads: int = 1
    """For the environments and, on a CPU, the network."""
    data: str | None = None
    """Folder of data that does not come with the package."""
    together: int = 1
    """Trainings of one team that a worker does as one, at most; many of them keep a GPU busy."""
    track: tuple[str, ...] = ()
    """Where the figures of a run go besides its log: tensorboard, wandb."""


@dataclass(frozen=True)
class Progress:
    """How far a job is."""

    done: int
    total: int
    unit: str
    says: str = ""
    """What is known by now, in a few words."""
    line: str = ""
    """A sentence that is worth keeping on the screen."""
    kept: bool = False
    """Whether the job's folder holds something new to go on from."""


Tell = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Job(ABC):
    """Something to find out. The name of its class, in small letters, is the kind that its record carries."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Of its folder, under that of all results."""

    @property
    @abstractmethod
    def seconds(self) -> float:
        """About how long it takes on one GPU by itself."""

    @property
    def team(self) -> str | None:
        """What jobs have in common that one worker can do as one, if they can be."""
        return None

    @abstractmethod
    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:
        """Does it, or goes on with it, in a folder of its own, and tells how far it is."""

    def is_done(self, folder: Path) -> bool:
        """Whether there is nothing left to do."""
        return (folder / RESULT).exists()


def perform(job: Job, folder: Path, machine: Machine, tell: Tell = lambda _: None) -> Result:
    """Does a job, or goes on with it, and writes its result."""
    set_up(machine)
    start = time.perf_counter()
    result = job.execute(folder, machine, tell)
    return write_result(job, folder, machine, {"seconds": round(time.perf_counter() - start, 1)} | result)


def set_up(machine: Machine) -> None:
    """Makes PyTorch use the machine as it is meant to be used."""
    torch.set_num_threads(machine.threads)
    torch.set_float32_matmul_precision("high")


def write_result(job: Job, folder: Path, machine: Machine, result: Result) -> Result:
    """Writes what a job found out, with which that is done."""
    device = torch.cuda.get_device_name() if machine.device == "cuda" else platform.machine()
    result = {"job": to_record(job), "device": device} | result
    write_whole(folder / RESULT, json.dumps(result).encode())
    return result


def read_result(folder: Path) -> Result | None:
    """The result of a job that is done."""
    path = folder / RESULT
    result: Result | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return result


def to_record(job: Job) -> dict[str, Any]:
    """A job as JSON has it."""
    return {"kind": type(job).__name__.lower(), **asdict(job)}
