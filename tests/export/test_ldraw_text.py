"""LDraw's text line by line: models, their steps, and what each refers to."""

import pytest

from brickbybrick.export.ldraw_text import decoded, key_of, parsed

TURN = "1 0 0 0 1 0 0 0 1"


def test_models_of_a_file() -> None:
    """The first is the whole one; names may have blanks, and are written in any way."""
    text = parsed(
        f"0 FILE House.ldr\n0 A house\n0 Author: Ann\n1 4 0 0 0 {TURN} Wing One.LDR\n0 STEP\n"
        f"1 4 0 0 0 {TURN} 3001.dat\n0 NOFILE\n0 remark\n0 FILE wing one.ldr\n0 A wing\n0 Author: Bob\n"
        f"1 2 5 6 7 {TURN} s\\3001s01.dat\n"
    )
    assert list(text.sections) == ["house.ldr", "wing one.ldr"]
    assert (text.title, text.author) == ("A house", "Ann")
    house, wing = text.sections.values()
    assert [(one.line, one.name, one.step) for one in house.references] == [(4, "Wing One.LDR", 0), (6, "3001.dat", 1)]
    [part] = wing.references
    assert (part.colour, part.place, part.name) == (2, (5, 6, 7), "s/3001s01.dat")
    assert key_of("Wing One.LDR") == key_of("wing  one.ldr")


def test_a_model_without_a_name_comes_first() -> None:
    text = parsed(f"0 House\n1 4 0 0 0 {TURN} a.ldr\n0 FILE a.ldr\n1 4 0 0 0 {TURN} 3001.dat\n")
    assert list(text.sections) == ["", "a.ldr"]


def test_of_two_models_of_one_name_the_first_counts() -> None:
    text = parsed(f"0 FILE a.ldr\n1 4 0 0 0 {TURN} 3001.dat\n0 NOFILE\n0 FILE A.ldr\n1 4 0 0 0 {TURN} 3003.dat\n")
    assert [reference.name for reference in text.sections["a.ldr"].references] == ["3001.dat"]
    assert text.left_out == {"models of a name that another one has": 1}


@pytest.mark.parametrize(
    ("rows", "upside_down"),
    [
        (["0 ROTSTEP 180 0 0 REL"], True),
        (["0 ROTSTEP 0 0 -180 ABS"], True),
        (["0 ROTSTEP 180 90 0 REL"], True),
        (["0 ROTSTEP 0 180 0 REL"], False),
        (["0 ROTSTEP 180 0 180 REL"], False),  # upright again
        (["0 ROTSTEP 30 45 0 ABS", "0 ROTSTEP END"], False),
        (["0 ROTSTEP", "0 ROTSTEP END"], False),
    ],
)
def test_a_view_from_below(rows: list[str], upside_down: bool) -> None:
    text = parsed("\n".join([f"1 4 0 0 0 {TURN} 3001.dat", *rows]))
    assert text.sections[""].turned == upside_down


def test_parts_that_a_file_draws_itself() -> None:
    text = parsed(
        f"0 FILE a.ldr\n1 4 0 0 0 {TURN} own.dat\n0 FILE own.dat\n4 16 -10 0 -10 10 0 -10 10 24 10 -10 24 10\n"
        "0 FILE other.dat\n0 !LDRAW_ORG Unofficial_Part\n0 FILE sub.ldr\n2 24 0 0 0 1 1 1\n"
    )
    assert {name: section.is_part for name, section in text.sections.items()} == {
        "a.ldr": False,
        "own.dat": True,
        "other.dat": True,
        "sub.ldr": False,
    }
    assert (text.sections["own.dat"].low, text.sections["own.dat"].high) == ([-10, 0, -10], [10, 24, 10])


def test_text_in_any_encoding() -> None:
    for coding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"):
        assert decoded("0 Größe".encode(coding)) == "0 Größe"
