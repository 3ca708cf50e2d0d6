"""What the page can ask for, each as one function from a request to an answer; docs/studio.md describes them."""

import re
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from io import BytesIO

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import kit_files, plan
from brickbybrick.geometry.voxels import cells_iou
from brickbybrick.judging.check import contacts, overlapping
from brickbybrick.studio.agents import Agent, offered
from brickbybrick.studio.answers import BuildStream, JsonAnswer, problem, unless_left
from brickbybrick.studio.crew import BusyError, OverdueError, Result
from brickbybrick.studio.growing import GrowingModel, candidates, judged, views_of
from brickbybrick.studio.requests import (
    Bricks,
    Build,
    Export,
    Record,
    brick_of,
    bricks_of,
    budget_of,
    named,
    record_of,
    text_of,
    wanted_drawings,
)
from brickbybrick.studio.shelf import Shelf, examples
from brickbybrick.studio.web_files import WebFiles
from brickbybrick.studio.workshop import Workshop
from brickbybrick.targets.inputs import Wanted, wanted_content
from brickbybrick.targets.target import Target

MEGABYTE = 1_000_000
MOST_JSON = MEGABYTE  # 2000 bricks take a fifth of it
MOST_DRAWN = 6 * MEGABYTE  # three drawings of the largest size
MOST_UPLOAD = 20 * MEGABYTE
AROUND_UPLOAD = MEGABYTE // 10  # what a form adds to the file in it
TOO_LARGE = f"more than {MOST_UPLOAD // MEGABYTE} MB: send a smaller file"
RETRY_SECONDS = "2"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the date of files in a zip, so that the same model gives the same bytes

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Studio:
    """What all requests share."""

    agents: dict[str, Agent] = field(default_factory=offered)
    shelf: Shelf = field(default_factory=Shelf)
    workshop: Workshop = field(default_factory=Workshop)
    web_files: WebFiles = field(default_factory=WebFiles)

    async def show_page(self, request: Request) -> Response:
        return self.web_files.answer(request.path_params.get("name", ""))

    async def list_agents(self, request: Request) -> Response:  # noqa: ARG002
        return JsonAnswer({"agents": [entry.described() for entry in self.agents.values()]})

    async def list_examples(self, request: Request) -> Response:  # noqa: ARG002
        found = await self.workshop.answer(examples)
        shown = [{"name": name, "views": views_of(wanted.target.images)} for name, wanted in found.items()]
        return JsonAnswer({"targets": shown})

    async def take_target(self, request: Request) -> Response:
        """Takes drawings, a name from the gallery, or a picture or mesh file, and says what was made of it."""
        async with self.workshop.upload():
            wanted = await self._sent(request)
        return JsonAnswer({"target": self.shelf.put(wanted), **_described(wanted)})

    async def _sent(self, request: Request) -> Wanted:
        if _kind(request) == "multipart/form-data":
            name, content = await _upload(request)
            return await self.workshop.read(lambda: wanted_content(name, content))
        record = await _record(request, MOST_DRAWN)
        if "gallery" in record:
            found = (await self.workshop.answer(examples)).get(text_of(record, "gallery"))
            if found is None:
                raise HTTPException(404, "nothing of that name is in the gallery: ask for the list")
            return found
        return await self.workshop.answer(lambda: wanted_drawings(record.get("drawings")))

    async def build(self, request: Request) -> Response:
        """Builds, and tells of each brick as it is placed."""
        asked = Build.of(await _record(request))
        wanted, entry = self._wanted(asked.work.target), self._agent(asked.work.agent)

        def begun() -> GrowingModel:
            builder = entry.builder(len(wanted.target.images), asked.seed)
            return GrowingModel(builder, wanted, asked.work.bricks, asked.budget, asked.colours)

        return BuildStream(await self.workshop.set_up(begun), self.workshop.begin())

    async def weigh(self, request: Request) -> Response:
        """Where the next brick can go, and how likely the agent puts it there."""
        record = await _record(request)
        asked, masked = Bricks.of(record), record.get("masked", False)
        if not isinstance(masked, bool):
            raise InputError("masked is true or false")
        wanted, entry = self._wanted(asked.target), self._agent(asked.agent)

        def work() -> Response:
            builder = entry.builder(len(wanted.target.images), 0)
            model = GrowingModel(builder, wanted, asked.bricks, budget=len(asked.bricks) + 1)
            return JsonAnswer(candidates(model, masked))

        return await self._answer(request, work)

    async def check(self, request: Request) -> Response:
        """The verdict on bricks, whoever placed them."""
        record = await _record(request)
        bricks, budget = bricks_of(record.get("bricks")), budget_of(record)
        return JsonAnswer(await self._answer(request, lambda: judged(bricks, budget)))

    async def may_place(self, request: Request) -> Response:
        """Whether one more brick may be put there."""
        record = await _record(request)
        bricks, brick = bricks_of(record.get("bricks")), brick_of(record.get("brick"))
        return JsonAnswer(await self.workshop.set_up(lambda: room_for(bricks, brick)))

    async def export(self, request: Request) -> Response:
        """A model's files in one zip."""
        asked = Export.of(await _record(request))
        target = None if asked.target is None else self._wanted(asked.target).target
        content = await self._answer(request, lambda: zipped(asked, target))
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", asked.name).strip("-") or "model"
        headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
        return Response(content, headers=headers, media_type="application/zip")

    async def _answer(self, request: Request, work: Callable[[], Result]) -> Result:
        """Does what was asked for in a request that was read, as long as somebody waits for it."""
        return await unless_left(request.receive, self.workshop.answer(work))

    def _wanted(self, name: str) -> Wanted:
        found = self.shelf.get(name)
        if found is None:
            raise HTTPException(404, "this target is not known, or no longer: send it again")
        return found

    def _agent(self, name: str) -> Agent:
        if name not in self.agents:
            raise HTTPException(404, f"no agent of that name: choose among {', '.join(self.agents)}")
        return self.agents[name]


def answering(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with whatever goes wrong told in one line, and no more read than a request may hold."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(Request(request.scope, _at_most(request.receive, MOST_UPLOAD + AROUND_UPLOAD)))
        except InputError as error:
            return problem(str(error))
        except BusyError as error:
            return problem(str(error), 503, {"Retry-After": RETRY_SECONDS})
        except OverdueError as error:
            return problem(f"{error}: ask for something smaller", 504)
        except ClientDisconnect:
            return problem("the request was not sent to its end")

    return answer


def room_for(bricks: tuple[PlacedBrick, ...], brick: PlacedBrick) -> dict[str, object]:
    """Whether a brick may be put beside others: in free cells, above the ground, and joined unless it is the first."""
    together = (*bricks, brick)
    in_the_way = overlapping(together).get(len(bricks))
    beside = sorted(contacts(together).beside(len(bricks)))
    free, joined, above = in_the_way is None, bool(beside) or not bricks, brick.z >= 0
    reason = None
    if in_the_way is not None:
        reason = f"brick {in_the_way + 1} is in the way"
    elif not above:
        reason = "it would be below the ground"
    elif not joined:
        reason = "no stud would join it to the others"
    return {"allowed": reason is None, "free": free, "joined": joined, "beside": beside, "reason": reason}


def zipped(asked: Export, target: Target | None) -> bytes:
    """The files of a kit as one zip."""
    cells = (cell for brick in asked.bricks for cell in brick.cells())
    iou = None if target is None else cells_iou(cells, target.volume)
    built = Construction(asked.bricks, target=asked.name, budget=asked.budget, iou=iou)
    made = plan(built, target)
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in kit_files(made, asked.kinds).items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), file, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _described(wanted: Wanted) -> Record:
    target = wanted.target
    about: Record = {
        "name": target.name,
        "views": views_of(target.images),
        "budget": target.budget,
        "notes": list(wanted.notes),
    }
    if len(target.images) == 3:
        about["hull"] = [list(map(int, cell)) for cell in zip(*target.hull.nonzero(), strict=True)]
    return about


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _record(request: Request, most: int = MOST_JSON) -> Record:
    # Other websites can make a browser send forms, but not this type, unless a server lets them: we do not.
    if _kind(request) != "application/json":
        raise HTTPException(415, "send JSON, with the content type application/json")
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise HTTPException(413, f"more than {most // MEGABYTE} MB of JSON: send less")
    return record_of(bytes(content))


async def _upload(request: Request) -> tuple[str, bytes]:
    """The name and the content of the one file that a form holds."""
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise InputError("no file in the form: send one in the field named file")
        content = await file.read(MOST_UPLOAD + 1)
        if len(content) > MOST_UPLOAD:
            raise HTTPException(413, TOO_LARGE)
        return named((file.filename or "").replace("\\", "/").rpartition("/")[2], "file"), content


def _at_most(receive: Receive, most: int) -> Receive:
    """Receives a request up to a size, whatever it says about its length."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise HTTPException(413, TOO_LARGE)
        return message

    return limited
