"""What colours cost and how true they are: each input is built in its colours, and once more in one colour."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from brickbybrick.building import build_wanted, builder_of
from brickbybrick.construction import Construction
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.judging.likeness import colour_figures
from brickbybrick.order import Order
from brickbybrick.picture import draw, paint
from brickbybrick.sheets import contact_sheet
from brickbybrick.targets.inputs import wanted_file

PICTURE = (300, 260)  # pixels of a model
ACROSS = 4  # models in a row


@dataclass(frozen=True)
class Coloured:
    """A model in colour beside the same in one colour."""

    built: Construction
    input: str
    size: str  # studs wide and deep, and layers
    bricks: int
    bricks_in_one_colour: int
    colour_mean: float | None  # how unlike what is wanted the faces that are seen look on average, by CIEDE2000
    colour_close: float | None  # the share of them that is within 10; None for what has no colours
    iou: float | None
    joined: bool
    stands: bool | None
    steady: bool | None  # it also stands when touched

    @property
    def ratio(self) -> float:
        """Bricks in colour for each brick in one colour."""
        return self.bricks / self.bricks_in_one_colour

    def record(self) -> dict[str, Any]:
        """The figures alone."""
        figures = asdict(replace(self, built=Construction(())))
        del figures["built"]
        return {**figures, "ratio": self.ratio}


def measured(path: Path, order: Order) -> Coloured:
    """Builds a picture or a mesh twice."""
    wanted = wanted_file(path, order.reading)
    made = build_wanted([wanted], order)[0]
    built, verdict = made.construction, made.verdict
    (plain,) = builder_of(order, len(wanted.target.images)).build_all([replace(wanted.target, paint=None)])
    figures = colour_figures(built, wanted.target)
    return Coloured(
        built=built,
        input=path.name,
        size=" x ".join(map(str, built.extent)),
        bricks=len(built.bricks),
        bricks_in_one_colour=len(plain.bricks),
        colour_mean=figures["colour_mean"],
        colour_close=figures["colour_close"],
        iou=built.iou,
        joined=verdict.joined,
        stands=verdict.stands,
        steady=verdict.steady,
    )


def all_measured(paths: Sequence[Path], order: Order, tell: Callable[[str], None]) -> list[Coloured]:
    """Builds each of several files twice."""
    rows = []
    for path in paths:
        tell(path.name)
        rows.append(measured(path, order))
    return rows


def as_picture(rows: Sequence[Coloured]) -> Image.Image:
    """All models side by side."""
    pictures = [paint(draw(row.built), PICTURE) for row in rows]
    return contact_sheet([pictures[first : first + ACROSS] for first in range(0, len(pictures), ACROSS)])


def as_table(rows: Sequence[Coloured]) -> str:
    """Measurements as a table of Markdown."""
    head = [
        "input",
        "studs and layers",
        "bricks",
        "in one colour",
        "ratio",
        "mean dE",
        "within 10",
        "IoU",
        "joined",
        "stands",
    ]
    return markdown_table(head, [_cells(row) for row in rows])


def _cells(row: Coloured) -> list[str]:
    return [
        row.input,
        row.size,
        str(row.bricks),
        str(row.bricks_in_one_colour),
        f"{row.ratio:.2f}",
        "-" if row.colour_mean is None else f"{row.colour_mean:.2f}",
        "-" if row.colour_close is None else f"{100 * row.colour_close:.0f} %",
        "-" if row.iou is None else f"{row.iou:.3f}",
        "yes" if row.joined else "no",
        {True: "yes", False: "until touched" if row.stands else "no", None: "not known"}[row.steady],
    ]
