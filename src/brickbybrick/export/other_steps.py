"""Where a book puts the parts that are not judged, which the handwork of a model knows nothing of.

Each comes before what lies above it and after what lies below it, as far as that can be had; what nothing lies above
comes last. In the handwork they are numbered after the bricks, as `Construction.drawn` has them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.handwork.steps import MOST
from brickbybrick.handwork.work import Handwork, Step

Ints = npt.NDArray[np.int64]


def with_others(construction: Construction, handwork: Handwork) -> Handwork:
    """The same handwork with steps for all other parts among those of the whole model."""
    if not construction.others:
        return handwork
    count, parts = len(construction.bricks), construction.drawn.bricks
    steps = handwork.whole.steps
    when = {brick: place for place, step in enumerate(steps) for brick in handwork.added(step)}
    places = _places(parts, [when[brick] for brick in range(count)], len(steps))
    before: dict[int, list[int]] = defaultdict(list)
    for other, place in sorted(enumerate(places, start=count), key=lambda pair: parts[pair[0]].z):
        before[place].append(other)
    filled: list[Step] = []
    for place, step in enumerate((*steps, None)):
        some = before[place]
        filled += [Step(tuple(some[first : first + MOST])) for first in range(0, len(some), MOST)]
        filled += [] if step is None else [step]
    return replace(handwork, chunks=(*handwork.chunks[:-1], replace(handwork.whole, steps=tuple(filled))))


def _places(parts: Sequence[PlacedBrick], when: Sequence[int], last: int) -> list[int]:
    """Before which step each part goes that comes after those of which it is known in which step they are."""
    boxes = np.array([(part.x, part.y, *part.shape.extent(part.d), part.z, part.top) for part in parts])  # (part, 6)
    known = len(when)
    places = np.array([*when, *[last] * (len(parts) - known)])
    others = sorted(range(known, len(parts)), key=lambda part: parts[part].z)
    for part in reversed(others):  # what is above a part may have to come earlier than it would for itself
        above = _over(boxes, part) & (boxes[:, 4] >= boxes[part, 5])
        places[part] = min([last, *places[above].tolist()])
    for part in others:
        below = _over(boxes, part) & (boxes[:, 5] <= boxes[part, 4])
        after = places[below] + (np.flatnonzero(below) < known)  # bricks are there after their step
        places[part] = max([int(places[part]), *after.tolist()])
    return [int(place) for place in places[known:]]


def _over(boxes: Ints, part: int) -> npt.NDArray[np.bool_]:
    """Which boxes share columns with one of them."""
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:4]
    shared = (low < high[part]).all(axis=1) & (low[part] < high).all(axis=1)
    shared[part] = False
    return np.asarray(shared)
