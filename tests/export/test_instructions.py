"""Instructions show every brick as new once, in the steps given, on numbered pages that fit the paper."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from export.pdf import read, runs
from pypdf import PageObject, PdfReader

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export import instructions as module
from brickbybrick.export.instructions import instructions
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.export.stud_map import Layer
from brickbybrick.geometry.brick import BRICK_2X4

WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
BRIDGE = Construction.of_poses(
    BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0), (1, 0, 1, 0)]
)


def step_numbers(reader: PdfReader) -> list[int]:
    return [int(text) for page in reader.pages for text, size in runs(page) if size == 34.0]


def test_pages_are_numbered_and_steps_too() -> None:
    low_wall = Construction(WALL.bricks[:12])
    reader = read(instructions(low_wall, [[index] for index in range(12)]))
    total = len(reader.pages)
    for number, page in enumerate(reader.pages, start=1):
        assert f"{number} / {total}" in page.extract_text()
    assert step_numbers(reader) == list(range(1, 13))
    assert [entry.title for entry in reader.outline][:2] == ["Cover", "Steps 1 to 6"]  # type: ignore[union-attr]


def test_the_parts_of_all_steps_are_the_parts_of_the_model() -> None:
    bricks = tuple(
        PlacedBrick(("2x4", "2x2", "1x1")[z % 3], 4 * x, 0, 3 * z, 0, (4, 14, 1)[x % 3])
        for z in range(6)
        for x in range(4)
    )
    model = Construction(bricks)
    wanted = Counter((brick.part, brick.colour) for brick in bricks)
    names = {14: "yellow", 4: "red", 1: "blue"}
    text = read(instructions(model)).pages[0].extract_text()
    for (part, colour), count in wanted.items():
        assert re.search(rf"{count}x\s+{part} {names[colour]}", text)
    pages = read(instructions(model)).pages[1:-1]
    counts = [int(text[:-1]) for page in pages for text, _ in runs(page) if re.fullmatch(r"\d+x", text)]
    assert sum(counts) == len(bricks)


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch) -> list[Layer]:
    """Every map that is drawn."""
    seen: list[Layer] = []
    draw_map = module.draw_map

    def record(pages: Pages, box: Box, layer: Layer, *rest: Any) -> None:
        seen.append(layer)
        draw_map(pages, box, layer, *rest)

    monkeypatch.setattr(module, "draw_map", record)
    return seen


def test_every_brick_is_new_once_on_the_map_of_its_layer(maps: list[Layer]) -> None:
    instructions(WALL, [list(range(start, start + 4)) for start in range(56, -1, -4)])
    new = [(layer.number, brick) for layer in maps for brick, _ in layer.new]
    assert sorted(brick.step for _, brick in new) == list(range(60))
    assert all(number == brick.z // 3 + 1 for number, brick in new)


def test_maps_show_what_new_bricks_join(maps: list[Layer]) -> None:
    instructions(BRIDGE, [[index] for index in range(6)])
    below, hangs, between = maps[1], maps[3], maps[5]
    assert (below.number, [brick.step for brick in below.joined]) == (2, [0])
    assert hangs.new == [(BRIDGE.bricks[3], "from below")]
    assert [brick.step for brick in hangs.joined] == [2]  # the layer above, from which it hangs
    assert [brick.step for brick in hangs.there] == [1]
    assert between.new[0][1] == "in between"


def test_bricks_that_hang_are_marked() -> None:
    text = "".join(page.extract_text() for page in read(instructions(BRIDGE)).pages)
    assert "from below" in text
    assert "slide in" in text
    upright = Construction(BRIDGE.bricks[:3])
    assert "from below" not in "".join(page.extract_text() for page in read(instructions(upright)).pages)


def test_files_are_sharp_and_always_the_same() -> None:
    assert instructions(BRIDGE) == instructions(BRIDGE)
    reader = read(instructions(BRIDGE, target=np.eye(14, dtype=bool)[None]))
    assert not any("/XObject" in page["/Resources"] for page in reader.pages)  # so no pictures made of pixels
    fonts = {font["/BaseFont"] for page in reader.pages for font in fonts_of(page)}
    assert fonts <= {"/Helvetica", "/Helvetica-Bold"}


def fonts_of(page: PageObject) -> Iterator[Any]:
    return (font.get_object() for font in page["/Resources"]["/Font"].values())  # type: ignore[index]


def test_sixty_bricks_in_sixty_steps_take_a_second_and_a_third_of_a_megabyte() -> None:
    start = time.process_time()
    data = instructions(WALL, [[index] for index in range(60)])
    assert time.process_time() - start < 3  # a second on an idle machine
    assert len(data) < 350_000


def test_a_model_of_three_hundred_bricks_is_no_burden() -> None:
    poses = [(4 * x + 2 * (z % 2), 2 * y, z, 1) for z in range(10) for y in range(5) for x in range(6)]
    start = time.process_time()
    data = instructions(Construction.of_poses(BRICK_2X4, poses))
    assert time.process_time() - start < 8
    assert len(data) < 1_000_000


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_pages_have_the_size_of_the_paper(paper: str, size: tuple[int, int]) -> None:
    for page in read(instructions(BRIDGE, paper=paper)).pages:
        assert (round(page.mediabox.width), round(page.mediabox.height)) == size


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    "poses",
    [
        [(0, 0, 0, 0)],
        [(0, 0, z, 0) for z in range(40)],
        [(4 * x, 0, 0, 1) for x in range(16)],
        [(2 * x, 4 * y, 0, 0) for x in range(9) for y in range(9)],
    ],
    ids=["brick", "tower", "row", "plain"],
)
def test_nothing_leaves_the_page(
    poses: list[tuple[int, int, int, int]], paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes: list[Box] = []
    rectangle, drawing = Pages.rectangle, Pages.drawing

    def record_rectangle(self: Pages, box: Box, *args: Any, **kwargs: Any) -> None:
        boxes.append(box)
        rectangle(self, box, *args, **kwargs)

    def record_drawing(self: Pages, *args: Any) -> Box:
        boxes.append(drawing(self, *args))
        return boxes[-1]

    monkeypatch.setattr(Pages, "rectangle", record_rectangle)
    monkeypatch.setattr(Pages, "drawing", record_drawing)
    page = read(instructions(Construction.of_poses(BRICK_2X4, poses), paper=paper)).pages[0]
    for box in boxes:
        assert min(box.width, box.height) > 1
        assert min(box.left, box.top) >= 39
        assert box.right <= float(page.mediabox.width) - 39
        assert box.bottom <= float(page.mediabox.height) - 25


def test_what_cannot_be_built_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="without bricks"):
        instructions(Construction(()))
    with pytest.raises(InputError, match="name every brick once"):
        instructions(BRIDGE, [[0, 1]])
    with pytest.raises(InputError, match="no paper 'a3'"):
        instructions(BRIDGE, paper="a3")
    with pytest.raises(InputError, match="3 axes of True and False"):
        instructions(BRIDGE, target=np.eye(14, dtype=bool))
    with pytest.raises(InputError, match="no colour 999"):
        instructions(Construction((PlacedBrick("2x4", 0, 0, 0, 0, colour=999),)))
