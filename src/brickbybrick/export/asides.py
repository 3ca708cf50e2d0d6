"""Where chunks lie while they are built, for pages that play models: beside the model, until they are put on."""

from collections.abc import Sequence
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.handwork.work import Handwork

GAP = 3  # studs between things on the table


class Aside(NamedTuple):
    """A chunk beside the model."""

    says: str
    bricks: tuple[int, ...]  # by their indices
    until: int  # bricks that are there when it is put on; before, it is aside
    turned: bool  # whether it lies upside down: then x is added, and y and z are taken from these instead
    by: tuple[int, int, int]  # added to x, y and z, in studs and plates


def asides_of(construction: Construction, handwork: Handwork) -> list[Aside]:
    """All chunks but the whole model, if its bricks are in the order in which hands put them on; else none."""
    bricks = construction.bricks
    if handwork.order != list(range(len(bricks))):
        return []
    until = _put_on(handwork, len(bricks))
    right = max((_high(brick)[0] for brick in bricks), default=0) + GAP
    taken: list[tuple[int, int, int]] = []  # from where to where on the table, and until when
    asides = []
    for number, chunk in enumerate(handwork.chunks[:-1]):
        own = tuple(handwork.bricks_of(number))
        low, high = _box([bricks[index] for index in own])
        left, wide = right, high[0] - low[0] + GAP
        for start, end, gone in sorted(taken):
            if gone > min(own) and start < left + wide and left < end:
                left = end
        taken.append((left, left + wide, until[number]))
        front = min(brick.y for brick in bricks)
        by = (left - low[0], front + high[1], high[2]) if chunk.turned else (left - low[0], front - low[1], -low[2])
        says = f"chunk {number + 1} of {len(handwork.chunks)}{', upside down' if chunk.turned else ''}"
        asides.append(Aside(says, own, until[number], chunk.turned, by))
    return asides


def _put_on(handwork: Handwork, bricks: int) -> dict[int, int]:
    """Of each chunk, how many bricks are there when it is put on: with the first one that comes after it."""
    until: dict[int, int] = {}
    there = 0
    for _, step in handwork.steps:
        until |= dict.fromkeys(step.chunks, min(there + 1, bricks))
        there += len(step.bricks)
    return until


def _box(bricks: Sequence[PlacedBrick]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    low = tuple(min(values) for values in zip(*((brick.x, brick.y, brick.z) for brick in bricks), strict=True))
    return low, tuple(max(values) for values in zip(*map(_high, bricks), strict=True))


def _high(brick: PlacedBrick) -> tuple[int, int, int]:
    along_x, along_y = brick.shape.extent(brick.d)
    return brick.x + along_x, brick.y + along_y, brick.top
