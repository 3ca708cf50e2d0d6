"""Steps that show all that they ask for.

A step is seen from one side. Where some of its bricks then hide others of it, it is cut into as few steps as show them
all, in the same order; unless what is there would fall in between.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from brickbybrick.bodies import frame_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.views import ENOUGH
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.sight import Sight
from brickbybrick.geometry.stability import Growth
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.work import Handwork, Step
from brickbybrick.judging.check import sized

Floats = npt.NDArray[np.float64]
Ends = Sequence[int]  # after how many of its bricks each part of a step ends


def in_sight(construction: Construction, handwork: Handwork) -> Handwork:
    """The same handwork, in which no step hides bricks of its own, as far as that can be had."""
    ends: list[list[Ends]] = []
    chunks = []
    for number, chunk in enumerate(handwork.chunks):
        ends.append(list(_ends(construction, handwork, number)) if chunk.copy_of is None else ends[chunk.copy_of])
        cut = [part for step, own in zip(chunk.steps, ends[-1], strict=True) for part in _cut(step, own)]
        chunks.append(replace(chunk, steps=tuple(cut)))
    return replace(handwork, chunks=tuple(chunks))


def _cut(step: Step, ends: Ends) -> Iterator[Step]:
    for first, end in pairwise((0, *ends)):
        yield replace(step, bricks=step.bricks[first:end], chunks=() if first else step.chunks)


def _ends(construction: Construction, handwork: Handwork, number: int) -> Iterator[Ends]:
    """Where to cut each step of a chunk."""
    turned = handwork.chunks[number].turned
    bricks = [construction.bricks[brick] for brick in handwork.bricks_of(number)]
    views = [in_book(quarters, turned) for quarters in range(4)]
    sights = [Sight(view, *frame_of(bricks, view)) for view in views]
    level = min(-brick.top if turned else brick.z for brick in bricks)
    count = 0
    for step in handwork.chunks[number].steps:
        first = count + len(handwork.added(step)) - len(step.bricks)
        _add(sights, bricks[count:first])
        count = first + len(step.bricks)
        shares = []
        for brick in bricks[first:count]:
            _add(sights, [brick])
            shares.append(np.array([sight.shares(first) for sight in sights]))
        ends = fewest_in_sight(shares) or [0]
        stand = (_stands(bricks[: first + end], level, turned) for end in ends[:-1])
        yield ends if not handwork.judged or step.hold or all(stand) else [len(step.bricks)]


def _add(sights: Sequence[Sight], bricks: Sequence[PlacedBrick]) -> None:
    for sight in sights:
        for brick in bricks:
            sight.add(brick.shape, brick.pose)


def _stands(bricks: Sequence[PlacedBrick], level: int, turned: bool) -> bool:
    return Growth(Ground.TABLE, level, turned).after(sized(bricks)) is not None


def fewest_in_sight(shares: Sequence[Floats]) -> list[int]:
    """Where to cut bricks into as few runs as show all of them, each from its best side.

    Args:
        shares: Of each brick the shares (side, brick) that are seen of all bricks up to it once it is there.
    """
    hopeless = [float(seen[:, -1].max()) < ENOUGH for seen in shares]  # what was there before hides them
    best: list[tuple[int, float]] = [(0, 0.0)]  # runs, and how little the worst of them shows, up to each brick
    before = [0]
    for end, seen in enumerate(shares, start=1):
        found = []
        for start in range(end):
            counted = [brick for brick in range(start, end) if not hopeless[brick]]
            shown = float(seen[:, counted].min(axis=1).max()) if counted else 1.0
            if shown >= ENOUGH or not counted or end - start == 1:
                found.append((best[start][0] + 1, max(best[start][1], 1 - shown), start))
        runs, worst, start = min(found)
        best.append((runs, worst))
        before.append(start)
    ends = []
    place = len(shares)
    while place:
        ends.append(place)
        place = before[place]
    return ends[::-1]
