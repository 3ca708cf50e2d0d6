"""What in a picture is only its background: the sheet of paper, the wall, the one colour around an object.

A background is what touches the picture's border and is alike: a colour that changes but slowly, as on a sheet that
is lit from a side, with the soft shadows on it. Whether to leave it out is decided here too; cells and their colours
are made elsewhere.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

Lab = npt.NDArray[np.float32]  # (row, column, 3) CIELAB
Mask = npt.NDArray[np.bool_]  # (row, column)
Frame = tuple[float, float, float, float]  # left, top, right and bottom of a part, the whole picture being 0 to 1

WHOLE = (0.0, 0.0, 1.0, 1.0)
LEAST_UNLIKE, MOST_UNLIKE = 5.0, 15.0  # how far from the background's colour a pixel still is of it, by the noise
RIPPLES = 0.15  # that JPEG and lenses leave around something, of how unlike the background that is,
RIPPLED, MOST_RIPPLED = 12, 24  # and how far from it: in pixels as they were, and at most in pixels as they became
DARKEST_SHADE = 40.0  # in lightness; shadows are less dark,
SOFT = 2.5  # and change less from pixel to pixel
MOST_DARKENED = 35.0  # lightness from one end of a lit sheet to the other; more is a scene
MOST_TINTED = 12.0  # the same in colour: skies change more, paper less
# How the background is grown along the border: terms of the polynomial, and how near to the last one pixels must be.
GROWN = ((1, 15.0), (3, 15.0), (3, 12.0), (6, 12.0), (6, 10.0), (6, 8.0))
FLAT = 6.0  # a background that changes less than this is of one colour
MOST_OF_BORDER = 0.8  # that a background must hold to be taken for one,
FLAT_OF_BORDER = 0.6  # or this if it is flat: a bust fills the bottom, but so does a meadow below a sky
LEAST_OF_BORDER = 0.2  # when the user wants it dropped
LEAST_OBJECT = 0.001  # of the picture; less is nearly nothing
LEAST_PART, LEAST_IN_PARTS = 1 / 50, 2 / 3  # parts this large, of the object, hold so much of it; else it is specks
CLEARLY, MOST_FAINT = 1.6, 1 / 3  # times as unlike as noise; the share of an outline that may be less clear
SPECK = 1 / 500  # of the largest part; smaller ones are noise
LEAST_HOLE, LEAST_HOLE_OF_MANY_COLOURS = 0.01, 1 / 8  # of the object with its holes filled
INDISTINGUISHABLE = 3.0  # between a hole's mean colour and the background's
LEAST_INSIDE = 0.003  # of an enclosed region; less in it is noise


class Background(NamedTuple):
    """A background of one colour that changes slowly across the picture."""

    terms: npt.NDArray[np.float64]  # (6, 3) CIELAB as a polynomial of the place in the picture
    border: float  # how much of the picture's border is of it, 0 to 1
    flat: bool  # whether it is of one colour

    @property
    def sure(self) -> bool:
        """Whether it is a background without doubt."""
        return self.border >= (FLAT_OF_BORDER if self.flat else MOST_OF_BORDER)


def background_of(colours: Lab) -> Background | None:
    """The background of a picture in CIELAB, or None if no colour holds a fifth of its border."""
    ring = _border(colours, max(1, min(colours.shape[:2]) // 100))
    border = colours[ring].astype(np.float64)  # (pixel, 3)
    places = _powers(colours)[ring]  # (pixel, 6)
    # From the commonest colour on, what fits is grown: first one colour, then a slope, then a curve.
    bins, which = np.unique((border // LEAST_UNLIKE).astype(np.int64), axis=0, return_inverse=True)
    commonest = np.bincount(which.ravel(), minlength=len(bins)).argmax()
    terms = np.zeros((6, 3))
    terms[0] = border[which.ravel() == commonest].mean(axis=0)
    for number, near in GROWN:
        alike = _far(border, places @ terms) < near
        if alike.mean() < LEAST_OF_BORDER:
            return None
        terms = np.zeros((6, 3))
        terms[:number] = np.linalg.lstsq(places[alike, :number], border[alike])[0]
    fitted = places @ terms
    unlike = _far(border, fitted)
    alike = unlike < _tolerance(unlike)
    share = float(alike.mean())
    if share < LEAST_OF_BORDER:
        return None
    change = np.ptp(fitted[alike], axis=0)
    if change[0] > MOST_DARKENED or np.hypot(change[1], change[2]) > MOST_TINTED:
        return None
    return Background(terms, share, bool(np.linalg.norm(change) < FLAT))


def object_before(background: Background, colours: Lab, frame: Frame = WHOLE, pixel: float = 1.0) -> Mask:
    """Where a picture, or the part of it inside a frame, is not background; `pixel` is how large its pixels became.

    Background is what is alike and connected to the frame's border, and holes (see `_holes`). Specks are left out.
    """
    difference = _difference(background, colours, frame)
    alike = _alike(difference, pixel)
    regions, number = ndimage.label(alike)
    outside = np.zeros(number + 1, bool)
    outside[regions[_border(colours, 1)]] = True
    outside[0] = False
    silhouette = without_specks(~outside[regions])
    enclosed = np.where(silhouette, regions, 0)
    return without_specks(silhouette & ~_holes(colours, difference, silhouette, enclosed))


def is_something(mask: Mask) -> bool:
    """Whether what is left without a background is an object, not nearly nothing nor a heap of specks."""
    area = np.count_nonzero(mask)
    if area < LEAST_OBJECT * mask.size:
        return False
    parts = np.bincount(ndimage.label(mask, np.ones((3, 3)))[0].ravel())[1:]
    return bool(parts[parts >= LEAST_PART * area].sum() >= LEAST_IN_PARTS * area)


def stands_out(background: Background, colours: Lab, mask: Mask) -> bool:
    """Whether an object ends where the picture changes, seen a few pixels on, along most of its outline.

    Where it does not, as inside a sky that pales, a scene was mistaken for a background.
    """
    unlike = np.linalg.norm(_difference(background, colours), axis=2)
    outline = mask & ~ndimage.binary_erosion(mask, border_value=True)
    beyond = ndimage.maximum_filter(unlike, 5)[outline]
    faint = beyond < CLEARLY * _tolerance(unlike[_border(mask, 1)])
    return bool(faint.mean() <= MOST_FAINT) if len(faint) else True


def without_specks(mask: Mask) -> Mask:
    """The parts of an object that are not tiny beside the largest."""
    parts, number = ndimage.label(mask, np.ones((3, 3)))
    if number < 2:
        return mask
    areas = np.bincount(parts.ravel())
    areas[0] = 0
    kept = areas >= max(2, SPECK * areas.max())
    return np.asarray(kept[parts])


def _holes(colours: Lab, difference: Lab, silhouette: Mask, enclosed: npt.NDArray[np.int32]) -> Mask:
    """Which of the enclosed regions that look like background are holes, such as the inside of an O.

    White inside an object on white may as well be white: an eye, a tooth, a shirt. If it is filled although it was
    a hole, the model still looks like the picture; the other way round it has a hole in its face. So a hole must be
    indistinguishable from the background and, where the object has several colours, an eighth of it. And if any
    enclosed region of an object has something in it, as an eye has its pupil and a drawn outline of a face its eyes,
    then that region is a surface, and so are the others; as holes they would leave that something in the air.
    """
    holes = np.zeros(silhouette.shape, bool)
    objects, _ = ndimage.label(silhouette, np.ones((3, 3)))
    areas = np.bincount(enclosed.ravel())
    for number, window in enumerate(ndimage.find_objects(objects), start=1):
        whole = objects[window] == number
        inside = np.where(whole, enclosed[window], 0)
        numbers = np.unique(inside)
        large = [each for each in numbers[numbers > 0] if areas[each] >= LEAST_HOLE * np.count_nonzero(whole)]
        if not large or any(_holds_something(inside == region) for region in large):
            continue
        solid = colours[window][whole & (inside == 0)]
        one_colour = np.mean(_far(solid, np.median(solid, axis=0)) < MOST_UNLIKE) > 0.8
        least = (LEAST_HOLE if one_colour else LEAST_HOLE_OF_MANY_COLOURS) * np.count_nonzero(whole)
        for region in large:
            middle = np.median(difference[window][inside == region], axis=0)
            if areas[region] >= least and np.linalg.norm(middle) < INDISTINGUISHABLE:
                holes[window] |= inside == region
    return holes


def _holds_something(region: Mask) -> bool:
    inside = ndimage.binary_opening(ndimage.binary_fill_holes(region) & ~region)
    return bool(np.count_nonzero(inside) > LEAST_INSIDE * np.count_nonzero(region))


def _difference(background: Background, colours: Lab, frame: Frame = WHOLE) -> Lab:
    """How each pixel differs from the background, in CIELAB."""
    places = _powers(colours, frame).astype(np.float32)
    return np.asarray(colours - places @ background.terms.astype(np.float32))


def _alike(difference: Lab, pixel: float) -> Mask:
    """Where a picture is like the background: as far as noise goes, and near something clear as far as ripples go."""
    unlike = np.linalg.norm(difference, axis=2)
    clear = ndimage.maximum_filter(unlike, 2 * min(MOST_RIPPLED, int(RIPPLED * pixel)) + 1)
    alike = unlike < np.maximum(_tolerance(unlike[_border(unlike, 1)]), RIPPLES * clear)
    return np.asarray(alike | _shaded(difference, pixel))


def _shaded(difference: Lab, pixel: float) -> Mask:
    """Where a shadow may lie: darker than the background but of its tint, and not where the picture has an edge.

    What is grey and drawn is as dark, but its outline is sharp, so that no soft way leads to it from the border.
    """
    light, tint = difference[..., 0], np.linalg.norm(difference[..., 1:], axis=2)
    soft = ndimage.gaussian_gradient_magnitude(light, 1.0) < SOFT / max(1.0, pixel)
    return np.asarray((light < 0) & (light > -DARKEST_SHADE) & (tint < LEAST_UNLIKE) & soft)


def _tolerance(border: npt.NDArray[np.floating]) -> float:
    """How unlike the background a pixel of it can be, by the noise that is seen at the border."""
    near = border[border < MOST_UNLIKE]
    noise = float(np.median(near)) if len(near) else 0.0
    return min(LEAST_UNLIKE + 2 * noise, MOST_UNLIKE)


def _far(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    return np.asarray(np.sqrt(((one - other) ** 2).sum(axis=-1)))


def _border(picture: npt.NDArray[np.generic], thick: int) -> Mask:
    """The outermost pixels of a picture (row, column, ...)."""
    ring = np.ones(picture.shape[:2], bool)
    ring[thick:-thick, thick:-thick] = False
    return ring


def _powers(picture: Lab, frame: Frame = WHOLE) -> npt.NDArray[np.float64]:
    """The powers up to the second of each pixel's place in the picture, -1 to 1, as (row, column, 6)."""
    height, width = picture.shape[:2]
    left, top, right, bottom = frame
    x = 2 * (left + (np.arange(width) + 0.5) / width * (right - left)) - 1
    y = 2 * (top + (np.arange(height) + 0.5) / height * (bottom - top)) - 1
    x, y = np.meshgrid(x, y)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
