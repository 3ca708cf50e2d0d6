"""The box of bricks: which sizes there are, and how many of each."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from brickbybrick.errors import InputError, shown
from brickbybrick.geometry.brick import Size

BRICKS = (Size(2, 4), Size(2, 3), Size(2, 2), Size(1, 4), Size(1, 2), Size(1, 1))  # the sizes that a box may hold
MOST = 1_000_000  # bricks of one size
NUMBER = re.compile("-?[0-9]{1,9}")


@dataclass(frozen=True)
class Inventory:
    """Sizes of bricks, each with how many there are or None for as many as wanted."""

    counts: tuple[tuple[Size, int | None], ...]

    def __post_init__(self) -> None:
        if not self.counts:
            raise InputError(f"an inventory without bricks: name sizes, as in {BRICKS[0]}=100,{BRICKS[4]}")
        for size, count in self.counts:
            if size not in BRICKS:
                raise InputError(f"no brick {size} in an inventory: choose among {', '.join(map(str, BRICKS))}")
            if count is not None and not 0 <= count <= MOST:
                raise InputError(f"{count} bricks of {size}: give a number from 0 to {MOST}")
        if len(set(self.sizes)) < len(self.counts):
            raise InputError("an inventory that names a size twice: give each once")
        if all(count == 0 for _, count in self.counts):
            raise InputError("an inventory of 0 bricks: nothing can be built")

    @classmethod
    def parse(cls, text: str) -> "Inventory":
        """The inventory written as in `2x4=100,2x2=50,1x2`; a size without a number is there without end."""
        counts: list[tuple[Size, int | None]] = []
        for entry in text.split(","):
            size, equals, count = (word.strip() for word in entry.partition("="))
            if equals and not NUMBER.fullmatch(count):
                raise InputError(f"{shown(entry.strip())} in an inventory: write a size and a number, as in 2x4=100")
            counts.append((Size.parse(size), int(count) if equals else None))
        return cls(tuple(counts))

    def __str__(self) -> str:
        return ",".join(f"{size}" if count is None else f"{size}={count}" for size, count in self.counts)

    @property
    def sizes(self) -> tuple[Size, ...]:
        return tuple(size for size, _ in self.counts)

    def lacking(self, used: Iterable[Size]) -> dict[Size, int]:
        """How many bricks of each size are used beyond what there is; empty if all are there."""
        there = dict(self.counts)
        beyond = {}
        for size, count in Counter(used).items():
            limit = there.get(size, 0)
            if limit is not None and count > limit:
                beyond[size] = count - limit
        return beyond


ALL_BRICKS = Inventory(tuple((size, None) for size in BRICKS))
