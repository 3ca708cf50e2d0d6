"""Where the work is done: a few threads, a bounded number of builds, and a bounded queue for everything else.

The event loop only hands work over, so it answers however much is being built. A build comes back after each brick
and queues again, so that many builds advance side by side and none waits for another to end.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TypeVar

MOST_BUILDS = 64  # at once; the page shows a message to the next one
MOST_WAITING = 128  # other questions, answered or waiting; and uploads
MOST_UPLOADS = 8  # being received or read, of 20 MB each; others wait
BENCHES = 2  # threads that place bricks
DESKS = 2  # threads that read, judge and export, which can take seconds

Result = TypeVar("Result")


class BusyError(Exception):
    """There is more to do than the workshop takes on."""


class Workshop:
    """Does what it is asked to, or says that it is too busy. Only the event loop calls it, so nothing is locked."""

    def __init__(self, most_builds: int = MOST_BUILDS, most_waiting: int = MOST_WAITING) -> None:
        self.most_builds, self.most_waiting = most_builds, most_waiting
        self.open = True
        self.building = 0  # builds under way
        self.uploading = 0  # files and drawings being received or read, or waiting for that
        self.waiting = 0  # other questions not yet answered
        self.placed = 0  # bricks since the start
        self.ended = 0  # builds that were finished
        self.stopped = 0  # builds that were left by those who asked for them
        self._room = asyncio.Semaphore(MOST_UPLOADS)
        self._benches = ThreadPoolExecutor(BENCHES, "bench")
        self._desks = ThreadPoolExecutor(DESKS, "desk")

    async def answer(self, work: Callable[[], Result]) -> Result:
        """Does something that may take seconds."""
        return await self._bounded(self._desks, work)

    async def set_up(self, work: Callable[[], Result]) -> Result:
        """Does something quick, past all that takes seconds."""
        return await self._bounded(self._benches, work)

    async def _bounded(self, threads: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        if self.waiting >= self.most_waiting:
            raise BusyError("too many questions are waiting: ask again in a moment")
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        finally:
            self.waiting -= 1

    @asynccontextmanager
    async def upload(self) -> AsyncIterator[None]:
        """Room for something large, from before it is received; whoever comes when there is none waits for it."""
        if self.uploading >= self.most_waiting:
            raise BusyError("too many files are being sent: try again in a moment")
        self.uploading += 1
        try:
            async with self._room:
                yield
        finally:
            self.uploading -= 1

    def begin(self) -> "Slot":
        """A slot for one build, to be given back by leaving it."""
        if self.building >= self.most_builds:
            raise BusyError(f"{self.most_builds} models are being built: try again in a moment")
        self.building += 1
        return Slot(self)

    async def brick(self, work: Callable[[], Result]) -> Result:
        """One brick of a build that has its slot."""
        done = await asyncio.get_running_loop().run_in_executor(self._benches, work)
        self.placed += done is not None
        return done

    async def verdict(self, work: Callable[[], Result]) -> Result:
        """The end of a build that has its slot, so it is never turned away."""
        return await asyncio.get_running_loop().run_in_executor(self._desks, work)

    def close(self) -> None:
        """Lets the threads end after what they are at."""
        self.open = False
        self._benches.shutdown(wait=False, cancel_futures=True)
        self._desks.shutdown(wait=False, cancel_futures=True)


class Slot:
    """A build's slot in the workshop, from its admission to its end."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self.finished = False

    def __enter__(self) -> "Slot":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.workshop.building -= 1
        if self.finished:
            self.workshop.ended += 1
        else:
            self.workshop.stopped += 1
