"""Contents name the page on which each thing begins, and what the signs mean."""

import re

from export.furniture import BY_HAND, TABLE
from export.pdf import read, runs

from brickbybrick.construction import Construction
from brickbybrick.export.contents import Entry, contents_pages
from brickbybrick.export.instructions import instructions
from brickbybrick.export.sheet import Box
from brickbybrick.geometry.brick import BRICK_2X4


def test_pages_are_those_on_which_things_begin() -> None:
    reader = read(instructions(TABLE, BY_HAND))
    texts = [text for text, _ in runs(reader.pages[1])]
    assert texts[0] == "Contents"
    wanted = {"Build A": "A1", "Build B": "B1", "Build C": "C1", "Steps 1 to 2": "1", "Step 3": "3"}
    for title, step in {**wanted, "Finished": "Finished", "Parts": "Parts"}.items():
        page = int(texts[texts.index(title) + 1])
        assert step in [text for text, _ in runs(reader.pages[page - 1])]
    text = reader.pages[1].extract_text()
    assert re.search(r"4x, 4 bricks", text)
    assert "upside down" in text
    assert "turn it over" in text


def test_a_short_book_without_chunks_needs_none() -> None:
    model = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(6)])
    assert "Contents" not in "".join(page.extract_text() for page in read(instructions(model)).pages)


def test_many_entries_take_more_pages_and_all_stay_on_them() -> None:
    body = Box(40, 40, 515, 730)
    leaves = contents_pages(body, [Entry(f"Section {number}", number) for number in range(200)])
    assert len(leaves) > 1
    assert [entry.page for leaf in leaves for _, entry in leaf] == list(range(200))
    for leaf in leaves:
        for box, _ in leaf:
            assert body.left <= box.left < box.right <= body.right
            assert body.top < box.top < box.bottom < body.bottom
