"""Threads that do what is queued, each thing within a time; one that does not come back in time is replaced.

Nothing ends a thread from outside, least of all while it runs compiled code. So whoever waits for it stops waiting,
another thread takes its turn, and the one that was given up ends by itself if what it is at ever does. Until then it
may take a core and memory, so that only a few are given up: after that the crew takes on nothing more.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

MOST_LOST = 4  # threads given up that are still at it
LOOK = 0.2  # seconds between looks at what takes long

Result = TypeVar("Result")
LOG = logging.getLogger("brickbybrick.studio")


class BusyError(Exception):
    """There is more to do than can be taken on."""


class OverdueError(Exception):
    """Something took longer than it may, and was given up."""


@dataclass(frozen=True, eq=False)
class Task:
    """Something to do. Its result is set once: by who does it, or by who gives it up."""

    work: Callable[[], Any]
    seconds: float  # that it may take, once it was begun
    result: Future[Any] = field(default_factory=Future)

    def do(self) -> None:
        """Does it; an InvalidStateError says that it was given up."""
        try:
            value = self.work()
        except BaseException as error:
            self.result.set_exception(error)
        else:
            self.result.set_result(value)


class Worker(Thread):
    """One thread. It is a daemon, so that the program can end while it is lost."""

    def __init__(self, name: str, tasks: SimpleQueue[Task | None]) -> None:
        super().__init__(name=name, daemon=True)
        self.tasks = tasks
        self.doing: tuple[Task, float] | None = None  # and since when

    def run(self) -> None:
        while (task := self.tasks.get()) is not None:
            if not task.result.set_running_or_notify_cancel():
                continue  # nobody waits for it any more
            self.doing = task, time.monotonic()
            try:
                task.do()
            except InvalidStateError:
                return  # another has taken its turn
            self.doing = None
            del task  # what came of it should not stay as long as there is nothing else to do

    def give_up(self) -> bool:
        """Gives up what it does if that takes too long; returns whether it did."""
        doing = self.doing
        if doing is None or time.monotonic() - doing[1] <= doing[0].seconds:
            return False
        seconds = doing[0].seconds
        with suppress(InvalidStateError):  # it was done just now
            doing[0].result.set_exception(OverdueError(f"it took more than {seconds:g} s and was given up"))
            return True
        return False


class Crew:
    """So many threads of one name, always; once `most_lost` of them were given up, nothing more is begun.

    Only the event loop calls it, so nothing is locked.
    """

    def __init__(self, name: str, threads: int, most_lost: int = MOST_LOST) -> None:
        self.name, self.threads, self.most_lost = name, threads, most_lost
        self.open = True
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._workers: list[Worker] = []  # begun with the first task
        self._lost: list[Worker] = []

    @property
    def lost(self) -> int:
        """Threads that were given up and have not ended since."""
        self._lost = [worker for worker in self._lost if worker.is_alive()]
        return len(self._lost)

    def submit(self, work: Callable[[], Result], seconds: float) -> Future[Result]:
        """Queues something to do, for so many seconds at most from when it is begun."""
        if not self.open:
            raise RuntimeError(f"the {self.name} threads have ended")
        if self.lost >= self.most_lost:
            raise self._too_many_lost()
        while len(self._workers) < self.threads:
            self._workers.append(self._hire())
        task = Task(work, seconds)
        self._tasks.put(task)
        return task.result

    async def do(self, work: Callable[[], Result], seconds: float) -> Result:
        """What the work comes to; it is dropped, if it was not begun, when whoever waits for it is cancelled.

        Raises:
            OverdueError: It took longer than that.
        """
        done = asyncio.wrap_future(self.submit(work, seconds))
        try:
            while not done.done():
                # Whoever waits looks after all threads: also one that nobody waits for any more may be lost.
                await asyncio.wait({done}, timeout=LOOK)
                self._replace_the_lost()
            return done.result()
        finally:
            done.cancel()

    def close(self) -> None:
        """Drops what was not begun, and lets the threads end after what they are at."""
        self.open = False
        for task in self._queued():
            task.result.cancel()
        for _ in self._workers:
            self._tasks.put(None)

    def join(self, seconds: float) -> None:
        """Waits for the threads of a closed crew, not for those that were given up, and not for ever."""
        end = time.monotonic() + seconds
        for worker in self._workers:
            worker.join(max(0.0, end - time.monotonic()))

    def _hire(self) -> Worker:
        worker = Worker(self.name, self._tasks)
        worker.start()
        return worker

    def _replace_the_lost(self) -> None:
        gone = [worker for worker in self._workers if worker.give_up()]
        if not gone:
            return
        self._lost += gone
        LOG.warning("%d %s thread(s) given up, %d now in all", len(gone), self.name, self.lost)
        if self.open and self.lost >= self.most_lost:  # before others can begin any of it
            for task in self._queued():
                with suppress(InvalidStateError):  # nobody waits for it any more
                    task.result.set_exception(self._too_many_lost())
        self._workers = [self._hire() if worker in gone else worker for worker in self._workers]

    def _queued(self) -> Iterator[Task]:
        """Takes what was not begun from the queue."""
        with suppress(Empty):
            while task := self._tasks.get_nowait():
                yield task

    def _too_many_lost(self) -> BusyError:
        return BusyError(f"{self.lost} things that were begun here do not end: restart the studio")
