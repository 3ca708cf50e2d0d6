"""Which colours a model wants where, for those who lay its bricks; and which its bricks get in the end.

Bricks come in a few dozen colours, and not every size in each. So each cell that is seen wants a shade: the colour of
the palette that is nearest to its own. While bricks are laid, shades alone count, which is fast; then each brick gets
the colour that is nearest to what was wanted of all its faces that are seen.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import COLOURS, lab, lab_in_bricks, unlike
from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.voxels import Voxels, visible_area
from brickbybrick.made import MADE
from brickbybrick.targets.target import Paint

Codes = Sequence[int]  # LDraw's, of colours


class Shades(NamedTuple):
    """What the compiled rules know of colours. Without any shades no colour matters."""

    wanted: npt.NDArray[np.int16]  # (x, y, z) the shade that a cell wants, or -1 where any will do
    instead: npt.NDArray[np.int16]  # (size, shade) the nearest shade that bricks of a size are made in
    cost: npt.NDArray[np.float32]  # (shade, shade) of having one where another is wanted, in cells


def no_shades(shape: tuple[int, ...], inventory: Inventory) -> Shades:
    """For models of any colour."""
    none = np.zeros((len(inventory.parts), 0), np.int16)
    return Shades(np.full(shape, -1, np.int16), none, np.zeros((0, 0), np.float32))


def shades_of(paint: Paint, volume: Voxels, inventory: Inventory, palette: Codes, tolerance: float) -> Shades:
    """The shades that a painted volume wants where it is seen.

    Args:
        paint: As for targets.
        volume: What is to be built.
        inventory: The sizes of bricks, each made in some colour of the palette.
        palette: The colours that are allowed, each of which some size is made in.
        tolerance: As of orders: with more of it larger bricks are laid, with less truer colours.
    """
    tones = lab([COLOURS[code].rgb for code in palette])
    seen = (visible_area(volume) > 0) & (paint[..., 3] > 0) & volume
    different, which = np.unique(paint[seen][:, :3], axis=0, return_inverse=True)
    wanted = np.full(volume.shape, -1, np.int16)
    wanted[seen] = _nearest(lab_in_bricks(different), tones)[which.reshape(-1)]
    apart = unlike(tones[:, None], tones[None])  # (shade, shade)
    made = {size: [code in MADE[str(size)] for code in palette] for size in inventory.parts}
    instead = [np.where(made[size], apart, np.inf).argmin(axis=1) for size in inventory.parts]
    return Shades(wanted, np.array(instead, np.int16), ((apart / tolerance) ** 2).astype(np.float32))


def in_colours(inventory: Inventory, palette: Codes) -> tuple[Inventory, list[int]]:
    """What of a box was made in colours of a palette, and in which of them."""
    counts = [(size, count) for size, count in inventory.counts if set(palette) & set(MADE[str(size)])]
    if not counts:
        raise InputError("no brick of the inventory was made in a colour of the palette: give more colours, or sizes")
    made = {code for size, _ in counts for code in MADE[str(size)]}
    return Inventory(tuple(counts)), [code for code in palette if code in made]


def colours_of(bricks: Sequence[PlacedBrick], paint: Paint, palette: Codes, layer: int) -> list[int]:
    """The colour of each brick: the nearest to what is wanted of its faces that are seen, of those that its size was
    made in. Bricks of which nothing is wanted get the one that there is most of. Cells of the paint are so many plates
    high."""
    paint = paint.repeat(layer, axis=2)
    shape, tones = paint.shape[:3], lab([COLOURS[code].rgb for code in palette])
    cells = np.array([cell for brick in bricks for cell in brick.cells()]).reshape(-1, 3)
    owner = np.repeat(np.arange(len(bricks)), [brick.shape.area * brick.shape.height for brick in bricks])
    low = np.minimum(cells.min(axis=0), 0)
    filled = np.zeros(np.maximum(cells.max(axis=0) + 1, shape) - low, bool)
    filled[tuple((cells - low).T)] = True
    inside = np.asarray(((cells >= 0) & (cells < shape)).all(axis=1))
    faces = np.where(inside, visible_area(filled)[tuple((cells - low).T)], 0)  # (cell,)
    wanted = paint[tuple(np.where(inside[:, None], cells, 0).T)]  # (cell, 4)
    counts = (faces > 0) & (wanted[:, 3] > 0)
    different, which = np.unique(wanted[counts][:, :3], axis=0, return_inverse=True)
    far = unlike(lab_in_bricks(different)[:, None], tones[None])  # (colour wanted, code)
    total = np.zeros((len(bricks), len(palette)))
    np.add.at(total, owner[counts], far[which.reshape(-1)] * faces[counts][:, None])
    made = {size: np.array([code in MADE[size] for code in palette]) for size in {brick.part for brick in bricks}}
    best = [int(np.where(made[brick.part], costs, np.inf).argmin()) for brick, costs in zip(bricks, total, strict=True)]
    shown = np.bincount(owner[counts], minlength=len(bricks)) > 0
    most = [code for code, _ in Counter(best[brick] for brick in np.flatnonzero(shown).tolist()).most_common()]
    for brick in np.flatnonzero(~shown).tolist():
        best[brick] = next((code for code in most if made[bricks[brick].part][code]), best[brick])
    return [palette[code] for code in best]


def in_bricks(colours: npt.NDArray[np.uint8], palette: Codes) -> npt.NDArray[np.uint8]:
    """What colours (colour, 3) of sRGB become in the nearest of a palette, before anything else counts."""
    different, which = np.unique(colours, axis=0, return_inverse=True)
    tones = np.array([COLOURS[code].rgb for code in palette], np.uint8)
    return tones[_nearest(lab_in_bricks(different), lab(tones))][which.reshape(-1)]


def palest(palette: Codes, size: str) -> int:
    """The colour of a palette that is nearest to white, of those that a size was made in if it was in any of them."""
    codes = [code for code in palette if code in MADE[size]] or list(palette)
    white = lab([255, 255, 255])
    return min(codes, key=lambda code: float(unlike(lab(COLOURS[code].rgb), white)))


def _nearest(wanted: npt.NDArray[np.float64], tones: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    """For each colour of CIELAB (colour, 3) which of the tones (tone, 3) is the least unlike."""
    nearest: npt.NDArray[np.int16] = unlike(wanted[:, None], tones[None]).argmin(axis=1).astype(np.int16)
    return nearest
