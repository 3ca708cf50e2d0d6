"""A step's panel: its picture fills it, new bricks are outlined, and arrows are where little is seen of them."""

from typing import Any

import pytest
from export.furniture import BY_HAND, TABLE
from export.pdf import read, runs

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export import panel as module
from brickbybrick.export.book import Scene, passages_of
from brickbybrick.export.panel import MOST_PITCH, draw_scene, fitted, picture_of
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.handwork.work import in_one_go
from brickbybrick.picture import BAND, Point

PANEL = Box(50, 60, 240, 220)
SCENES = {scene.name: scene for passage in passages_of(TABLE, BY_HAND) for scene in passage.scenes}


class Recorded(Pages):
    """Pages that remember where drawings came to lie, and how many points a stud has in each."""

    def __init__(self) -> None:
        super().__init__("a4", "a panel")
        self.placed: list[tuple[Box, float]] = []

    def drawing(self, drawing: Any, *where: Any) -> Box:
        box = super().drawing(drawing, *where)
        self.placed.append((box, box.width / drawing.width))
        return box


@pytest.fixture
def arrows(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    found: list[Point] = []
    monkeypatch.setattr(module, "draw_arrow", lambda _pages, tip, _length: found.append(tip))
    return found


def drawn(scene: Scene, panel: Box = PANEL) -> Recorded:
    pages = Recorded()
    draw_scene(pages, panel, scene, ())
    return pages


@pytest.mark.parametrize("name", SCENES)
def test_the_picture_fills_what_is_left_of_its_panel(name: str) -> None:
    pages = drawn(SCENES[name])
    box, pitch = pages.placed[-1]
    assert box.left >= PANEL.left - 0.01
    assert box.right <= PANEL.right + 0.01
    assert box.bottom <= PANEL.bottom + 0.01
    assert pitch == pytest.approx(MOST_PITCH) or max(box.width / PANEL.width, box.height / PANEL.height) > 0.45


def test_all_new_bricks_and_no_others_are_outlined() -> None:
    for scene in SCENES.values():
        banded = {shape.brick for shape in picture_of(scene).shapes if shape.fill == BAND}
        there = len(scene.before)
        assert banded <= set(range(there, len(scene.bricks)))
        assert set(range(len(scene.bricks) - len(scene.single), len(scene.bricks))) <= banded


def test_one_band_goes_around_what_is_put_on_as_one() -> None:
    """The lines between the bricks of a leg are not part of it."""
    one = picture_of(SCENES["B1"]).shapes  # four bricks that are put on one by one
    whole = picture_of(SCENES["A3"]).shapes  # four legs of them
    assert sum(shape.fill == BAND for shape in whole) < 4 * sum(shape.fill == BAND for shape in one)


def test_what_is_put_on_as_one_has_an_arrow_each(arrows: list[Point]) -> None:
    drawn(SCENES["A3"])
    assert len(arrows) == 4
    drawn(SCENES["1"])
    assert len(arrows) == 4  # the first thing on the table needs none


def test_bricks_that_little_is_seen_of_have_an_arrow(arrows: list[Point]) -> None:
    back, front = ([PlacedBrick("1x8", 0, y, 3 * z, 1) for z in range(2)] for y in (2, 0))
    floor = [PlacedBrick("plate 4x8", 0, 0, -1, 1)]
    between = [PlacedBrick("1x1", 3, 1, 0, 0)]
    (passage,) = passages_of(Construction((*floor, *back, *front, *between)), in_one_go([[0], [1, 2], [3, 4], [5]]))
    for scene, wanted in zip(passage.scenes, (0, 0, 0, 1), strict=True):
        arrows.clear()
        drawn(scene)
        assert len(arrows) == wanted


def test_arrows_stay_below_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a tower's last brick little is seen between others that are as high: its arrow comes from above all."""
    tops: list[float] = []
    monkeypatch.setattr(module, "draw_arrow", lambda _pages, tip, length: tops.append(tip[1] - length))
    around = [PlacedBrick("1x1", x, y, 0, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    model = Construction((*around, PlacedBrick("plate 1x1", 1, 1, 0, 0)))
    (passage,) = passages_of(model, in_one_go([range(8), [8]]))
    for scene in (passage.scenes[-1], SCENES["A3"], SCENES["3"]):
        tops.clear()
        drawn(scene)
        header = fitted(Recorded(), PANEL, scene, ()).header
        assert tops
        assert min(tops) > PANEL.top + header.height - 4


def test_a_panel_says_its_number_its_parts_and_what_to_do() -> None:
    texts = {name: [text for text, _ in runs(read(drawn(scene).close()).pages[0])] for name, scene in SCENES.items()}
    for name, said in texts.items():
        assert said[0] == name
    assert texts["A3"][1:3] == ["B", "4x"]
    assert "hold it" in texts["C2"]
    assert "hold it" not in texts["C1"]


def test_a_map_with_fine_studs_gives_way_to_a_larger_picture() -> None:
    """A brick in the midst of a floor: 30 studs of a map do not fit beside its picture in a small panel."""
    floor = [PlacedBrick("plate 6x6", 6 * x, 6 * y, 0, 0) for x in range(5) for y in range(5)]
    model = Construction((*floor, PlacedBrick("1x1", 15, 15, 1, 0)))
    (passage,) = passages_of(model, in_one_go([range(25), [25]]))
    small, large = (fitted(Recorded(), box, passage.scenes[-1], ()) for box in (PANEL, Box(40, 40, 515, 700)))
    assert [len(fit.maps) for fit in (small, large)] == [0, 1]
    assert small.picture.width == PANEL.width
