"""Which steps need a map beside their picture, and what is on it.

A picture says where a brick goes if one can count studs to it from an edge. It does not for things that stand on the
table apart from each other, in the midst of a wide plain, or where others hide them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from brickbybrick.construction import PlacedBrick
from brickbybrick.export.book import Scene
from brickbybrick.export.steps import Arrival
from brickbybrick.export.stud_map import Extent, Layer
from brickbybrick.export.views import ENOUGH
from brickbybrick.geometry.camera import View

MOST_COUNTED = 5  # studs from an edge that are counted at a glance
MOST_MAPS = 2  # beside a picture

Column = tuple[int, int]


def as_seen(brick: PlacedBrick, view: View) -> PlacedBrick:
    """A brick where it is after the model was turned as the view has it, so that x is to the right and y away.

    Of one that lies upside down only the box counts.
    """
    x, y, d, z = brick.x, brick.y, brick.d, brick.z
    wide, deep = brick.shape.extent(d)
    if view.upside_down:
        y, z, d = -y - deep, -brick.top, -d % 4 if brick.shape.slopes else d
    for _ in range(view.quarters % 4):
        x, y, wide, deep, d = -y - deep, x, deep, wide, (d + 1) % 4
    return replace(brick, x=x, y=y, z=z, d=d)


def maps_of(scene: Scene, always: bool = False) -> list[Layer]:
    """The maps that a scene needs: one for each layer that gets bricks whose places are hard to tell, if not always."""
    there = [as_seen(brick, scene.view) for brick in scene.before]
    new = [as_seen(brick, scene.view) for brick in scene.new]
    if scene.chunks:
        return _of_chunks(there, new, scene) if there or len(scene.sizes) > 1 else []
    ground = min(brick.z for brick in (*there, *new))
    first, then = ([brick for brick in some if brick.z == ground] for some in (there, new))
    plains = Plains((*there, *new))
    kinds: dict[tuple[int, bool], list[tuple[PlacedBrick, Arrival]]] = {}
    hard: dict[tuple[int, bool], bool] = {}  # layers, and whether a map is needed however large the picture is
    for brick, way, share in zip(new, scene.ways, scene.shares, strict=True):
        layer = brick.z, way == "from below"
        kinds.setdefault(layer, []).append((brick, way))
        lies, unseen = brick.z == ground, always or way != "from above" or share < ENOUGH
        if unseen or (_is_apart(brick, first, then) if lies else _far_from_edges(brick, plains.around(brick))):
            hard[layer] = hard.get(layer, False) or unseen or lies
    maps = [_layer(there, new, kinds[layer], *layer, scene.view) for layer in sorted(hard)]
    return [replace(each, needed=hard[layer]) for each, layer in zip(maps, sorted(hard), strict=True)][:MOST_MAPS]


def _layer(
    there: Sequence[PlacedBrick],
    new: Sequence[PlacedBrick],
    ways: Sequence[tuple[PlacedBrick, Arrival]],
    z: int,
    hangs: bool,
    view: View,
) -> Layer:
    """A map of one layer; bricks that hang have one of their own, with the layer above."""
    tops = {brick.top for brick, _ in ways}
    joined = [brick for brick in (*there, *new) if (brick.z in tops if hangs else brick.top == z)]
    return Layer(ways, [brick for brick in there if brick.z <= z < brick.top], joined, view.upside_down)


def _of_chunks(there: Sequence[PlacedBrick], new: Sequence[PlacedBrick], scene: Scene) -> list[Layer]:
    """Where what is put on as one touches what is there, if one of them cannot be counted to."""
    tops = {(x, y, brick.top) for brick in there for x, y in brick.shape.footprint(brick.pose)}
    feet = [brick for brick in new if any((*column, brick.z) in tops for column in brick.shape.footprint(brick.pose))]
    ground = min(brick.z for brick in (*there, *new))
    levels = {brick.z for brick in feet} or {ground}
    soles = [brick for brick in new if brick.z in levels]
    joined = [brick for brick in there if brick.top in levels]
    if joined and all(_lies_at_an_edge(chunk, joined) for chunk in _each(scene.sizes, new, levels)):
        return []
    beside = [brick for brick in there if any(brick.z <= z < brick.top for z in levels)]
    return [Layer([(brick, "from above") for brick in soles], beside, joined, scene.view.upside_down, as_one=True)]


def _each(sizes: Sequence[int], new: Sequence[PlacedBrick], levels: Collection[int]) -> Iterator[list[PlacedBrick]]:
    """The lowest bricks of each chunk."""
    first = 0
    for size in sizes:
        chunk = new[first : first + size]
        yield [brick for brick in chunk if brick.z in levels] or list(chunk)
        first += size


def _lies_at_an_edge(chunk: Sequence[PlacedBrick], below: Sequence[PlacedBrick]) -> bool:
    """Whether one sees how something lies on what is below: in each direction it ends with it at one side, or so that a
    few studs of it are free."""
    own, other = Extent.of(chunk), Extent.of(below)
    across = own.left - other.left, other.left + other.width - own.left - own.width
    away = own.front - other.front, other.front + other.depth - own.front - own.depth
    return all(any(0 <= end <= MOST_COUNTED for end in ends) for ends in (across, away))


def _is_apart(brick: PlacedBrick, there: Sequence[PlacedBrick], new: Sequence[PlacedBrick]) -> bool:
    """Whether a new brick on the table touches nothing that is there on it, also not over others that are new; or if
    nothing is, not all that are."""
    left = [other for other in (*there, *new) if other is not brick]
    found = edge = [brick]
    while edge:
        cells = {cell for each in edge for cell in _around(each)}
        edge = [each for each in left if not cells.isdisjoint(each.shape.footprint(each.pose))]
        left = [each for each in left if each not in edge]
        found = [*found, *edge]
    return not any(each in there for each in found) if there else bool(left)


def _around(brick: PlacedBrick) -> Iterator[Column]:
    for x, y in brick.shape.footprint(brick.pose):
        yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


class Plains:
    """The studs that are free in each layer, but for those that the new bricks of a step take."""

    def __init__(self, bricks: Sequence[PlacedBrick]) -> None:
        self._bricks = bricks
        self._free: dict[int, set[Column]] = {}

    def around(self, brick: PlacedBrick) -> set[Column]:
        """The studs beside a brick."""
        if brick.z not in self._free:
            below = _columns(each for each in self._bricks if each.top == brick.z)
            self._free[brick.z] = below - _columns(each for each in self._bricks if each.z <= brick.z < each.top)
        return self._free[brick.z]


def _far_from_edges(brick: PlacedBrick, plain: set[Column]) -> bool:
    """Whether one has to count more studs than one sees at a glance, from an edge or another brick, in a direction."""
    own = set(brick.shape.footprint(brick.pose))
    for across, away in ((1, 0), (0, 1)):
        ways = [_counted(own, plain, (sign * across, sign * away)) for sign in (1, -1)]
        if min(ways) > MOST_COUNTED:
            return True
    return False


def _counted(own: set[Column], plain: set[Column], step: Column) -> int:
    """Free studs beside a brick in one direction, where there are fewest of them."""
    fewest = MOST_COUNTED + 1
    for x, y in own:
        if (x + step[0], y + step[1]) in own:
            continue
        count = 0
        while count < fewest and (x + (count + 1) * step[0], y + (count + 1) * step[1]) in plain:
            count += 1
        fewest = min(fewest, count)
    return fewest


def _columns(bricks: Iterable[PlacedBrick]) -> set[Column]:
    return {column for brick in bricks for column in brick.shape.footprint(brick.pose)}
