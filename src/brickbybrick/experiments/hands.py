"""How well models are put together by hand: chunks, steps, what must be held, what nobody sees, and how long it takes
to find that out."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from brickbybrick.building import build_files, inputs_of
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.export import models
from brickbybrick.export.in_sight import in_sight
from brickbybrick.export.views import glimpses_of
from brickbybrick.files import files_ending
from brickbybrick.handwork.plan import handwork_of, planned
from brickbybrick.handwork.work import Handwork
from brickbybrick.judging.check import is_whole
from brickbybrick.order import Order
from brickbybrick.targets import images, meshes

HEAD = ("model", "parts of", "bricks", "chunks", "steps", "largest", "to hold", "unseen", "seconds")
FILED = "-"  # of models that are read, the parts that they were built of are not known


@dataclass(frozen=True)
class Followed:
    """One model, as somebody would put it together."""

    model: str
    parts: str
    bricks: int
    chunks: int  # that are built apart
    steps: int
    largest: int  # bricks of one step
    to_hold: int | None  # steps after which a hand must hold what is there; None if that is not known
    unseen: int  # steps with a brick that their picture shows nothing of
    seconds: float  # of one core, to plan it

    def record(self) -> dict[str, Any]:
        return asdict(self)


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Models, and things that can be built; all of a folder in the order of their names."""
    found = []
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        some = files_ending(path, (*models.ENDINGS, *images.ENDINGS, *meshes.ENDINGS)) if path.is_dir() else [path]
        if not some:
            raise InputError(f"{path}: no models, no pictures and no meshes in this folder")
        found += some
    return found


def measured(name: str, parts: str, model: Construction) -> Followed:
    """Plans a model and looks at every step of it, as a book has them."""
    if not is_whole(model.bricks):
        raise InputError(f"{name}: bricks that overlap or are not all joined: no hand can build it")
    planned.cache_clear()
    start = time.process_time()
    handwork = in_sight(model, handwork_of(model))
    seconds = time.process_time() - start
    return Followed(
        model=name,
        parts=parts,
        bricks=len(model.bricks),
        chunks=len(handwork.chunks) - 1,
        steps=len(handwork.steps),
        largest=max(len(step.bricks) for _, step in handwork.steps),
        to_hold=None if handwork.to_hold is None else len(handwork.to_hold),
        unseen=unseen(model, handwork),
        seconds=seconds,
    )


def unseen(model: Construction, handwork: Handwork) -> int:
    """Steps with a brick that the picture of the step shows nothing of, neither its sides nor its studs."""
    count = 0
    for number, chunk in enumerate(handwork.chunks):
        if chunk.copy_of is None:
            glimpses = glimpses_of(model, handwork, number)
            for (step, there, new), glimpse in zip(handwork.so_far(number), glimpses, strict=True):
                last = len(there) + len(new)
                count += not glimpse.seen.issuperset(range(last - len(step.bricks), last))
    return count


def all_measured(
    files: Sequence[Path], orders: Sequence[Order], kept: Path | None = None, tell: Callable[[str], None] = print
) -> Iterator[Followed | InputError]:
    """Every model, and everything that is to be built with every order; what is wrong with one does not stop the rest.

    Args:
        files: Models, pictures and meshes.
        orders: How to build what is no model yet.
        kept: A folder for what was built, from which it is read the next time.
        tell: Is told what is being done.
    """
    for file in files:
        is_model = file.suffix.lower() in models.ENDINGS
        for order in orders[:1] if is_model else orders:
            tell(file.name)
            try:
                model = models.read_model(file) if is_model else _built(file, order, kept)
                yield measured(file.stem, FILED if is_model else order.kinds, model)
            except InputError as error:
                yield error


def _built(file: Path, order: Order, kept: Path | None) -> Construction:
    path = None if kept is None else kept / f"{file.stem}-{order.size}-{order.kinds}.json"
    if path is not None and path.exists():
        return Construction.load(path)
    ((_, made),) = build_files(inputs_of(file), order)
    if isinstance(made, InputError):
        raise made
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        made.construction.save(path)
    return made.construction


def as_table(rows: Sequence[Followed]) -> str:
    """Measurements as a table of Markdown, with their sums below if there are several."""
    return markdown_table(HEAD, [*map(_cells, rows), *([_sums(rows)] if len(rows) > 1 else [])])


def _cells(row: Followed) -> list[str]:
    held = "not known" if row.to_hold is None else str(row.to_hold)
    counts = (row.chunks, row.steps, row.largest)
    return [row.model, row.parts, f"{row.bricks:,}", *map(str, counts), held, str(row.unseen), f"{row.seconds:.1f}"]


def _sums(rows: Sequence[Followed]) -> list[str]:
    """Sums, and the largest step of all."""
    return _cells(
        Followed(
            model=f"all {len(rows)}",
            parts=FILED,
            bricks=sum(row.bricks for row in rows),
            chunks=sum(row.chunks for row in rows),
            steps=sum(row.steps for row in rows),
            largest=max(row.largest for row in rows),
            to_hold=sum(row.to_hold or 0 for row in rows),
            unseen=sum(row.unseen for row in rows),
            seconds=sum(row.seconds for row in rows),
        )
    )
