"""The band around a new brick is whole where the brick is seen, and hidden where other bricks hide it."""

import numpy as np
import pytest
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.faces import PLATE
from brickbybrick.picture import BRIGHT, Drawing, draw, paint

SIZE = (900, 900)
FLOOR = [PlacedBrick("plate 2x4", 2 * x, 4 * y, 0, 0) for x in range(3) for y in range(3)]
MIDDLE = 4


def bright_shares(bricks: list[PlacedBrick], quarters: int) -> list[float]:
    """Of each edge around the top of the middle plate, the share of places at which the bright line is seen."""
    view = in_book(quarters)
    drawing = draw(Construction(tuple(bricks)), view=view, new=[[MIDDLE]])
    picture = paint(drawing, SIZE)
    corners = [(2, 4), (4, 4), (4, 8), (2, 8)]
    shares = []
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        places = [np.array(start) + (np.array(end) - start) * share for share in np.linspace(0.04, 0.96, 60)]
        seen = [np.array((*place, PLATE)) @ view.projection - drawing.origin for place in places]
        shares.append(float(np.mean([_is_bright(picture, drawing, place) for place in seen])))
    return shares


def _is_bright(picture: Image.Image, drawing: Drawing, place: np.ndarray) -> bool:
    margin = 0.04 * min(SIZE)
    scale = min((SIZE[0] - 2 * margin) / drawing.width, (SIZE[1] - 2 * margin) / drawing.height)
    x = (SIZE[0] - scale * drawing.width) / 2 + scale * place[0]
    y = (SIZE[1] - scale * drawing.height) / 2 + scale * place[1]
    pixel = picture.getpixel((round(float(x)), round(float(y))))
    return bool(np.abs(np.array(pixel) - BRIGHT).max() < 60)


@pytest.mark.parametrize("quarters", range(4))
def test_studs_do_not_cut_a_band_into_dashes(quarters: int) -> None:
    """A plate among eight others, whose studs rise in front of its edges."""
    assert min(bright_shares(FLOOR, quarters)) > 0.95


def test_bricks_in_front_hide_a_band() -> None:
    """A wall of four bricks along the front of the plate is higher than its front edge is deep in the picture."""
    wall = [PlacedBrick("2x4", x, 2, 1 + 3 * up, 1) for x in (0, 4) for up in range(4)]
    front, right, _, left = bright_shares(FLOOR + wall, 0)
    assert front == 0
    assert max(left, right) < 0.5


def test_bricks_behind_do_not() -> None:
    wall = [PlacedBrick("2x4", x, 8, 1 + 3 * up, 1) for x in (0, 4) for up in range(4)]
    assert min(bright_shares(FLOOR + wall, 0)) > 0.95
