"""Parts that are not judged have their steps: after what is below them, and before what is above."""

import random
import re

import pytest
from export.pdf import read, runs

from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.export.instructions import instructions
from brickbybrick.export.other_steps import with_others
from brickbybrick.handwork.steps import MOST
from brickbybrick.handwork.work import Handwork, in_one_go

LEVEL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def other(number: str, corner: tuple[int, int, int], size: tuple[int, int, int], colour: int = 4) -> OtherPart:
    return OtherPart(f"{number}.dat", colour, (0.0, 0.0, 0.0), LEVEL, corner, size)


def lighthouse() -> tuple[Construction, Handwork]:
    """A baseplate below all, a round brick between two bricks, another beside them, and a cone on top."""
    bricks = [PlacedBrick("2x4", 4, 4, 1, 0), PlacedBrick("2x2", 4, 4, 4, 0), PlacedBrick("2x4", 4, 4, 7, 0)]
    others = (
        other("3942c", (4, 4, 10), (2, 2, 6)),
        other("3941", (4, 6, 4), (2, 2, 3)),
        other("3062b", (8, 8, 1), (1, 1, 3)),
        other("3867", (0, 0, 0), (16, 16, 1)),
    )
    return Construction(tuple(bricks), others=others), in_one_go([[0], [1], [2]])


def test_other_parts_come_when_they_can_and_must() -> None:
    model, work = lighthouse()
    cone, between, beside, ground = range(3, 7)
    steps = [step.bricks for step in with_others(model, work).whole.steps]
    assert steps == [(ground,), (0,), (1,), (between,), (2,), (beside, cone)]


@pytest.mark.parametrize("seed", range(10))
def test_what_is_below_comes_first(seed: int) -> None:
    """Piles of bricks and of other parts, in an order from the table up."""
    rng = random.Random(seed)
    bricks: list[PlacedBrick] = []
    others: list[OtherPart] = []
    for x in range(0, 12, 2):
        for z in range(0, 24, 3):
            if rng.random() < 0.4:
                others.append(other("3941", (x, 0, z), (2, 2, 3)))
            else:
                bricks.append(PlacedBrick("2x2", x, 0, z, 0))
    bricks.sort(key=lambda brick: brick.z)
    model = Construction(tuple(bricks), others=tuple(others))
    work = with_others(model, in_one_go([[index] for index in range(len(bricks))]))
    work.check(len(bricks) + len(others))
    parts = model.drawn.bricks
    order = {brick: place for place, brick in enumerate(work.order)}
    for one, lower in enumerate(parts):
        for another, upper in enumerate(parts):
            if lower.x == upper.x and lower.z < upper.z:
                assert order[one] < order[another]
    assert max(len(step.bricks) for step in work.whole.steps) <= MOST


def test_the_book_counts_and_numbers_them() -> None:
    model, work = lighthouse()
    pages = read(instructions(model, work)).pages
    texts = [text for page in pages[1:-2] for text, _ in runs(page)]
    assert [text for text in texts if text in ("3867", "3941", "3062b", "3942c")] == ["3867", "3941", "3062b", "3942c"]
    assert sum(int(text[:-1]) for text in texts if re.fullmatch(r"\d+x", text)) == 7
    assert "3 bricks and 4 other parts" in pages[0].extract_text()
    assert all(number in pages[-1].extract_text() for number in ("3867", "3941", "3062b", "3942c"))
