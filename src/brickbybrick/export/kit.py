"""A kit: everything that is needed to build a model, and a folder that is there whole or not at all."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, how_to_install, shown
from brickbybrick.export.animation import animation
from brickbybrick.export.belief import picture_of_belief
from brickbybrick.export.book import step_names
from brickbybrick.export.boxes import BOX_FILES, box_files
from brickbybrick.export.cells import picture_of_paint, picture_of_views
from brickbybrick.export.gltf import to_glb
from brickbybrick.export.in_sight import in_sight
from brickbybrick.export.instructions import instructions
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.export.mpd import to_mpd
from brickbybrick.export.other_steps import with_others
from brickbybrick.export.parts import to_bricklink, to_rebrickable, used_in
from brickbybrick.export.replay import is_built, replay_html
from brickbybrick.export.sections import Chapter, chapters_of, steps_of
from brickbybrick.export.steps import flattened, grouped
from brickbybrick.export.views import views_of
from brickbybrick.export.zipped import to_io
from brickbybrick.geometry.inventory import Inventory, Rest
from brickbybrick.geometry.prices import Prices
from brickbybrick.handwork.followed import followed
from brickbybrick.handwork.plan import handwork_of
from brickbybrick.handwork.work import Handwork, in_one_go
from brickbybrick.judging.check import as_placed, assembly_order, is_whole, judge
from brickbybrick.judging.likeness import likeness
from brickbybrick.judging.verdict import Verdict
from brickbybrick.picture import draw, paint, svg, to_png, visible
from brickbybrick.targets.target import Target

MOST_CHUNKS = 6  # that are named one by one
MODEL, TARGET, BELIEF = "model.json", "target.png", "belief.png"
LARGE = 800  # pixels of the longer side of what was to be built


@dataclass(frozen=True)
class Plan:
    """A model that was judged, and how it is built by hand."""

    construction: Construction  # with the verdict in it
    verdict: Verdict
    target: Target | None = None
    box: Inventory | None = None  # what it was built of
    prices: Prices | None = None
    paper: str = "a4"  # of the instructions

    @cached_property
    def handwork(self) -> Handwork:
        """How it is put together; where no hand can build it, in the order that the bricks were placed."""
        if self.chapters:
            return in_one_go(steps_of(self.chapters, self.construction))
        if self.verdict.insertable and self.construction.bricks:
            return in_sight(self.construction, handwork_of(self.construction))
        return in_one_go(grouped(range(len(self.construction.bricks)), self.construction))

    @property
    def steps(self) -> list[list[int]]:
        """The bricks of each building step."""
        return [list(step.bricks) for _, step in self.handwork.steps]

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The sections of a mosaic that can be built by hand, one after the other."""
        return chapters_of(self.construction) if self.verdict.insertable else []

    @cached_property
    def wanted(self) -> Image.Image | None:
        """What was to be built, as a picture: in colour if it has any, else as an agent sees it."""
        if self.target is None:
            return None
        target = self.target
        if target.paint is None:
            return picture_of_views(target)
        return picture_of_paint(target.volume, target.paint, target.layer, LARGE)

    @property
    def likeness(self) -> str | None:
        """How much of its target it is, in words; None if that is not known."""
        if self.target is None or self.construction.iou is None:
            return None
        return likeness(self.construction, self.target)

    @cached_property
    def rest(self) -> Rest | None:
        """What is left in the box and what is missing in it; None where there was none."""
        return None if self.box is None else self.box.rest(used_in(self.construction.bricks))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in sentences, what is built apart, and where a hand is needed on the way."""
        return (*self.verdict.sentences, *_hands(with_others(self.construction, self.handwork)))


def plan(
    construction: Construction,
    target: Target | None = None,
    box: Inventory | None = None,
    prices: Prices | None = None,
    paper: str = "a4",
    filed: Handwork | None = None,
) -> Plan:
    """Judges a model, see `judge`; the steps to build it by are found when somebody asks for them.

    `filed` is how the file that it comes from puts it together, which may be in other ways than brick by brick.
    """
    if filed is not None and len(filed.chunks) > 1:
        placed_so: bool | None = followed(construction.bricks, filed)
    else:
        placed_so = _is_in_order(construction) or None
    verdict = judge(construction, placed_so)
    return Plan(replace(construction, verdict=verdict.flat()), verdict, target, box, prices, paper)


def _is_in_order(construction: Construction) -> bool:
    """Whether the bricks are in the order of the model's handwork, chunk by chunk, as a mason's are."""
    bricks = construction.bricks
    if construction.builder != "mason" or not is_whole(bricks):
        return False
    handwork = handwork_of(construction)
    return handwork.order == list(range(len(bricks))) and followed(bricks, handwork)


def _hands(handwork: Handwork) -> Iterator[str]:
    apart = [
        f"{len(handwork.bricks_of(number))} bricks{' upside down' if chunk.turned else ''}"
        for number, chunk in enumerate(handwork.chunks[:-1])
    ]
    if apart:
        more = [f"{len(apart) - MOST_CHUNKS} more"] if len(apart) > MOST_CHUNKS else []
        named = [*apart[:MOST_CHUNKS], *more]
        what = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
        yield f"Built apart, on the table, and put on as one each: {what}."
    if handwork.to_hold:
        yield f"While you build, hold what is there after {_to_hold(handwork, handwork.to_hold)}."
    yield from handwork.reasons


def _to_hold(handwork: Handwork, steps: Sequence[int]) -> str:
    """Steps as the book calls them, as in "steps A2, 3-5"; those of a copy are the ones that it repeats."""
    names = step_names(handwork)
    chunk_of = [number for number, _ in handwork.steps]
    runs: list[list[int]] = []
    for step in steps:
        if handwork.chunks[chunk_of[step]].copy_of is not None:
            continue
        if runs and step == runs[-1][-1] + 1 and chunk_of[step] == chunk_of[runs[-1][0]]:
            runs[-1].append(step)
        else:
            runs.append([step])
    told = ", ".join(f"{names[run[0]]}-{names[run[-1]]}" if len(run) > 1 else names[run[0]] for run in runs)
    return f"step{'s' if sum(map(len, runs)) > 1 else ''} {told}"


def _instructions(plan: Plan) -> bytes:
    target = plan.target
    # Views are lines there, which print finer than pixels.
    pictured = target.images if target is not None and target.paint is None else plan.wanted
    said = plan.sentences if plan.likeness is None else (f"It is {plan.likeness}.", *plan.sentences)
    return instructions(
        plan.construction, plan.handwork, chapters=plan.chapters, target=pictured, verdict=said, paper=plan.paper
    )


def _picture(plan: Plan) -> bytes:
    faults = [fault.brick for fault in plan.verdict.faults]
    return to_png(paint(draw(plan.construction, fault=faults), (800, 800)))


def _brick_by_brick(plan: Plan) -> list[list[int]]:
    """Steps of a plain model, which has no chunks: as by hand if that can be done so, else in another order."""
    steps = flattened(plan.handwork)
    order = [brick for step in steps for brick in step]
    if not plan.verdict.insertable or as_placed([plan.construction.bricks[brick] for brick in order]):
        return steps
    return grouped(assembly_order(plan.construction, from_ground=True) or order, plan.construction)


def _with_assemblies(plan: Plan) -> bytes:
    return to_mpd(plan.construction, plan.handwork, views_of(plan.construction, plan.handwork))


def _count(plan: Plan) -> int:
    return len(plan.construction.bricks) + len(plan.construction.others)


# What can be made of a model, by the ending of its file.
EXPORTS: Mapping[str, tuple[str, Callable[[Plan], bytes]]] = {
    "json": (MODEL, lambda plan: plan.construction.to_json().encode()),
    "ldr": ("model.ldr", lambda plan: to_ldraw(plan.construction, _brick_by_brick(plan))),
    "mpd": ("model.mpd", _with_assemblies),
    "io": ("model.io", lambda plan: to_io(_with_assemblies(plan), _count(plan))),
    "glb": ("model.glb", lambda plan: to_glb(plan.construction)),
    "png": ("model.png", _picture),
    "pdf": ("instructions.pdf", _instructions),
    "xml": ("bricklink.xml", lambda plan: to_bricklink(plan.construction).encode()),
    "csv": ("rebrickable.csv", lambda plan: to_rebrickable(plan.construction).encode()),
    "gif": ("model.gif", lambda plan: animation(plan.construction, "gif")),
    "webp": ("model.webp", lambda plan: animation(plan.construction, "webp")),
    "svg": ("model.svg", lambda plan: svg(visible(draw(plan.construction))).encode()),
    "html": ("replay.html", lambda plan: replay_html([plan.construction], handworks=[plan.handwork]).encode()),
}
KIT = ("json", "ldr", "mpd", "glb", "png", "pdf", "xml", "csv", "html")  # what a kit holds unless one asks for more


def lacking(kind: str) -> str | None:
    """What an export of that kind lacks on this machine and what to do about it; None where it can be made."""
    if kind == "html" and not is_built():
        return "the page that plays models was not built; make page builds it"
    if kind == "pdf" and find_spec("reportlab") is None:
        return f"building instructions need reportlab: {how_to_install('reportlab')}"
    return None


def usual_kit() -> tuple[str, ...]:
    """What a kit holds here: all of `KIT` that can be made."""
    return tuple(kind for kind in KIT if lacking(kind) is None)


def left_out() -> list[str]:
    """A line for each file that a kit does not hold here, and what to do about it."""
    return [f"no {EXPORTS[kind][0]}: {what}" for kind in KIT if (what := lacking(kind))]


def checked_kinds(kinds: Sequence[str] | None) -> tuple[str, ...]:
    """Kinds of exports, the usual ones if not told which; an error if one is unknown or cannot be made here."""
    for kind in kinds or ():
        if kind not in EXPORTS:
            raise InputError(f"no export named {shown(kind)}: choose among {', '.join(EXPORTS)}")
        if (what := lacking(kind)) is not None:
            raise InputError(f"no {EXPORTS[kind][0]}: {what}")
    return usual_kit() if kinds is None else tuple(kinds)


def kit_files(made: Plan, kinds: Sequence[str] | None = None) -> dict[str, bytes]:
    """The files of a kit by their names; the usual ones if not told which."""
    chosen = [EXPORTS[kind] for kind in checked_kinds(kinds)]
    files = {name: write(made) for name, write in chosen}
    if made.wanted is not None:
        files[TARGET] = to_png(made.wanted)
    if made.target is not None and made.target.belief is not None:
        files[BELIEF] = to_png(picture_of_belief(made.target))
    return files if made.rest is None else files | box_files(made.rest, files)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes a folder so that it is there whole or not at all; an older kit gives way, anything else does not."""
    known = {name for name, _ in EXPORTS.values()} | {TARGET, BELIEF, *BOX_FILES}
    try:
        if folder.exists() and not (folder.is_dir() and {path.name for path in folder.iterdir()} <= known | set(files)):
            raise InputError(f"{folder}: holds other things than a kit; give another folder with --out")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as name:
            part = Path(name) / "kit"
            part.mkdir()
            for file, content in files.items():
                (part / file).write_bytes(content)
            if folder.exists():
                folder.replace(Path(name) / "old") if any(folder.iterdir()) else folder.rmdir()
            part.replace(folder)
            shutil.rmtree(Path(name) / "old", ignore_errors=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from error
