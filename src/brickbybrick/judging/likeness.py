"""How like its target a model is, and what of the target was lost: in figures, and in words for who builds it.

The shape is compared by IoU, so that what is missing counts and what sticks out too; colours are compared where they
can be seen. A hollow model is compared with the hollow shape, for nobody sees the rest.
"""

from collections.abc import Iterator
from math import floor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.colours import COLOURS, colour_of, lab, lab_in_bricks, unlike
from brickbybrick.construction import Construction
from brickbybrick.geometry.grains import body
from brickbybrick.geometry.voxels import Voxels, cells_iou, visible_area
from brickbybrick.targets.inputs import MOST_NAMED, parts_of, place_of
from brickbybrick.targets.target import Target

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CLOSE, FAR = 10.0, 20.0  # by CIEDE2000: everybody sees a difference of 10, and one of 20 is another colour
MUCH = 0.1  # share of a shape that is worth a word when it is missing, or added
MARKED = 0.02  # share of what is seen that is worth a word when its colour is another
FEWEST = 4  # cells of a thin part that is worth a word
AROUND = 2  # cells around the target: one that bricks may stick out into, and one to look from
INSIDE = np.s_[AROUND:-AROUND, AROUND:-AROUND, :-AROUND]  # the target's own cells among them
BLOCK = np.ones((2, 2, 2), bool)  # what does not fit into a thin part


class Seen(NamedTuple):
    """The cells of a model that can be seen and that have a colour they should have; one row a cell."""

    area: Floats  # (cell,) what is seen of it, in squares of a stud's side
    wanted: npt.NDArray[np.uint8]  # (cell, 3) red, green, blue
    unlike: Floats  # (cell,) how unlike that the brick looks


def shape_wanted(construction: Construction, target: Target) -> Voxels:
    """The cells, a plate high, that a model is compared with: those of the target, or of its walls if it is hollow."""
    return in_plates(target.shell(construction.walls or 0), target)


def in_plates(values: npt.NDArray[Any], target: Target) -> npt.NDArray[Any]:
    """What is known of a target's cells (x, y, z, ...) as cells that are a plate high."""
    return np.repeat(values, target.layer, axis=2)


def iou_of(construction: Construction, target: Target) -> float:
    """IoU of a model with the shape that was wanted."""
    cells = (cell for brick in construction.bricks for cell in body(brick.shape, brick.pose))
    return cells_iou(cells, shape_wanted(construction, target))


def shape_figures(construction: Construction, target: Target) -> dict[str, float]:
    """What is missing and what was added, both as shares of the shape; bricks that bear the rest do not count."""
    wanted = shape_wanted(construction, target)
    missing, added = wanted.copy(), 0
    for brick in construction.bricks:
        cells = np.array(body(brick.shape, brick.pose))
        inside = cells[((cells >= 0) & (cells < wanted.shape)).all(axis=1)]
        missing[tuple(inside.T)] = False
        added += 0 if brick.extra else len(cells) - int(wanted[tuple(inside.T)].sum())
    return {"missing": int(missing.sum()) / int(wanted.sum()), "added": added / int(wanted.sum())}


def colour_figures(construction: Construction, target: Target) -> dict[str, float | None]:
    """How like the target's colours a model's are, over all that is seen and should have a colour.

    `colour_mean` is how unlike they look on average, by CIEDE2000; `colour_close` the share that is within 10 of what
    was wanted; `colour_area` how much there is, in squares of a stud's side. Without any the others are None.
    """
    seen = seen_colours(construction, target)
    area = float(seen.area.sum())
    if not area:
        return {"colour_mean": None, "colour_close": None, "colour_area": 0.0}
    mean, close = float(seen.area @ seen.unlike) / area, float(seen.area[seen.unlike <= CLOSE].sum()) / area
    return {"colour_mean": mean, "colour_close": close, "colour_area": round(area, 1)}


def seen_colours(construction: Construction, target: Target) -> Seen:
    """The cells of a model that can be seen, where the target has paint that counts."""
    if target.paint is None or not construction.bricks:
        return Seen(np.zeros(0), np.zeros((0, 3), np.uint8), np.zeros(0))
    volume, paint = in_plates(target.volume, target), in_plates(target.paint, target)
    ground = int(np.clip(min(brick.z for brick in construction.bricks), 0, volume.shape[2]))
    owner = _owners(construction, volume.shape)[:, :, ground:]
    area = visible_area(owner >= 0)[INSIDE]
    paint = paint[:, :, ground:]
    counts = (area > 0) & volume[:, :, ground:] & (paint[..., 3] > 0)
    codes, which = np.unique([brick.colour for brick in construction.bricks], return_inverse=True)
    shades = lab([colour_of(int(code)).rgb for code in codes])  # (code, 3)
    bricks = owner[INSIDE][counts]  # (cell,)
    wanted = paint[counts][:, :3]  # (cell, 3)
    return Seen(area[counts], wanted, unlike(lab_in_bricks(wanted), shades[which[bricks]]))


def _owners(construction: Construction, shape: tuple[int, ...]) -> Ints:
    """Which brick fills each cell of a grid, -1 for none, with cells around it and on top; no brick is outermost."""
    wide, deep, high = shape
    owner = np.full((wide + 2 * AROUND, deep + 2 * AROUND, high + AROUND), -1, np.int64)
    inner = owner[1:-1, 1:-1, :-1]  # a cell's place is one further than in the target's grid
    for index, brick in enumerate(construction.bricks):
        along_x, along_y = brick.shape.extent(brick.d)
        x, y = brick.x + AROUND - 1, brick.y + AROUND - 1
        place = ((x, x + along_x), (y, y + along_y), (brick.z, brick.top))
        inner[tuple(slice(max(first, 0), max(end, 0)) for first, end in place)] = index
    return owner


def likeness(construction: Construction, target: Target) -> str:
    """How much of a target a model is, for who does not know what IoU is; rounded down, so that all means all."""
    said = f"{floor(100 * (construction.iou or 0) + 1e-6)} % of the shape"
    if target.voxels is None:
        said += " that the views allow"
    if construction.walls:
        said += ", counting its walls alone"
    close = colour_figures(construction, target)["colour_close"]
    return said if close is None else f"{said}, {floor(100 * close + 1e-6)} % of the colour"


def losses(construction: Construction, target: Target) -> Iterator[str]:
    """What of a target a model does not show, where that is much."""
    wanted = shape_wanted(construction, target)
    filled = _owners(construction, wanted.shape)[INSIDE] >= 0
    yield from _parts_lost(filled[:, :, :: target.layer], wanted[:, :, :: target.layer])
    shares = shape_figures(construction, target)
    if shares["missing"] > MUCH and target.voxels is not None:  # what views allow is more than what they show
        yield f"{_percent(shares['missing'])} of the shape is not built"
    if shares["added"] > MUCH:
        yield f"bricks stick out of the shape by {_percent(shares['added'])} of it"
    yield from _colour_lost(seen_colours(construction, target))


def _parts_lost(filled: Voxels, wanted: Voxels) -> Iterator[str]:
    """Parts of a shape that no brick has reached, and thin ones of which nothing is left."""
    parts = parts_of(wanted)
    lost = [part for part in parts if not filled[tuple(part.T)].any()] if len(parts) > 1 else []
    for part in lost[:MOST_NAMED]:
        yield f"the part at {place_of(part)} is not built: no brick could be joined to it within the budget"
    if len(lost) > MOST_NAMED:
        yield f"{len(lost) - MOST_NAMED} more parts are not built"
    gone = wanted & ~ndimage.binary_opening(wanted, BLOCK) & ~filled
    for part in lost:
        gone[tuple(part.T)] = False
    thin = [part for part in parts_of(gone) if len(part) >= FEWEST]
    for part in thin[:MOST_NAMED]:
        yield f"a thin part at {place_of(part)} is not built, {len(part)} cells: make it thicker, or build it larger"
    if len(thin) > MOST_NAMED:
        yield f"{len(thin) - MOST_NAMED} more thin parts are not built"


def _colour_lost(seen: Seen) -> Iterator[str]:
    """The colour that most of what is seen should have about and does not, by its nearest name."""
    far = seen.unlike > FAR
    if not far.any():
        return
    steps, which = np.unique(seen.wanted[far] // 8 * 8 + 4, axis=0, return_inverse=True)  # a name needs no finer ones
    shades = lab([colour.rgb for colour in COLOURS.values()])  # (colour, 3)
    nearest = unlike(lab(steps)[:, None], shades).argmin(axis=1)[which.reshape(-1)]  # (cell,)
    area = np.bincount(nearest, seen.area[far], minlength=len(shades))  # (colour,)
    share = area.max() / seen.area.sum()
    if share >= MARKED:
        name = list(COLOURS.values())[int(area.argmax())].name
        yield f"{_percent(share)} of what is seen should be about {name} and is quite another colour"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
