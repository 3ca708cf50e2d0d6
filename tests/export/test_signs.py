"""Signs point where they should and stay where they are put."""

from typing import Any

import pytest

from brickbybrick.export.sheet import Box, Pages
from brickbybrick.export.signs import draw_arrow, draw_hold, draw_turn, draw_turn_over
from brickbybrick.picture import Point


class Recorded(Pages):
    """Pages that remember the corners of their polygons."""

    def __init__(self) -> None:
        super().__init__("a4", "signs")
        self.corners: list[Point] = []

    def polygon(self, points: Any, *style: Any, **more: Any) -> None:
        self.corners += points
        super().polygon(points, *style, **more)


def test_an_arrow_points_down_at_its_place() -> None:
    pages = Recorded()
    draw_arrow(pages, (100, 200), 20)
    assert max(y for _, y in pages.corners) == 200
    assert min(y for _, y in pages.corners) == 180
    assert [x for x, y in pages.corners if y == 200] == [100, 100]


@pytest.mark.parametrize("draw", [draw_turn, draw_turn_over])
def test_turning_arrows_stay_in_their_disc_and_go_around_its_middle(draw: Any) -> None:
    pages = Recorded()
    draw(pages, (100, 200), 12)
    assert all((x - 100) ** 2 + (y - 200) ** 2 <= 12.1**2 for x, y in pages.corners)
    assert sum(x for x, _ in pages.corners) / len(pages.corners) == pytest.approx(100)
    assert sum(y for _, y in pages.corners) / len(pages.corners) == pytest.approx(200)


def test_hold_says_where_it_is() -> None:
    box = draw_hold(Recorded(), (50, 60))
    assert isinstance(box, Box)
    assert (box.left, box.top) == (50, 60)
    assert 20 < box.width < 46
