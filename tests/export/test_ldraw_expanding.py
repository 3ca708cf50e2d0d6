"""Sub-models in their places: many of them, within each other, turned in any way; and no more than can be held."""

import random
import time
from collections import Counter

import numpy as np
import pytest
from export.replayed import replayed
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import from_ldraw, to_ldraw
from brickbybrick.export.ldraw_expanding import MOST_DEPTH, Expanding
from brickbybrick.export.ldraw_text import parsed

TURN = "1 0 0 0 1 0 0 0 1"
QUARTERS = [TURN, "0 0 1 0 1 0 -1 0 0", "-1 0 0 0 1 0 0 0 -1", "0 0 -1 0 1 0 1 0 0"]
UPSIDE_DOWN = "1 0 0 0 -1 0 0 0 -1"
ON_A_SIDE = "0 1 0 -1 0 0 0 0 1"
SLANTED = "0.6 0 0.8 0 1 0 -0.8 0 0.6"
NAMES = ["3001.dat", "3003.dat", "3040b.dat", "3941.dat"]
seeds = st.integers(0, 2**32).map(random.Random)


def nested(chance: random.Random) -> bytes:
    """A file whose models are made of those behind them, in colours of their own and inherited ones."""
    models = chance.randrange(1, 6)
    turns = [*QUARTERS, UPSIDE_DOWN, ON_A_SIDE, SLANTED]
    lines = []
    for model in range(models):
        lines.append(f"0 FILE model {model}.ldr")
        for _ in range(chance.randrange(1, 5)):
            behind = [f"model {other}.ldr" for other in range(model + 1, models)]
            name = chance.choice(behind if behind and chance.random() < 0.5 else NAMES)
            place = " ".join(str(chance.randrange(-100, 100)) for _ in "xyz")
            lines.append(f"1 {chance.choice([16, 4, 15])} {place} {chance.choice(turns)} {name}")
            lines += ["0 STEP"] * chance.randrange(2)
    return "\n".join(lines).encode()


@settings(deadline=None, max_examples=200)
@given(seeds)
def test_parts_are_where_matrices_say(chance: random.Random) -> None:
    content = nested(chance)
    found: Counter[object] = Counter()
    for part in Expanding(parsed(content)).parts():
        rows = np.column_stack([np.reshape(part.move.turn, (3, 3)), part.move.place])
        found[part.name, part.colour, tuple(rows.round(3).ravel() + 0.0)] += 1
    assert found == replayed(content)


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_files_with_sub_models_come_back_as_plain_ones(chance: random.Random) -> None:
    try:
        read = from_ldraw(nested(chance))
    except InputError as error:
        assert "none of its parts" in str(error)  # noqa: PT017 - a few have no brick that stands upright
        return
    again = from_ldraw(to_ldraw(read))
    assert [(b.part, b.pose, b.colour) for b in again.bricks] == [(b.part, b.pose, b.colour) for b in read.bricks]
    assert [(o.name, o.colour, o.place, o.turn) for o in again.others] == [
        (o.name, o.colour, o.place, o.turn) for o in read.others
    ]
    assert sorted({part.step for part in (*read.bricks, *read.others)}) == list(
        range(len({part.step for part in (*read.bricks, *read.others)}))
    )


def test_what_is_turned_over_twice_is_upright() -> None:
    read = from_ldraw(
        f"0 FILE a.ldr\n1 4 0 -24 0 {TURN} 3003.dat\n1 4 0 -24 0 {UPSIDE_DOWN} b.ldr\n"
        f"0 FILE b.ldr\n1 14 0 24 0 {UPSIDE_DOWN} 3003.dat\n1 15 0 24 0 {TURN} 3003.dat\n"
    )
    assert [(brick.colour, brick.z) for brick in read.bricks] == [(4, 0), (14, 3)]
    assert [(other.colour, other.size) for other in read.others] == [(15, (2, 2, 3))]


def test_colours_are_inherited() -> None:
    read = from_ldraw(
        f"0 FILE a.ldr\n1 4 0 0 0 {TURN} b.ldr\n1 14 0 -72 0 {TURN} b.ldr\n1 16 0 -144 0 {TURN} b.ldr\n"
        f"0 FILE b.ldr\n1 16 0 -24 0 {TURN} 3003.dat\n1 1 0 -48 0 {TURN} 3003.dat\n1 24 0 -72 0 {TURN} 3003.dat\n"
    )
    assert [brick.colour for brick in read.bricks] == [4, 1, 4, 14, 1, 14, 16, 1, 16]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (f"0 FILE a.ldr\n1 4 0 0 0 {TURN} a.ldr", "the sub-model 'a.ldr' contains itself"),
        (f"0 FILE a.ldr\n1 4 0 0 0 {TURN} b.ldr\n0 FILE b.ldr\n1 4 0 0 0 {TURN} A.LDR", "'a.ldr' contains itself"),
        (f"0 FILE a.ldr\n1 4 0 0 0 {TURN} wing.ldr", "line 2: the sub-model 'wing.ldr' is not in this file"),
        (f"0 FILE a.ldr\n1 4 0 0 0 {TURN} wing", "the sub-model 'wing' is not in this file"),
    ],
)
def test_sub_models_that_cannot_be_put_anywhere(content: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        from_ldraw(content)


def chain(models: int, times: int, last: str) -> str:
    """Each model is the next one so many times."""
    lines = []
    for model in range(models):
        inside = f"{model + 1}.ldr" if model + 1 < models else last
        lines += [f"0 FILE {model}.ldr", *[f"1 4 0 0 0 {TURN} {inside}"] * times]
    return "\n".join(lines)


@pytest.mark.parametrize("last", ["3001.dat", "empty.ldr"])
def test_a_small_file_cannot_become_too_large(last: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError, match="more than 100000 bricks"):
        from_ldraw(f"{chain(30, 2, last)}\n0 FILE empty.ldr")
    assert time.perf_counter() - start < 1


def test_models_within_each_other_have_an_end() -> None:
    assert len(from_ldraw(chain(MOST_DEPTH, 1, "3001.dat")).bricks) == 1
    for models in (MOST_DEPTH + 1, 5_000):
        with pytest.raises(InputError, match=f"more than {MOST_DEPTH} sub-models within each other"):
            from_ldraw(chain(models, 1, "3001.dat"))


def test_a_part_that_contains_itself_has_no_end_of_boxes() -> None:
    read = from_ldraw(
        f"0 FILE a.ldr\n1 4 0 0 0 {TURN} 3001.dat\n1 4 0 -24 0 {TURN} own.dat\n"
        f"0 FILE own.dat\n0 !LDRAW_ORG Part\n1 16 0 0 0 {TURN} own.dat\n"
    )
    assert [other.size for other in read.others] == [(1, 1, 3)]


def test_parts_that_a_file_draws_are_as_large_as_what_is_drawn() -> None:
    """By lines of the part itself, of what it is made of, and of LDraw's shapes; studs do not count."""
    read = from_ldraw(
        f"0 FILE a.ldr\n1 4 0 0 0 {TURN} 3001.dat\n1 4 0 -24 0 {TURN} wall.dat\n1 4 0 -24 0 {TURN} drawn.dat\n"
        f"0 FILE wall.dat\n0 Wall\n0 !LDRAW_ORG Unofficial_Part\n1 16 0 0 0 {TURN} s/half.dat\n"
        f"1 16 0 0 0 -1 0 0 0 1 0 0 0 1 s/half.dat\n1 16 0 -4 0 {TURN} stud.dat\n"
        "0 FILE s/half.dat\n0 !LDRAW_ORG Unofficial_Subpart\n4 16 0 0 -10 60 0 -10 60 24 10 0 24 10\n"
        "0 FILE drawn.dat\n0 !LDRAW_ORG Part\n1 16 0 0 0 20 0 0 0 8 0 0 0 40 box5.dat\n"
    )
    assert [other.size for other in read.others] == [(6, 1, 3), (2, 4, 1)]
    assert read.notes == ()


def test_a_library_in_the_file_changes_nothing() -> None:
    """Programs that pack all parts into a file still mean the part that everybody knows."""
    read = from_ldraw(
        f"0 FILE a.ldr\n1 4 40 -24 20 {TURN} 3001.dat\n0 FILE 3001.dat\n0 Brick 2 x 4\n0 !LDRAW_ORG Part\n"
        f"1 16 0 0 0 {TURN} s/3001s01.dat\n0 FILE s/3001s01.dat\n0 !LDRAW_ORG Subpart\n3 16 0 0 0 1 0 0 0 0 1\n"
    )
    assert ([brick.part for brick in read.bricks], read.others, read.notes) == (["2x4"], (), ())
