"""What the tools do, in the studio's way and within its limits: building, judging, exporting and describing models that
stay here under short names. Files are those of one folder, and nothing outside of it is read or written.
"""

import asyncio
import base64
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from brickbybrick.building import as_believed, figures_of
from brickbybrick.colours import COLOURS, colour_code
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.export.kit import EXPORTS, Plan, kit_files, plan, write_folder
from brickbybrick.export.models import ENDINGS, read_with_handwork
from brickbybrick.export.parts import others_among, parts_of
from brickbybrick.files import files_ending, read_file
from brickbybrick.geometry.part import PARTS
from brickbybrick.judging.verdict import not_judged
from brickbybrick.order import MASON, MOST_BRICKS, Order
from brickbybrick.studio.agents import Agent, offered
from brickbybrick.studio.answers import LOOK
from brickbybrick.studio.crew import OverdueError
from brickbybrick.studio.gallery import examples
from brickbybrick.studio.growing import GrowingModel
from brickbybrick.studio.laying import PORTION, LaidModel
from brickbybrick.studio.requests import (
    MOST_UPLOAD,
    Build,
    Record,
    bricks_of,
    budget_of,
    file_name,
    kinds_of,
    named,
    text_of,
)
from brickbybrick.studio.sent import MOST_SIDE, sent_drawings, sent_file
from brickbybrick.studio.settings import as_read, order_to_build, order_to_read
from brickbybrick.studio.verdicts import told
from brickbybrick.studio.workshop import Slot, Workshop
from brickbybrick.targets import images, meshes
from brickbybrick.targets.inputs import VIEWS, Wanted, wanted_views

MOST_MODELS = 50  # that are kept; the one that was not asked for longest gives way
MOST_FAULTS = 50  # bricks at fault that are told of
MOST_FILES = 100  # of the folder that are listed
MOST_PATH = 300  # characters
PAPER = ". "

Tell = Callable[[float, str], Awaitable[None]]  # which share of everything is done, 0 to 1, and what is being done
Source = Callable[[Order], Wanted]  # what something is to be, by an order


@dataclass(frozen=True)
class Answer:
    """What a tool tells."""

    record: Record
    picture: bytes | None = None  # PNG


class Workbench:
    """Models, and what can be done with them. Only the event loop looks names up, so nothing is locked.

    Args:
        folder: Where files are read and written.
        workshop: Where the work is done.
        agents: Who can be asked to build, by name.
    """

    def __init__(self, folder: Path, workshop: Workshop | None = None, agents: dict[str, Agent] | None = None) -> None:
        self.folder = folder.resolve()
        if not self.folder.is_dir():
            raise InputError(f"{folder}: no such folder; make it, or give another with --folder")
        self.workshop = workshop or Workshop()
        self.agents = agents or offered()
        self._models: OrderedDict[str, Plan] = OrderedDict()  # the longest unused first
        self._named = 0

    async def build(self, asked: Record, tell: Tell) -> Answer:
        """Builds what a picture, drawings, silhouettes or a mesh show."""
        agent = MASON if asked.get("agent") is None else text_of(asked, "agent")
        if agent not in self.agents:
            raise InputError(f"no agent of that name: choose among {', '.join(self.agents)}")
        settings = {} if asked.get("settings") is None else asked["settings"]
        read = order_to_read({**settings, "agent": agent} if isinstance(settings, dict) else settings)
        # A target has no name of its own here: it is built at once.
        build = Build.of({**asked, "target": "this", "agent": agent})

        def read_by(order: Order) -> Wanted:
            return as_believed(self._source(asked)(order), order)

        wanted = await self.workshop.read(lambda: read_by(read))
        with self.workshop.begin() as slot:
            if agent == MASON:
                made = await _laid(slot, wanted, as_read(read, wanted.target), build, tell)
            else:
                made = await self._grown(slot, self.agents[agent], wanted, build, tell)
            slot.finished = True
        return await self._answer(lambda: (made, figures_of(made)))

    async def check(self, asked: Record) -> Answer:
        """The verdict on a model, whoever made it."""

        here = self._here(asked)

        def work() -> tuple[Plan, Record]:
            made = here or self._brought(asked)
            budget = budget_of(asked)
            if budget is not None and budget != made.construction.budget:
                made = plan(replace(made.construction, budget=budget), made.target)
            about = told(made)
            faults = about.pop("faults")
            more = {"faults": faults[:MOST_FAULTS], "faults_in_all": len(faults), "iou": made.construction.iou}
            return made, {**about, **more}

        return await self._answer(work)

    async def export(self, asked: Record) -> Answer:
        """A model's files, written into a folder of their own."""

        here = self._here(asked)

        def work() -> Answer:
            made = here or self._brought(asked)
            kinds = kinds_of(asked.get("kinds"), made.construction.bricks)
            name = file_name(named(asked.get("name"), made.construction.target or "model"))
            files = kit_files(made, kinds)
            write_folder(self._inside(name), files)
            sizes = {file: len(content) for file, content in files.items()}
            return Answer({"folder": str(self.folder / name), "files": sizes})

        return await self.workshop.answer(work)

    async def describe(self, asked: Record) -> Answer:
        """What a model consists of; without one, what there is to build with."""

        if all(asked.get(field) is None for field in ("model", "file", "bricks")):
            return Answer(await self.workshop.answer(self._what_there_is))
        here = self._here(asked)

        def work() -> tuple[Plan, Record]:
            first = whole_number(asked.get("first", 0), "first", 0, MOST_BRICKS)
            made = here or self._brought(asked)
            built = made.construction
            needed = [*parts_of(built.bricks), *others_among(built.others)]
            record = {
                "name": built.target,
                "builder": built.builder,
                "parts": [
                    {"part": part.label, "colour": part.colour_name, "code": part.colour, "count": part.count}
                    for part in needed
                ],
                "steps": len(made.steps),
                "in_all": len(built.bricks),
                "first": first,
                "bricks": [brick.record() for brick in built.bricks[first : first + PORTION]],
            }
            return made, record

        return await self._answer(work)

    async def _grown(self, slot: Slot, agent: Agent, wanted: Wanted, asked: Build, tell: Tell) -> Plan:
        """A model by an agent that places one brick after the other."""

        def begun() -> GrowingModel:
            builder = agent.builder(len(wanted.target.images), asked.seed)
            return GrowingModel(builder, wanted, asked.work.bricks, asked.budget, asked.colours)

        model = await self.workshop.set_up(begun)
        bricks, note = model.bricks(), None
        try:
            while news := await slot.brick(lambda: next(bricks, None)):
                await tell((news.index + 1) / model.target.budget, f"brick {news.index + 1}")
        except OverdueError as error:
            note = str(error)
        return await slot.verdict(lambda: model.finish() if note is None else model.so_far(note))

    def _source(self, asked: Record) -> Source:
        """What is to be built, by the one of three fields that names it."""
        given = [field for field in ("files", "drawings", "example") if asked.get(field) is not None]
        if len(given) != 1:
            raise InputError("give one of files, drawings and example, which say what is to be built")
        (field,) = given
        if field == "drawings":
            drawings = asked["drawings"]
            return sent_drawings([drawn(each) for each in drawings] if isinstance(drawings, list) else drawings).read
        if field == "example":
            found = examples().get(text_of(asked, "example"))
            if found is None:
                raise InputError("no example of that name: describe, without a model, lists them")
            return found.read
        files = asked["files"]
        if not isinstance(files, list) or len(files) not in (1, len(VIEWS)):
            raise InputError("files are a list of one picture or mesh, or of three silhouettes: front, side and top")
        paths = [self._inside(name) for name in files]
        if len(paths) == 1:
            # Files that a mesh names are not followed, as nothing that was sent to the studio is.
            return sent_file(paths[0].name, read_file(paths[0], MOST_UPLOAD)).read
        return lambda order: wanted_views(paths[0].name, paths, order.reading)

    def _here(self, asked: Record) -> Plan | None:
        """The model that a request names; None if it brings one."""
        if sum(asked.get(field) is not None for field in ("model", "file", "bricks")) != 1:
            raise InputError("give one of model, file and bricks, which say which model is meant")
        if asked.get("model") is None:
            return None
        name = text_of(asked, "model")
        if name not in self._models:
            raise InputError(f"no model {shown(name)}, or no longer: there are {', '.join(self._models) or 'none'}")
        self._models.move_to_end(name)
        return self._models[name]

    def _brought(self, asked: Record) -> Plan:
        """The model that a request brings."""
        if asked.get("file") is None:
            return plan(Construction(bricks_of(asked["bricks"]), budget=budget_of(asked)))
        path = self._inside(asked["file"])
        if path.suffix.lower() not in ENDINGS:
            raise InputError(f"{path.name}: no model by its ending; give one of {', '.join(ENDINGS)}")
        model, filed = read_with_handwork(path)
        bricks_of([brick.record() for brick in model.bricks])  # an error where it is larger than what is judged here
        return plan(replace(model, target=model.target or path.stem), filed=filed)

    def _inside(self, name: object) -> Path:
        """A path in the folder, by its name from there."""
        if not isinstance(name, str) or not 0 < len(name) <= MOST_PATH or not name.isprintable():
            raise InputError(f"{shown(name)} is no name of a file: give one from the folder {self.folder}")
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            raise InputError(f"{shown(name)} is outside of {self.folder}, and only files in there are read and written")
        return path

    async def _answer(self, work: Callable[[], tuple[Plan, Record]]) -> Answer:
        """An answer about a model, which stays here, with its name and a picture of it."""

        def whole() -> tuple[Plan, Record, bytes | None]:
            made, record = work()
            built = made.construction
            about = {
                "size": f"{built.measures}, {built.centimetres}",
                **record,
                "sentences": list(made.sentences),
                "notes": [*built.notes, *not_judged(built)],
            }
            _, picture_of = EXPORTS["png"]
            return made, about, picture_of(made) if built.bricks or built.others else None

        made, about, picture = await self.workshop.answer(whole)
        return Answer({"model": self._keep(made), **about}, picture)

    def _keep(self, made: Plan) -> str:
        """The name of a model; one that is not here yet gets a name and stays."""
        for name, there in self._models.items():
            if there is made:
                return name
        self._named += 1
        name = f"model-{self._named}"
        self._models[name] = made
        if len(self._models) > MOST_MODELS:
            self._models.popitem(last=False)
        return name

    def _what_there_is(self) -> Record:
        """Parts, colours, agents, examples, and what lies in the folder."""
        endings = (*images.ENDINGS, *meshes.ENDINGS, *ENDINGS)
        files = [path.name for path in files_ending(self.folder, endings)]
        return {
            "parts": list(map(str, PARTS)),
            "colours": {colour.name: colour.code for colour in COLOURS.values()},
            "agents": {name: f"{agent.label}, from {_views(agent)}" for name, agent in self.agents.items()},
            "examples": list(examples()),
            "folder": str(self.folder),
            "files": files[:MOST_FILES],
            "files_in_all": len(files),
        }


async def _laid(slot: Slot, wanted: Wanted, read: Order, asked: Build, tell: Tell) -> Plan:
    """A model by the mason, who has all bricks at once; left, it stops when it tells next how far it is."""
    if asked.work.bricks:
        raise InputError("the mason does not go on from others' bricks: leave them out, or take another agent")
    order = order_to_build(read, wanted.reading, asked, wanted.target.paint is not None)
    model = LaidModel(wanted, order)
    laying = asyncio.ensure_future(slot.whole(model.lay))
    told_of = 0.0
    try:
        while not laying.done():
            now = model.progress.told()
            if now["share"] > told_of:
                told_of = now["share"]
                await tell(told_of, now["doing"])
            await asyncio.wait({laying}, timeout=LOOK)
        await laying
        return await slot.verdict(model.judged)
    finally:
        model.progress.left = True
        laying.cancel()


def _views(agent: Agent) -> str:
    return " or ".join("three silhouettes" if views == len(VIEWS) else "one picture" for views in agent.views)


def drawn(value: object) -> Record:
    """A drawing in rows of signs, as the studio takes it."""
    rows = value.get("rows") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(rows, list) or not 0 < len(rows) <= MOST_SIDE:
        raise InputError(f"a drawing is an object of rows: give 1 to {MOST_SIDE} of them")
    if not all(isinstance(row, str) for row in rows) or not 0 < max(map(len, rows)) <= MOST_SIDE:
        raise InputError(f"rows of a drawing are text of 1 to {MOST_SIDE} signs, one for each pixel")
    width = max(map(len, rows))
    signs = "".join(row.ljust(width) for row in rows)
    about = {"width": width, "height": len(rows)}
    inks = value.get("inks")
    if inks is None:
        return {**about, "pixels": _as_text(bytes(0 if sign in PAPER else 255 for sign in signs))}
    return {**about, "colours": _as_text(b"".join(_pixels(signs, inks)))}


def _pixels(signs: Sequence[str], inks: object) -> list[bytes]:
    """Red, green, blue and ink of each sign."""
    if not isinstance(inks, dict) or not all(isinstance(name, str) for name in inks.values()):
        raise InputError("inks are an object of signs and names of colours, as in {'r': 'red'}")
    looks = {sign: bytes((*COLOURS[colour_code(name)].rgb, 255)) for sign, name in inks.items()}
    looks |= {sign: bytes(4) for sign in PAPER}
    if missing := set(signs) - set(looks):
        raise InputError(f"no ink for {shown(min(missing))} in the drawing: add it to inks")
    return [looks[sign] for sign in signs]


def _as_text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
