"""The frame beside a step counts and names every part that the step needs, in rows that fit."""

import pytest
from export.pdf import read, runs

from brickbybrick.colours import colour_of
from brickbybrick.export.callout import arranged, draw_callout, portrait, to_name
from brickbybrick.export.parts import Needed
from brickbybrick.export.sheet import Pages
from brickbybrick.geometry.part import Part

COLOURS = (4, 14, 1, 2, 0, 15, 19, 25)


def parts(kinds: int) -> list[Needed]:
    return [Needed(Part("brick", 2, 4), COLOURS[kind], kind + 1) for kind in range(kinds)]


@pytest.mark.parametrize("named", [(), COLOURS[::2]], ids=["plain", "coloured"])
@pytest.mark.parametrize("kinds", [1, 3, 8])
@pytest.mark.parametrize("width", [80.0, 200.0, 400.0])
def test_every_part_is_counted_and_named_within_the_frame(kinds: int, width: float, named: tuple[int, ...]) -> None:
    pages = Pages("a4", "a step")
    entries, frame = arranged(pages, parts(kinds), width, named)
    assert len(entries) == kinds
    assert frame.width <= width
    for _, _, box in entries:
        assert box.left >= 0
        assert box.right <= frame.width
        assert box.bottom <= frame.height
    for one in entries:
        for other in entries:
            apart = one.place.right <= other.place.left or one.place.bottom <= other.place.top
            assert one is other or apart or other.place.right <= one.place.left or other.place.bottom <= one.place.top
    draw_callout(pages, (40, 40), entries, frame)
    (page,) = read(pages.close()).pages
    texts = [text for text, _ in runs(page)]
    names = [(colour_of(code).name,) if code in named else () for code in COLOURS[:kinds]]
    assert texts == [text for count, name in enumerate(names, start=1) for text in (f"{count}x", "2x4", *name)]


def test_colours_that_are_easily_mixed_up_are_named() -> None:
    """Light grey and light bluish grey are, red and blue are not."""
    assert to_name([4, 1, 14]) == frozenset()
    assert to_name([4, 1, 7, 71]) == {7, 71}
    pages = Pages("a4", "a step")
    wanted = [Needed(Part("plate", 1, 2), 71, 2), Needed(Part("plate", 1, 2), 4, 1)]
    entries, _ = arranged(pages, wanted, 300, to_name([4, 1, 7, 71]))
    assert [entry.label for entry in entries] == [("plate 1x2", "light bluish grey"), ("plate 1x2",)]


def test_a_portrait_lies_lengthwise() -> None:
    """As wide as it is long, whichever way its size is written."""
    long, square, small = (portrait(Part("brick", *sides), 4) for sides in ((2, 4), (2, 2), (1, 1)))
    assert long.width > square.width > small.width
    assert long.width > long.height
    assert portrait(Part("plate", 2, 4), 4).height < long.height
