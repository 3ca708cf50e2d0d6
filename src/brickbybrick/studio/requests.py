"""What pages may ask for, with limits: JSON in, checked records out, and one clear line for anything else."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from brickbybrick.colours import RED, colour_of
from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError, whole_number
from brickbybrick.export.kit import EXPORTS, checked_kinds, usual_kit
from brickbybrick.export.parts import PART_NUMBERS
from brickbybrick.files import parsed_json
from brickbybrick.geometry.brick import BRICK_2X4, Size
from brickbybrick.targets.inputs import VIEWS, Wanted, wanted_picture, wanted_silhouettes

MOST_BRICKS = 2_000
MOST_BY_STEPS = 600  # bricks of models that are drawn step by step, which takes ten seconds or more there
BY_STEPS = ("pdf", "gif", "webp")
FARTHEST = 1_000  # cells that a brick can be from the origin
MOST_SIDE = 1_024  # pixels of a drawing
MOST_NAME = 80  # characters
PARTS = {str(size): size for size in PART_NUMBERS}
Record = dict[str, Any]


def record_of(content: bytes) -> Record:
    """The JSON object that a request holds."""
    try:
        record = parsed_json(content)
    except ValueError as error:
        raise InputError("the request is not JSON: send one object") from error
    if not isinstance(record, dict):
        raise InputError("the request is not an object: send fields in braces")
    return record


@dataclass(frozen=True)
class Bricks:
    """Bricks beside a target, and who is to place the next one."""

    target: str
    agent: str
    bricks: tuple[PlacedBrick, ...]

    @classmethod
    def of(cls, record: Record) -> "Bricks":
        return cls(text_of(record, "target"), text_of(record, "agent"), bricks_of(record.get("bricks", [])))


@dataclass(frozen=True)
class Build:
    """A model to be built, or to be finished."""

    work: Bricks
    seed: int
    budget: int | None
    colours: tuple[int, ...]

    @classmethod
    def of(cls, record: Record) -> "Build":
        colours = record.get("colours") or [RED]
        if not isinstance(colours, list) or len(colours) > MOST_BRICKS:
            raise InputError("colours are a list of LDraw codes: give at least one")
        codes = tuple(code_of(colour) for colour in colours)
        seed = whole_number(record.get("seed", 0), "seed", 0)
        return cls(Bricks.of(record), seed, budget_of(record), codes)


@dataclass(frozen=True)
class Export:
    """Files to be made of a model."""

    target: str | None
    bricks: tuple[PlacedBrick, ...]
    kinds: tuple[str, ...]
    name: str
    budget: int | None

    @classmethod
    def of(cls, record: Record) -> "Export":
        target = None if record.get("target") is None else text_of(record, "target")
        kinds = record.get("kinds")
        kinds = list(usual_kit()) if kinds is None else kinds
        if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, str) for kind in kinds):
            raise InputError(f"kinds are a list of {', '.join(EXPORTS)}: give at least one")
        checked_kinds(kinds)
        bricks = bricks_of(record.get("bricks"))
        if not bricks:
            raise InputError("a model without bricks cannot be exported: build something first")
        for kind in BY_STEPS:
            if kind in kinds and len(bricks) > MOST_BY_STEPS:
                raise InputError(
                    f"a {kind} of {len(bricks)} bricks takes minutes: leave it out here, and write it from the kit's "
                    f"model.json with b3 export model.json --to model.{kind}"
                )
        name = named(record.get("name"), "model")
        return cls(target, bricks, tuple(dict.fromkeys(kinds)), name, budget_of(record))


def text_of(record: Record, field: str) -> str:
    """A field that names something."""
    value = record.get(field)
    if not isinstance(value, str) or not 0 < len(value) <= MOST_NAME:
        raise InputError(f"{field} is missing or no name: give 1 to {MOST_NAME} characters")
    return value


def named(value: object, otherwise: str) -> str:
    """A name to show, never to look anything up by: short, and of characters that can be printed."""
    if value is None:
        return otherwise
    if not isinstance(value, str):
        raise InputError("a name is text")
    return "".join(sign for sign in value[: 10 * MOST_NAME] if sign.isprintable()).strip()[:MOST_NAME] or otherwise


def budget_of(record: Record) -> int | None:
    """How many bricks are allowed, or None where a request leaves that open."""
    budget = record.get("budget")
    return None if budget is None else whole_number(budget, "budget", 1, MOST_BRICKS)


def code_of(value: object) -> int:
    """The LDraw code of a colour that bricks are sold in."""
    return colour_of(whole_number(value, "a colour", 0)).code


def bricks_of(value: object) -> tuple[PlacedBrick, ...]:
    """Bricks, in the order in which they were placed."""
    if not isinstance(value, list) or len(value) > MOST_BRICKS:
        raise InputError(f"bricks are a list of at most {MOST_BRICKS}")
    return tuple(brick_of(brick, step) for step, brick in enumerate(value))


def brick_of(value: object, step: int = 0) -> PlacedBrick:
    """One brick; of part, colour and step each may be left out."""
    if not isinstance(value, dict):
        raise InputError("a brick is an object of part, x, y, z, d, colour and step")
    part = value.get("part", str(BRICK_2X4))
    if not isinstance(part, str) or part not in PARTS:
        raise InputError(f"no such part: choose among {', '.join(PARTS)}")
    size: Size = PARTS[part]
    x, y, z = (whole_number(value.get(axis), f"a brick's {axis}", -FARTHEST, FARTHEST) for axis in ("x", "y", "z"))
    d = whole_number(value.get("d"), "a brick's d", 0, len(size.directions) - 1)
    step = whole_number(value.get("step", step), "a brick's step", 0)
    return PlacedBrick(part, x, y, z, d, code_of(value.get("colour", RED)), step)


def wanted_drawings(value: object) -> Wanted:
    """What one drawing, or drawings of the front, the side and the top show."""
    if not isinstance(value, list) or len(value) not in (1, 3):
        raise InputError("drawings are a list of one, or of three: front, side and top")
    pictures = [drawing_of(drawing) for drawing in value]
    if len(pictures) == 1:
        return wanted_picture("drawing", pictures[0])
    return wanted_silhouettes("drawings", list(zip(VIEWS, pictures, strict=True)))


def drawing_of(value: object) -> Image.Image:
    """A drawing as a picture, ink white on black."""
    if not isinstance(value, dict):
        raise InputError("a drawing is an object of width, height and pixels")
    width, height = (whole_number(value.get(side), f"a drawing's {side}", 1, MOST_SIDE) for side in ("width", "height"))
    pixels = value.get("pixels")
    try:
        grey = base64.b64decode(pixels, validate=True) if isinstance(pixels, str) else b""
    except (binascii.Error, ValueError) as error:
        raise InputError("a drawing's pixels are not base64") from error
    if len(grey) != width * height:
        raise InputError(f"a drawing of {width} x {height} pixels has {len(grey)} bytes: give one each, 255 for ink")
    ink = np.frombuffer(grey, np.uint8).reshape(height, width)
    border = np.concatenate([ink[0], ink[-1], ink[1:-1, 0], ink[1:-1, -1]])
    if np.median(border):  # whoever draws up to the border on most sides would have the paper taken for the ink
        ink = np.pad(ink, 1)
    return Image.fromarray(ink)
