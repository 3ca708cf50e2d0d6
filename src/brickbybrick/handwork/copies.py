"""Chunks that are alike: the same parts in the same colours, moved and turned about an upright axis.

Whoever built one can build the other by the same pictures; files need to hold it once.
"""

from collections.abc import Iterator, Sequence
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


def move_of(handwork: Handwork, number: int, bricks: Sequence[PlacedBrick]) -> Move | None:
    """The move from the chunk that a chunk is a copy of, brick by brick in the order of their steps; None if it is no
    copy."""
    original = handwork.chunks[number].copy_of
    if original is None:
        return None
    one, other = ([bricks[brick] for brick in handwork.bricks_of(chunk)] for chunk in (original, number))
    places = list(map(_place, other))
    return next((move for move in _moves(one, other) if [_place(moved(brick, move)) for brick in one] == places), None)


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


def in_colour(handwork: Handwork, bricks: Sequence[PlacedBrick]) -> Handwork:
    """The same handwork, in which only chunks that are alike in colour too are copies."""
    looks = [[bricks[brick].colour for brick in handwork.bricks_of(number)] for number in range(len(handwork.chunks))]
    chunks = [
        replace(chunk, copy_of=None) if chunk.copy_of is not None and looks[chunk.copy_of] != looks[number] else chunk
        for number, chunk in enumerate(handwork.chunks)
    ]
    return replace(handwork, chunks=tuple(chunks))


def counterparts(one: Sequence[int], other: Sequence[int], bricks: Sequence[PlacedBrick]) -> dict[int, int] | None:
    """For each of some bricks the one among others that lies in its place after a move; None if there is no move."""
    here, there = ([bricks[brick] for brick in group] for group in (one, other))
    if sorted(brick.part for brick in here) != sorted(brick.part for brick in there):
        return None
    places = {_place(bricks[brick]): brick for brick in other}
    for move in _moves(here, there):
        found = [places.get(_place(moved(brick, move))) for brick in here]
        if None not in found:
            return {brick: match for brick, match in zip(one, found, strict=True) if match is not None}
    return None


def _moves(one: Sequence[PlacedBrick], other: Sequence[PlacedBrick]) -> Iterator[Move]:
    """The moves that may take some bricks to the places of others: their lowest corners meet."""
    for turn in range(4):
        turned = [moved(brick, Move(turn, 0, 0, 0)) for brick in one]
        x, y, z = (_corner(other)[axis] - _corner(turned)[axis] for axis in range(3))
        yield Move(turn, x, y, z)


def _corner(bricks: Sequence[PlacedBrick]) -> list[int]:
    return [min(brick.pose[axis] for brick in bricks) for axis in range(3)]


def _place(brick: PlacedBrick) -> tuple[str, int, int, int, int]:
    return brick.part, brick.x, brick.y, brick.z, brick.d
