"""Maps show bricks where they are, seen from above, the front at the bottom."""

from collections.abc import Sequence
from typing import Any

import pytest
from export.pdf import read

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.export.stud_map import CAPTION, FRONT, Extent, Layer, draw_map
from brickbybrick.geometry.brick import BRICK_2X4

MODEL = Construction.of_poses(BRICK_2X4, [(3, -2, 0, 0), (5, 0, 0, 1)])


class Recorded(Pages):
    """Pages that remember their rectangles and circles."""

    def __init__(self) -> None:
        super().__init__("a4", "a map")
        self.boxes: list[Box] = []
        self.studs: list[tuple[float, float]] = []

    def rectangle(self, box: Box, *style: Any, **more: Any) -> None:
        self.boxes.append(box)
        super().rectangle(box, *style, **more)

    def circle(self, middle: tuple[float, float], *style: Any, **more: Any) -> None:
        self.studs.append(middle)
        super().circle(middle, *style, **more)


def drawn(new: Sequence[PlacedBrick], there: Sequence[PlacedBrick] = (), upside_down: bool = False) -> Recorded:
    """A map of the model's extent with ten points a stud."""
    pages, extent = Recorded(), Extent.of(MODEL.bricks)
    box = Box(100, 200, 10 * extent.width, 10 * extent.depth + CAPTION + FRONT)
    draw_map(pages, box, Layer([(brick, "from above") for brick in new], there, [], upside_down), extent)
    return pages


def test_an_extent_is_the_studs_that_bricks_cover() -> None:
    """2 x 4 studs from (3, -2) and 4 x 2 from (5, 0) cover 6 x 4."""
    assert Extent.of(MODEL.bricks) == Extent(left=3, front=-2, width=6, depth=4)


def test_bricks_are_to_the_right_of_what_has_a_smaller_x_and_below_what_has_a_larger_y() -> None:
    pages = drawn(MODEL.bricks)
    top = 200 + CAPTION
    assert any(box == pytest.approx((100, top, 20, 40)) for box in pages.boxes)
    assert any(box == pytest.approx((120, top, 40, 20)) for box in pages.boxes)


def test_a_new_brick_shows_its_studs_and_one_that_is_there_does_not() -> None:
    first, second = MODEL.bricks
    assert len(drawn([first], [second]).studs) == 8
    assert sorted(drawn([first]).studs)[0] == pytest.approx((105, 200 + CAPTION + 5))
    assert len(drawn(MODEL.bricks).studs) == 16


def test_parts_have_studs_where_they_have_them_and_none_from_below() -> None:
    assert len(drawn([PlacedBrick("tile 2x4", 3, -2, 0, 0)]).studs) == 0
    (stud,) = drawn([PlacedBrick("slope 45 2x1", 3, -2, 0, 2)]).studs  # it falls to the left
    assert stud == pytest.approx((115, 200 + CAPTION + 35))
    assert drawn(MODEL.bricks, upside_down=True).studs == []


def test_the_studs_around_two_extents_are_those_of_both() -> None:
    assert Extent(0, 0, 2, 3).with_all_of(Extent(-1, 2, 2, 4)) == Extent(-1, 0, 3, 6)


def test_a_map_names_its_side_and_the_front() -> None:
    (page,) = read(drawn(MODEL.bricks).close()).pages
    assert "Seen from above" in page.extract_text()
    assert "front" in page.extract_text()


def test_what_is_put_on_as_one_has_a_line_around_all_of_it_alone() -> None:
    """Bricks are filled once more after all lines, which covers those between them."""
    pages, (first, second) = Recorded(), MODEL.bricks
    layer = Layer([(brick, "from above") for brick in (first, second)], [], [], as_one=True)
    draw_map(pages, Box(100, 200, 60, 40 + CAPTION + FRONT), layer, Extent.of(MODEL.bricks))
    assert pages.studs == []
    places = [box for box in pages.boxes if box[2:] in ((20, 40), (40, 20))]
    assert places[-2:] == [places[0], next(place for place in places if place != places[0])]
