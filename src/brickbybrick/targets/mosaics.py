"""From the samples of a picture to cells: which are filled, and in what colour.

A cell stands for about a hundred samples. It is filled where half of them are of the object, but strokes thinner than
a cell stay connected; it has the colour that is commonest among them, not a mixture.
"""

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.colours import LIGHT, seen
from brickbybrick.targets.backgrounds import Lab, Mask

Kind = TypeVar("Kind", bound=np.generic)

HALF = 0.5  # of a cell; fuller ones are filled
THIN = 0.3  # of a cell; thinner strokes are lost
REACH = 0.5  # of a cell; how far from a filled cell beside it a stroke is shown by that
FAR = 0.8  # of a cell; what is farther from every filled cell is lost
UNSHOWN = 0.04  # of a cell; where more of a stroke is not shown by its neighbours, the cell is filled
CORNER = 0.15  # cells; less that is thinner than a cell is the corner of something thick
LEAST_SHOWN = 0.1  # cells; less of a piece in a cell is not shown by it
LOST = 0.25  # cells; more of the object that is shown nowhere is worth a note
ALIKE = 12.0  # in CIELAB; how near samples are that count as of one colour
DARKER = 30.0  # in lightness; lines that are so much darker than what is around them are drawn
SPOT = 3  # cells; what is larger than such lines and spots is an area
ENOUGH = 0.4  # of a cell without its dark lines; with less, all of it counts
DEEP = 0.25  # of a cell from the object's edge; nothing of the background is mixed in there any more
ASKED = 25  # samples of a cell that are asked how many others are like them


class Samples(NamedTuple):
    """A picture laid on cells, each in as many samples across as down."""

    rgb: npt.NDArray[np.uint8]  # (row, column, sample, 3)
    colours: Lab  # (row, column, sample, 3)
    object: Mask  # (row, column, down, across) where it is not background

    @classmethod
    def of(cls, rgb: npt.NDArray[np.uint8], colours: Lab, mask: Mask, fine: int) -> "Samples":
        """Of pictures whose sides are multiples of `fine`, the samples of a cell across."""
        flat = (mask.shape[0] // fine, mask.shape[1] // fine, fine * fine, 3)
        return cls(_by_cell(rgb, fine).reshape(flat), _by_cell(colours, fine).reshape(flat), _by_cell(mask, fine))


def fill_of(mask: Mask) -> tuple[Mask, bool]:
    """Which cells (row, column) to fill of an object (row, column, down, across); whether parts are lost or broken.

    Those are cells of which half is object; then, of what is thinner than a cell, those that the filled ones beside
    them do not show yet; then those that join filled cells which the strokes join. So a stroke wider than about 0.4 of
    a cell stays, and stays connected by the sides of its cells, wherever it falls on the grid.
    """
    fine = mask.shape[2]
    covered = mask.mean(axis=(2, 3))
    filled = covered >= HALF
    if filled.all():
        return filled, False
    strokes, thin = _strokes(mask)
    beside = _near(fine, REACH) & np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], bool)[..., None, None]
    partly = np.argwhere(~filled & strokes.any(axis=(2, 3)))
    partly = partly[np.argsort(-covered[tuple(partly.T)].round(2), stable=True)]  # the fullest first
    around = np.pad(filled, 1)  # the cell (row, column) and its neighbours are at [row : row + 3, column : column + 3]
    for row, column in partly:
        shown = beside[around[row : row + 3, column : column + 3]].any(axis=0)
        if np.count_nonzero(thin[row, column] & ~shown) >= UNSHOWN * fine * fine:
            around[row + 1, column + 1] = True
    for row, column in partly:
        if not around[row + 1, column + 1] and _joins(strokes[row, column], around[row : row + 3, column : column + 3]):
            around[row + 1, column + 1] = True
    filled = around[1:-1, 1:-1].copy()
    return filled, _lost(mask, around) >= LOST * fine * fine or _broken(mask, filled)


def colours_of(samples: Samples, filled: Mask) -> npt.NDArray[np.uint8]:
    """The colour (row, column, 3) in sRGB of each filled cell: the commonest among its samples of the object.

    The sample that has the most others like it is found, and they are averaged in linear light. In a flat drawing
    those are of one of its colours, in a photo most of the cell, so that noise and fine texture are averaged. Samples
    at the object's edge, in which the background may be mixed, count only where a cell has no deeper ones.

    Dark lines and spots, with which people draw, are laid on the cells as objects are (see `fill_of`), so that they
    neither vanish nor become dashes. In their cells only they count, and in the others the rest.
    """
    fine = samples.object.shape[2]
    dark = _drawn(samples)
    drawn = fill_of(dark)[0] & filled
    wanted = samples.object & (dark == drawn[..., None, None])
    enough = wanted.sum(axis=(2, 3), keepdims=True) >= ENOUGH * samples.object.sum(axis=(2, 3), keepdims=True)
    wanted = np.where(enough | drawn[..., None, None], wanted, samples.object)[filled].reshape(-1, fine * fine)
    deep = ndimage.distance_transform_edt(np.pad(_as_picture(samples.object), fine, mode="edge"))
    deep = _by_cell(deep[fine:-fine, fine:-fine], fine)[filled].reshape(-1, fine * fine) * wanted  # (cell, sample)
    counted = (wanted & (deep >= np.minimum(DEEP * fine, deep.max(axis=1, keepdims=True)))).astype(np.float32)
    colours = samples.colours[filled]  # (cell, sample, 3)
    middle = _commonest(colours, counted)
    for _ in range(2):
        weights = counted * np.exp(_squared(colours, middle) / (-2 * ALIKE**2))
        middle = _mean(colours, weights)
    result = np.zeros((*filled.shape, 3), np.uint8)
    result[filled] = seen(_mean(LIGHT[samples.rgb[filled]], weights))
    return result


def _strokes(mask: Mask) -> tuple[Mask, Mask]:
    """What of an object is thick enough not to be lost, and what of that is thinner than a cell."""
    fine = mask.shape[2]
    whole = np.pad(_as_picture(mask), fine)
    strokes = ndimage.binary_opening(whole, _nib(fine))
    core = ndimage.distance_transform_edt(whole) > fine / 2
    thick = ndimage.distance_transform_edt(~core) <= fine / 2 if core.any() else core
    parts, _ = ndimage.label(strokes & ~thick, np.ones((3, 3)))
    areas = np.bincount(parts.ravel())
    thin = (areas >= CORNER * fine * fine)[parts] & (parts > 0)
    inside = slice(fine, -fine), slice(fine, -fine)
    return _by_cell(strokes[inside], fine), _by_cell(thin[inside], fine)


def _drawn(samples: Samples) -> Mask:
    """Where lines and spots of less than a few cells are clearly darker than what is around them."""
    fine = samples.object.shape[2]
    light = samples.colours[..., 0].reshape(samples.object.shape)
    light = _as_picture(np.where(samples.object, light, 100))
    around = ndimage.grey_closing(light, (SPOT * fine + 1, SPOT * fine + 1))
    return _by_cell(around - light > DARKER, fine) & samples.object


def _commonest(colours: Lab, counted: npt.NDArray[np.float32]) -> Lab:
    """Of samples (cell, sample, 3) those (cell, 3) that have the most others of one colour with them."""
    step = -(-colours.shape[1] // ASKED)
    asked = colours[:, ::step]
    like = np.stack(
        [(counted * (_squared(colours, asked[:, each]) < ALIKE**2)).sum(axis=1) for each in range(asked.shape[1])],
        axis=1,
    )  # (cell, asked)
    like *= counted[:, ::step]
    best = np.take_along_axis(asked, like.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    first = np.take_along_axis(colours, counted.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    return np.where(like.max(axis=1, keepdims=True) > 0, best, first)


def _squared(colours: Lab, middle: Lab) -> npt.NDArray[np.float32]:
    """How far samples (cell, sample, 3) are from a colour of each cell (cell, 3), squared."""
    return np.asarray(((colours - middle[:, None]) ** 2).sum(axis=2))


def _mean(values: npt.NDArray[np.float32], weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The weighted mean (cell, 3) of values (cell, sample, 3)."""
    return np.asarray((weights[:, None] @ values)[:, 0] / weights.sum(axis=1, keepdims=True))


def _joins(stroke: Mask, around: Mask) -> bool:
    """Whether a stroke (down, across) inside the middle of 3 x 3 cells joins filled ones that are not joined yet."""
    if np.count_nonzero(around[[0, 2, 1, 1], [1, 1, 0, 2]]) < 2:
        return False
    parts, _ = ndimage.label(around)
    pieces, number = ndimage.label(stroke)
    sides = (((0, 1), pieces[0]), ((2, 1), pieces[-1]), ((1, 0), pieces[:, 0]), ((1, 2), pieces[:, -1]))
    for piece in range(1, number + 1):
        if len({int(parts[cell]) for cell, edge in sides if around[cell] and (edge == piece).any()}) > 1:
            return True
    return False


def _lost(mask: Mask, around: Mask) -> int:
    """How many samples of the object are far from every filled cell."""
    rows, columns = mask.shape[:2]
    near = _near(mask.shape[2], FAR)
    shown = np.zeros(mask.shape, bool)
    for down in range(3):
        for across in range(3):
            neighbour = around[down : down + rows, across : across + columns]
            shown |= neighbour[..., None, None] & near[down, across]
    return int(np.count_nonzero(mask & ~shown))


def _broken(mask: Mask, filled: Mask) -> bool:
    """Whether anything that is in one piece in the picture is in several among the cells."""
    fine = mask.shape[2]
    pieces, _ = ndimage.label(_as_picture(mask), np.ones((3, 3)))
    parts, number = ndimage.label(filled)
    part = np.broadcast_to(parts[..., None, None], mask.shape)
    shared = mask & (part > 0)
    pairs, areas = np.unique(_by_cell(pieces, fine)[shared] * (number + 1) + part[shared], return_counts=True)
    shown = pairs[areas >= LEAST_SHOWN * fine * fine] // (number + 1)
    return len(np.unique(shown)) < len(shown)


def _near(fine: int, reach: float) -> Mask:
    """Which samples of a cell are within reach of each of the 3 x 3 cells around it, as (3, 3, down, across)."""
    place = (np.arange(fine) + 0.5) / fine
    gaps = np.stack([place, np.zeros(fine), 1 - place])  # (neighbour, sample) the way to a neighbour along one axis
    distance = np.hypot(gaps[:, None, :, None], gaps[None, :, None, :])
    return np.asarray(distance <= reach)


def _nib(fine: int) -> Mask:
    """What fits into every stroke that is thick enough."""
    across = max(2, round(THIN * fine))
    if across == 2:
        return np.ones((2, 2), bool)
    place = np.arange(across) - (across - 1) / 2
    return np.asarray(np.hypot(place[:, None], place[None, :]) <= across / 2 - 0.1)


def _by_cell(picture: npt.NDArray[Kind], fine: int) -> npt.NDArray[Kind]:
    """A picture (row, column, ...) cut into cells, as (row, column, down, across, ...)."""
    height, width = picture.shape[:2]
    cut = picture.reshape(height // fine, fine, width // fine, fine, *picture.shape[2:])
    return np.ascontiguousarray(cut.swapaxes(1, 2))


def _as_picture(cells: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """Cells (row, column, down, across) put together again."""
    rows, columns, fine, _ = cells.shape
    return cells.swapaxes(1, 2).reshape(rows * fine, columns * fine)
