"""Models as LDraw files, which LeoCAD, Studio and other programs for bricks open, and LDraw files as models.

LDraw's unit is a twentieth of a stud pitch; X is our x, Z is our y and -Y is up. A part's origin is in the middle of
the top of its body and its long side lies along X; of most slopes it is in the middle of the end from which they fall,
towards -Z, and of the low ones in the middle of the bottom. Ours are plain files: one line a brick, `0 STEP` after each
step, the target as title and the builder as author.

Reading keeps a model where it is if it is on our grid: studs on multiples of 20 in X and Z, the ground at Y = 0, layers
8 high, as a plate is. A model that is off the grid as a whole moves to the nearest place on it, and one that reaches
below the ground is lifted onto it. Whether bricks overlap or hold together is left to the checks of finished models.
"""

import json
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from brickbybrick.colours import colour_of
from brickbybrick.construction import MOST, MOST_BRICKS, MOST_NAME, Construction, PlacedBrick
from brickbybrick.errors import InputError, shown
from brickbybrick.export.parts import part_number
from brickbybrick.export.steps import Steps, check_steps
from brickbybrick.files import parsed_json
from brickbybrick.geometry.part import PARTS, Part

PITCH, HEIGHT = 20, 8  # a stud and a plate, in LDraw's units
MOST_BYTES = 10_000_000  # of a file to read; 100,000 bricks fit
SLACK = 0.1  # units that a brick may be off the first one's grid: programs round
SLANT = 0.001  # how far an entry of a turn may be from a whole number

# The turns about the upright axis, row by row, by the direction of a slope that is turned so: where -Z comes to lie.
TURNS = ("0 0 -1 0 1 0 1 0 0", "-1 0 0 0 1 0 0 0 -1", "0 0 1 0 1 0 -1 0 0", "1 0 0 0 1 0 0 0 1")
FALLS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # the same as steps along our x and y
AXES = (("X", PITCH), ("Z", PITCH), ("Y", HEIGHT))  # of our x, y and z
NUMBERED = {known.number: part for part, known in PARTS.items()}

TITLE = "Model"
AUTHOR = "brickbybrick"
META = "!BRICKBYBRICK"  # what is known of a model beside its title and author, as JSON of these fields
KNOWN = ("budget", "iou", "episode_return", "notes", "verdict", "walls")
DRAWN = {"2": "a line", "3": "a triangle", "4": "a rectangle", "5": "a conditional line"}
# Lines of comment that are more than that: they add bricks, hide them or take them away.
HIDING = {("GHOST",), ("BUFEXCHG",), ("MLCAD", "HIDE"), ("MLCAD", "BUFEXCHG"), ("!:",)}
NO_TITLES = {"Name:", "Author:", "STEP", "ROTSTEP", "CLEAR", "PAUSE", "SAVE", "WRITE", "PRINT", "BFC", "NOFILE"}


def to_ldraw(construction: Construction, steps: Steps | None = None) -> bytes:
    """A model as the content of an .ldr file.

    Args:
        construction: The model. If bricks lie below layer 0, the file has the model lifted to stand on the ground.
        steps: The indices of the bricks that each building step adds, every brick once. By default bricks that
            follow each other with the same `step` are one step: each its own in a model that was built brick by brick.
    """
    bricks = construction.bricks
    if not bricks:
        raise InputError("a model without bricks cannot be saved: build something first")
    lift = _lift(brick.z for brick in bricks)
    lines = _header(construction)
    if steps is None:
        steps = [list(step) for _, step in groupby(range(len(bricks)), key=lambda index: bricks[index].step)]
    check_steps(steps, construction)
    for step in steps:
        lines += [_line(bricks[index], lift) for index in step]
        lines.append("0 STEP")
    return "".join(f"{line}\r\n" for line in lines).encode()


def from_ldraw(content: bytes | str) -> Construction:
    """The model in an .ldr file, or in an .mpd file with one model.

    Order, colours and steps are the file's. What an LDraw file can hold and a model of bricks cannot is an error that
    names the line.
    """
    if len(content) > MOST_BYTES:
        raise InputError(f"more than {MOST_BYTES // 1_000_000} MB: give a smaller model")
    text = content.decode("utf-8", errors="replace") if isinstance(content, bytes) else content
    reader = _Reader()
    for number, line in enumerate(StringIO(text.removeprefix("\ufeff"), newline=None), start=1):
        try:
            reader.read(number, line.strip())
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    return reader.construction()


def _header(construction: Construction) -> list[str]:
    target, builder = _one_line(construction.target), _one_line(construction.builder)
    about = {name: value for name in KNOWN if (value := getattr(construction, name)) not in (None, (), {})}
    return [
        f"0 {TITLE} of {target}" if target else f"0 {TITLE}",
        "0 Name: model.ldr",
        f"0 Author: {builder or AUTHOR}",
        "0 !LDRAW_ORG Unofficial_Model",
        *([f"0 {META} {json.dumps(about)}"] if about else []),
    ]


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _line(brick: PlacedBrick, lift: int) -> str:
    x, y, z = (place + origin for place, origin in zip(brick.pose[:3], origin_of(brick.shape, brick.d), strict=True))
    right, back, down = (f"{length:g}" for length in (PITCH * x, PITCH * y, -HEIGHT * (z + lift)))
    turn = TURNS[_turn(brick.shape, brick.d)]
    return f"1 {colour_of(brick.colour).code} {right} {down} {back} {turn} {part_number(brick.shape)}.dat"


def _turn(part: Part, d: int) -> int:
    """The turn, of `TURNS`, that a part is in: parts that do not slope have their long side along X before it."""
    if part.slopes:
        return d
    along_x, along_y = part.extent(d)
    return 3 if along_x >= along_y else 2


def origin_of(part: Part, d: int) -> tuple[float, float, float]:
    """Where LDraw has the origin of a part, from the corner of its box: in studs and plates."""
    along_x, along_y = part.extent(d)
    if part.kind == "slope 30":
        return along_x / 2, along_y / 2, 0
    away = (part.width - 1) / 2 if part.slopes else 0  # from the middle to the end that it falls from
    step_x, step_y = FALLS[d]
    return along_x / 2 - away * step_x, along_y / 2 - away * step_y, part.height


def _lift(layers: Iterable[int]) -> int:
    """Layers to raise a model by so that none of it is below the ground."""
    return max(0, -min(layers))


class _Found(NamedTuple):
    """A brick as its line has it."""

    line: int
    part: Part
    d: int
    corner: tuple[float, float, float]  # x, y, z of the minimum corner, in studs and plates
    colour: int
    step: int


class _Reader:
    """What has been read of a file so far."""

    def __init__(self) -> None:
        self.found: list[_Found] = []
        self.step = 0
        self.files = 0  # models named by an .mpd file
        self.over = False  # after the end of its model
        self.begun = False  # whether the place for the title is past
        self.title = ""
        self.author = ""
        self.about: dict[str, Any] = {}

    def read(self, number: int, line: str) -> None:
        words = line.split()
        if not words:
            return
        if words[0] == "0":
            self._comment(words[1:], line)
        elif words[0] == "1":
            if self.over:
                raise InputError("a brick after the end of the model (0 NOFILE)")
            if len(self.found) == MOST_BRICKS:
                raise InputError(f"more than {MOST_BRICKS} bricks: models of up to so many can be read")
            self.found.append(_brick(number, words, self.step))
            self.begun = True
        elif words[0] in DRAWN:
            raise InputError(f"{DRAWN[words[0]]} is drawn here (line type {words[0]}): only bricks can be read")
        else:
            raise InputError(f"{shown(line)} is not a line of LDraw: they begin with 0 to 5")

    def _comment(self, words: list[str], line: str) -> None:
        if not words:
            return
        if words[0] == "FILE":
            if self.files or self.found:
                raise InputError("a second model: only files with one model can be read")
            self.files += 1
            return
        if tuple(words[:1]) in HIDING or tuple(words[:2]) in HIDING:
            raise InputError(f"{shown(line)} shows or hides bricks in a way that cannot be read")
        if not self.begun and words[0] not in NO_TITLES and not words[0].startswith(("!", "//")):
            self.title = " ".join(words)
        elif words in (["STEP"], ["NOFILE"]) or words[0] == "ROTSTEP":
            self.over |= words[0] == "NOFILE"
            # A step that adds nothing is none.
            self.step += bool(self.found) and self.found[-1].step == self.step
        elif words[0] == "Author:":
            self.author = " ".join(words[1:])
        elif words[0] == META:
            self.about = _about(line.split(maxsplit=2)[2:])
        self.begun = True

    def construction(self) -> Construction:
        if not self.found:
            raise InputError("no bricks are in this file: is it an LDraw model?")
        title = "" if self.title == TITLE else self.title.removeprefix(f"{TITLE} of ")
        author = "" if self.author == AUTHOR else self.author
        # Other programs' titles and authors may be of any length.
        made = Construction(_on_grid(self.found), title[:MOST_NAME], author[:MOST_NAME], **self.about)
        made.check()
        return made


def _brick(line: int, words: list[str], step: int) -> _Found:
    if len(words) < 15:
        raise InputError(f"a brick needs 15 fields, here are {len(words)}")
    name = " ".join(words[14:])
    file = re.split(r"[/\\]", name.lower())[-1]
    if not file.endswith(".dat") or file[:-4] not in NUMBERED:
        raise InputError(f"the part {shown(name)} is not one of the bricks, plates, tiles and slopes that can be read")
    part = NUMBERED[file[:-4]]
    if not re.fullmatch("[0-9]{1,9}", words[1]):
        raise InputError(f"{shown(words[1])} is not the code of a colour")
    colour = colour_of(int(words[1])).code
    right, down, back, *turn = (_number(word) for word in words[2:14])
    d = _direction(part, turn)
    place = right / PITCH, back / PITCH, -down / HEIGHT
    x, y, z = (at - origin for at, origin in zip(place, origin_of(part, d), strict=True))
    return _Found(line, part, d, (x, y, z), colour, step)


def _number(word: str) -> float:
    try:
        value = float(word) if "_" not in word else None
    except ValueError:
        value = None
    if value is None or not isfinite(value):
        raise InputError(f"{shown(word)} is not a number")
    if abs(value) > 2 * PITCH * MOST:
        raise InputError(f"{shown(word)} is too far away: bricks can be {MOST} studs from the origin")
    return value


def _direction(part: Part, turn: Sequence[float]) -> int:
    if max(abs(value - round(value)) for value in turn) > SLANT:
        raise InputError("the brick is slanted or stretched: only turns by right angles can be read")
    written = " ".join(str(round(value)) for value in turn)
    if written not in TURNS:
        raise InputError("the brick is not upright, or mirrored: only turns about the upright axis can be read")
    number = TURNS.index(written)
    if part.slopes:
        return number
    return int(number % 2 == 1 and len(part.directions) > 1)  # turned by half a circle or not at all


def _on_grid(found: Sequence[_Found]) -> tuple[PlacedBrick, ...]:
    """The bricks on the grid that the first of them sets, none below the ground."""
    corners = np.array([brick.corner for brick in found])  # (brick, 3)
    corners += np.floor(corners[0] + 0.5) - corners[0]
    nearest = np.floor(corners + 0.5).astype(np.int64)  # halves go up, so that models at any half look the same
    astray = np.abs(corners - nearest) * [unit for _, unit in AXES]  # in LDraw's units
    for index, axis in np.argwhere(astray > SLACK)[:1]:
        apart = f"{astray[index, axis]:.4g} units along {AXES[axis][0]}"
        raise InputError(f"line {found[index].line}: the brick is off the grid of the first one by {apart}")
    nearest[:, 2] += _lift(nearest[:, 2].tolist())
    placed = []
    for brick, (x, y, z) in zip(found, nearest.tolist(), strict=True):
        if max(abs(x), abs(y), z) > MOST:
            raise InputError(f"line {brick.line}: the brick is more than {MOST} studs away from the origin")
        placed.append(PlacedBrick(str(brick.part), x, y, z, brick.d, brick.colour, brick.step))
    return tuple(placed)


def _about(text: Sequence[str]) -> dict[str, Any]:
    """What our own line of comment says of a model."""
    try:
        about = parsed_json("".join(text))
    except ValueError:
        about = None
    if not isinstance(about, dict) or not set(about) <= set(KNOWN) or not isinstance(about.get("notes", []), list):
        raise InputError(f"{META} is followed by something else than we write: leave the line out")
    about |= {"notes": tuple(about.get("notes", []))}
    try:
        Construction((), **about).check()
    except InputError as error:
        raise InputError(f"after {META}, {error}") from None
    return about
