"""Which way a model is turned in each step, so that one sees where its bricks go.

The model stays as it stands as long as that shows enough of everything new; it is turned, by quarters, where another
side shows more, and turned back when that is no longer needed. Turning costs whoever builds a moment, and so does a
brick that one has to look for: of all ways to turn it, the cheapest is taken.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.bodies import STUD_HEIGHT, frame_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.faces import PLATE
from brickbybrick.geometry.sight import Sight
from brickbybrick.handwork.work import Handwork

ENOUGH = 0.15  # of a brick that one sees at a glance: of one among others as high, a bit less than its top
HIDDEN = 6.0  # what a brick costs of which nothing is seen, where a turn costs 1;
AWAY = 0.2  # what each step costs in which the model does not stand as it was first put down

Floats = npt.NDArray[np.float64]


class Glimpse(NamedTuple):
    """What a step shows."""

    quarters: int  # turns of the model
    shares: tuple[float, ...]  # of what each new brick would show if nothing were in front of it
    seen: frozenset[int]  # bricks of which anything is seen, by their places in the order in which they got there


class Sights(NamedTuple):
    """What the four sides show of one step."""

    shares: Floats  # (side, new brick)
    of_chunks: Floats  # (side, chunk), as shares of what is seen of each alone
    seen: tuple[frozenset[int], ...]  # by sides


def views_of(construction: Construction, handwork: Handwork) -> list[int]:
    """Quarter turns of the model in each of the handwork's steps, anticlockwise as seen from above.

    Those of a chunk that is built upside down are turns of what lies on the table: it was turned over about the axis
    along x before them.
    """
    turns: list[list[int]] = []
    for number, chunk in enumerate(handwork.chunks):
        if chunk.copy_of is not None and len(handwork.chunks[chunk.copy_of].steps) == len(chunk.steps):
            turns.append(turns[chunk.copy_of])
        else:
            turns.append([glimpse.quarters for glimpse in glimpses_of(construction, handwork, number)])
    return [quarters for some in turns for quarters in some]


def glimpses_of(construction: Construction, handwork: Handwork, number: int) -> list[Glimpse]:
    """What each step of a chunk shows, from the side that it is best shown from."""
    steps = _sights(construction, handwork, number)
    costs = np.array([_costs(step) for step in steps])
    glimpses = []
    for step, side in zip(steps, cheapest(costs), strict=True):
        glimpses.append(Glimpse(side, tuple(step.shares[side].tolist()), step.seen[side]))
    return glimpses


def cheapest(costs: Floats) -> list[int]:
    """The side of each step (step, side) for which all costs and those of turning, a quarter or more, are least."""
    turning = 1.0 - np.eye(4)
    best = costs[0] + turning[0]
    before = []
    for cost in costs[1:]:
        total = best[:, None] + turning  # (side before, side)
        before.append(total.argmin(axis=0))
        best = total.min(axis=0) + cost
    sides = [int(best.argmin())]
    for choice in reversed(before):
        sides.append(int(choice[sides[-1]]))
    return sides[::-1]


def _costs(step: Sights) -> Floats:
    """(side,) what it costs to show a step from there; the brick that is seen least decides."""
    shares = np.concatenate([step.shares, step.of_chunks], axis=1)
    lacking = (1 - shares.min(axis=1, initial=ENOUGH) / ENOUGH).clip(0)
    return np.asarray(HIDDEN * lacking + AWAY * (np.arange(4) > 0))


def _sights(construction: Construction, handwork: Handwork, number: int) -> list[Sights]:
    views = [in_book(quarters, handwork.chunks[number].turned) for quarters in range(4)]
    bricks = [construction.bricks[brick] for brick in handwork.bricks_of(number)]
    sights = [Sight(view, *frame_of(bricks, view)) for view in views]
    studs, owner = _stud_ends(bricks)
    steps = []
    for step, there, new in handwork.so_far(number):
        count = len(there) + len(new)
        ready = owner < count
        shares, seen = [], []
        for sight in sights:
            for brick in new:
                sight.add(construction.bricks[brick].shape, construction.bricks[brick].pose)
            shares.append(sight.shares(len(there)))
            free = owner[ready][sight.is_free(studs[ready]).any(axis=1)]
            seen.append(frozenset(np.flatnonzero(sight.points()).tolist()) | frozenset(free.tolist()))
        own = len(new) - len(step.bricks)  # bricks of chunks come first
        chunks = _of_chunks(construction, handwork, step.chunks, sights, len(there))
        steps.append(Sights(np.array([share[own:] for share in shares]), chunks, tuple(seen)))
    return steps


def _of_chunks(
    construction: Construction, handwork: Handwork, chunks: Sequence[int], sights: Sequence[Sight], first: int
) -> Floats:
    """(side, chunk) what is seen of chunks that were put on, whose bricks are numbered from the first on."""
    shares = np.zeros((len(sights), len(chunks)))
    for place, chunk in enumerate(chunks):
        bricks = [construction.bricks[brick] for brick in handwork.bricks_of(chunk)]
        for side, sight in enumerate(sights):
            alone = Sight(sight.view, *frame_of(bricks, sight.view))
            for brick in bricks:
                alone.add(brick.shape, brick.pose)
            seen = sight.points()[first : first + len(bricks)].sum()
            shares[side, place] = seen / max(alone.points().sum(), 1)
        first += len(bricks)
    return shares


def _stud_ends(bricks: Sequence[PlacedBrick]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Places (stud, 4, 3) on the rims of all studs, in stud pitches, and the place in the order of each one's brick."""
    ends = [
        (x + 0.5, y + 0.5, brick.top * PLATE + STUD_HEIGHT, index)
        for index, brick in enumerate(bricks)
        for x, y in brick.shape.studs(brick.pose)
    ]
    table = np.array(ends).reshape(-1, 4)
    around = np.array([(0.3, 0, 0), (-0.3, 0, 0), (0, 0.3, 0), (0, -0.3, 0)])
    return table[:, None, :3] + around, table[:, 3].astype(np.int64)
