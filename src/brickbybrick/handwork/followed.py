"""Whether a hand can follow handwork that somebody else wrote down.

The rule is the one for single bricks (`judging.check.assembly_order`), and holds for chunks that are put on as one:
what is put on is joined to what is there on one side alone, or stands on the table beside it. It may be pressed on from
below, as one may hold a model in the hand; what stands by itself in the meantime is not asked here.
"""

from collections.abc import Collection, Sequence

from brickbybrick.handwork.work import Chunk, Handwork
from brickbybrick.judging.check import Bricks, Contacts, contacts


def followed(bricks: Bricks, handwork: Handwork) -> bool:
    """Whether every step of every chunk can be done by hand."""
    touching = contacts(bricks)
    return all(_put_together(bricks, handwork, number, touching) for number in range(len(handwork.chunks)))


def _put_together(bricks: Bricks, handwork: Handwork, number: int, touching: Contacts) -> bool:
    """Whether a chunk can be: in the hand, or else on the table, where it may begin in several places."""
    chunk = handwork.chunks[number]
    groups = [
        group
        for step in chunk.steps
        for group in (*(handwork.bricks_of(inside) for inside in step.chunks), *([brick] for brick in step.bricks))
    ]
    floor = _floor(bricks, [brick for group in groups for brick in group], chunk)
    return _in_order(groups, touching, set(), chunk) or _in_order(groups, touching, floor, chunk)


def _floor(bricks: Bricks, among: Sequence[int], chunk: Chunk) -> set[int]:
    """The bricks that stand on the table while a chunk is built."""
    level = max(bricks[brick].top for brick in among) if chunk.turned else min(bricks[brick].z for brick in among)
    return {brick for brick in among if level == (bricks[brick].top if chunk.turned else bricks[brick].z)}


def _in_order(groups: Sequence[Sequence[int]], touching: Contacts, floor: Collection[int], chunk: Chunk) -> bool:
    there: set[int] = set()
    for group in groups:
        above = any(touching.above[brick] & there for brick in group)
        below = any(touching.below[brick] & there for brick in group)
        stands = any(brick in floor for brick in group)
        above, below = (above or stands, below) if chunk.turned else (above, below or stands)
        if (above and below) or (there and not above and not below):
            return False
        there.update(group)
    return True
