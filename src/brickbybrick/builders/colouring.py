"""Which colours a model's bricks get in the end, out of a box that may hold only so many of each.

Who is seen comes first: each brick should have the colour that is nearest to what is wanted of its faces, and where
there are too few of one, those keep it who would lose most. What nobody sees takes what is left, and the cheapest of
that where prices are known. A model that wants no colours gets those asked for in turn.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.sharing import Codes, Floats, Ints, Rack
from brickbybrick.colours import COLOURS, lab, lab_in_bricks, unlike
from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.inventory import MOST, Inventory
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.prices import Prices
from brickbybrick.geometry.voxels import visible_area
from brickbybrick.targets.target import Paint

UNNOTICED = 1.0  # by CIEDE2000: hardly anybody sees that two colours differ by so much
ALIKE = 1e-7  # less than prices differ by
WHITE = lab([255, 255, 255])

Flags = npt.NDArray[np.bool_]


class Wishes(NamedTuple):
    """What is wanted of a model's bricks."""

    costs: Floats  # (brick, code) how unlike that they look in each colour, times what is seen of it
    area: Floats  # (brick,) of the faces of which something is wanted
    seen: Flags  # (brick,) whether anything of them is seen


def wishes_of(bricks: Sequence[PlacedBrick], paint: Paint, codes: Codes, layer: int) -> Wishes:
    """What a paint, in cells so many plates high, wants of bricks where they are seen."""
    paint = paint.repeat(layer, axis=2)
    shape, tones = paint.shape[:3], lab([COLOURS[code].rgb for code in codes])
    cells, owner = _cells_of(bricks)
    low = np.minimum(cells.min(axis=0), 0)
    filled = np.zeros(np.maximum(cells.max(axis=0) + 1, shape) - low, bool)
    filled[tuple((cells - low).T)] = True
    inside = np.asarray(((cells >= 0) & (cells < shape)).all(axis=1))
    faces = np.where(inside, visible_area(filled)[tuple((cells - low).T)], 0)  # (cell,)
    wanted = paint[tuple(np.where(inside[:, None], cells, 0).T)]  # (cell, 4)
    counts = (faces > 0) & (wanted[:, 3] > 0)
    different, which = np.unique(wanted[counts][:, :3], axis=0, return_inverse=True)
    far = unlike(lab_in_bricks(different)[:, None], tones[None])  # (colour wanted, code)
    costs = np.zeros((len(bricks), len(codes)))
    np.add.at(costs, owner[counts], far[which.reshape(-1)] * faces[counts][:, None])
    area = np.zeros(len(bricks))
    np.add.at(area, owner[counts], faces[counts])
    return Wishes(costs, area, seen_of(bricks))


def seen_of(bricks: Sequence[PlacedBrick]) -> Flags:
    """Whether anything of each brick (brick,) of a model that stands on the ground is seen from outside.

    Past a slope one can look, so it hides nothing.
    """
    cells, owner = _cells_of(bricks)
    slopes = np.array([brick.shape.slopes for brick in bricks])
    low = cells.min(axis=0)
    filled = np.zeros(cells.max(axis=0) + 1 - low, bool)
    places = tuple((cells - low).T)
    filled[places] = ~slopes[owner]
    shown = visible_area(filled)[places] > 0
    return np.asarray(slopes | (np.bincount(owner[shown], minlength=len(bricks)) > 0))


def _cells_of(bricks: Sequence[PlacedBrick]) -> tuple[Ints, Ints]:
    """The cells (cell, 3) of bricks, and whose (cell,) each is."""
    cells = np.array([cell for brick in bricks for cell in brick.cells()], dtype=np.int64).reshape(-1, 3)
    return cells, np.repeat(np.arange(len(bricks)), [brick.shape.area * brick.shape.height for brick in bricks])


def painted(
    bricks: Sequence[PlacedBrick],
    wishes: Wishes,
    rack: Rack,
    prices: Prices | None = None,
    foot: Collection[Pose] = (),
    posts: Collection[Pose] = (),
) -> list[int]:
    """The colour of each brick of a painted model.

    Those of which nothing is wanted get the one that there is most of; those of the foot all have one, and those of
    posts are as pale as they can be.
    """
    parts, costs, shown = _parts_of(bricks), wishes.costs.copy(), wishes.area > 0
    best = np.array([np.where(rack.of(part), row, np.inf).argmin() for part, row in zip(parts, costs, strict=True)])
    common = _common(best[shown], len(rack.codes))
    best[~shown] = [np.where(rack.of(parts[brick]), common, np.inf).argmin() for brick in np.flatnonzero(~shown)]
    in_foot = np.array([brick.pose in foot for brick in bricks])
    in_posts = np.array([brick.pose in posts for brick in bricks]) & ~in_foot
    costs[~shown] = common
    for code, _ in Counter(best[in_foot].tolist()).most_common(1):
        costs[in_foot, code] = -1.0
    costs[in_posts] = unlike(lab([COLOURS[code].rgb for code in rack.codes]), WHITE)
    first = shown | in_foot | in_posts
    given = np.zeros(len(bricks), np.int64)
    given[first] = rack.give(_some(parts, first), costs[first], UNNOTICED * wishes.area[first])
    _fill_in(given, parts, ~first & wishes.seen, rack, common)
    _fill_in(given, parts, ~first & ~wishes.seen, rack, common, prices)
    return [rack.codes[code] for code in given.tolist()]


def _common(best: Ints, codes: int) -> Floats:
    """What each colour (code,) costs those of which nothing is wanted: the commonest least, then as they come."""
    rank = np.arange(codes, 2 * codes, dtype=np.float64)
    for place, (code, _) in enumerate(Counter(best.tolist()).most_common()):
        rank[code] = place
    return rank


def _fill_in(
    given: Ints, parts: Sequence[Part], who: Flags, rack: Rack, liking: Floats, prices: Prices | None = None
) -> None:
    """Gives bricks of which nothing is wanted a colour: what is told to be there first, and of that what is cheapest or
    liked (code,) best."""
    some = _some(parts, who)
    rows = [liking if prices is None else _price_row(part, rack.codes, liking, prices) for part in some]
    costs = np.array(rows).reshape(len(some), len(liking))
    given[who] = rack.give(some, costs, np.full(len(some), costs.max(initial=0.0) + 1))


def _price_row(part: Part, codes: Codes, liking: Floats, prices: Prices) -> Floats:
    """What a part costs in each colour (code,); where that is not known, more than anywhere where it is."""
    told = np.array([np.nan if (price := prices.of(part, code)) is None else float(price) for code in codes])
    later = liking / (1 + liking.max())  # of what costs the same, or nobody knows
    dearest = np.nanmax(told, initial=0.0)
    return np.asarray(np.where(np.isnan(told), dearest + 1 + later, told + ALIKE * later))


def in_turn(bricks: Sequence[PlacedBrick], turns: Codes, rack: Rack, prices: Prices | None = None) -> list[int]:
    """The colour of each brick of a model that wants none: in turn those of the rack's that were asked for, as far as
    there are any. What nobody sees takes the cheapest, if prices are known."""
    if not bricks:
        return []
    parts, liking = _parts_of(bricks), _common(np.array([rack.codes.index(code) for code in turns]), len(rack.codes))
    first = np.ones(len(bricks), bool) if prices is None else seen_of(bricks)
    costs = np.tile(1 + liking, (len(bricks), 1))
    costs[np.arange(len(bricks)), [rack.codes.index(turns[at % len(turns)]) for at in range(len(bricks))]] = 0.0
    given = np.zeros(len(bricks), np.int64)
    given[first] = rack.give(_some(parts, first), costs[first])
    _fill_in(given, parts, ~first, rack, liking, prices)
    return [rack.codes[code] for code in given.tolist()]


def alike(bricks: Sequence[PlacedBrick], usual: int, rack: Rack) -> list[int]:
    """The colour of each of some bricks: one, or what looks most like it of what there is."""
    tones = lab([COLOURS[code].rgb for code in rack.codes])
    costs = np.tile(unlike(tones, lab(COLOURS[usual].rgb)), (len(bricks), 1))
    return [rack.codes[code] for code in rack.give(_parts_of(bricks), costs).tolist()]


def main_colour(box: Inventory, codes: Codes) -> int:
    """The colour that most can be built in: of which there is most in a box, by volume; of any, the first."""
    volume = dict.fromkeys(codes, 0)
    for part, colour, amount in box.entries:
        if colour in volume:
            volume[colour] += part.area * part.height * (MOST if amount is None else amount)
    return max(codes, key=lambda code: volume[code])


def _parts_of(bricks: Sequence[PlacedBrick]) -> list[Part]:
    return [brick.shape for brick in bricks]


def _some(parts: Sequence[Part], who: Flags) -> list[Part]:
    return [parts[place] for place in np.flatnonzero(who).tolist()]
