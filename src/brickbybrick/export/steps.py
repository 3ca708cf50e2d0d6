"""Steps: an order of a model's bricks, split into portions that a builder can take in at a glance.

Which order can be built is decided elsewhere; here it is only checked, kept, and cut. How each brick gets to
its place follows from what is there before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import Literal

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell
from brickbybrick.handwork.steps import most_of
from brickbybrick.handwork.work import Handwork

Steps = Sequence[Sequence[int]]
Arrival = Literal["from above", "from below", "in between", "held by nothing"]


def grouped(
    order: Sequence[int], construction: Construction, chapter: Mapping[int, int] | None = None
) -> list[list[int]]:
    """Cuts an order, which names each of the construction's bricks once, into steps without changing it.

    Bricks of one step are of one layer, of one chapter if told each brick's, and arrive in the same way. The first
    steps are small, 1 brick, then 2, then 3, so that a builder gets to know the pictures; a long run of one layer is
    cut evenly, not into 8, 8 and 1.
    """
    most = most_of(len(order))
    check_steps([order], construction)
    arrival = dict(zip(order, arrivals(order, construction), strict=True))
    steps: list[list[int]] = []
    chapter = chapter or {}
    for _, run in groupby(order, key=lambda index: (construction.bricks[index].z, arrival[index], chapter.get(index))):
        left = list(run)
        while left:
            portions = ceil(len(left) / min(most, len(steps) + 1))
            size = ceil(len(left) / portions)
            steps.append(left[:size])
            left = left[size:]
    return steps


def flattened(handwork: Handwork) -> list[list[int]]:
    """The bricks of all steps as if nothing were built apart: a chunk's steps are where it is put on."""

    def steps_of(number: int) -> Iterator[list[int]]:
        for step in handwork.chunks[number].steps:
            for chunk in step.chunks:
                yield from steps_of(chunk)
            if step.bricks:
                yield list(step.bricks)

    return list(steps_of(len(handwork.chunks) - 1))


def check_steps(steps: Steps, construction: Construction) -> None:
    """Raises an error unless the steps place every brick once."""
    placed = [index for step in steps for index in step]
    if sorted(placed) != list(range(len(construction.bricks))):
        raise InputError(
            f"steps that place {len(placed)} bricks, {len(set(placed))} of them different, of a model of "
            f"{len(construction.bricks)}: name every brick once, by its index"
        )
    if not all(steps):
        raise InputError("a step without bricks: leave it out")


def arrivals(order: Sequence[int], construction: Construction) -> Iterator[Arrival]:
    """How each brick of an order gets to its place."""
    ground = min((brick.z for brick in construction.bricks), default=0)
    filled: set[Cell] = set()
    for index in order:
        brick = construction.bricks[index]
        columns = list(brick.shape.footprint(brick.pose))
        above = any((x, y, brick.top) in filled for x, y in columns)
        below = any((x, y, brick.z - 1) in filled for x, y in columns)
        if brick.shape.kind == "box":  # nobody knows how a part gets there that is drawn as one
            yield "from above"
        elif above:  # a brick of the lowest layer too: the model is lifted and the brick pressed on from below
            yield "in between" if below else "from below"
        else:
            yield "from above" if below or brick.z == ground else "held by nothing"
        filled.update((x, y, z) for x, y in columns for z in (brick.z, brick.top - 1))  # what others can touch
