"""A target: what is to be built, and all that an agent is told about it.

Everything an agent starts from (its images, the first brick, the budget) is derived from the images, or
from a volume through its images, so that a build from a user's picture begins exactly as in training.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.grains import Words
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import Voxels, bounds, centred, extrude, hollowed, moved, three_views, visual_hull

VIEW_SIDE = 14  # pixels of a view, in studs across and layers up
BUDGET_PERCENT = 110  # bricks allowed, by volume


# (x, y, z, 4) red, green and blue of each cell, and 255 where they count or 0 where any colour will do
Paint = npt.NDArray[np.uint8]
Each = TypeVar("Each")
Likely = npt.NDArray[np.float32]  # (x, y, z) how likely each cell is filled: 0 outside of the hull, 1 if that is proven


@dataclass(frozen=True, eq=False, repr=False)
class Target:
    """Something to build. Cells are in the images' frame, lowered so that z = 0 is the lowest filled layer."""

    name: str
    images: npt.NDArray[np.bool_]  # (view, row, column) one front view, or front, side and top
    hull: Voxels  # (x, y, z) the largest volume that the images allow
    voxels: Voxels | None  # (x, y, z) the volume wanted, or None when only the images are known
    lift: int  # empty image rows below the lowest filled one
    start: Pose  # the first brick
    budget: int  # bricks allowed, the first one included
    paint: Paint | None = None  # the colours wanted, if they are known
    layer: int = BRICK_HIGH  # plates that its cells are high
    grains: Words | None = None  # (x, y, z) what of each cell is inside, if it is known that finely
    belief: Likely | None = None  # what made believe that the volume wanted is this one, if views alone are known

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.images)} views, {self.volume.sum()} cells, {self.budget} bricks>"

    @property
    def volume(self) -> Voxels:
        """The volume to score against: the one wanted if it is known, else the hull."""
        return self.hull if self.voxels is None else self.voxels

    @property
    def filled(self) -> float:
        """The share of the hull that the volume fills."""
        return int(self.volume.sum()) / int(self.hull.sum())

    def shell(self, walls: int) -> Voxels:
        """The volume with walls so many bricks thick, whichever way; whole if that is 0."""
        return hollowed(self.volume, walls, BRICK_HIGH // self.layer)


def target_of_image(
    name: str,
    image: npt.NDArray[np.bool_],
    depth: int = BRICK_2X4.length,
    colours: npt.NDArray[np.uint8] | None = None,
    layer: int = BRICK_HIGH,
) -> Target:
    """A flat target: one image (row, column), by default as deep as a brick is long. The volume is then known too.
    Each row is so many plates high; those that are lower than a brick no agent builds.

    Its colours (row, column, 3), if they are given, go through from the front to the back.
    """
    image = binary(image, name, 2)
    volume = extrude(image, depth)
    paint = None
    if colours is not None:
        counts = np.where(image, 255, 0).astype(np.uint8)
        paint = extrude(np.concatenate([colours, counts[..., None]], axis=2), depth)
    return replace(_target(name, image[None], volume, volume, budget_for(int(volume.sum())), paint), layer=layer)


def target_of_mosaic(
    name: str,
    image: npt.NDArray[np.bool_],
    colours: npt.NDArray[np.uint8] | None = None,
    layer: int = BRICK_HIGH,
) -> Target:
    """A mosaic (row, column) that lies flat, the picture's top behind: coloured cells on a base that holds them.

    Both are so many plates high. The base has the picture's own outline, for bricks beside it nothing would hold; under
    a picture in several parts, which it has to join, it is a rectangle.
    """
    image = binary(image, name, 2)
    top = image[::-1].T  # (x, y)
    base = top if ndimage.label(top)[1] == 1 else np.ones_like(top)
    volume = np.stack([base, top], axis=2)
    paint = None
    if colours is not None:
        paint = np.zeros((*volume.shape, 4), np.uint8)
        paint[:, :, 1, :3] = colours[::-1].swapaxes(0, 1)
        paint[:, :, 1, 3] = np.where(top, 255, 0)
    return replace(_target(name, image[None], volume, volume, budget_for(int(volume.sum())), paint), layer=layer)


def target_of_views(name: str, views: npt.NDArray[np.bool_], hull_ratio: float = 1.0) -> Target:
    """A target known by its three views alone.

    Args:
        name: What to call it.
        views: Front, side and top as (view, row, column).
        hull_ratio: How many times larger than the volume the hull is expected to be; the budget is for the
            hull's volume divided by it.
    """
    views = binary(views, name, 3)
    if len(views) != 3 or views.shape[1] != views.shape[2]:
        raise InputError(f"{name}: views of shape {views.shape}; give three square ones, front, side and top")
    if not 0 < hull_ratio < np.inf:
        raise InputError(f"{name}: a hull {hull_ratio} times as large as the volume; give a number above 0")
    hull = visual_hull(views)
    if not hull.any():
        raise InputError(f"{name}: the three views have no cell in common")
    return _target(name, views, hull, None, budget_for(int(hull.sum()), hull_ratio))


def target_of_voxels(
    name: str,
    voxels: Voxels,
    budget: int | None = None,
    side: int = VIEW_SIDE,
    paint: Paint | None = None,
    layer: int = BRICK_HIGH,
    grains: Words | None = None,
) -> Target:
    """A target known by its volume; the agent is given its three views, of `side` pixels.

    Its cells are so many plates high. Those that are lower than a brick no agent builds; the views show what bricks
    would look like that fill all layers in which there is something.
    """
    voxels, finer = binary(voxels, name, 3), BRICK_HIGH // layer
    shape = side, side, finer * side
    volume = centred(voxels, shape, voxels)
    if paint is not None:
        paint = centred(paint, shape, voxels)
    views = three_views(np.asarray(volume.reshape(side, side, side, finer).any(axis=3)))
    budget = budget_for(int(volume.sum()) // finer) if budget is None else budget
    hull = visual_hull(views) if finer == 1 else volume
    target = _target(name, views, hull, volume, budget, paint)
    if grains is not None:
        to = bounds(target.volume)[:, 0]
        grains = moved(grains, to - bounds(voxels)[:, 0], volume.shape)
    return replace(target, layer=layer, grains=grains)


def binary(values: npt.ArrayLike, name: str, axes: int) -> npt.NDArray[np.bool_]:
    """The values as flags if they are flags, or numbers that are all 0 or 1."""
    array = np.asarray(values)
    if array.ndim != axes or array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise InputError(f"{name}: {array.dtype} of shape {array.shape}; give {axes} axes of True and False")
    return array.astype(bool)


def budget_for(volume: int, hull_ratio: float = 1.0) -> int:
    """The bricks allowed for a volume in cells: 110 % of what fills it, rounded up."""
    wanted = BUDGET_PERCENT * volume / (100 * BRICK_2X4.studs * hull_ratio)
    return max(1, int(np.ceil(round(wanted, 9))))  # rounded first: 110 % of a whole number must stay whole


def _target(
    name: str,
    images: npt.NDArray[np.bool_],
    hull: Voxels,
    voxels: Voxels | None,
    budget: int,
    paint: Paint | None = None,
) -> Target:
    lift = int(bounds(hull)[2, 0])
    hull = np.roll(hull, -lift, axis=2)  # the empty layers below go to the top
    voxels = None if voxels is None else np.roll(voxels, -lift, axis=2)
    paint = None if paint is None else np.roll(paint, -lift, axis=2)
    return Target(name, images, hull, voxels, lift, first_brick(hull), budget, paint)


def first_brick(hull: Voxels) -> Pose:
    """Where to begin: in the lowest layer, direction 0, covering as much of the hull as possible.

    Ties go to the place nearest to the centre of the hull's box, then to the lowest x, then the lowest y.
    """
    along_x, along_y = BRICK_2X4.extent(0)
    margins = ((along_x - 1, along_x - 1), (along_y - 1, along_y - 1))  # the brick may stick out of the grid
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(hull[:, :, 0], margins), (along_x, along_y))
    covered = windows.sum(axis=(2, 3))  # (x, y)
    x, y = np.ogrid[1 - along_x : hull.shape[0], 1 - along_y : hull.shape[1]]
    middle_x, middle_y = bounds(hull)[:2].sum(axis=1)  # twice the centre of the box
    from_centre = (2 * x + along_x - middle_x) ** 2 + (2 * y + along_y - middle_y) ** 2
    best = np.where(covered == covered.max(), from_centre, from_centre.max() + 1).argmin()  # the first of equals
    row, column = np.unravel_index(best, covered.shape)
    return Pose(int(row) + 1 - along_x, int(column) + 1 - along_y, 0, 0)


def spread(targets: Sequence[Each], most: int) -> list[Each]:
    """At most so many targets, or what belongs to them, spread evenly over all: the first may all be of one kind."""
    number = min(most, len(targets))
    return [targets[index * len(targets) // number] for index in range(number)]


@dataclass(frozen=True)
class TargetSet(Sequence[Target]):
    """Targets of one shape, kept in order."""

    targets: tuple[Target, ...]

    def __post_init__(self) -> None:
        shapes = {(target.images.shape, target.hull.shape) for target in self.targets}
        if len(shapes) != 1:
            raise InputError(
                f"a set of targets needs images of one shape, and at least one target: found {len(shapes)}"
            )

    def __len__(self) -> int:
        return len(self.targets)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return TargetSet(self.targets[index]) if isinstance(index, slice) else self.targets[index]

    @cached_property
    def images(self) -> npt.NDArray[np.int8]:
        return np.stack([target.images for target in self.targets]).astype(np.int8)  # (target, view, row, column)

    @cached_property
    def volumes(self) -> npt.NDArray[np.uint8]:
        """The cells to fill, layer by layer: a brick's cells are then close in memory."""
        stacked = np.stack([target.volume for target in self.targets])  # (target, x, y, z)
        return np.ascontiguousarray(stacked.transpose(0, 3, 2, 1), dtype=np.uint8)  # (target, z, y, x)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        return np.array([target.start for target in self.targets], dtype=np.int64)  # (target, 4)

    @cached_property
    def lifts(self) -> npt.NDArray[np.int64]:
        return np.array([target.lift for target in self.targets], dtype=np.int64)  # (target,)

    @cached_property
    def budgets(self) -> npt.NDArray[np.int64]:
        return np.array([target.budget for target in self.targets], dtype=np.int64)  # (target,)
