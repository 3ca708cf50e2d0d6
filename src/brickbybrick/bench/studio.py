"""How much a studio stands: many people who build at once, on a server of its own on this machine.

Each of them is a thread that talks HTTP as a page does. What they build is compared with what one person alone gets, so
that a brick in the wrong model would be seen. The server is a process of its own, so that its memory is what is
measured; it is stopped in the end, however that comes about.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from brickbybrick.errors import InputError

SECONDS = 120.0  # that any answer may take
STRAIGHT = build_opener(ProxyHandler({}))  # by way of no proxy
SERVER = "from brickbybrick.cli import main; main(['studio', '--port', '0'])"

Record = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One model that somebody has built."""

    target: str  # by its name in the gallery
    agent: str
    seed: int


@dataclass(frozen=True)
class Built:
    """What came of a job."""

    bricks: list[Record]
    first: float  # seconds until the first brick
    seconds: float  # until the verdict


def bench_studio(
    builders: int, rounds: int, agent: str | None = None, tell: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """Figures of so many people who build at once, each one model after the other."""
    if not 1 <= builders <= 64 or rounds < 1:
        raise InputError(f"{builders} builders, {rounds} models each: give 1 to 64 builders, and at least one model")
    with _server() as (address, process):
        agents = [entry["id"] for entry in _ask(address, "agents")["agents"] if 1 in entry["views"]]
        shown = [item for section in _ask(address, "gallery")["sections"] for item in section["items"]]
        targets = [item["name"] for item in shown if len(item.get("views", ())) == 1]
        if agent is not None and agent not in agents:
            raise InputError(f"no agent {agent!r} that builds from one view: choose among {', '.join(agents)}")
        chosen = agents if agent is None else [agent]
        jobs = [Job(targets[i % len(targets)], chosen[i % len(chosen)], i) for i in range(builders * rounds)]
        tell("one builder alone")
        alone = [_build(address, job) for job in jobs]
        before = _peak_memory(process)
        tell(f"{builders} builders at once")
        start = time.perf_counter()
        with _watch(address) as slowest, ThreadPoolExecutor(builders) as people:
            together = list(people.map(lambda job: _attempt(address, job), jobs))
        seconds = time.perf_counter() - start
        after = _peak_memory(process)
    done = [built for built in together if built is not None]
    if not done:
        raise InputError("the studio built nothing: run b3 studio to see why")
    bricks = sum(len(built.bricks) for built in done)
    mixed = sum(one.bricks != other.bricks for one, other in zip(alone, together, strict=True) if other is not None)
    figures = {
        "builders": builders,
        "builds": len(jobs),
        "lost": len(jobs) - len(done),
        "mixed": mixed,
        "seconds": seconds,
        "builds_per_s": len(done) / seconds,
        "bricks_per_s": bricks / seconds,
        "first_brick_ms_alone": 1e3 * median(built.first for built in alone[1:] or alone),
        "first_brick_ms_together": 1e3 * median(built.first for built in done),
        "first_brick_ms_together_worst": 1e3 * max(built.first for built in done),
        "build_s_alone": median(built.seconds for built in alone),
        "build_s_together_worst": max(built.seconds for built in done),
        "small_question_ms_worst": 1e3 * max(slowest),
    }
    if before is not None and after is not None:
        figures |= {"server_peak_mb_alone": before, "server_peak_mb_together": after}
    return figures


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    """A studio on a free port of this machine; yields where, and the number of its process."""
    running = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        words = running.stdout.readline().split()
        if not words:
            raise InputError("the studio did not start: run b3 studio to see why")
        yield words[4], running.pid
    finally:
        running.terminate()
        running.wait()


def _peak_memory(process: int) -> float | None:
    """Megabytes that a process has held at most, where the system tells, as Linux does."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _build(address: str, job: Job) -> Built:
    """Has one model built, as a page does."""
    target = _ask(address, "targets", {"gallery": job.target})["id"]
    asked = {"target": target, "agent": job.agent, "seed": job.seed, "colours": [4, 14], "bricks": []}
    start = time.perf_counter()
    with _answer(address, "builds", asked) as answer:
        first, name = 0.0, ""
        for line in answer:
            if line.startswith(b"event: "):
                name = line.split()[1].decode()
                first = first or (time.perf_counter() - start if name in ("brick", "bricks") else 0.0)
            elif line.startswith(b"data: ") and name == "done":
                bricks = json.loads(line.removeprefix(b"data: "))["construction"]["bricks"]
                return Built(bricks, first, time.perf_counter() - start)
    raise ConnectionError("a build ended without a model")


def _attempt(address: str, job: Job) -> Built | None:
    """The model, or None if a request was lost or refused."""
    try:
        return _build(address, job)
    except (OSError, HTTPException):
        return None


@contextmanager
def _watch(address: str) -> Iterator[Sequence[float]]:
    """Asks for something small all the while; yields how long each answer took."""
    took, ended = [0.0], threading.Event()

    def ask() -> None:
        while not ended.wait(0.05):
            start = time.perf_counter()
            _ask(address, "agents")
            took.append(time.perf_counter() - start)

    watching = threading.Thread(target=ask)
    watching.start()
    try:
        yield took
    finally:
        ended.set()
        watching.join()


def _ask(address: str, question: str, asked: Record | None = None) -> Record:
    with _answer(address, question, asked) as answer:
        record: Record = json.load(answer)
        return record


def _answer(address: str, question: str, asked: Record | None = None) -> Any:
    """What comes back, to be read and closed; an error of the system's kind where the question is refused."""
    content = None if asked is None else json.dumps(asked).encode()
    request = Request(f"{address}/api/{question}", content, {"Content-Type": "application/json"})
    return STRAIGHT.open(request, timeout=SECONDS)
