"""What pages and other programs may ask for, with limits: JSON in, checked records out, and one clear line for anything
else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brickbybrick.colours import RED, colour_code, colour_of
from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError, whole_number
from brickbybrick.export.kit import EXPORTS, checked_kinds, usual_kit
from brickbybrick.files import parsed_json
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.part import PARTS as ALL_PARTS
from brickbybrick.order import MASON, MOST_BRICKS

MEGABYTE = 1_000_000
MOST_UPLOAD = 20 * MEGABYTE  # of a file
LONGEST_MESSAGE = 300  # characters
MOST_STEPPED = 2_000  # bricks of models that agents build one after the other
MOST_BY_STEPS = 600  # bricks of models that are drawn step by step, which takes ten seconds or more there
BY_STEPS = ("pdf", "gif", "webp")
FARTHEST = 1_000  # studs, or bricks up, that a brick can be from the origin
MOST_NAME = 80  # characters
PARTS = {str(part): part for part in ALL_PARTS}
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
        bricks = bricks_of(record.get("bricks", []), MOST_STEPPED)
        return cls(text_of(record, "target"), text_of(record, "agent"), bricks)


@dataclass(frozen=True)
class Build:
    """A model to be built, or to be finished."""

    work: Bricks
    seed: int
    budget: int | None
    colours: tuple[int, ...]
    settings: object = None  # the mason's, as they came

    @classmethod
    def of(cls, record: Record) -> "Build":
        colours = record.get("colours") or [RED]
        if not isinstance(colours, list) or len(colours) > MOST_BRICKS:
            raise InputError("colours are a list of LDraw codes: give at least one")
        codes = tuple(code_of(colour) for colour in colours)
        seed = whole_number(record.get("seed", 0), "seed", 0)
        work = Bricks.of(record)
        budget = budget_of(record, MOST_BRICKS if work.agent == MASON else MOST_STEPPED)
        return cls(work, seed, budget, codes, record.get("settings"))


@dataclass(frozen=True)
class Export:
    """Files to be made of a model."""

    bricks: tuple[PlacedBrick, ...]
    kinds: tuple[str, ...]
    name: str
    budget: int | None
    walls: int | None  # cells of the walls of a hollow model

    @classmethod
    def of(cls, record: Record) -> "Export":
        bricks = bricks_of(record.get("bricks"))
        kinds = kinds_of(record.get("kinds"), bricks)
        name = named(record.get("name"), "model")
        walls = None if record.get("walls") is None else whole_number(record["walls"], "walls", 1, FARTHEST)
        return cls(bricks, kinds, name, budget_of(record), walls)


def kinds_of(value: object, bricks: Sequence[PlacedBrick]) -> tuple[str, ...]:
    """The kinds of files to be made of bricks; those of a kit where a request leaves that open."""
    kinds = list(usual_kit()) if value is None else value
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, str) for kind in kinds):
        raise InputError(f"kinds are a list of {', '.join(EXPORTS)}: give at least one")
    checked_kinds(kinds)
    if not bricks:
        raise InputError("a model without bricks cannot be exported: build something first")
    for kind in BY_STEPS:
        if kind in kinds and len(bricks) > MOST_BY_STEPS:
            raise InputError(
                f"a {kind} of {len(bricks)} bricks takes minutes: leave it out here, and write it from the kit's "
                f"model.json with b3 export model.json --to model.{kind}"
            )
    return tuple(dict.fromkeys(kinds))


def in_one_line(message: str) -> str:
    """What was wrong, as it is told."""
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 3]}..."


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


def file_name(name: str) -> str:
    """A name as that of a file or a folder, without an ending."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "model"


def budget_of(record: Record, most: int = MOST_BRICKS) -> int | None:
    """How many bricks are allowed, or None where a request leaves that open."""
    budget = record.get("budget")
    return None if budget is None else whole_number(budget, "budget", 1, most)


def code_of(value: object) -> int:
    """The LDraw code of a colour that bricks are sold in."""
    return colour_code(str(whole_number(value, "a colour", 0)))


def _held(value: object) -> int:
    """The LDraw code of a brick's colour: any that a file may hold."""
    return colour_of(whole_number(value, "a colour", 0)).code


def bricks_of(value: object, most: int = MOST_BRICKS) -> tuple[PlacedBrick, ...]:
    """Bricks, in the order in which they were placed."""
    if not isinstance(value, list) or len(value) > most:
        raise InputError(f"bricks are a list of at most {most}: send no more of them")
    return tuple(brick_of(brick, step) for step, brick in enumerate(value))


def brick_of(value: object, step: int = 0) -> PlacedBrick:
    """One brick; of part, colour, step and extra each may be left out."""
    if not isinstance(value, dict):
        raise InputError("a brick is an object of part, x, y, z, d, colour and step")
    part = value.get("part", str(BRICK_2X4))
    if not isinstance(part, str) or part not in PARTS:
        raise InputError(f"no such part: choose among {', '.join(PARTS)}")
    x, y = (whole_number(value.get(axis), f"a brick's {axis}", -FARTHEST, FARTHEST) for axis in ("x", "y"))
    z = whole_number(value.get("z"), "a brick's z", -BRICK_HIGH * FARTHEST, BRICK_HIGH * FARTHEST)
    d = whole_number(value.get("d"), "a brick's d", 0, len(PARTS[part].directions) - 1)
    step = whole_number(value.get("step", step), "a brick's step", 0)
    extra = value.get("extra", False)
    if not isinstance(extra, bool):
        raise InputError("whether a brick is extra is true or false: leave it out for those that are not")
    return PlacedBrick(part, x, y, z, d, _held(value.get("colour", RED)), step, extra)
