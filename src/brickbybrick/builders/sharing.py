"""Who gets which colour, where there are only so many bricks of each.

Each brick of a model would have some colours rather than others, and of a part in a colour there may be few. So the
colours are shared out: no more bricks get one than there are of it, and all together lose as little as can be. Parts do
not compete with each other, so each is shared out by itself.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.inventory import Entry
from brickbybrick.geometry.part import Part
from brickbybrick.made import MADE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = Sequence[int]  # LDraw's, of colours
NEGLIGIBLE = 1e-9  # of losses, against rounding: less is no reason to look for another way


def shared_out(costs: Floats, limits: Sequence[int]) -> Ints:
    """The column that each row (row,) gets, so that the sum of the costs is the least that can be had.

    Every row first gets what is cheapest for it. From a column that has too many, one after the other moves on, by the
    cheapest chain of moves that ends where there is room; a sum that was the least then stays so.

    Args:
        costs: (row, column) of each row in each column; infinite where it cannot be.
        limits: How many rows each column takes; together they take all.
    """
    chosen: Ints = costs.argmin(axis=1)
    limit = np.array(limits, dtype=np.int64)
    count = np.bincount(chosen, minlength=len(limit))
    step = np.stack([_moves(costs, chosen, column) for column in range(len(limit))])
    while (count > limit).any():
        way = _cheapest_way(step, int(np.argmax(count - limit)), count < limit)
        for here, there in pairwise(way):
            rows = np.flatnonzero(chosen == here)
            chosen[rows[(costs[rows, there] - costs[rows, here]).argmin()]] = there
        count[way[0]] -= 1
        count[way[-1]] += 1
        for column in way:
            step[column] = _moves(costs, chosen, column)
    return chosen


def _moves(costs: Floats, chosen: Ints, here: int) -> Floats:
    """What the cheapest move from one column to each (column,) costs."""
    rows = costs[chosen == here]
    return np.asarray((rows - rows[:, [here]]).min(axis=0)) if len(rows) else np.full(costs.shape[1], np.inf)


def _cheapest_way(step: Floats, first: int, free: npt.NDArray[np.bool_]) -> list[int]:
    """The columns from one that has too many rows to one that is free, each of which hands a row on to the next, with
    what the cheapest such step (from, to) costs."""
    far, before = np.full(len(step), np.inf), np.full(len(step), -1)
    far[first] = 0.0
    for _ in range(len(step)):  # no way is longer
        through = far[:, None] + step
        nearest, best = through.argmin(axis=0), through.min(axis=0)
        nearer = best < far - NEGLIGIBLE
        if not nearer.any():
            break
        far, before = np.where(nearer, best, far), np.where(nearer, nearest, before)
    reached = np.where(free, far, np.inf)
    assert np.isfinite(reached).any(), "there is no room for all"
    way = [int(reached.argmin())]
    while way[-1] != first:
        way.append(int(before[way[-1]]))
    return way[::-1]


class Rack:
    """What is left of a box, by part and colour, while bricks get theirs.

    Args:
        entries: What there is.
        codes: The colours that may be had, as LDraw's codes.
    """

    def __init__(self, entries: Iterable[Entry], codes: Codes) -> None:
        self.codes = list(codes)
        self._left: dict[Part, dict[int | None, int | None]] = {}
        for entry in entries:
            if entry.colour is None or entry.colour in self.codes:
                self._left.setdefault(entry.part, {})[entry.colour] = entry.amount

    def of(self, part: Part) -> npt.NDArray[np.bool_]:
        """Which of the colours (code,) a part can be had in, as long as there are some."""
        there = self._left.get(part, {})
        told = np.array([there.get(code, 0) != 0 for code in self.codes])
        return told | self._made(part) if there.get(None, 0) != 0 else told

    def _made(self, part: Part) -> npt.NDArray[np.bool_]:
        """Which of the colours (code,) a part was made in; any, if in none of them, for somebody wants it so."""
        made = np.array([code in MADE[str(part)] for code in self.codes])
        return made if made.any() else np.ones_like(made)

    def give(self, parts: Sequence[Part], costs: Floats, worth: Floats | None = None) -> Ints:
        """Takes bricks of parts (brick,) out, and returns which of the colours (brick,) each has.

        Args:
            parts: Of the bricks; of none are there more than are left.
            costs: (brick, code) of each brick in each colour.
            worth: (brick,) what it is worth to have one of a told colour instead of one of any.
        """
        given = np.zeros(len(parts), np.int64)
        for part in dict.fromkeys(parts):
            which = np.array([place for place, other in enumerate(parts) if other == part])
            given[which] = self._give(part, costs[which], np.zeros(len(which)) if worth is None else worth[which])
        return given

    def _give(self, part: Part, costs: Floats, worth: Floats) -> Ints:
        """The same for bricks of one part: what is of any colour is one more that they share, and the cheapest that the
        part was made in."""
        there = self._left[part]
        free = np.where(self._made(part), costs, np.inf)
        told = [there.get(code, 0) for code in self.codes]
        columns = np.column_stack([costs, free.min(axis=1) + worth])
        limits = [len(costs) if count is None else count for count in (*told, there.get(None, 0))]
        columns[:, [limit == 0 for limit in limits]] = np.inf
        chosen = shared_out(columns, limits)
        for column, used in enumerate(np.bincount(chosen, minlength=len(limits)).tolist()):
            code = self.codes[column] if column < len(self.codes) else None
            count = there.get(code)
            if count is not None:
                there[code] = count - used
        return np.where(chosen < len(self.codes), chosen, free.argmin(axis=1))
