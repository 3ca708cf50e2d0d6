"""Which colours a model wants where, for those who lay its bricks.

Bricks come in a few dozen colours, and not every size in each. So each cell that is seen wants a shade: the colour of
the palette that is nearest to its own. While bricks are laid, shades alone count, which is fast; which colours the
bricks get in the end is `colouring.py`'s.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.sharing import Codes, Rack
from brickbybrick.colours import COLOURS, lab, lab_in_bricks, unlike
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.voxels import Voxels, visible_area
from brickbybrick.made import MADE
from brickbybrick.targets.target import Paint


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
    rack = Rack(inventory.entries, palette)
    instead = [np.where(rack.of(size), apart, np.inf).argmin(axis=1) for size in inventory.parts]
    return Shades(wanted, np.array(instead, np.int16), ((apart / tolerance) ** 2).astype(np.float32))


def in_colours(inventory: Inventory, palette: Codes) -> tuple[Inventory, list[int]]:
    """What of a box there is in colours of a palette, and in which of them."""
    wanted = set(palette)
    found = [
        entry
        for entry in inventory.entries
        if wanted & ({entry.colour} if entry.colour is not None else set(MADE[str(entry.part)]))
    ]
    advice = "give more colours, or sizes"
    box = inventory.only(found, f"no brick of the inventory was made in a colour of the palette: {advice}")
    rack = Rack(box.entries, palette)
    there = np.any([rack.of(part) for part in box.parts], axis=0)
    return box, [code for code, is_there in zip(palette, there.tolist(), strict=True) if is_there]


def in_bricks(colours: npt.NDArray[np.uint8], palette: Codes) -> npt.NDArray[np.uint8]:
    """What colours (colour, 3) of sRGB become in the nearest of a palette, before anything else counts."""
    different, which = np.unique(colours, axis=0, return_inverse=True)
    tones = np.array([COLOURS[code].rgb for code in palette], np.uint8)
    return tones[_nearest(lab_in_bricks(different), lab(tones))][which.reshape(-1)]


def _nearest(wanted: npt.NDArray[np.float64], tones: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    """For each colour of CIELAB (colour, 3) which of the tones (tone, 3) is the least unlike."""
    nearest: npt.NDArray[np.int16] = unlike(wanted[:, None], tones[None]).argmin(axis=1).astype(np.int16)
    return nearest
