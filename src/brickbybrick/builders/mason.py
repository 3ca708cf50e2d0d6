"""The mason: builds any volume out of a box of bricks of several sizes, so that it hangs together and stands.

It is told the volume, as the greedy builder is. The layers are laid one after the other, pieces are joined, what cannot
be joined is carried by posts or left out, what stands on its tip gets a wider foot, and pillars are put where the model
would fall. The rules of laying are `masonry.py`'s and `relaying.py`'s, the colours `shades.py`'s and `colouring.py`'s,
feet, posts and pillars `footing.py`'s, `posts.py`'s and `pillars.py`'s, the forces `geometry/stability.py`'s.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import chain

import numpy as np

from brickbybrick.builders.base import Builder, Tell, seed_of, tell_nobody
from brickbybrick.builders.colouring import painted, wishes_of
from brickbybrick.builders.footing import LEAN, wider_foot
from brickbybrick.builders.masonry import JITTER, SHARES, Yard, course, find_pieces, lay, piece_sizes
from brickbybrick.builders.pillars import best_pillar
from brickbybrick.builders.posts import Pile, best_post, put_pile
from brickbybrick.builders.relaying import bridge, join, polish
from brickbybrick.builders.shades import Shades, in_colours, no_shades, shades_of
from brickbybrick.builders.sharing import Codes, Rack
from brickbybrick.builders.surfacing import set_slopes, set_tiles
from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.grains import Words, body
from brickbybrick.geometry.inventory import ALL_BRICKS, Inventory
from brickbybrick.geometry.mixed import MixedAssembly, is_free, put_brick, take_brick
from brickbybrick.geometry.part import BRICK_HIGH, Part
from brickbybrick.geometry.prices import Prices
from brickbybrick.geometry.stability import TOUCHED, Model, stands, tipping_angle
from brickbybrick.geometry.statics import Ground, Statics
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import seeded
from brickbybrick.order import MASON, MOST_BRICKS, TOLERANCE
from brickbybrick.targets.target import Target

MARGIN = 3  # studs by which the longest brick may stick out of the target
AROUND = ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 1))  # cells around the target in the grid that it is built in
POLISHING_TRIES = 4  # for each brick
POLISHED = 500  # tries at a time, within a second
JOINING_TRIES = 400  # in a row that join nothing, before pieces are bridged; for each layer that is as high as a brick
WALLS = (0, 8, 6, 5, 4, 3, 2)  # cells of the walls that are tried where bricks are short; 0 is solid
NEGLIGIBLE = 0.01  # share of a shape that may be lacking before it is built hollow
RESERVE = 0.05  # share of the budget kept for what joins and bears the rest
MOST_PILLARS = 24
MOST_POSTS = 8
MOST_PROPPED = 3_000  # bricks; where a hand would have to hold more of them takes minutes to find out
LAID, JOINED = 0.5, 0.6  # shares of the work that are done when bricks are laid, and when they are joined


class MasonBuilder(Builder):
    """Lays bricks of an inventory, its counts by part and colour being hard limits. What has no colours of its own is
    left to others to colour; bricks of the palette are then enough for it.

    Args:
        inventory: The bricks there are.
        seed: Of what is left to chance.
        budget: Bricks at most; as many as it takes if not given.
        hollow: How many cells thick walls are. By default models are solid, or hollow where bricks are short.
        palette: The colours to build with, where the target or the inventory has colours.
        tolerance: How unlike what is wanted of it a cell may look before that costs as much as the cell is worth; with
            more of it larger bricks are laid, with less truer colours.
        prices: What parts cost, so that those that nobody sees are cheap.
    """

    name = MASON
    sees = "volume"

    def __init__(
        self,
        inventory: Inventory = ALL_BRICKS,
        seed: int = 0,
        budget: int | None = None,
        hollow: int | None = None,
        palette: Codes = tuple(COLOURS),
        tolerance: float = TOLERANCE,
        prices: Prices | None = None,
    ) -> None:
        self.inventory, self.seed, self.budget, self.hollow = inventory, seed, budget, hollow
        self.palette, self.tolerance, self.prices = palette, tolerance, prices

    def build(self, target: Target) -> Construction:
        """Builds one target; a target's own budget is for bricks of one size and does not count."""
        shades, inventory, palette = None, self.inventory.in_layers(target.layer), self.palette
        if target.paint is not None or inventory.in_colour:
            inventory, palette = in_colours(inventory, self.palette)
        if target.paint is not None:
            shades = shades_of(target.paint, target.volume, inventory, palette, self.tolerance)
        work, walls = self._laid(target, inventory, shades)
        work.join_all()
        work.prop()
        bricks = tuple(PlacedBrick(str(size), *pose, step=step) for step, (size, pose) in enumerate(work.in_order()))
        foot, posts, pillars = work.props()
        if target.paint is not None and bricks:
            wishes = wishes_of(bricks, target.paint, palette, target.layer)
            colours = painted(bricks, wishes, Rack(inventory.entries, palette), self.prices, foot, posts)
            bricks = tuple(replace(brick, colour=colour) for brick, colour in zip(bricks, colours, strict=True))
        bricks = tuple(replace(brick, extra=brick.pose in foot | posts | pillars) for brick in bricks)
        notes = tuple(work.remarks(walls))
        iou = work.iou(_with_margin(target.shell(walls)))
        return Construction(bricks, target.name, self.name, self.budget, iou, notes=notes, walls=walls or None)

    def _laid(self, target: Target, inventory: Inventory, shades: Shades | None) -> tuple["Work", int]:
        """All layers laid, and how many cells of walls they have, 0 if they are solid.

        Where bricks are short, those that lack least, or the first that lack next to nothing.
        """
        seed, budget = seed_of(self.seed, target.volume), self.budget or MOST_BRICKS
        best: tuple[float, Work, int] | None = None
        cells = -1
        for walls in WALLS if self.hollow is None else (self.hollow,):
            volume = target.shell(walls)
            if int(volume.sum()) == cells:  # walls so thick that nothing is hollow
                continue
            cells = int(volume.sum())
            work = Work(volume, inventory, seed, budget, shades, self.tell, target.layer)
            if target.grains is not None:
                work.set_slopes(np.where(target.volume & ~volume, 0, target.grains))
            work.set_tiles()
            lacking = work.lay_all()
            if best is None or lacking < best[0]:
                best = lacking, work, walls
            if lacking <= NEGLIGIBLE:
                break
        assert best is not None
        _, work, walls = best
        work.polish()
        return work, walls

    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        return [self.build(target) for target in targets]


def _with_margin(volume: Voxels) -> Voxels:
    """A volume in the grid that it is built in: with a margin around it and a layer on top."""
    return np.pad(volume, AROUND)


def _not_shown(bricks: int) -> str:
    return f"{bricks} brick{'s' * (bricks > 1)} that the target does not show"


class Work:
    """A model that is being built, in the target's grid with room around it."""

    def __init__(
        self,
        volume: Voxels,
        inventory: Inventory,
        seed: int,
        budget: int,
        shades: Shades | None = None,
        tell: Tell = tell_nobody,
        layer: int = BRICK_HIGH,
    ) -> None:
        wanted = _with_margin(volume)
        self.shape = wanted.copy()  # what is wanted of bricks and plates alone
        self.tell = tell
        self.budget = min(budget, MOST_BRICKS)
        self.assembly = MixedAssembly(wanted.shape, inventory, self.budget, layer)
        self.bricks = self.assembly.arrays
        self.short = False  # whether the bricks were not enough
        self.pillars: list[list[int]] = []  # the bricks of each
        self.foot: list[int] = []  # bricks that widen it
        self.posts: list[list[int]] = []  # the bricks of each
        piece, limits = np.zeros(self.budget, np.int64), np.array([self.budget, 0])
        if shades is None:
            shades = no_shades(wanted.shape, inventory)
        else:
            shades = shades._replace(wanted=np.pad(shades.wanted, AROUND, constant_values=-1))
        self.yard = Yard(self.bricks, wanted, piece, seeded(1, seed), limits, shades)

    @property
    def model(self) -> Model:
        return list(self.assembly.bricks.values())

    def set_slopes(self, grains: Words) -> None:
        """Sets slopes where they follow the surface better than steps; what is inside is known in grains (x, y, z)."""
        set_slopes(self.assembly, self.yard, np.pad(grains, AROUND))

    def set_tiles(self) -> None:
        """Covers tops by tiles, if there are any."""
        set_tiles(self.assembly, self.yard)

    def lay_all(self) -> float:
        """Covers what is wanted from the ground up, and returns which share of it is lacking for want of bricks."""
        self.yard.limits[0] = self.budget - int(RESERVE * self.budget)
        self._courses()
        return self._lacking()

    def polish(self) -> None:
        """Lays bricks anew wherever that is better."""
        tries = POLISHING_TRIES * len(self.assembly)
        for done in range(0, tries, POLISHED):
            self.tell("laying", LAID)  # nobody may be waiting any more
            polish(self.yard, min(POLISHED, tries - done))
        self.short = self._lacking() > 0
        self.yard.limits[0] = self.budget

    def _lacking(self) -> float:
        """The share of what is wanted that is not there because bricks are used up."""
        used_up = len(self.assembly) >= self.yard.limits[0] or bool(np.any(self.bricks.left == 0))
        missing = int((self.yard.wanted & (self.bricks.owner < 0)).sum()) if used_up else 0
        return missing / int(self.yard.wanted.sum())

    def _courses(self) -> int:
        """Lays a course in each layer, and returns how many bricks that took."""
        laid = np.empty(self.budget, np.int64)
        count = 0
        layers = self.yard.wanted.shape[2]
        for z in range(layers):
            self.tell("laying", LAID * z / layers)
            cells = course(self.yard.wanted, z, 3 * z % 8)
            for share in SHARES:
                count += lay(self.yard, cells, JITTER, share, laid)
        return count

    def join_all(self) -> None:
        """Joins all pieces that can be joined, takes the others off, and fills in what can be joined instead."""
        self.tell("joining", LAID)
        pieces = join(self.yard, JOINING_TRIES * BRICK_HIGH // self.assembly.layer)
        while pieces > 1 and bridge(self.yard, self._main(), self.iou(self.yard.wanted)):
            self.tell("joining", LAID)
            pieces = find_pieces(self.yard)
        while pieces > 1 and len(self.posts) < MOST_POSTS and (post := self._best_post()):
            self.posts.append(put_pile(self.bricks, post))
            pieces = find_pieces(self.yard)
        main = self._main()
        for brick in self.assembly.bricks:
            if self.yard.piece[brick] != main:
                self._take_off(brick)
        self.yard.limits[1] = 1
        while self._courses():
            pass

    def _best_post(self) -> Pile | None:
        return best_post(self.yard, self._main(), self.assembly.layer)

    def _take_off(self, brick: int) -> None:
        """Takes a brick off; in place of a slope, what is wanted then are steps."""
        kind, *corner = self.bricks.placed[brick].tolist()
        box = tuple(slice(first, first + along) for first, along in zip(corner, self.bricks.extent[kind], strict=True))
        self.yard.wanted[box] = self.shape[box]
        take_brick(self.bricks, brick)

    def _main(self) -> int:
        """The piece that is most of what is wanted; -1 where no brick fits."""
        sizes = piece_sizes(self.yard)
        return int(np.argmax(sizes)) if len(sizes) else -1

    def iou(self, wanted: Voxels) -> float:
        """IoU with a volume of this grid; slopes count for the cells that they fill at least half of."""
        filled = self.bricks.owner >= 0
        slopes = [(part, pose) for part, pose in self.model if part.slopes]
        for few, cells in ((False, Part.cells), (True, body)):
            places = [cell for part, pose in slopes for cell in cells(part, pose)]
            filled[tuple(np.array(places, np.int64).reshape(-1, 3).T)] = few
        return float((filled & wanted).sum() / (filled | wanted).sum())

    def prop(self) -> None:
        """Widens the foot of what a touch tips over, and puts pillars under what would fall until it stands or none
        helps; those that proved needless come off."""
        if not 0 < len(self.assembly) <= MOST_PROPPED:
            return
        if tipping_angle(self.model) < TOUCHED:
            self._widen_foot()
        while len(self.pillars) < MOST_PILLARS and (best := best_pillar(self.assembly, self.budget)):
            self.tell("propping", JOINED + (1 - JOINED) * len(self.pillars) / MOST_PILLARS)
            self.pillars.append(put_pile(self.bricks, best))
        needed = []
        for pillar in self.pillars[:-1]:
            self.tell("propping", 1.0)
            rows = [self.bricks.placed[brick].tolist() for brick in pillar]
            for brick in pillar:
                take_brick(self.bricks, brick)
            if not stands(self.model, Ground.TABLE):
                needed.append([put_brick(self.bricks, kind, x, y, z) for kind, x, y, z in rows])
        self.pillars = [*needed, *self.pillars[-1:]]

    def _widen_foot(self) -> None:
        """Lays what is lowest anew, as high as a brick, with bricks that stick out of it, if then a touch does not tip
        the model over."""
        statics = Statics(self.model)
        (*middle, high), ground = statics.centre_of_mass, statics.ground // self.assembly.layer
        layers = range(ground, ground + BRICK_HIGH // self.assembly.layer)
        missing = self._missing(layers)
        placed = {brick: self.bricks.placed[brick].tolist() for brick in self.assembly.bricks}
        tip = {brick: row for brick, row in placed.items() if row[3] in layers and row[0] < len(self.bricks.taken)}
        for brick in tip:
            take_brick(self.bricks, brick)
        reach = float(high * np.tan(np.radians(LEAN)))
        for kind, x, y in wider_foot(self.bricks, ground, np.array(middle), reach):
            if len(self.assembly) < self.budget and is_free(self.bricks, kind, x, y, ground):
                self.foot.append(put_brick(self.bricks, kind, x, y, ground))
        laid, rest = np.empty(self.budget, np.int64), list(self.foot)
        for layer in layers:
            rest += laid[: lay(self.yard, course(self.yard.wanted, layer, 0), JITTER, 1.0, laid)].tolist()
        whole = bool(self.foot) and self._missing(layers) <= missing and find_pieces(self.yard) == 1
        if not whole or tipping_angle(self.model) < TOUCHED:
            for brick in rest:
                take_brick(self.bricks, brick)
            for kind, x, y, z in tip.values():
                put_brick(self.bricks, kind, x, y, z)
            self.foot = []

    def _missing(self, layers: range) -> int:
        """Cells of some layers that are wanted and not filled."""
        some = slice(layers.start, layers.stop)
        return int((self.yard.wanted[:, :, some] & (self.bricks.owner[:, :, some] < 0)).sum())

    def _outside(self, numbers: Iterable[int]) -> set[Pose]:
        """Where those bricks are, in the target's frame, that are not part of what is wanted."""
        bricks, layer = self.assembly.bricks, self.assembly.layer
        return {
            pose._replace(x=pose.x - MARGIN, y=pose.y - MARGIN)
            for size, pose in (bricks[number] for number in numbers)
            if not all(self.yard.wanted[x, y, z // layer] for x, y, z in size.cells(pose))
        }

    def props(self) -> tuple[set[Pose], set[Pose], set[Pose]]:
        """Where the extra bricks of the foot, of posts and of pillars are, in the target's frame."""
        return self._outside(self.foot), self._outside(chain(*self.posts)), self._outside(chain(*self.pillars))

    def in_order(self) -> list[tuple[Part, Pose]]:
        """The bricks in the target's frame: from the lowest on, always the lowest that joins what is there."""
        bricks = self.assembly.bricks
        rank = {brick: (pose.z, pose.y, pose.x, brick) for brick, (_, pose) in bricks.items()}
        waiting = [min(rank.values())] if rank else []
        seen = {brick for *_, brick in waiting}
        order = []
        while waiting:
            *_, brick = heappop(waiting)
            size, pose = bricks[brick]
            order.append((size, pose._replace(x=pose.x - MARGIN, y=pose.y - MARGIN)))
            for other in self.assembly.neighbours(brick) - seen:
                seen.add(other)
                heappush(waiting, rank[other])
        return order

    def remarks(self, walls: int) -> Iterator[str]:
        """What a reader should know of how the bricks were used."""
        if walls:
            yield f"it is hollow, with walls {walls} cells thick"
        if foot := len(self._outside(self.foot)):
            yield f"it got a wider foot, so that a touch does not tip it over: {_not_shown(foot)}"
        if posts := len(self.posts):
            carried = "a part is carried by a post" if posts == 1 else f"parts are carried by {posts} posts"
            yield f"{carried}: {_not_shown(len(self._outside(chain(*self.posts))))}"
        if props := len(self._outside(chain(*self.pillars))):
            pillars = "a pillar was" if len(self.pillars) == 1 else f"{len(self.pillars)} pillars were"
            yield f"{pillars} added to bear what would fall: {_not_shown(props)}"
        empty = [str(size) for size, left in self.assembly.left.items() if left == 0]
        if empty:
            yield f"all bricks of {', '.join(empty)} are used"
        if self.short:
            missing = int((self.yard.wanted & (self.bricks.owner < 0)).sum())
            bricks = self.assembly.layer < BRICK_HIGH and any(part.height == BRICK_HIGH for part in self.assembly.left)
            coarse = ", or bricks alone (--parts bricks)" if bricks else ""
            advice = f"give more, or take a smaller size{coarse}"
            yield f"the bricks were not enough: {missing} cells are not built; {advice}"
