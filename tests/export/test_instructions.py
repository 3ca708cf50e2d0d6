"""Instructions show every brick as new once, in the steps given, on numbered pages that fit the paper."""

import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from export.furniture import BY_HAND, TABLE
from export.pdf import read, runs
from pypdf import PageObject, PdfReader

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export import instructions as module
from brickbybrick.export.instructions import instructions
from brickbybrick.export.panel import NUMBER, SMALL_NUMBER
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.handwork.work import in_one_go

WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
BRIDGE = Construction.of_poses(
    BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0), (1, 0, 1, 0)]
)


def step_names(reader: PdfReader) -> list[str]:
    return [text for page in reader.pages for text, size in runs(page) if size in (NUMBER, SMALL_NUMBER)]


def test_pages_are_numbered_and_steps_too() -> None:
    low_wall = Construction(WALL.bricks[:12])
    reader = read(instructions(low_wall, in_one_go([[index] for index in range(12)])))
    total = len(reader.pages)
    for number, page in enumerate(reader.pages, start=1):
        assert f"{number} / {total}" in page.extract_text()
    assert step_names(reader) == [str(number) for number in range(1, 13)]
    titles = [entry.title for entry in reader.outline]  # type: ignore[union-attr]
    assert titles[0] == "Cover"
    assert titles[1].startswith("Steps 1 to")
    assert titles[-2:] == ["Finished", "Parts"]


def test_chunks_are_framed_before_the_step_that_needs_them() -> None:
    reader = read(instructions(TABLE, BY_HAND))
    assert [name for name in step_names(reader) if name[-1].isdigit()] == [
        *("A1", "A2", "B1", "A3", "1", "2", "C1", "C2", "3"),
    ]
    text = "".join(page.extract_text() for page in reader.pages[2:-2])
    assert text.count("4x") >= 3  # legs: four bricks, four of them, put on four times
    assert "built apart, upside down" in text


def test_the_parts_of_all_steps_are_the_parts_of_the_model() -> None:
    bricks = tuple(
        PlacedBrick(("2x4", "2x2", "1x1")[z % 3], 4 * x, 0, 3 * z, 0, (4, 14, 1)[x % 3])
        for z in range(6)
        for x in range(4)
    )
    pages = read(instructions(Construction(bricks))).pages
    steps = [page for page in pages if re.search("Steps? 1?", page.extract_text()) is None][1:-2]
    counts = [int(text[:-1]) for page in steps for text, _ in runs(page) if re.fullmatch(r"\d+x", text)]
    assert sum(counts) == len(bricks)
    listed = [int(text[:-1]) for text, size in runs(pages[-1]) if re.fullmatch(r"\d+x", text) and size == 13]
    assert sum(listed) == len(bricks)
    assert len(listed) == len({(brick.part, brick.colour) for brick in bricks})


def test_bricks_that_hang_are_marked() -> None:
    text = "".join(page.extract_text() for page in read(instructions(BRIDGE)).pages)
    assert "from below" in text
    assert "slide in" in text
    upright = Construction(BRIDGE.bricks[:3])
    assert "from below" not in "".join(page.extract_text() for page in read(instructions(upright)).pages)


def test_progress_grows_up_to_the_whole_model(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float | None] = []
    monkeypatch.setattr(module, "_draw_foot", lambda _pages, _number, _count, done: shares.append(done))
    instructions(TABLE, BY_HAND)
    known = [share for share in shares if share is not None]
    assert known == sorted(known)
    assert known[-1] == 1.0
    assert shares[0] is None


def test_files_are_sharp_and_always_the_same() -> None:
    assert instructions(BRIDGE) == instructions(BRIDGE)
    reader = read(instructions(BRIDGE, target=np.eye(14, dtype=bool)[None]))
    assert not any(page.images for page in reader.pages)  # so no pictures made of pixels
    fonts = {font["/BaseFont"] for page in reader.pages for font in fonts_of(page)}
    assert fonts <= {"/Helvetica", "/Helvetica-Bold"}


def fonts_of(page: PageObject) -> Iterator[Any]:
    return (font.get_object() for font in page["/Resources"]["/Font"].values())  # type: ignore[index]


def test_sixty_bricks_in_sixty_steps_take_a_second_and_a_third_of_a_megabyte() -> None:
    start = time.process_time()
    data = instructions(WALL, in_one_go([[index] for index in range(60)]))
    assert time.process_time() - start < 3  # a second on an idle machine
    assert len(data) < 350_000


def test_a_thousand_bricks_are_no_burden() -> None:
    """In steps of eight, ten layers high."""
    poses = [(4 * x + 2 * (z % 2), 2 * y, z, 1) for z in range(10) for y in range(10) for x in range(10)]
    start = time.process_time()
    data = instructions(Construction.of_poses(BRICK_2X4, poses))
    assert time.process_time() - start < 40  # 12 s on an idle machine
    assert len(data) < 2_000_000


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
        instructions(BRIDGE, in_one_go([[0, 1]]))
    with pytest.raises(InputError, match="no paper 'a3'"):
        instructions(BRIDGE, paper="a3")
    with pytest.raises(InputError, match="3 axes of True and False"):
        instructions(BRIDGE, target=np.eye(14, dtype=bool))
    with pytest.raises(InputError, match="no colour 1000000000"):
        instructions(Construction((PlacedBrick("2x4", 0, 0, 0, 0, colour=1_000_000_000),)))
