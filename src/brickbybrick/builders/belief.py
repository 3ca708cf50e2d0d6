"""What three views make believe: a learned volume as the search's estimate, where that is better than the rule of the
hull, and as what is built of silhouettes by those who need to be told a volume."""

from collections.abc import Callable
from copy import deepcopy

import numpy as np
import numpy.typing as npt
import torch
from scipy import ndimage
from scipy.sparse import coo_array, csgraph

from brickbybrick.builders.beam.planner import WORK, Estimate, SearchBuilder, from_views
from brickbybrick.builders.explaining import is_explained
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.voxels import Voxels, bounds, three_views, visual_hull
from brickbybrick.policies.quick import quick
from brickbybrick.policies.volume import LAYERS, VolumeNetwork, belief, certain
from brickbybrick.targets.inputs import HULL_RATIO
from brickbybrick.targets.target import Likely, Target, budget_for

MIRRORS = ((), (0,), (1,), (0, 1))  # axes along which an object is turned round
FILLED = 0.3  # probability above which a cell is built: at a half plain boxes would lose some of theirs
STEP = 1e-3  # what it takes to go on through a filled cell; through others the less likely the more
LEAST = 1e-6  # probability that is told apart from none


class Belief:
    """An estimate by a network. It knows objects of three views that are at most so high; larger ones it looks at
    coarsely."""

    def __init__(self, network: VolumeNetwork) -> None:
        self.network = quick(network)
        self._last: tuple[Target, npt.NDArray[np.float64]] | None = None  # who asks once asks again, brick by brick

    def on(self, device: str) -> "Belief":
        """The same, looked at on another device."""
        return Belief(deepcopy(self.network).to(device))

    def __call__(self, target: Target) -> Estimate:
        """What the network believes of cells, and that every pixel of the views wants a brick; the rule of the hull
        where it knows nothing."""
        shown = from_views(target)
        return shown if not self.knows(target) else shown._replace(cells=self.cells(target))

    def knows(self, target: Target) -> bool:
        return len(target.images) == 3 and not target.hull[:, :, LAYERS:].any()

    def cells(self, target: Target) -> npt.NDArray[np.float64]:
        """How likely each cell (x, y, z) is filled."""
        last = self._last
        if last is None or last[0] is not target:
            last = self._last = (target, belief(self.network, target.hull, target.budget))
        return last[1]

    def likely(self, hull: Voxels, height: float = 1.0) -> Likely:
        """How likely each cell of a hull of any size is filled, by a look at blocks of cells that are as many as the
        network knows, and about cubes, as the cells are that it learned from.

        Between the middles of blocks it changes evenly. What the views prove cell by cell stays proven.

        Args:
            hull: The cells that three views leave room for.
            height: How many times as high as wide cells are.
        """
        first, end = bounds(hull).T
        wide, deep, high = (end - first).tolist()
        per_stud = min(1.0, LAYERS / max(wide, deep, high * height))
        scale = np.array([per_stud, per_stud, min(1.0, per_stud * height)])  # blocks to a cell, along each axis
        spans = np.ceil(np.round((end - first) * scale, 9)).astype(int)
        before = (LAYERS - spans) // 2 * (1, 1, 0)  # in the middle, and on the ground, as it learned
        cells = np.argwhere(hull)  # (cell, 3)
        middles = (cells - first + 0.5) * scale + before  # (cell, 3) in blocks
        blocks = np.zeros((LAYERS,) * 3, bool)
        blocks[tuple(middles.astype(int).T)] = True
        blocks = visual_hull(three_views(blocks))
        # Nobody knows how much of the hull is filled, so the network is told what is usual. What the views show in a
        # mirror is as likely; so what looks the same from both sides is believed to be the same on both.
        budget = budget_for(int(blocks.sum()), HULL_RATIO)
        seen = [np.flip(belief(self.network, np.flip(blocks, axes), budget), axes) for axes in MIRRORS]
        coarse = np.mean(seen, axis=0)
        found = np.zeros(hull.shape, np.float32)
        found[hull] = _between(coarse, middles) / _between(blocks.astype(float), middles)
        found[proven(hull)] = 1
        return found

    def unless_explained(self, offsets: OffsetSet) -> Callable[[Target], Estimate]:
        """The estimate to search by: its own, but the rule of the hull's where bricks alone explain the views."""
        return lambda target: from_views(target) if is_explained(target, offsets) else self(target)

    def searching(self, offsets: OffsetSet, seed: int = 0, work: int | None = WORK) -> SearchBuilder:
        """A search by what it believes."""
        return SearchBuilder(offsets, seed, work=work, estimate=self.unless_explained(offsets))


def _between(values: npt.NDArray[np.float64], places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The values (x, y, z) of blocks at places (place, 3), which count from the corner of the first block."""
    return np.asarray(ndimage.map_coordinates(values, places.T - 0.5, order=1, mode="nearest"))


def proven(hull: Voxels) -> Voxels:
    """The cells that are filled for certain: alone behind a pixel of some view."""
    return certain(torch.from_numpy(hull)[None])[0].numpy()  # in whichever order the axes are


def believed_volume(hull: Voxels, likely: Likely) -> Voxels:
    """The cells that are likely enough to be filled, and what it takes beside them to show the hull's views: behind a
    pixel that they leave bare the likeliest cell. Where the hull is in one piece, so is this."""
    volume = hull & (likely > FILLED)
    rank = np.where(hull, likely, -1.0)
    for axis in range(3):
        bare = np.nonzero(hull.any(axis=axis) & ~volume.any(axis=axis))
        best = np.moveaxis(rank, axis, -1)[bare].argmax(axis=1)
        np.moveaxis(volume, axis, -1)[*bare, best] = True
    return _joined(volume, hull, likely)


def _joined(volume: Voxels, hull: Voxels, likely: Likely) -> Voxels:
    """A volume with the likeliest ways through the hull from its pieces to the largest, wherever there are any."""
    pieces, count = ndimage.label(volume)
    rooms, _ = ndimage.label(hull)
    sizes = ndimage.sum_labels(volume, pieces, np.arange(1, count + 1))
    room_of = ndimage.maximum(rooms, pieces, np.arange(1, count + 1)).astype(int)  # (piece,)
    by_size = np.argsort(-sizes, kind="stable")
    _, first = np.unique(room_of[by_size], return_index=True)
    largest = by_size[first] + 1  # of each room
    others = np.setdiff1d(np.arange(1, count + 1), largest)
    if not len(others):
        return volume
    numbers = np.full(hull.shape, -1)
    numbers[hull] = np.arange(int(hull.sum()))
    ways = _ways(numbers, np.where(volume, STEP, STEP - np.log(np.maximum(likely, LEAST)))[hull])
    sources = numbers[np.isin(pieces, largest)]
    far, towards, _ = csgraph.dijkstra(ways, indices=sources, min_only=True, return_predecessors=True)
    filled = volume[hull]  # (cell,)
    distances = np.full(hull.shape, np.inf)
    distances[hull] = far
    for nearest in ndimage.minimum_position(distances, pieces, others):
        cell = numbers[nearest]
        while cell >= 0:  # a source comes from nowhere
            filled[cell] = True
            cell = towards[cell]
    joined = np.zeros_like(hull)
    joined[hull] = filled
    return joined


def _ways(numbers: npt.NDArray[np.int64], costs: npt.NDArray[np.float64]) -> coo_array:
    """From each cell of a grid of numbers, which are -1 outside, to those beside it, by what it costs to go there."""
    from_to = []
    for axis in range(3):
        along = np.moveaxis(numbers, axis, 0)
        beside = np.stack([along[:-1].ravel(), along[1:].ravel()])  # (2, pair)
        beside = beside[:, (beside >= 0).all(axis=0)]
        from_to += [beside, beside[::-1]]
    here, there = np.concatenate(from_to, axis=1)
    return coo_array((costs[there], (here, there)), shape=(len(costs),) * 2)
