"""The box of bricks: which parts there are, in which colours, and how many of each."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from brickbybrick.colours import COLOURS, colour_code
from brickbybrick.errors import InputError, shown
from brickbybrick.geometry.part import HIGH, PARTS, Part, of_its_kind

BRICKS = tuple(Part.parse(text) for text in ("2x4", "2x3", "2x2", "1x4", "1x2", "1x1"))  # what most boxes hold
MOST = 1_000_000  # of one part
MOST_TEXT = 400_000  # characters that a box is written with; all parts in all colours take a third of it
MOST_NAME = 80  # characters of a part and its colour
NUMBER = re.compile("-?[0-9]{1,9}")
KINDS = "|".join(sorted((kind for kind in HIGH if kind != "brick"), key=len, reverse=True))
WRITTEN = re.compile(rf"(?:(.+?) +)??((?:(?:{KINDS}) )?[0-9]{{1,2}}x[0-9]{{1,2}})")  # as in red 2x4 and tan plate 1x2

Kind = tuple[Part, int | None]  # a part and LDraw's code of its colour, or None where that is left open


class Entry(NamedTuple):
    """Parts of one kind in a box."""

    part: Part
    colour: int | None = None  # LDraw's code; None: any colour that the part was made in
    amount: int | None = None  # None: as many as wanted

    @property
    def name(self) -> str:
        return f"{self.part}" if self.colour is None else f"{COLOURS[self.colour].name} {self.part}"

    def __str__(self) -> str:
        return self.name if self.amount is None else f"{self.name}={self.amount}"


class Rest(NamedTuple):
    """What becomes of a box when a model is built of it."""

    left: tuple[Entry, ...]  # also those of which nothing is left, and those of which there is no end
    missing: dict[tuple[Part, int], int]  # what is used beyond what there is


@dataclass(frozen=True)
class Inventory:
    """What is in a box. A part in a colour that is left open may be had in any, besides those whose colour is told."""

    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        if not self.entries:
            raise InputError(f"an inventory without bricks: name parts, as in {BRICKS[0]}=100,{BRICKS[4]}")
        for part, colour, count in self.entries:
            if part not in PARTS:
                raise InputError(f"no part {part} in an inventory: choose among {of_its_kind(part)}")
            if colour is not None and colour not in COLOURS:
                raise InputError(f"a {part} in colour {colour} in an inventory: choose one that bricks are made in")
            if count is not None and not 0 <= count <= MOST:
                raise InputError(f"{count} parts {part}: give a number from 0 to {MOST}")
        if len({(part, colour) for part, colour, _ in self.entries}) < len(self.entries):
            raise InputError("an inventory that names a part twice: give each once, or once in each colour")
        if all(entry.amount == 0 for entry in self.entries):
            raise InputError("an inventory of 0 bricks: nothing can be built")

    @classmethod
    def of(cls, counts: Iterable[tuple[Part, int | None]]) -> "Inventory":
        """Parts of any colour, each with how many there are or None for as many as wanted."""
        return cls(tuple(Entry(part, None, count) for part, count in counts))

    @classmethod
    def parse(cls, text: str) -> "Inventory":
        """The inventory written as in `2x4=100,red 2x4=20,plate 1x2`; without a number there is no end of a part."""
        if len(text) > MOST_TEXT:
            raise InputError(f"an inventory of {len(text)} characters: write up to {MOST_TEXT}")
        entries = []
        for written in text.split(","):
            name, equals, count = (word.strip() for word in written.partition("="))
            if equals and not NUMBER.fullmatch(count):
                raise InputError(f"{shown(written.strip())} in an inventory: write a part and a number, as in 2x4=100")
            entries.append(Entry(*kind_of(name), int(count) if equals else None))
        return cls(tuple(entries))

    def __str__(self) -> str:
        return ",".join(map(str, self.entries))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return tuple(dict.fromkeys(entry.part for entry in self.entries))

    @cached_property
    def counts(self) -> tuple[tuple[Part, int | None], ...]:
        """How many there are of each part, whatever their colours are."""
        totals: dict[Part, int | None] = {}
        for part, _, count in self.entries:
            total = totals.get(part, 0)
            totals[part] = None if count is None or total is None else min(MOST, total + count)
        return tuple(totals.items())

    @property
    def in_colour(self) -> bool:
        """Whether the colour of any part is told."""
        return any(entry.colour is not None for entry in self.entries)

    def with_parts(self, parts: Iterable[Part]) -> "Inventory":
        """The same with as many as wanted of some parts, in any colour."""
        more = dict.fromkeys(parts)
        kept = [entry for entry in self.entries if entry.colour is not None or entry.part not in more]
        return Inventory((*kept, *map(Entry, more)))

    def only(self, entries: Iterable[Entry], without: str) -> "Inventory":
        """Some entries of it; an error that says what is lacking where there are none of which there is anything."""
        some = tuple(entries)
        if all(entry.amount == 0 for entry in some):
            raise InputError(without)
        return Inventory(some)

    def in_layers(self, layer: int) -> "Inventory":
        """What of it fills whole layers, so many plates high."""
        fitting = (entry for entry in self.entries if entry.part.height % layer == 0)
        return self.only(fitting, f"an inventory of parts that fill no layers {layer} plates high: add bricks")

    def lacking(self, used: Iterable[Part]) -> dict[Part, int]:
        """How many of each part are used beyond what there is in all colours; empty if all are there."""
        there = dict(self.counts)
        beyond = {}
        for part, count in Counter(used).items():
            limit = there.get(part, 0)
            if limit is not None and count > limit:
                beyond[part] = count - limit
        return beyond

    def rest(self, used: Mapping[tuple[Part, int], int]) -> Rest:
        """What is left and what is missing when so many parts in colours are used.

        Those of a told colour are used first, and then those of any.
        """
        there = {(part, colour): amount for part, colour, amount in self.entries}
        missing = {}
        for (part, colour), count in used.items():
            over: int = count
            for kind in ((part, colour), (part, None)):
                limit = there.get(kind, 0)
                took = over if limit is None else min(over, limit)
                over -= took
                if limit is not None and took:
                    there[kind] = limit - took
            if over:
                missing[part, colour] = over
        return Rest(tuple(Entry(*kind, amount) for kind, amount in there.items()), missing)


def kind_of(text: str) -> tuple[Part, int | None]:
    """The part and the colour written as in `2x4`, `red 2x4` or `71 plate 1x2`; None where no colour is told."""
    text = text.strip()
    found = WRITTEN.fullmatch(text) if len(text) <= MOST_NAME else None
    if found is None or found[1] is None:
        return Part.parse(text), None
    try:
        return Part.parse(found[2]), colour_code(found[1])
    except InputError as error:
        usual = "write it as 2x4, plate 2x4, tile 1x2 or slope 45 2x1, after a colour or without one, as in red 2x4"
        raise InputError(f"{shown(text)} is no part: {usual}") from error


ALL_BRICKS = Inventory(tuple(map(Entry, BRICKS)))
LONGEST_USUAL = 8  # studs, as of the longest brick
WITH_PLATES = Inventory(tuple(Entry(part) for part in PARTS if part.plain and part.length <= LONGEST_USUAL))
SLOPES = tuple(part for part in PARTS if part.slopes)
TILES = tuple(part for part in PARTS if part.kind == "tile")
