"""`b3 build`, `b3 check` and `b3 export`: from an image to a model on the table."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import tyro
from rich.progress import Progress

from brickbybrick.commands.console import COMPILING, NOTES, Json, note_left_out, told_of_compiling, working
from brickbybrick.errors import InputError
from brickbybrick.order import Order, Paper

if TYPE_CHECKING:
    from brickbybrick.export.boxes import Box
    from brickbybrick.export.kit import Plan

MOST_FAULTS = 50  # bricks that are printed
MOST_SHOWN = 14  # cells of views that are printed: three of them fit into a terminal


@dataclass(frozen=True)
class Build(Order):
    """Build what a picture, three silhouettes or a mesh shows, and write everything needed to build it by hand."""

    input: tyro.conf.Positional[Path]
    """A picture, a mesh (OFF, STL, OBJ, PLY, GLB), or a folder of them; the front view where --side and --top are
    given."""
    palette: str = field(default="all", kw_only=True)
    """Colours to build with: all, common (those that every size was made in), names with commas between them, or those
    of the bricks in a file, as --inventory takes them."""
    inventory: tuple[str, ...] = field(default=(), kw_only=True)  # type: ignore[assignment] # files become our short form
    """What there is to build with, by part and colour, and nothing else: parts lists or sets of Rebrickable (.csv),
    wanted lists, orders or inventories of BrickLink (.xml), models to be taken apart (.ldr, .mpd, .io, .json), or as in
    2x4=100,red 2x4=20,plate 1x2: parts in any colour or in one, with how many there are, or without for any number.
    Several add up. All that --parts names if not given; of bricks alone 2x4, 2x3, 2x2, 1x4, 1x2, 1x1."""
    prices: str | None = field(default=None, kw_only=True)
    """What parts cost: a table (.csv) with the columns part, colour, price and currency. Bricks that nobody sees then
    take the cheapest colour."""
    side: Path | None = None
    """Silhouette as seen from the right."""
    top: Path | None = None
    """Silhouette as seen from above, the front below."""
    out: Path | None = None
    """Folder to write; out/NAME if not given. For a folder of inputs, each gets one of its own in it."""
    engine: Literal["local", "ray"] = "local"
    """ray: spread a folder over a Ray cluster."""
    address: str | None = None
    """Of the Ray cluster; one is started on this machine if not given."""
    as_json: Json = False

    def __post_init__(self) -> None:
        """Nothing yet: `run` makes the order, which checks itself, so that what is wrong ends in one line."""

    def run(self) -> None:
        from brickbybrick.building import build_files, build_views, figures_of, inputs_of, kind_of
        from brickbybrick.export.kit import checked_kinds, kit_files

        order, box = self._order()
        checked_kinds(self.kit)  # before the work is done
        out = self.out or Path("out") / self.input.stem
        if (self.side is None) != (self.top is None):
            raise InputError("three silhouettes are needed: give the front, --side and --top, or one picture alone")
        if not self.input.is_dir():
            idle = order.without_effect(kind_of(self.input) if self.side is None else "silhouettes")
            if idle:
                raise InputError(idle)
        start = time.perf_counter()
        if self.side is not None and self.top is not None:
            if kind_of(self.input) == "mesh":
                raise InputError(f"{self.input}: a mesh has all its views: leave --side and --top out")
            with working("building"):
                made = build_views([self.input, self.side, self.top], order)
            self._one(out, kit_files(made, order.kit), figures_of(made), made, box)
        elif self.input.is_dir():
            self._many(inputs_of(self.input), order, out, box)
        else:
            with working("building"):
                ((_, built),) = build_files(inputs_of(self.input), order)
                if isinstance(built, InputError):
                    raise built
                files = kit_files(built, order.kit)
            self._one(out, files, {**figures_of(built), "seconds": time.perf_counter() - start}, built, box)
        if self.kit is None:
            note_left_out()

    def _order(self) -> "tuple[Order, Box | None]":
        """The order without files, which it does not have: it may come from elsewhere, or go there. And the box."""
        from brickbybrick.export.boxes import box_of
        from brickbybrick.export.lists import colours_in_list, is_file, prices_in

        asked = {each.name: getattr(self, each.name) for each in fields(Order)} | {"inventory": None}
        if is_file(self.palette):
            asked["palette"] = ",".join(map(str, colours_in_list(Path(self.palette))))
        if self.prices is not None:
            asked["prices"] = str(prices_in(Path(self.prices)))
        if not self.inventory:
            return Order(**asked), None
        box = box_of(self.inventory, Order(**asked | {"allow_missing": False}))
        return Order(**asked | {"inventory": box.inventory}), box

    def _one(
        self, out: Path, files: dict[str, bytes], figures: dict[str, Any], made: "Plan", box: "Box | None"
    ) -> None:
        from brickbybrick.export.boxes import said_of, with_aside
        from brickbybrick.export.kit import write_folder

        write_folder(out, with_aside(files, figures, box))
        notes = [*made.construction.notes, *(box.notes if box else ())]
        if self.as_json:
            print(json.dumps({**figures, "folder": str(out), "notes": notes}))
            return
        if made.target is not None and made.target.images.shape[-1] <= MOST_SHOWN:
            for line in views_as_text(made.target.images):
                print(line)
        built = made.construction
        allowed = "" if built.budget is None else f" of {built.budget} allowed"
        size = f"{built.measures}, {built.centimetres}"
        print(f"{len(built.bricks)} bricks{allowed}, built by {built.builder}: {size}")
        if len(figures["parts"]) > 1:
            print(", ".join(f"{count} of {part}" for part, count in figures["parts"].items()))
        if made.likeness is not None:
            print(made.likeness)
        for sentence in (*made.sentences, *notes):
            print(f"- {sentence}")
        for line in said_of(figures, made.rest, made.prices) if made.rest else ():
            print(line)
        print(f"kit: {out}")

    def _many(self, paths: Sequence[Path], order: Order, out: Path, box: "Box | None") -> None:
        from brickbybrick.building import kind_of, kits_of, kits_on_cluster
        from brickbybrick.export.boxes import with_aside
        from brickbybrick.export.kit import write_folder

        idle = sorted({order.without_effect(kind_of(path)) or "" for path in paths} - {""})
        for line in [*idle, *(box.notes if box else ())]:
            NOTES.print(line, soft_wrap=True, highlight=False, markup=False)
        start, built, wrong = time.perf_counter(), [], []
        kits = kits_on_cluster(paths, order, self.address) if self.engine == "ray" else kits_of(paths, order)
        with Progress(console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown = bar.add_task("building", total=len(paths))
            with told_of_compiling(lambda now: bar.update(shown, description=COMPILING if now else "building")):
                for name, files, figures in kits:
                    if isinstance(files, str):
                        wrong.append(files)
                    else:
                        write_folder(out / name, with_aside(files, figures, box))
                        built.append({"input": name, **figures})
                    bar.update(shown, advance=1)
        seconds = time.perf_counter() - start
        if self.as_json:
            figures = {"built": len(built), "seconds": seconds, "builds_per_s": len(built) / seconds}
            print(json.dumps({**figures, "models": built, "wrong": wrong}))
        else:
            print(f"{len(built)} models in {seconds:.1f} s, {len(built) / seconds:.1f} a second")
            print(f"kits: {out}")
        for message in wrong:
            NOTES.print(f"left out: {message}", highlight=False, markup=False)
        if wrong and not built:
            raise InputError(f"none of {len(paths)} inputs could be built")


@dataclass(frozen=True)
class Check:
    """Can a model be built, in which order, does it stand?"""

    file: tyro.conf.Positional[Path]
    """A model: .json of b3 build, LDraw's .ldr or .mpd with sub-models, or Studio's .io."""
    as_json: Json = False

    def run(self) -> None:
        made = _judged(self.file)
        if self.as_json:
            faults = [{"brick": fault.brick + 1, "reason": fault.reason} for fault in made.verdict.faults]
            hold = made.handwork.to_hold
            hold = None if hold is None else [step + 1 for step in hold]
            figures = {"bricks": len(made.construction.bricks), "iou": made.construction.iou}
            not_judged = Counter(part.number for part in made.construction.others)
            told = {"not_judged": not_judged, "notes": made.construction.notes}
            print(json.dumps({**made.verdict.flat(), **figures, "faults": faults, "steps_to_hold": hold, **told}))
            return
        if made.construction.iou is not None:
            print(f"IoU {made.construction.iou:.3f} with its target.")
        for sentence in made.sentences:
            print(sentence)
        for fault in made.verdict.faults[:MOST_FAULTS]:
            print(f"brick {fault.brick + 1} {fault.reason}")
        if len(made.verdict.faults) > MOST_FAULTS:
            print(f"and {len(made.verdict.faults) - MOST_FAULTS} more such bricks; --json names them all")
        for note in made.construction.notes:
            print(f"- {note}")


@dataclass(frozen=True)
class Export:
    """Write a model in another form: ldr, mpd, io, glb, png, pdf, xml, csv, html (a replay), gif, webp, svg, json."""

    file: tyro.conf.Positional[Path]
    """A model: .json of b3 build, LDraw's .ldr or .mpd with sub-models, or Studio's .io."""
    to: tuple[Path, ...]
    """Files to write; their endings say what."""
    paper: Paper = "a4"
    """Of building instructions (pdf)."""

    def run(self) -> None:
        from brickbybrick.export.kit import EXPORTS, checked_kinds
        from brickbybrick.files import write_whole

        kinds = [path.suffix.removeprefix(".").lower() for path in self.to]
        for path, kind in zip(self.to, kinds, strict=True):
            if kind not in EXPORTS:
                raise InputError(f"{path}: no export of that kind: end it with .{', .'.join(EXPORTS)}")
        checked_kinds(kinds)
        made = _judged(self.file, self.paper)
        for path, kind in zip(self.to, kinds, strict=True):
            _, write = EXPORTS[kind]
            with working(f"writing {path.name}"):
                content = write(made)
            write_whole(path, content)
            print(path)


def _judged(path: Path, paper: Paper = "a4") -> "Plan":
    """The model of a file and what is to be said of it, with a word on what takes so long."""
    from brickbybrick.export.kit import plan
    from brickbybrick.export.models import read_with_handwork

    with working(f"reading {path.name}"):
        model, filed = read_with_handwork(path)
    with working(f"judging {len(model.bricks)} bricks"):
        made = plan(model, paper=paper, filed=filed)
        made.sentences  # noqa: B018 - which steps fall takes as long, and is kept
    return made


def views_as_text(views: Any) -> list[str]:
    """The views side by side in characters, two a pixel so that pixels look square."""
    return [
        "   ".join("".join("██" if pixel else "··" for pixel in row) for row in rows)
        for rows in zip(*views, strict=True)
    ]
