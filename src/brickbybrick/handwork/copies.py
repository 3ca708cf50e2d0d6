"""Chunks that are alike: the same parts in the same colours, moved and turned about an upright axis.

Whoever built one can build the other by the same pictures; files need to hold it once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from brickbybrick.construction import PlacedBrick
from brickbybrick.handwork.work import Chunk, Handwork


class Move(NamedTuple):
    """Quarter turns about the upright axis through the origin, from x towards y, and then steps along x, y and z."""

    turn: int
    x: int
    y: int
    z: int


def moved(brick: PlacedBrick, move: Move) -> PlacedBrick:
    """A brick that was turned and moved."""
    part = brick.shape
    x, y = brick.x, brick.y
    for turn in range(move.turn):
        along_y = part.extent(brick.d + turn)[1]
        x, y = -y - along_y, x  # the corner that is the lowest after a quarter turn
    d = (brick.d + move.turn) % len(part.directions)
    return replace(brick, x=x + move.x, y=y + move.y, z=brick.z + move.z, d=d)


def move_between(one: Sequence[PlacedBrick], other: Sequence[PlacedBrick]) -> Move | None:
    """The move that makes some bricks fill the places of others, in any order and alike in part and colour; None if
    there is none."""
    if sorted(map(_look, one)) != sorted(map(_look, other)):
        return None
    places = {_place(brick) for brick in other}
    for turn in range(4):
        turned = [moved(brick, Move(turn, 0, 0, 0)) for brick in one]
        aside = [
            min(brick.pose[axis] for brick in other) - min(brick.pose[axis] for brick in turned) for axis in range(3)
        ]
        move = Move(turn, aside[0], aside[1], aside[2])
        if {_place(moved(brick, move)) for brick in one} == places:
            return move
    return None


def move_of(handwork: Handwork, number: int, bricks: Sequence[PlacedBrick]) -> Move | None:
    """The move from the chunk that a chunk is a copy of; None if it is none."""
    original = handwork.chunks[number].copy_of
    if original is None:
        return None
    one, other = ([bricks[brick] for brick in handwork.bricks_of(chunk)] for chunk in (original, number))
    return move_between(one, other)


def with_copies(handwork: Handwork, bricks: Sequence[PlacedBrick]) -> Handwork:
    """The same handwork, in which chunks of bricks alone that are like an earlier one are built by its steps."""
    chunks: list[Chunk] = []
    for number, chunk in enumerate(handwork.chunks[:-1]):
        for original, earlier in enumerate(chunks):
            if earlier.copy_of is None and earlier.turned == chunk.turned and not _has_parts(earlier, chunk):
                own = counterparts(handwork.bricks_of(original), handwork.bricks_of(number), bricks)
                if own is not None:
                    steps = [replace(step, bricks=tuple(own[brick] for brick in step.bricks)) for step in earlier.steps]
                    chunk = replace(earlier, steps=tuple(steps), copy_of=original)
                    break
        chunks.append(chunk)
    return replace(handwork, chunks=(*chunks, handwork.whole))


def _has_parts(*chunks: Chunk) -> bool:
    return any(step.chunks for chunk in chunks for step in chunk.steps)


def counterparts(one: Sequence[int], other: Sequence[int], bricks: Sequence[PlacedBrick]) -> dict[int, int] | None:
    """For each of some bricks the one among others that lies in its place after a move; None if there is no move."""
    move = move_between([bricks[brick] for brick in one], [bricks[brick] for brick in other])
    if move is None:
        return None
    there = {_place(bricks[brick]): brick for brick in other}
    return {brick: there[_place(moved(bricks[brick], move))] for brick in one}


def _look(brick: PlacedBrick) -> tuple[str, int]:
    return brick.part, brick.colour


def _place(brick: PlacedBrick) -> tuple[str, int, int, int, int, int]:
    return brick.part, brick.colour, brick.x, brick.y, brick.z, brick.d
