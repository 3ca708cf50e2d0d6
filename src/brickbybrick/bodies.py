"""What there is to paint of a model in a view: the faces of its parts and their studs, from far to near.

Light, colours and lines are `picture.py`'s.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import cos, inf, pi, sin
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.camera import View
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.hiding import far_to_near, hidden, tangled
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.undersides import Inside, underside

Floats = npt.NDArray[np.float64]
Look = Literal["top", "front", "side", "roof", "stud side", "stud top"] | Inside

# Real proportions, in stud pitches.
STUD_RADIUS = 0.3
STUD_HEIGHT = 0.2
REMEMBERED = 60_000  # things whose outlines are kept: those of one model in a few views

_AROUND = np.arange(32) * (2 * pi / 32)


class Outline(NamedTuple):
    """A flat side of a thing, as it is seen."""

    look: Look
    points: Floats  # (point, 2) right and down in the picture
    edges: list[bool]  # whether what goes to each point from the one before is an edge of the part, or where it was cut
    corners: Floats | None = None  # (point, 3) in studs and plates; None for what is inside of a face, and for studs
    normal: Floats | None = None


class Thing(NamedTuple):
    """A part without its studs, or a stud."""

    box: tuple[float, ...]  # from x, y, z to x, y, z
    brick: int
    is_stud: bool

    def layers(self) -> list["Thing"]:
        """A part cut into pieces one plate high."""
        x, y, low, end_x, end_y, top = self.box
        if self.is_stud:
            return [self]
        return [self._replace(box=(x, y, z, end_x, end_y, z + 1)) for z in range(int(low), int(top))]


def frame_of(bricks: Iterable[PlacedBrick], view: View) -> tuple[Floats, Floats]:
    """The projected top left and bottom right corner around bricks and studs."""
    boxes = [
        (brick.pose[:3], (*brick.shape.extent(brick.d), brick.shape.height + STUD_HEIGHT / PLATE)) for brick in bricks
    ]
    if not boxes:
        return np.zeros(2), np.zeros(2)
    corner, extent = np.array(boxes, dtype=np.float64).transpose(1, 0, 2)  # (bricks, 3) each
    corners = corner[:, None] + np.array(list(np.ndindex(2, 2, 2))) * extent[:, None]  # (bricks, 8, 3)
    seen = corners * (1, 1, PLATE) @ view.projection
    return seen.min(axis=(0, 1)), seen.max(axis=(0, 1))


def things_of(
    bricks: Sequence[PlacedBrick], filled: Collection[Cell], view: View, only: Collection[int], studs: bool = True
) -> Iterator[Thing]:
    """What there is to paint of some bricks, from far to near; studs below cells that are filled are covered."""
    things = []
    for index in only:
        brick = bricks[index]
        along_x, along_y = brick.shape.extent(brick.d)
        box = brick.x, brick.y, brick.z, brick.x + along_x, brick.y + along_y, brick.top
        things.append(Thing(box, index, False))
        for x, y in brick.shape.studs(brick.pose) if studs else ():
            if (x, y, brick.top) not in filled:
                top = brick.top + STUD_HEIGHT / PLATE
                things.append(Thing((x, y, brick.top, x + 1, y + 1, top), index, True))
    for slab in _slabs(things, view):
        yield from _far_to_near(slab, view)


def _slabs(things: Sequence[Thing], view: View) -> Iterator[list[Thing]]:
    """From the table up, cut where a level plane goes between all: the viewer is above it, so what is below cannot hide
    what is above. A stud stands above its brick, where others hide it or it hides others."""

    def heights(thing: Thing) -> tuple[float, float]:
        return (-thing.box[5], -thing.box[2]) if view.upside_down else (thing.box[2], thing.box[5])

    slab: list[Thing] = []
    end = -inf
    for thing in sorted(things, key=lambda thing: heights(thing)[0]):
        low, high = heights(thing)
        if slab and low >= end:
            yield slab
            slab = []
        slab.append(thing)
        end = max(end, high)
    if slab:
        yield slab


def _far_to_near(slab: list[Thing], view: View) -> list[Thing]:
    """What there is to paint in the right order.

    Things of one layer never lie around each other, so that each were to be painted before the next. Those of several
    layers may; they are cut into layers.
    """
    behind_which = hidden(_boxes(slab), view.to_viewer)
    cut = tangled(behind_which)
    if cut.any():
        slab = [piece for thing, cuts in zip(slab, cut, strict=True) for piece in (thing.layers() if cuts else [thing])]
        behind_which = hidden(_boxes(slab), view.to_viewer)
    return [slab[place] for place in far_to_near(behind_which)]


def _boxes(slab: list[Thing]) -> Floats:
    """Corners of things (thing, 6) in stud pitches."""
    return np.array([thing.box for thing in slab]) * (1, 1, PLATE, 1, 1, PLATE)


def outlines_of(thing: Thing, brick: PlacedBrick, solid: Collection[Cell], view: View) -> Iterator[Outline]:
    """The faces of a thing that can be seen, except those wholly against cells that are solid."""
    if thing.is_stud:
        yield from _stud(*thing.box[:3], view)
        return
    for outlines, beyond in _sides(brick.shape, brick.pose, thing.box[2], thing.box[5], view):
        if not (beyond and all(cell in solid for cell in beyond)):
            yield from outlines


@lru_cache(REMEMBERED)
def _sides(
    part: Part, pose: Pose, low: float, high: float, view: View
) -> list[tuple[tuple[Outline, ...], tuple[Cell, ...]]]:
    """The faces of a part between two heights that look at the viewer, and the cells that hide each if they are solid;
    of the lowest face what is inside as well."""
    cuts = {low, high} - {pose.z, pose.z + part.height}
    sides = []
    for face in faces_of(part, pose.d):
        corners = pose[:3] + face.corners
        corners = _between(corners, low, high) if cuts else corners
        if face.normal @ view.to_viewer <= 0 or not len(corners):
            continue
        cells = tuple((pose.x + x, pose.y + y, pose.z + z) for x, y, z in face.beyond)
        cells = tuple(cell for cell in cells if low <= cell[2] < high) if cuts and not face.normal[2] else cells
        heights = corners[:, 2].tolist()
        edges = [not (here == heights[end - 1] and here in cuts) for end, here in enumerate(heights)]
        seen = corners * (1, 1, PLATE) @ view.projection
        outline = Outline(_look(face.normal @ view.turn), seen, edges, corners, face.normal)
        sides.append(((outline, *(_inside(part, pose, view) if face.normal[2] < -0.9 else ())), cells))
    return sides


@lru_cache(REMEMBERED)
def _stud(x: float, y: float, z: float, view: View) -> list[Outline]:
    """What is seen of a stud in a cell."""
    middle = np.array((x + 0.5, y + 0.5, PLATE * z)) @ view.projection
    return [Outline(look, middle + outline, [True]) for look, outline in _any_stud(view.pitch, view.upside_down)]


@cache
def _any_stud(pitch: float, upside_down: bool) -> list[tuple[Look, Floats]]:
    """What is seen of a stud, around the middle of its foot."""
    foot = STUD_RADIUS * np.stack([np.cos(_AROUND), np.sin(_AROUND) * sin(pitch)], axis=1)  # (32, 2)
    up = (0.0, STUD_HEIGHT * cos(pitch))
    if upside_down:  # it hangs from its brick, which hides its foot
        return [("stud side", np.concatenate([(foot + up)[:17], foot[[16, 0]]]))]
    top = foot - up
    return [("stud side", np.concatenate([foot[:17], top[[16, 0]]])), ("stud top", top)]  # the near half of the wall


def _inside(part: Part, pose: Pose, view: View) -> Iterator[Outline]:
    """What the lowest face of a part, which is seen from below, shows of its inside."""
    for look, corners in underside(part, pose.d):
        level = np.concatenate([corners, np.zeros((len(corners), 1))], axis=1) + np.array(pose[:3])
        yield Outline(look, level * (1, 1, PLATE) @ view.projection, [True])


def _between(corners: Floats, low: float, high: float) -> Floats:
    """What of an outline (corner, 3) is between two heights; nothing if that is a line at most."""
    for sign, limit in ((1.0, low), (-1.0, high)):
        inside = sign * (corners[:, 2] - limit)  # (corner,) how far
        kept = []
        for here in range(len(corners)):
            before = inside[here - 1]
            if inside[here] * before < 0:
                kept.append(corners[here - 1] + before / (before - inside[here]) * (corners[here] - corners[here - 1]))
            if inside[here] >= 0:
                kept.append(corners[here])
        corners = np.array(kept).reshape(-1, 3)
    flat = len(corners) > 0 and bool(np.ptp(corners, axis=0)[:2].max() == 0)
    return corners[:0] if len(corners) < 3 or flat else corners


def _look(normal: Floats) -> Look:
    """What light falls on a face: that of the axis that it looks along most, or of a roof."""
    if 0.1 < normal[2] < 0.9:
        return "roof"
    looks: tuple[Look, ...] = ("side", "front", "top")
    return looks[int(np.abs(normal).argmax())]
