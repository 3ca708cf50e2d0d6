"""Where the work is done: a few threads, a bounded number of builds, and a bounded queue for everything else.

The event loop only hands work over, so it answers however much is being built. A build comes back after each brick
and queues again, so that many builds advance side by side and none waits for another to end. Everything has a limit
of time, so that no builder and no file can keep a thread.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass

from brickbybrick.studio.crew import BusyError, Crew, OverdueError, Result

MOST_BUILDS = 64  # at once; the page shows a message to the next one
MOST_WAITING = 128  # other questions, answered or waiting; and uploads
MOST_UPLOADS = 8  # being received or read, of 20 MB each; others wait
BENCHES = 2  # threads that place bricks
MASONS = 2  # threads that build models as a whole, which can take a minute
DESKS = 2  # threads that judge and export, which can take seconds
READERS = 1  # threads that read files: a picture of 50 million pixels unfolds into hundreds of MB


@dataclass(frozen=True)
class Limits:
    """Seconds that things may take, not counting those in which they wait for a thread.

    They are far from what anything takes that is not stuck, also while all code is being compiled for the first time.
    """

    brick: float = 60.0  # to place one brick, or to do something else that is quick
    build: float = 300.0  # to place all bricks of a build; looked at between bricks
    answer: float = 300.0  # to judge, to export or to read a file; 20,000 bricks take a minute or two


class Workshop:
    """Does what it is asked to, or says that it is too busy. Only the event loop calls it, so nothing is locked."""

    def __init__(
        self, most_builds: int = MOST_BUILDS, most_waiting: int = MOST_WAITING, limits: Limits | None = None
    ) -> None:
        self.most_builds, self.most_waiting, self.limits = most_builds, most_waiting, limits or Limits()
        self.open = True
        self.building = 0  # builds under way
        self.uploading = 0  # files and drawings being received or read, or waiting for that
        self.waiting = 0  # other questions not yet answered
        self.placed = 0  # bricks since the start
        self.stopped = 0  # builds that were left by those who asked for them
        self._room = asyncio.Semaphore(MOST_UPLOADS)
        self.benches, self.desks, self.readers = Crew("bench", BENCHES), Crew("desk", DESKS), Crew("reader", READERS)
        self.masons = Crew("mason", MASONS)
        self._warming = Crew("warm-up", 1)
        self._crews = (self.benches, self.masons, self.desks, self.readers, self._warming)

    async def answer(self, work: Callable[[], Result]) -> Result:
        """Does something that may take seconds."""
        return await self._bounded(self.desks, work, self.limits.answer)

    async def read(self, work: Callable[[], Result]) -> Result:
        """Reads a file, one at a time."""
        return await self._bounded(self.readers, work, self.limits.answer)

    async def set_up(self, work: Callable[[], Result]) -> Result:
        """Does something quick, past all that takes seconds."""
        return await self._bounded(self.benches, work, self.limits.brick)

    async def _bounded(self, crew: Crew, work: Callable[[], Result], seconds: float) -> Result:
        if self.waiting >= self.most_waiting:
            raise BusyError("too many questions are waiting: ask again in a moment")
        self.waiting += 1
        try:
            return await crew.do(work, seconds)
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

    async def warm_up(self, work: Callable[[], Result]) -> Result:
        """Does what is better done before anybody asks, beside everything else and for as long as it takes."""
        return await self._warming.do(work, math.inf)

    def close(self) -> None:
        """Lets the threads end after what they are at."""
        self.open = False
        for crew in self._crews:
            crew.close()

    def join(self) -> None:
        """Waits until the threads have ended after `close`, though not for those that are stuck."""
        for crew in self._crews:
            crew.join(self.limits.brick)


class Slot(AbstractContextManager["Slot"]):
    """A build's slot in the workshop, from its admission to its end."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self.finished = False
        self.seconds = 0.0  # that bricks took so far

    async def brick(self, work: Callable[[], Result]) -> Result:
        """Places one brick.

        Raises:
            OverdueError: The builder took too long for it, or for all of them.
        """
        limits = self.workshop.limits
        if self.seconds > limits.build:
            raise OverdueError(f"the builder was stopped after {limits.build:g} s")

        def timed() -> Result:
            start = time.monotonic()
            try:
                return work()
            finally:
                self.seconds += time.monotonic() - start

        try:
            done = await self.workshop.benches.do(timed, limits.brick)
        except OverdueError as error:
            raise OverdueError(f"the builder was stopped: it took more than {limits.brick:g} s for a brick") from error
        self.workshop.placed += done is not None
        return done

    async def whole(self, work: Callable[[], Sequence[Result]]) -> Sequence[Result]:
        """Lays all bricks of a model in one go.

        Raises:
            OverdueError: It took too long.
        """
        limit = self.workshop.limits.build
        try:
            laid = await self.workshop.masons.do(work, limit)
        except OverdueError as error:
            raise OverdueError(f"the mason was stopped after {limit:g} s: take a smaller size") from error
        self.workshop.placed += len(laid)
        return laid

    async def verdict(self, work: Callable[[], Result]) -> Result:
        """Judges what was built; it is not counted among the questions, so it is never turned away for their number.

        Raises:
            OverdueError: It took too long.
        """
        limit = self.workshop.limits.answer
        try:
            return await self.workshop.desks.do(work, limit)
        except OverdueError as error:
            raise OverdueError(f"the model was built, but to judge it took more than {limit:g} s") from error

    def __exit__(self, *error: object) -> None:
        self.workshop.building -= 1
        self.workshop.stopped += not self.finished
