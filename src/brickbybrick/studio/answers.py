"""Answers in the forms that pages read: JSON, one line for what was wrong, and a build as a stream of events."""

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.studio.crew import BusyError, OverdueError, Result
from brickbybrick.studio.growing import GrowingModel, finished
from brickbybrick.studio.laying import LaidModel, portions
from brickbybrick.studio.requests import in_one_line
from brickbybrick.studio.workshop import Slot

LOOK = 0.1  # seconds between looks at how far a build is
LOG = logging.getLogger("brickbybrick.studio")


class JsonAnswer(Response):
    """A record as JSON, in ASCII, so that no text that someone sent can fail to be encoded."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def problem(message: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    """What was wrong, in one line."""
    return JsonAnswer({"message": in_one_line(message)}, status, headers)


def event(name: str, content: dict[str, Any]) -> bytes:
    """A server-sent event."""
    return f"event: {name}\ndata: {json.dumps(content, allow_nan=False, separators=(',', ':'))}\n\n".encode("ascii")


class BuildStream(StreamingResponse, ABC):
    """A build as it goes on. Whoever closes the connection stops it, and its slot is free again."""

    media_type = "text/event-stream"

    def __init__(self, slot: Slot) -> None:
        super().__init__(self._events(), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self.slot = slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.slot:
            try:
                await super().__call__(scope, receive, send)
            finally:
                self.leave()

    async def _events(self) -> AsyncIterator[bytes]:
        try:
            async for sent in self.news():
                yield sent
            self.slot.finished = True
        except (InputError, BusyError, OverdueError) as error:
            yield event("problem", {"message": str(error)})
        except Exception:  # the answer has begun, so this is the only way to tell
            LOG.exception("a build failed")
            yield event("problem", {"message": "the build failed; see what the server printed"})

    @abstractmethod
    def news(self) -> AsyncIterator[bytes]:
        """The events of a build that goes well."""

    def leave(self) -> None:
        """What is to be done when nobody waits for it any more."""


class SteppedBuild(BuildStream):
    """A build by an agent that places one brick after the other; left, it stops at the next brick."""

    def __init__(self, model: GrowingModel, slot: Slot) -> None:
        super().__init__(slot)
        self.model = model

    async def news(self) -> AsyncIterator[bytes]:
        slot, model = self.slot, self.model
        yield event("start", {"budget": model.target.budget, "bricks": len(model.given)})
        bricks, note = model.bricks(), None
        try:
            while news := await slot.brick(lambda: next(bricks, None)):
                yield event("brick", {**asdict(news), "brick": news.brick.record()})
        except OverdueError as error:
            note = str(error)
        yield await slot.verdict(lambda: event("done", finished(model, note)))


class WholeBuild(BuildStream):
    """A build by the mason, which has its bricks all at once; left, it stops when it tells next how far it is."""

    def __init__(self, model: LaidModel, slot: Slot) -> None:
        super().__init__(slot)
        self.model = model
        self._laying: asyncio.Future[Sequence[PlacedBrick]] | None = None

    async def news(self) -> AsyncIterator[bytes]:
        slot, model = self.slot, self.model
        yield event("start", {"budget": model.order.budget, "bricks": 0})
        laying = self._laying = asyncio.ensure_future(slot.whole(model.lay))
        before: dict[str, Any] = {}
        while not laying.done():
            if (now := model.progress.told()) != before:
                yield event("progress", now)
            before = now
            await asyncio.wait({laying}, timeout=LOOK)
        for portion in portions(await laying):
            yield event("bricks", {"bricks": portion})
        yield event("progress", model.progress.told())
        for sent in await slot.verdict(lambda: list(_finished(model))):
            yield sent

    def leave(self) -> None:
        self.model.progress.left = True
        if self._laying is not None:
            self._laying.cancel()


def _finished(model: LaidModel) -> Iterator[bytes]:
    """The last events of a build by the mason. They are made by who judges, since a large model's take a while."""
    more, done = model.finish()
    for portion in portions(more):
        yield event("bricks", {"bricks": portion})
    yield event("done", done)


async def unless_left(receive: Receive, work: Awaitable[Result]) -> Result:
    """What the work comes to; it is dropped, if it was not begun, once whoever asked has closed the connection."""

    async def closed() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(closed())
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
