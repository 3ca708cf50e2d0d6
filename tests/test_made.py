"""Which part was made in which colour: what is told of every part, and the catalogue's own list where that is there."""

import csv
import os
from pathlib import Path

import pytest

from brickbybrick.colours import COLOURS, COMMON, USUAL
from brickbybrick.geometry.part import PARTS
from brickbybrick.made import MADE

LIST = Path(os.environ.get("B3_DATA") or "data") / "parts" / "part_colours.csv"


def test_every_part_was_made_in_colours_of_the_table() -> None:
    assert set(MADE) == {str(part) for part in PARTS}
    for codes in MADE.values():
        assert list(codes) == sorted(set(codes))
        assert len(codes) >= 20
        assert set(codes) <= set(COLOURS)


def test_black_white_and_red_parts_are_sold_in_all_shapes() -> None:
    assert all({0, 4, 15} <= set(codes) for codes in MADE.values())


def test_common_colours_are_those_of_all_usual_bricks_and_plates() -> None:
    for code in COLOURS:
        shapes = [part for size in USUAL for part in (size, f"plate {size}")]
        assert (code in COMMON) == all(code in MADE[shape] for shape in shapes)
    assert len(COMMON) > 30


@pytest.mark.skipif(not LIST.exists(), reason="the catalogue's list of parts and colours is not there")
def test_the_catalogue_says_the_same() -> None:
    with LIST.open() as file:
        listed = {row["part"]: set(map(int, row["ldraw_colours"].split())) for row in csv.DictReader(file)}
    for part, known in PARTS.items():
        assert set(MADE[str(part)]) == listed[known.number] & set(COLOURS), part
