"""A finished model: the bricks in the order they were placed, and what is known about them.

Every builder returns a `Construction` and every picture, check and export takes one. On disk it is
JSON with a schema number; a file is written whole or not at all.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from brickbybrick.colours import RED
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.files import parsed_json, read_file, write_whole
from brickbybrick.geometry.brick import Cell, Pose, Size
from brickbybrick.geometry.part import BRICK_HIGH, PARTS, Part, of_its_kind

SCHEMA = 2  # of what is written; in the first, whose files are read too, all parts were bricks and z counted them
# What files may hold. Whoever makes a construction keeps to it, so that what is written can be read.
MOST = 100_000  # cells that a brick can be from the origin
MOST_BRICKS = 100_000
MOST_CELLS = 4_800_000  # 100,000 bricks of 2x8 studs
MOST_BYTES = 20_000_000  # 100,000 bricks fit
MOST_BUDGET = 1_000_000
MOST_NAME = 300  # characters; no file's name is longer
MOST_NOTES = 100
MOST_NOTE = 2_000  # characters
MOST_FIGURE = sys.float_info.max
MOST_BOX = (64, 64, 192)  # studs, studs and plates of the box of another part
FARTHEST = 40 * MOST  # LDraw's units that another part can be from the origin

PITCH, HEIGHT = 0.8, 0.32  # centimetres from stud to stud, and of a plate without its studs

Made = TypeVar("Made")


@dataclass(frozen=True)
class PlacedBrick:
    """One part of a model: where it is, on a grid of studs and plates, and what it looks like."""

    part: str  # as in "2x4" for a brick and "plate 2x4" for a plate
    x: int
    y: int
    z: int
    d: int
    colour: int = RED  # LDraw's code, see `colours.COLOURS`
    step: int = 0  # when it was placed, from 0
    extra: bool = False  # put there so that the model stands; the target does not show it

    @property
    def shape(self) -> Part:
        return Part.parse(self.part)

    @property
    def top(self) -> int:
        """The layer above it."""
        return self.z + self.shape.height

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.z, self.d)

    def cells(self) -> Iterable[Cell]:
        return self.shape.cells(self.pose)

    def record(self) -> dict[str, Any]:
        """What is written of it; that it is extra only if it is."""
        record = asdict(self)
        if not self.extra:
            del record["extra"]
        return record

    def check(self) -> None:
        """Raises an error unless every figure makes sense; for bricks that come from a file."""
        if not isinstance(self.part, str):
            raise InputError(f"a brick's part is {shown(self.part)}: give one, as in 2x4")
        if self.shape not in PARTS:
            raise InputError(f"no part {self.part} is known: choose among {of_its_kind(self.shape)}")
        whole_number(self.d, f"the direction of a {self.part}", 0, len(self.shape.directions) - 1)
        for name in ("x", "y", "z"):
            whole_number(getattr(self, name), f"a brick's {name}", -MOST, MOST)
        for name in ("colour", "step"):
            whole_number(getattr(self, name), f"a brick's {name}", 0)
        if not isinstance(self.extra, bool):
            raise InputError(f"whether a brick is extra is {shown(self.extra)}: give true or false")


@dataclass(frozen=True)
class OtherPart:
    """A part that nobody here builds with, or one that lies askew: kept, and drawn as a box, but never judged."""

    name: str  # of its file in LDraw, as in "3941.dat"
    colour: int  # LDraw's code
    place: tuple[float, float, float]  # of its origin, in LDraw's units and axes
    turn: tuple[float, ...]  # nine numbers, row by row, in LDraw's axes
    corner: tuple[int, int, int]  # the lowest x, y, z of the box around it, in studs and plates
    size: tuple[int, int, int]  # of that box along x, y and z
    step: int = 0  # when it was placed, from 0

    @property
    def number(self) -> str:
        """What catalogues call it."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def box(self) -> PlacedBrick:
        """What is drawn of it."""
        return PlacedBrick("box {}x{}x{}".format(*self.size), *self.corner, 0, self.colour, self.step)

    def check(self) -> None:
        """Raises an error unless every figure makes sense; for parts that come from a file."""
        _check_text(self.name, "the name of a part", MOST_NAME)
        if not self.name or not self.name.isprintable() or self.name != " ".join(self.name.split()):
            raise InputError(f"the name of a part is {shown(self.name)}: give the name of its file")
        for name, count in (("place", 3), ("turn", 9), ("corner", 3), ("size", 3)):
            values = getattr(self, name)
            if not isinstance(values, tuple) or len(values) != count:
                raise InputError(f"a part's {name} is {shown(values)}: give {count} numbers")
        for value in (*self.place, *self.turn):
            _check_figure(value, FARTHEST)
        for value in self.corner:
            whole_number(value, "a part's corner", -MOST, MOST)
        for value, most in zip(self.size, MOST_BOX, strict=True):
            whole_number(value, "a part's size", 1, most)
        for name in ("colour", "step"):
            whole_number(getattr(self, name), f"a part's {name}", 0)


@dataclass(frozen=True)
class Construction:
    """The ordered bricks, for which target, by whom, with which score."""

    bricks: tuple[PlacedBrick, ...]
    target: str = ""
    builder: str = ""
    budget: int | None = None
    iou: float | None = None  # IoU of the finished model with the target's voxels
    episode_return: float | None = None  # sum of rewards; not the same as the IoU
    notes: tuple[str, ...] = ()  # what a reader should know, one sentence each
    verdict: dict[str, bool | float | None] = field(default_factory=dict)
    walls: int | None = None  # cells of the walls of a hollow model, which the IoU compares with the target's
    others: tuple[OtherPart, ...] = ()  # what a model of another program holds beside bricks that can be judged

    @classmethod
    def of_poses(cls, size: Size, poses: Iterable[Iterable[int]], **about: object) -> "Construction":
        """A model of bricks of one size, in the order of `poses` (rows of x, y, z, d) in layers of bricks."""
        rows = [tuple(map(int, pose)) for pose in poses]
        bricks = tuple(
            PlacedBrick(str(size), x, y, BRICK_HIGH * z, d, step=step) for step, (x, y, z, d) in enumerate(rows)
        )
        return cls(bricks, **about)  # type: ignore[arg-type]

    @property
    def poses(self) -> list[Pose]:
        """The poses of a model of bricks alone as `of_poses` takes them, in layers of bricks."""
        return [brick.pose._replace(z=brick.z // BRICK_HIGH) for brick in self.bricks]

    def record(self) -> dict[str, Any]:
        """What is written of it; what few models have is left out of the others, so that older programs read them."""
        about = asdict(replace(self, bricks=()))
        record = {"schema": SCHEMA, **about, "bricks": [brick.record() for brick in self.bricks]}
        if self.walls is None:
            del record["walls"]
        if not self.others:
            del record["others"]
        return record

    @property
    def drawn(self) -> "Construction":
        """What pictures show: other parts as boxes behind the bricks."""
        return replace(self, bricks=(*self.bricks, *(part.box for part in self.others)), others=())

    @property
    def extent(self) -> tuple[int, int, int]:
        """Studs that it is wide and deep, and plates that it is high."""
        cells = np.array([cell for brick in self.bricks for cell in brick.cells()]).reshape(-1, 3)
        wide, deep, high = (cells.max(axis=0) - cells.min(axis=0) + 1).tolist() if len(cells) else (0, 0, 0)
        return wide, deep, high

    @property
    def layers(self) -> list[int]:
        """The heights at which parts begin, in plates, from the lowest on: what a builder would call layers."""
        return sorted({brick.z for brick in self.bricks})

    @property
    def measures(self) -> str:
        """How large it is by its studs."""
        wide, deep, high = self.extent
        bricks, plates = divmod(high, BRICK_HIGH)
        up = [f"{count} {what}{'s' * (count > 1)}" for count, what in ((bricks, "brick"), (plates, "plate")) if count]
        return f"{wide} x {deep} studs, {' and '.join(up)} high"

    @property
    def centimetres(self) -> str:
        """How large that is on the table: wide, deep and high."""
        sides = zip(self.extent, (PITCH, PITCH, HEIGHT), strict=True)
        return f"{' x '.join(f'{count * each:.1f}' for count, each in sides)} cm"

    def to_json(self) -> str:
        return json.dumps(self.record(), indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Construction":
        try:
            record = parsed_json(text)
        except ValueError as error:
            raise InputError(f"not a construction: not JSON: {error}") from error
        if not isinstance(record, dict) or not {"schema", "bricks"} <= set(record):
            raise InputError("not a construction: it has no schema or no bricks")
        schema = record.pop("schema")
        if schema not in (1, SCHEMA):
            raise InputError(f"a construction of another schema; this version reads schema 1 and {SCHEMA}")
        rows, notes = _rows(record.pop("bricks")), _rows(record.pop("notes", []))
        bricks = tuple(_made(PlacedBrick, row, "a brick") for row in rows)
        if schema == 1:
            bricks = tuple(_raised(brick) for brick in bricks)
        others = tuple(_other(row) for row in _rows(record.pop("others", [])))
        made = _made(cls, {**record, "bricks": bricks, "notes": tuple(notes), "others": others}, "a construction")
        made.check()
        return made

    def check(self) -> None:
        """Raises an error unless every field makes sense; for what comes from a file of any kind."""
        if (count := len(self.bricks) + len(self.others)) > MOST_BRICKS:
            raise InputError(f"a model of {count} bricks: up to {MOST_BRICKS} can be read")
        for brick in self.bricks:
            brick.check()
        for part in self.others:
            part.check()
        columns = sum(part.size[0] * part.size[1] for part in self.others)
        if columns + sum(brick.shape.area * brick.shape.height for brick in self.bricks) > MOST_CELLS:
            raise InputError(f"a model of more than {MOST_CELLS} cells: up to so many can be read")
        for text in (self.target, self.builder):
            _check_text(text, "the name of a target or a builder", MOST_NAME)
        if self.budget is not None:
            whole_number(self.budget, "the budget", 0, MOST_BUDGET)
        if self.walls is not None:
            whole_number(self.walls, "cells of the walls", 1, MOST)
        if len(self.notes) > MOST_NOTES:
            raise InputError(f"{len(self.notes)} notes: there may be {MOST_NOTES}")
        for note in self.notes:
            _check_text(note, "a note", MOST_NOTE)
        figures = [self.iou, self.episode_return]
        if not isinstance(self.verdict, dict) or len(self.verdict) > MOST_NOTES:
            raise InputError("the verdict is no list of figures by their names: leave it out")
        for name, value in self.verdict.items():
            _check_text(name, "the name of a figure", MOST_NAME)
            figures += [] if isinstance(value, bool) else [value]
        for figure in figures:
            _check_figure(figure)

    def save(self, path: Path) -> None:
        write_whole(path, self.to_json().encode())

    @classmethod
    def load(cls, path: Path) -> "Construction":
        content = read_file(path, MOST_BYTES)
        try:
            return cls.from_json(content)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error


def _made(kind: type[Made], row: object, what: str) -> Made:
    """The record of a row from a file, which names each field once and none that there is not."""
    if not isinstance(row, dict):
        raise InputError(f"not a construction: {what} is {shown(row)}")
    unknown = row.keys() - {each.name for each in fields(kind)}  # type: ignore[arg-type]
    if unknown:
        raise InputError(f"not a construction: {what} has a field {shown(min(unknown))}, which is none of ours")
    try:
        return kind(**row)
    except TypeError as error:
        raise InputError(f"not a construction: {what} of which something is missing: {error}") from error


def _rows(rows: object) -> list[Any]:
    if not isinstance(rows, list) or len(rows) > MOST_BRICKS:
        raise InputError(f"not a construction: bricks and other parts are lists of up to {MOST_BRICKS}, notes one too")
    return rows


def _other(row: object) -> OtherPart:
    """Another part, whose places are lists in a file."""
    if isinstance(row, dict):
        row = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return _made(OtherPart, row, "another part")


def _raised(brick: PlacedBrick) -> PlacedBrick:
    """A brick of a file in which z counted bricks."""
    return replace(brick, z=BRICK_HIGH * whole_number(brick.z, "a brick's z", -MOST, MOST))


def _check_text(text: object, what: str, most: int) -> None:
    if not isinstance(text, str) or len(text) > most:
        raise InputError(f"{what} is {shown(text)}: give text of up to {most} characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{what} is {shown(text)}: half of a character is in it") from error


def _check_figure(value: object, most: float = MOST_FIGURE) -> None:
    known = (value is None and most == MOST_FIGURE) or (isinstance(value, int | float) and not isinstance(value, bool))
    if not known or not abs(value or 0) <= most:  # type: ignore[arg-type]
        raise InputError(f"a figure of a model is {shown(value)}: give a number, or leave it out")
