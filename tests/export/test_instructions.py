"""Instructions show every brick as new once, in the steps given, on numbered pages that fit the paper."""

import io
import re
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pypdf import PageObject, PdfReader

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export import instructions as module
from brickbybrick.export.cover import from_behind
from brickbybrick.export.instructions import instructions
from brickbybrick.export.sheet import Box, Pages, printable
from brickbybrick.export.stud_map import Layer
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.picture import PALETTE

Run = tuple[str, float]  # a text and the size of its letters

WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
BRIDGE = Construction.of_poses(
    BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0), (1, 0, 1, 0)]
)


def read(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data), strict=True)


def runs(page: PageObject) -> list[Run]:
    """Every text of a page with its size."""
    found: list[Run] = []

    def visit(text: str, _cm: Any, matrix: Any, _font: Any, size: float) -> None:
        if text.strip():
            found.append((text.strip(), round(size * abs(matrix[3]), 1)))

    page.extract_text(visitor_text=visit)
    return found


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
        PlacedBrick(("2x4", "2x2", "1x1")[z % 3], 4 * x, 0, z, 0, (4, 14, 1)[x % 3]) for z in range(6) for x in range(4)
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
    assert all(number == brick.z + 1 for number, brick in new)


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


def test_the_cover_tells_what_is_built() -> None:
    views = np.eye(14, dtype=bool)[None].repeat(3, axis=0)
    verdict = [
        "All bricks are joined.",
        "It stands on a table, and on a studded plate even better.",
    ]
    page = read(instructions(WALL, title="A wall", views=views, verdict=verdict)).pages[0]
    text = " ".join(page.extract_text().split())
    assert "A wall" in text
    assert "60 bricks" in text
    assert "26 x 2 studs, 10 layers" in text
    assert "20.8 x 1.6 x 9.6 cm" in text
    assert "60x" in text
    assert all(word in text for word in ("front", "side", "top", *verdict))


def test_a_long_verdict_leaves_room_for_the_model() -> None:
    verdict = [f"Brick {number} is held by nothing and will fall as soon as it is let go." for number in range(40)]
    text = read(instructions(BRIDGE, verdict=verdict)).pages[0].extract_text()
    assert "Brick 0 is" in text
    assert "more)" in text
    assert "Brick 39" not in text


def test_many_kinds_of_parts_get_a_page_of_their_own() -> None:
    kinds = [(part, colour) for part in ("2x4", "2x2", "1x1") for colour in PALETTE]
    bricks = tuple(PlacedBrick(part, 4 * x, 0, 0, 0, colour) for x, (part, colour) in enumerate(kinds))
    reader = read(instructions(Construction(bricks)))
    assert "36 kinds" in reader.pages[0].extract_text()
    assert reader.pages[1].extract_text().count("1x") >= 36


@pytest.mark.parametrize("title", ["Ünïcode “quotes” €", "日本の橋", "Łódź ☃ Ω", "a\nb\x00c", "-", "x" * 500, "🧱"])
def test_titles_of_any_kind_are_printed(title: str) -> None:
    shown = printable(title)
    assert shown.encode("cp1252")
    assert instructions(BRIDGE, title=title).startswith(b"%PDF")


def test_letters_that_helvetica_lacks_lose_their_accents_or_become_a_question_mark() -> None:
    assert printable("Übergröße, naïve, €5") == "Übergröße, naïve, €5"
    assert printable("Dvořák, Ştefan") == "Dvorák, Stefan"
    assert printable("橋 bridge ☃☃") == "? bridge ?"
    assert printable("two\nlines\x00") == "two lines "


def test_files_are_sharp_and_always_the_same() -> None:
    assert instructions(BRIDGE) == instructions(BRIDGE)
    reader = read(instructions(BRIDGE, views=np.eye(14, dtype=bool)[None]))
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


def test_half_a_turn_shows_the_back_and_two_the_front() -> None:
    back = from_behind(BRIDGE)
    assert {(-1 - x, -1 - y, z) for brick in BRIDGE.bricks for x, y, z in brick.cells()} == {
        cell for brick in back.bricks for cell in brick.cells()
    }
    assert from_behind(back) == BRIDGE


def test_what_cannot_be_built_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="without bricks"):
        instructions(Construction(()))
    with pytest.raises(InputError, match="name every brick once"):
        instructions(BRIDGE, [[0, 1]])
    with pytest.raises(InputError, match="no paper 'a3'"):
        instructions(BRIDGE, paper="a3")
    with pytest.raises(InputError, match="3 axes of True and False"):
        instructions(BRIDGE, views=np.eye(14, dtype=bool))
    with pytest.raises(InputError, match="no colour 999"):
        instructions(Construction((PlacedBrick("2x4", 0, 0, 0, 0, colour=999),)))
