"""What the page can ask for, each as one function from a request to an answer; docs/studio.md describes them."""

import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from io import BytesIO

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive

from brickbybrick.building import as_believed
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import kit_files, plan
from brickbybrick.geometry.part import LONGEST
from brickbybrick.judging.check import contacts, overlapping
from brickbybrick.judging.likeness import iou_of
from brickbybrick.order import MASON
from brickbybrick.studio.agents import Agent, offered
from brickbybrick.studio.answers import JsonAnswer, SteppedBuild, WholeBuild, problem, unless_left
from brickbybrick.studio.crew import BusyError, OverdueError, Result
from brickbybrick.studio.descriptions import described, palette, parts
from brickbybrick.studio.gallery import examples, sections
from brickbybrick.studio.growing import GrowingModel, candidates
from brickbybrick.studio.laying import LaidModel
from brickbybrick.studio.models import opened
from brickbybrick.studio.requests import (
    MEGABYTE,
    MOST_UPLOAD,
    Bricks,
    Build,
    Export,
    Record,
    brick_of,
    bricks_of,
    budget_of,
    file_name,
    named,
    record_of,
    text_of,
)
from brickbybrick.studio.sent import Sent, sent_drawings, sent_file
from brickbybrick.studio.settings import as_read, order_to_build, order_to_read
from brickbybrick.studio.shelf import Kept, Shelf
from brickbybrick.studio.verdicts import judged
from brickbybrick.studio.web_files import WebFiles
from brickbybrick.studio.workshop import Workshop
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import Target

MOST_JSON = 4 * MEGABYTE  # 20,000 bricks take half of it
MOST_DRAWN = 17 * MEGABYTE  # three drawings of the largest size, in colour
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

    async def list_colours(self, request: Request) -> Response:  # noqa: ARG002
        return JsonAnswer({"colours": palette()})

    async def list_parts(self, request: Request) -> Response:  # noqa: ARG002
        return JsonAnswer(parts())

    async def list_examples(self, request: Request) -> Response:  # noqa: ARG002
        return JsonAnswer({"sections": await self.workshop.answer(sections)})

    async def take_target(self, request: Request) -> Response:
        """Takes drawings, a name from the gallery, or a picture or mesh file, and says what was made of it."""
        async with self.workshop.upload():
            sent, settings = await self._sent(request)
            return await self._read(sent, settings)

    async def read_again(self, request: Request) -> Response:
        """Reads what was sent before in another way, as a target of its own."""
        sent = self._kept(request.path_params["target"]).sent
        settings = (await _record(request)).get("settings")
        async with self.workshop.upload():
            return await self._read(sent, settings)

    async def _sent(self, request: Request) -> tuple[Sent, object]:
        """What was sent, and the settings with it."""
        if _kind(request) == "multipart/form-data":
            name, content, settings = await _upload(request)
            return sent_file(name, content), settings
        record = await _record(request, MOST_DRAWN)
        if "gallery" in record:
            found = (await self.workshop.answer(examples)).get(text_of(record, "gallery"))
            if found is None:
                raise HTTPException(404, "nothing of that name is in the gallery: ask for the list")
            return found, record.get("settings")
        return await self.workshop.answer(lambda: sent_drawings(record.get("drawings"))), record.get("settings")

    async def _read(self, sent: Sent, settings: object) -> Response:
        order = order_to_read(settings)
        self._agent(order.agent)

        def work() -> tuple[Kept, Record]:
            wanted = as_believed(sent.read(order), order)
            kept = Kept(wanted, sent, as_read(order, wanted.target))
            return kept, described(kept)

        kept, about = await self.workshop.read(work)
        return JsonAnswer({"id": self.shelf.put(kept), **about})

    async def build(self, request: Request) -> Response:
        """Builds, and tells of each brick as it is placed, or of all once the mason has laid them."""
        asked = Build.of(await _record(request))
        kept, entry = self._kept(asked.work.target), self._agent(asked.work.agent)
        if entry.name == MASON:
            if asked.work.bricks:
                raise InputError("the mason does not go on from others' bricks: begin without any")
            in_paint = kept.wanted.target.paint is not None
            order = order_to_build(kept.order, kept.wanted.reading, asked, in_paint)
            return WholeBuild(LaidModel(kept.wanted, order), self.workshop.begin())
        wanted = _seen_by(entry, kept)

        def begun() -> GrowingModel:
            builder = entry.builder(len(wanted.target.images), asked.seed)
            return GrowingModel(builder, wanted, asked.work.bricks, asked.budget, asked.colours)

        return SteppedBuild(await self.workshop.set_up(begun), self.workshop.begin())

    async def weigh(self, request: Request) -> Response:
        """Where the next brick can go, and how likely the agent puts it there."""
        record = await _record(request)
        asked, masked = Bricks.of(record), record.get("masked", False)
        if not isinstance(masked, bool):
            raise InputError("masked is true or false")
        kept, entry = self._kept(asked.target), self._agent(asked.agent)
        wanted = _seen_by(entry, kept)

        def work() -> Response:
            builder = entry.builder(len(wanted.target.images), 0)
            model = GrowingModel(builder, wanted, asked.bricks, budget=len(asked.bricks) + 1)
            return JsonAnswer(candidates(model, masked))

        return await self._answer(request, work)

    async def check(self, request: Request) -> Response:
        """The verdict on bricks, whoever placed them."""
        record = await _record(request)

        def work() -> Record:
            return judged(bricks_of(record.get("bricks")), budget_of(record))

        return JsonAnswer(await self._answer(request, work))

    async def open_model(self, request: Request) -> Response:
        """A model from a file, with its verdict."""
        if _kind(request) == "multipart/form-data":
            async with self.workshop.upload():
                name, content, _ = await _upload(request)
        else:
            name, content = "model.json", await _content(request, MOST_UPLOAD)
        return await self._answer(request, lambda: JsonAnswer(opened(name, content)))

    async def may_place(self, request: Request) -> Response:
        """Whether one more brick may be put there."""
        record = await _record(request)

        def work() -> Record:
            return room_for(bricks_of(record.get("bricks")), brick_of(record.get("brick")))

        return JsonAnswer(await self.workshop.set_up(work))

    async def export(self, request: Request) -> Response:
        """A model's files in one zip."""
        record = await _record(request)
        known = record.get("target") is not None
        target = self._kept(text_of(record, "target")).wanted.target if known else None

        def work() -> Response:
            asked = Export.of(record)
            headers = {"Content-Disposition": f'attachment; filename="{file_name(asked.name)}.zip"'}
            return Response(zipped(asked, target), headers=headers, media_type="application/zip")

        return await self._answer(request, work)

    async def _answer(self, request: Request, work: Callable[[], Result]) -> Result:
        """Does what was asked for in a request that was read, as long as somebody waits for it."""
        return await unless_left(request.receive, self.workshop.answer(work))

    def _kept(self, name: str) -> Kept:
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


def room_for(bricks: tuple[PlacedBrick, ...], brick: PlacedBrick) -> Record:
    """Whether a brick may be put beside others: in free cells, above the ground, and joined unless it is the first."""
    near = [index for index, other in enumerate(bricks) if _is_near(other, brick)]
    together = (*(bricks[index] for index in near), brick)
    first = overlapping(together).get(len(near))
    in_the_way = None if first is None else near[first]
    beside = [near[other] for other in sorted(contacts(together).beside(len(near)))]
    free, joined, above = in_the_way is None, bool(beside) or not bricks, brick.z >= 0
    reason = None
    if in_the_way is not None:
        reason = f"brick {in_the_way + 1} is in the way"
    elif not above:
        reason = "it would be below the ground"
    elif not joined:
        reason = "no stud would join it to the others"
    return {"allowed": reason is None, "free": free, "joined": joined, "beside": beside, "reason": reason}


def _is_near(one: PlacedBrick, other: PlacedBrick) -> bool:
    """Whether bricks can be in each other's way, or joined."""
    beside = abs(one.x - other.x) < LONGEST and abs(one.y - other.y) < LONGEST
    return beside and one.z <= other.top and other.z <= one.top


def zipped(asked: Export, target: Target | None) -> bytes:
    """The files of a kit as one zip."""
    built = Construction(asked.bricks, target=asked.name, budget=asked.budget, walls=asked.walls)
    made = plan(built if target is None else replace(built, iou=iou_of(built, target)), target)
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in kit_files(made, asked.kinds).items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), file, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _seen_by(entry: Agent, kept: Kept) -> Wanted:
    """A target for an agent that builds step by step, if it was read as such agents see things."""
    if entry.make is not None and not kept.for_agents:
        raise InputError(f"{entry.label} sees things at {entry.cells} cells: read this again with the agent chosen")
    return kept.wanted


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _record(request: Request, most: int = MOST_JSON) -> Record:
    return record_of(await _content(request, most))


async def _content(request: Request, most: int) -> bytes:
    """What a request of JSON holds."""
    # Other websites can make a browser send forms, but not this type, unless a server lets them: we do not.
    if _kind(request) != "application/json":
        raise HTTPException(415, "send JSON, with the content type application/json")
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise HTTPException(413, f"more than {most // MEGABYTE} MB of JSON: send less")
    return bytes(content)


async def _upload(request: Request) -> tuple[str, bytes, object]:
    """The name and the content of the one file that a form holds, and the settings beside it."""
    async with request.form(max_files=1, max_fields=1) as form:
        file, settings = form.get("file"), form.get("settings")
        if not isinstance(file, UploadFile):
            raise InputError("no file in the form: send one in the field named file")
        content = await file.read(MOST_UPLOAD + 1)
        if len(content) > MOST_UPLOAD:
            raise HTTPException(413, TOO_LARGE)
        name = named((file.filename or "").replace("\\", "/").rpartition("/")[2], "file")
        return name, content, record_of(settings.encode(errors="replace")) if isinstance(settings, str) else None


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
