"""The box of bricks: which parts there are, and how many of each."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from brickbybrick.errors import InputError, shown
from brickbybrick.geometry.part import PARTS, Part, of_its_kind

BRICKS = tuple(Part.parse(text) for text in ("2x4", "2x3", "2x2", "1x4", "1x2", "1x1"))  # what most boxes hold
MOST = 1_000_000  # of one part
NUMBER = re.compile("-?[0-9]{1,9}")


@dataclass(frozen=True)
class Inventory:
    """Parts, each with how many there are or None for as many as wanted."""

    counts: tuple[tuple[Part, int | None], ...]

    def __post_init__(self) -> None:
        if not self.counts:
            raise InputError(f"an inventory without bricks: name parts, as in {BRICKS[0]}=100,{BRICKS[4]}")
        for part, count in self.counts:
            if part not in PARTS:
                raise InputError(f"no part {part} in an inventory: choose among {of_its_kind(part)}")
            if count is not None and not 0 <= count <= MOST:
                raise InputError(f"{count} parts {part}: give a number from 0 to {MOST}")
        if len(set(self.parts)) < len(self.counts):
            raise InputError("an inventory that names a part twice: give each once")
        if all(count == 0 for _, count in self.counts):
            raise InputError("an inventory of 0 bricks: nothing can be built")

    @classmethod
    def parse(cls, text: str) -> "Inventory":
        """The inventory written as in `2x4=100,2x2=50,plate 1x2`; a part without a number is there without end."""
        counts: list[tuple[Part, int | None]] = []
        for entry in text.split(","):
            part, equals, count = (word.strip() for word in entry.partition("="))
            if equals and not NUMBER.fullmatch(count):
                raise InputError(f"{shown(entry.strip())} in an inventory: write a part and a number, as in 2x4=100")
            counts.append((Part.parse(part), int(count) if equals else None))
        return cls(tuple(counts))

    def __str__(self) -> str:
        return ",".join(f"{part}" if count is None else f"{part}={count}" for part, count in self.counts)

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(part for part, _ in self.counts)

    def with_parts(self, parts: Iterable[Part]) -> "Inventory":
        """The same with as many as wanted of some more parts."""
        return Inventory((*self.counts, *((part, None) for part in parts)))

    def in_layers(self, layer: int) -> "Inventory":
        """What of it fills whole layers, so many plates high."""
        counts = tuple((part, count) for part, count in self.counts if part.height % layer == 0)
        if not counts:
            raise InputError(f"an inventory of parts that fill no layers {layer} plates high: add bricks")
        return Inventory(counts)

    def lacking(self, used: Iterable[Part]) -> dict[Part, int]:
        """How many of each part are used beyond what there is; empty if all are there."""
        there = dict(self.counts)
        beyond = {}
        for part, count in Counter(used).items():
            limit = there.get(part, 0)
            if limit is not None and count > limit:
                beyond[part] = count - limit
        return beyond


ALL_BRICKS = Inventory(tuple((part, None) for part in BRICKS))
LONGEST_USUAL = 8  # studs, as of the longest brick
WITH_PLATES = Inventory(tuple((part, None) for part in PARTS if part.plain and part.length <= LONGEST_USUAL))
SLOPES = tuple(part for part in PARTS if part.slopes)
TILES = tuple(part for part in PARTS if part.kind == "tile")
