"""Models as LDraw files, which LeoCAD, Studio and other programs for bricks open, and LDraw files as models.

Ours are plain files: one line a brick, `0 STEP` after each step, the target as title and the builder as author. Files
with sub-models are written by `mpd.py`; both kinds are read here, whoever wrote them.

Reading keeps a model where it is if it is on our grid: studs on multiples of 20 in X and Z, the ground at Y = 0, layers
8 high, as a plate is. A model that is off the grid as a whole moves to the nearest place on it, and one that reaches
below the ground is lifted onto it. The grid is that of most of its bricks; those that are off it, lie on a side or are
slanted are kept among the other parts. Whether bricks overlap or hold together is left to the checks of models.
"""

import json
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import DIRECT, colour_of, is_colour
from brickbybrick.construction import (
    MOST,
    MOST_BOX,
    MOST_BRICKS,
    MOST_NAME,
    MOST_NOTES,
    Construction,
    OtherPart,
    PlacedBrick,
)
from brickbybrick.errors import InputError
from brickbybrick.export.filed import handwork_of
from brickbybrick.export.ldraw_expanding import Expanding, Found, box_or_brick
from brickbybrick.export.ldraw_places import HEIGHT, PITCH, Move, box_of, direction_of, move_of, origin_of
from brickbybrick.export.ldraw_text import KNOWN, META, MOST_BYTES, Text, parsed
from brickbybrick.export.parts import part_number
from brickbybrick.export.steps import Steps, check_steps
from brickbybrick.geometry.part import Part
from brickbybrick.handwork.work import Handwork

__all__ = ["MOST_BYTES", "from_ldraw", "read_ldraw", "to_ldraw"]

SLACK = 0.1  # units that a brick may be off the grid: programs round
UNITS = (PITCH, PITCH, HEIGHT)  # of our x, y and z
TITLE = "Model"
AUTHOR = "brickbybrick"
MOST_NAMED, MOST_NUMBER = 10, 20  # numbers of parts that a note names, and how much of each


def to_ldraw(construction: Construction, steps: Steps | None = None) -> bytes:
    """A model as the content of an .ldr file.

    Args:
        construction: The model. If bricks lie below layer 0, the file has the model lifted to stand on the ground.
        steps: The indices of the bricks that each building step adds, every brick once; parts that are not judged come
            last. By default bricks that follow each other with the same `step` are one step: each its own in a model
            that was built brick by brick.
    """
    bricks = construction.bricks
    if not bricks:
        raise InputError("a model without bricks cannot be saved: build something first")
    lift = lift_of(bricks)
    if steps is None:
        groups = _own_steps(construction)
    else:
        check_steps(steps, construction)
        groups = [[bricks[index] for index in step] for step in steps]
        groups += [list(construction.others)] if construction.others else []
    lines = header(construction)
    for group in groups:
        lines += [line_of(part, lift) for part in group]
        lines.append("0 STEP")
    return in_lines(lines)


def from_ldraw(content: bytes | str) -> Construction:
    """The model in an .ldr or .mpd file, see `read_ldraw`."""
    return read_ldraw(content)[0]


def read_ldraw(content: bytes | str) -> tuple[Construction, Handwork]:
    """The model in an .ldr or .mpd file, with its sub-models in their places, and how the file puts it together.

    Order, colours and steps are the file's. Parts that we build with are read as what they are, others are kept beside
    them; what was left out is told in notes. What is no model is an error that names the line.
    """
    text = parsed(content)
    expanding = Expanding(text)
    found = list(expanding.parts())
    if len(found) > MOST_BRICKS:
        raise InputError(f"more than {MOST_BRICKS} bricks: models of up to so many can be read")
    if not found:
        raise InputError("no bricks are in this file: is it an LDraw model?")
    bricks, others, remarks, which = _on_grid(found, expanding)
    title = "" if text.title == TITLE else text.title.removeprefix(f"{TITLE} of ")
    author = "" if text.author == AUTHOR else text.author
    notes = text.about.pop("notes", ())  # which a file that we wrote has, and those below among them
    notes += tuple(note for note in (*remarks, *_left_out(text)) if note not in notes)
    # Other programs' titles and authors may be of any length.
    about = {"target": title[:MOST_NAME], "builder": author[:MOST_NAME], "notes": notes[:MOST_NOTES]}
    made = Construction(bricks, others=others, **about, **text.about)
    made.check()
    return made, handwork_of(expanding.whole, which)


def header(construction: Construction) -> list[str]:
    """What is said of a model before its first brick."""
    target, builder = one_line(construction.target), one_line(construction.builder)
    about = {name: value for name in KNOWN if (value := getattr(construction, name)) not in (None, (), {})}
    return [
        f"0 {TITLE} of {target}" if target else f"0 {TITLE}",
        "0 Name: model.ldr",
        f"0 Author: {builder or AUTHOR}",
        "0 !LDRAW_ORG Unofficial_Model",
        *([f"0 {META} {json.dumps(about)}"] if about else []),
    ]


def one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def line_of(part: PlacedBrick | OtherPart, lift: int = 0) -> str:
    """The line of a brick, or of another part as it was read."""
    if isinstance(part, OtherPart):
        move, name = Move(part.place, part.turn), part.name
    else:
        move, name = move_of(part), f"{part_number(part.shape)}.dat"
    right, down, back = move.place
    return reference(part.colour, Move((right, down - HEIGHT * lift, back), move.turn), name)


def reference(colour: int, move: Move, name: str) -> str:
    """A line of type 1."""
    code = colour_of(colour).code
    written = f"0x{code:07X}" if DIRECT <= code <= 0xFFFFFFF else str(code)
    return f"1 {written} {' '.join(map(_plain, (*move.place, *move.turn)))} {name}"


def _plain(value: float) -> str:
    """A number as short as it can be written."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def in_lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode()


def lift_of(bricks: Iterable[PlacedBrick]) -> int:
    """Layers to raise a model by so that none of it is below the ground."""
    return max(0, -min(brick.z for brick in bricks))


def _own_steps(construction: Construction) -> list[list[PlacedBrick | OtherPart]]:
    """The parts of each step, in the order of their steps; other parts after the bricks of theirs."""
    bricks, waiting = construction.bricks, deque(sorted(construction.others, key=lambda part: part.step))
    later = list(accumulate(reversed([brick.step for brick in bricks]), min))[::-1]  # the first step from each brick on
    parts: list[PlacedBrick | OtherPart] = []
    for brick, first in zip(bricks, later, strict=True):
        while waiting and waiting[0].step < first:
            parts.append(waiting.popleft())
        parts.append(brick)
    parts += waiting
    return [list(step) for _, step in groupby(parts, key=lambda part: part.step)]


class _Upright(NamedTuple):
    """A brick that may be on the grid."""

    found: Found
    part: Part
    d: int


def _on_grid(
    found: Sequence[Found], expanding: Expanding
) -> tuple[tuple[PlacedBrick, ...], tuple[OtherPart, ...], list[str], dict[int, int]]:
    """The bricks on the grid of most of them, none below the ground; the other parts; what is to be said of it; and
    which of all that was found has become which brick."""
    upright, numbers = [], []
    for number, one in enumerate(found):
        d = None if one.known is None else direction_of(one.known.part, one.move.turn)
        if one.known is not None and d is not None:
            upright.append(_Upright(one, one.known.part, d))
            numbers.append(number)
    if not upright:
        names = _named(_number(one.name) for one in found)
        raise InputError(f"none of its parts is a brick, plate, tile or slope that stands upright: {names}")
    corners = np.array([_corner(brick) for brick in upright])  # (brick, 3) in studs and plates
    shift = _shift(corners)
    nearest = np.floor(corners + shift + 0.5).astype(np.int64)  # halves go up, so that models at any half look the same
    on_grid = (np.abs(corners + shift - nearest) * UNITS).max(axis=1) <= SLACK
    lift = max(0, -int(nearest[on_grid, 2].min()))
    nearest[:, 2] += lift
    shift[2] += lift
    bricks: list[PlacedBrick] = []
    which: dict[int, int] = {}
    for number, brick, fits, (x, y, z) in zip(numbers, upright, on_grid.tolist(), nearest.tolist(), strict=True):
        if not fits:
            continue
        if max(abs(x), abs(y), z) > MOST:
            raise InputError(f"line {brick.found.line}: the brick is more than {MOST} studs away from the origin")
        which[number] = len(bricks)
        bricks.append(PlacedBrick(str(brick.part), x, y, z, brick.d, brick.found.colour, brick.found.step))
    rest = [one for number, one in enumerate(found) if number not in which]
    others = tuple(_other(one, expanding, shift) for one in rest)
    return tuple(bricks), others, _remarks(found, rest, expanding), which


def _corner(brick: _Upright) -> tuple[float, float, float]:
    """The lowest corner of a brick, in studs and plates."""
    right, down, back = brick.found.move.place
    x, y, z = origin_of(brick.part, brick.d)
    return right / PITCH - x, back / PITCH - y, -down / HEIGHT - z


def _shift(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How far (3,) to move corners (brick, 3) so that most of them are on the grid, those first that come first."""
    astray = np.round((corners - np.floor(corners)) * UNITS * 2).astype(np.int64) % (2 * np.array(UNITS))
    kinds = [tuple(row) for row in astray.tolist()]
    chosen, _ = Counter(kinds).most_common(1)[0]
    first: npt.NDArray[np.float64] = corners[kinds.index(chosen)]
    return np.floor(first + 0.5) - first


def _other(found: Found, expanding: Expanding, shift: npt.NDArray[np.float64]) -> OtherPart:
    """A part that is no brick on the grid, with the box around it."""
    own = box_of(found.known.part) if found.known else box_or_brick(expanding, found.name)[0]
    box = own.moved(found.move)
    low = np.array([box.low[0] / PITCH, box.low[2] / PITCH, -box.high[1] / HEIGHT]) + shift
    high = np.array([box.high[0] / PITCH, box.high[2] / PITCH, -box.low[1] / HEIGHT]) + shift
    corner = np.floor(low + 0.5)
    size = np.clip(np.floor(high + 0.5) - corner, 1, MOST_BOX)
    x, y, z = corner.astype(np.int64).tolist()
    wide, deep, tall = size.astype(np.int64).tolist()
    if max(abs(x), abs(y), abs(z)) > MOST:
        raise InputError(f"line {found.line}: the part is more than {MOST} studs away from the origin")
    right, down, back = found.move.place
    right, down, back = right + PITCH * shift[0], down - HEIGHT * shift[2], back + PITCH * shift[1]
    place = _rounded(right), _rounded(down), _rounded(back)
    turn = tuple(map(_rounded, found.move.turn))
    name = one_line(found.name)
    return OtherPart(name, found.colour, place, turn, (x, y, z), (wide, deep, tall), found.step)


def _rounded(value: float) -> float:
    return round(float(value), 6) + 0.0  # no number is less than nothing and nothing


def _remarks(found: Sequence[Found], rest: Sequence[Found], expanding: Expanding) -> list[str]:
    """What a reader should know of how a file was read, one sentence each."""
    remarks = []
    if printed := Counter(_number(one.name) for one in found if one.known and one.known.printed):
        remarks.append(f"Prints and stickers are left out of {_named(printed.elements())}.")
    if askew := Counter(_number(one.name) for one in rest if one.known):
        remarks.append(f"Not upright or off the grid of the others, so not judged: {_named(askew.elements())}.")
    unknown = {one.name for one in rest if one.known is None and not box_or_brick(expanding, one.name)[1]}
    if unknown:
        names = _named(_number(name) for name in sorted(unknown))
        remarks.append(f"How large they are is not known, so they are drawn as small bricks: {names}.")
    if strange := Counter(str(one.colour) for one in found if not is_colour(one.colour)):
        remarks.append(f"Codes of colours that nobody knows are kept, and drawn in grey: {_named(strange.elements())}.")
    return remarks


def _left_out(text: Text) -> list[str]:
    """What of a file was not read, one sentence each."""
    drawn = sum(section.drawn for section in text.sections.values() if not section.is_part)
    counts = text.left_out + Counter({"lines that draw something beside the parts": drawn})
    return [f"Left out: {what} ({count})." for what, count in sorted(counts.items()) if count]


def _number(name: str) -> str:
    return one_line(name.rpartition("/")[2]).removesuffix(".dat")


def _named(numbers: Iterable[str]) -> str:
    """Numbers of parts, each once with its count, not too many of them."""
    counts = Counter(numbers)
    named = [f"{count} x {number[:MOST_NUMBER]}"[4 * (count == 1) :] for number, count in counts.items()]
    more = len(named) - MOST_NAMED
    return ", ".join(named[:MOST_NAMED]) + (f" and {more} more kinds" if more > 0 else "")
