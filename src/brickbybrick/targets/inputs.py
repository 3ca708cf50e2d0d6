"""What a user wants built: a picture, three silhouettes or a mesh, as a target, with remarks on what was made of it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Cell
from brickbybrick.geometry.voxels import Voxels, bounds, silhouettes, three_views, visual_hull
from brickbybrick.targets import images, meshes, voxelising
from brickbybrick.targets.mixing import mixed_colours
from brickbybrick.targets.painting import painted
from brickbybrick.targets.pictures import shown_picture
from brickbybrick.targets.reading import AS_TRAINED, Reading
from brickbybrick.targets.sampling import sampled
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import (
    VIEW_SIDE,
    Target,
    target_of_image,
    target_of_mosaic,
    target_of_views,
    target_of_voxels,
)

if TYPE_CHECKING:
    from PIL.Image import Image

Cells = npt.NDArray[np.int64]  # (cell, 3)
VIEWS = ("front", "side", "top")
HULL_RATIO = 1.15  # hull to volume, about what it is on the tasks with three views
MISMATCH = 1.35  # how much two views may disagree on a proportion before they are of different things
CONTRADICTION = 0.1  # share of the silhouettes' pixels that may be lost to each other
MOST_NAMED = 6  # pixels or parts in a message
FAINTEST = 16  # of 255, between the colours of pixels; less is one colour with noise
USUAL_SIZE = 32  # studs of what does not tell how much detail it has
LEANING = 4.5  # degrees
SHALLOWEST, DEEPEST = 2, 4  # studs of a picture


@dataclass(frozen=True)
class Wanted:
    """A target, and what a user should know about how it was understood."""

    target: Target
    notes: tuple[str, ...] = ()
    reading: Reading = AS_TRAINED  # how it was understood: with the size, depth and background that were chosen
    by_views: bool = False  # whether silhouettes are all that is known of it: its volume is the room that they leave
    moved: Cell = (0, 0, 0)  # cells from where a mesh lies in the grid that it spans to where it lies in the target's


def wanted_file(path: Path, reading: Reading = AS_TRAINED) -> Wanted:
    """What a picture or a mesh shows."""
    if path.suffix.lower() in meshes.ENDINGS:
        return wanted_mesh(path.name, meshes.read_mesh(path), reading)
    return wanted_picture(path.name, images.read_picture(path), reading, str(path))


def wanted_content(name: str, content: bytes, reading: Reading = AS_TRAINED) -> Wanted:
    """What the content of a picture or a mesh file shows, which its name's ending tells apart."""
    ending = "." + name.lower().rpartition(".")[2]
    if ending in meshes.ENDINGS:
        return wanted_mesh(name, meshes.decoded_mesh(content, ending, name), reading)
    if ending not in images.ENDINGS:
        known = ", ".join((*images.ENDINGS, *meshes.ENDINGS))
        raise InputError(f"{name}: neither a picture nor a mesh by its ending; give one of {known}")
    return wanted_picture(name, images.decoded_picture(BytesIO(content), name), reading)


def wanted_mesh(name: str, mesh: Mesh, reading: Reading = AS_TRAINED) -> Wanted:
    """What a mesh shows."""
    side, real = reading.size or USUAL_SIZE, reading.proportions == "real"
    made = voxelising.filled(mesh, side, reading.finer, reading.grains) if real else voxelising.touched(mesh, side)
    if not made.voxels.any():
        raise InputError(f"{mesh.name}: nothing of the mesh is left at {side} cells; is it flat or open?")
    paint = None
    if mesh.look is not None and reading.colours:
        paint = painted(made.voxels, mesh.look, sampled(_in_cells(mesh, reading)), reading.height)
    target = target_of_voxels(name, made.voxels, side=side, paint=paint, layer=reading.layer, grains=made.grains)
    x, y, z = (bounds(target.volume)[:, 0] - bounds(made.voxels)[:, 0]).tolist()
    wanted = _remarked(target, replace(reading, size=side), *mesh.notes, *_mesh_notes(made, real))
    return replace(wanted, moved=(x, y, z))


def where_it_lies(mesh: Mesh, wanted: Wanted) -> npt.NDArray[np.float64]:
    """The triangles (face, corner, axis) of a mesh of which a target was made, in studs and plates of what is built."""
    return (_in_cells(mesh, wanted.reading) + wanted.moved) * (1, 1, wanted.reading.layer)


def _in_cells(mesh: Mesh, reading: Reading) -> npt.NDArray[np.float64]:
    """The triangles of a mesh in cells of the grid that it spans."""
    side = reading.size or USUAL_SIZE
    if reading.proportions == "real":
        return voxelising.in_bricks(mesh, side, reading.finer)
    return voxelising.in_cells(mesh, side)


def _mesh_notes(made: voxelising.Filled, real: bool) -> Iterator[str]:
    if made.open_edges:
        rule = "what it shuts in is filled" if real else "cells are filled where it touches or encloses them"
        yield f"the mesh is open, {made.open_edges} edges have no second face: {rule}"
    if made.thickened:
        yield f"parts of the mesh are thinner than a cell: {made.thickened} cells are filled to keep them"


def wanted_picture(name: str, picture: "Image", reading: Reading = AS_TRAINED, called: str | None = None) -> Wanted:
    """What a picture shows; `called` is its name in messages, if that is another."""
    called = called or name
    if reading.proportions == "cubic" and not reading.colours and not reading.mosaic:  # as agents see pictures
        side = reading.size or VIEW_SIDE
        done = replace(reading, size=side, background="drop", depth=BRICK_2X4.length)
        return _remarked(target_of_image(name, images.seen_image(picture, called, side)), done)
    if reading.mosaic:
        background = "keep" if reading.background == "auto" else reading.background
        shown = shown_picture(picture, called, reading.size, 1.0, background, reading.contrast)
        colours = mixed_colours(shown.colours, reading.mixed) if reading.mixed else shown.colours
        target = target_of_mosaic(name, shown.filled, colours if reading.colours else None, reading.layer)
        return Wanted(target, shown.notes, replace(reading, size=shown.size, background=shown.background))
    if reading.background == "auto" and _is_blank(picture):
        raise InputError(f"{called}: the picture is of one colour: draw something that stands out from the background")
    shown = shown_picture(picture, called, reading.size, reading.height, reading.background, reading.contrast)
    depth = reading.depth or depth_for(len(shown.filled) * reading.height)
    target = target_of_image(name, shown.filled, depth, shown.colours if reading.colours else None, reading.layer)
    done = replace(reading, size=shown.size, background=shown.background, depth=depth)
    return _remarked(target, done, *shown.notes)


def _is_blank(picture: "Image") -> bool:
    """Whether nothing at all can be seen in a picture."""
    if picture.has_transparency_data:
        return False
    extremes = np.array(picture.convert("RGB").getextrema())  # (channel, 2)
    return bool((extremes[:, 1] - extremes[:, 0] < FAINTEST).all())


def depth_for(height: float) -> int:
    """Studs from front to back at which a picture so many studs high may lean a little before it falls over."""
    # Its centre of mass is about half way up.
    wanted = math.ceil(height * math.tan(math.radians(LEANING)))
    return min(max(wanted, SHALLOWEST), DEEPEST)


def wanted_views(name: str, paths: Sequence[Path], reading: Reading = AS_TRAINED) -> Wanted:
    """What three silhouettes show: the front, the side as seen from the right, and the top with the front below."""
    return wanted_silhouettes(name, [(str(path), images.read_picture(path)) for path in paths], reading)


def wanted_silhouettes(name: str, pictures: Sequence[tuple[str, "Image"]], reading: Reading = AS_TRAINED) -> Wanted:
    """The same from pictures, each with its name in messages."""
    side = reading.size or USUAL_SIZE
    inks = [images.cropped(images.ink_of(picture, called), 0.5) for called, picture in pictures]
    cells = extents([ink.shape for ink in inks], side, reading.height)
    shape, views = (side, side, side * reading.finer), []
    # Rows and columns of each view, by the axes that they show.
    for ink, (up, across) in zip(inks, ((2, 0), (2, 1), (1, 0)), strict=True):
        view = np.zeros((shape[up], shape[across]), bool)
        top, left = shape[up] - (shape[up] - cells[up]) // 2 - cells[up], (shape[across] - cells[across]) // 2
        drawn = images.shape_of(ink, cells[up], cells[across])
        view[top : top + cells[up], left : left + cells[across]] = drawn
        views.append(view)
    hull, notes = agreeing(name, views)
    if reading.finer == 1:
        target = target_of_views(name, three_views(hull), HULL_RATIO)
    else:
        target = target_of_voxels(name, hull, side=side, layer=reading.layer)
    return replace(_remarked(target, replace(reading, size=side), *notes), by_views=True)


def extents(shapes: Sequence[tuple[int, ...]], side: int, height: float = 1.0) -> tuple[int, int, int]:
    """How many cells, of this height, wide, deep and high an object is whose front, side and top silhouettes have these
    shapes.

    Each picture has a scale of its own, so only proportions count. Three of them are given and two are free: what they
    disagree by is shared out, and too much of it means that they show different things.
    """
    (front_z, front_x), (side_z, side_y), (top_y, top_x) = (np.log(shape) for shape in shapes)
    wide_to_high, deep_to_high, wide_to_deep = front_x - front_z, side_y - side_z, top_x - top_y
    disagreement = wide_to_high - deep_to_high - wide_to_deep
    if abs(disagreement) > np.log(MISMATCH):
        raise InputError(
            f"the three views do not belong together: by front and side the object is "
            f"{np.exp(wide_to_high - deep_to_high):.2f} times as wide as deep, by the top {np.exp(wide_to_deep):.2f}"
        )
    wide, deep = wide_to_high - disagreement / 3, deep_to_high + disagreement / 3
    lengths = np.exp([wide, deep, 0.0]) * side / np.exp(max(wide, deep, 0.0)) / (1, 1, height)
    x, y, z = (max(1, round(length)) for length in lengths.tolist())
    return x, y, z


def agreeing(name: str, views: Sequence[npt.NDArray[np.bool_]]) -> tuple[Voxels, tuple[str, ...]]:
    """What three views (row, column) leave room for, and a note on pixels that the other two leave none for; an error
    if these are many."""
    hull = visual_hull(views)
    lost = [view & ~shown for view, shown in zip(views, silhouettes(hull), strict=True)]
    places = [
        f"{VIEWS[view]} row {row + 1} column {column + 1}"
        for view, pixels in enumerate(lost)
        for row, column in np.argwhere(pixels)
    ]
    if not places:
        return hull, ()
    named = _listed(places, ", ")
    if len(places) > CONTRADICTION * sum(view.sum() for view in views):
        raise InputError(f"{name}: the views contradict each other: nothing can show all three, see {named}")
    return hull, (f"the views contradict each other in {len(places)} pixels, which are left out: {named}",)


def parts_of(volume: Voxels) -> list[Cells]:
    """The cells of each part of a volume, where parts touch each other nowhere; the largest first."""
    labels, count = ndimage.label(volume, np.ones((3, 3, 3)))
    cells = np.argwhere(labels)  # (cell, 3); a grid for each part would be too much where dust has thousands
    label = labels[labels > 0]  # (cell,)
    cells = cells[np.argsort(label, kind="stable")]
    parts = np.split(cells, np.cumsum(np.bincount(label, minlength=count + 1)[1:])[:-1])
    return sorted(parts, key=lambda part: -len(part))


def place_of(part: Cells) -> str:
    """Where a part is, in words."""
    (left, _, low), (right, _, high) = part.min(axis=0) + 1, part.max(axis=0) + 1
    return f"columns {left}-{right}, layers {low}-{high}"


def _listed(places: list[str], between: str) -> str:
    more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return between.join(places[:MOST_NAMED]) + more


def _remarked(target: Target, reading: Reading, *notes: str) -> Wanted:
    """A target with notes on it, to which comes one if it is in parts."""
    parts = parts_of(target.volume)
    if len(parts) > 1:
        places = _listed([place_of(part) for part in parts], "; ")
        notes += (f"it is in {len(parts)} parts that touch nowhere ({places}): studs must join what is built",)
    return Wanted(target, notes, reading)
