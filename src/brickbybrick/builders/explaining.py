"""Whether bricks alone explain what three views show.

An object that was made of bricks is known from its views nearly for certain, because so few others could be built:
whoever finds a model that casts the same silhouettes need not guess what they hide.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.voxels import fill
from brickbybrick.targets.target import Target

WORK = 10_000  # bricks that the search looks at to find out
# Of the pixels of the views: what a model may show wrong and explain them all the same. Of 120 random objects that
# nothing was learned from the worst has 0.056, of ModelNet's training shapes that were kept aside the best has 0.11.
MOST_WRONG = 0.08


@lru_cache(maxsize=16)  # who builds a target asks more than once
def is_explained(target: Target, offsets: OffsetSet) -> bool:
    """Whether a quick search by the rule of the hull finds a model that shows what the views show, or nearly."""
    model = SearchBuilder(offsets, work=WORK).build(target)
    return share_wrong(target, model.poses, offsets) <= MOST_WRONG


def share_wrong(target: Target, poses: Sequence[Pose], offsets: OffsetSet) -> float:
    """The pixels of a target's views that no brick covers, and the cells of bricks outside of its hull, as a share of
    all pixels."""
    hull, cells = target.hull, offsets.brick.studs * len(poses)
    filled = fill(offsets.brick, poses, (hull.shape[0], hull.shape[1], hull.shape[2]))
    outside = cells - int((filled & hull).sum())
    shown = [hull.any(axis=axis) for axis in range(3)]
    bare = sum(int((view & ~filled.any(axis=axis)).sum()) for axis, view in enumerate(shown))
    return (outside + bare) / sum(int(np.count_nonzero(view)) for view in shown)
