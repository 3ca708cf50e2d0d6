"""Parts lists name what the model is made of."""

import csv
import io
import random
from xml.etree import ElementTree

import pytest

from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.parts import (
    Needed,
    bricklink_list,
    listed,
    part_number,
    parts_of,
    rebrickable_list,
    to_bricklink,
    to_rebrickable,
)
from brickbybrick.geometry.part import PARTS, Part

RED, BLACK = 4, 0


def row(*kinds: tuple[str, int]) -> Construction:
    """Bricks of the given sizes and colours, far apart."""
    return Construction(tuple(PlacedBrick(part, 10 * i, 0, 0, 0, colour) for i, (part, colour) in enumerate(kinds)))


HOUSE = row(("2x2", BLACK), *[("2x4", RED)] * 12, ("2x4", BLACK), ("1x4", RED))


def test_bricks_are_counted_by_size_and_colour() -> None:
    assert parts_of(HOUSE.bricks) == [
        Needed(Part("brick", 2, 4), BLACK, 1),
        Needed(Part("brick", 2, 4), RED, 12),
        Needed(Part("brick", 1, 4), RED, 1),
        Needed(Part("brick", 2, 2), BLACK, 1),
    ]
    mixed = row(("plate 4x8", RED), ("1x1", RED), ("tile 1x1", RED), ("plate 1x1", RED))
    assert [needed.name for needed in parts_of(mixed.bricks)] == [
        "1x1 red",
        "plate 4x8 red",
        "plate 1x1 red",
        "tile 1x1 red",
    ]
    assert [part.name for part in parts_of(HOUSE.bricks)][1:3] == ["2x4 red", "1x4 red"]


def test_the_building_order_does_not_change_the_list() -> None:
    shuffled = random.Random(0).sample(HOUSE.bricks, len(HOUSE.bricks))
    assert to_rebrickable(Construction(tuple(shuffled))) == to_rebrickable(HOUSE)


def test_bricklinks_wanted_list() -> None:
    """The published form, and BrickLink's own numbers for colours: red is 5, black 11."""
    twelve = to_bricklink(row(*[("2x4", RED)] * 12))
    item = "<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR><MINQTY>12</MINQTY></ITEM>"
    assert "".join(twelve.split()) == f"<INVENTORY>{item}</INVENTORY>"
    items = ElementTree.fromstring(to_bricklink(HOUSE))
    assert [tuple(field.text for field in item) for item in items] == [
        ("P", "3001", "11", "1"),
        ("P", "3001", "5", "12"),
        ("P", "3010", "5", "1"),
        ("P", "3003", "11", "1"),
    ]


def test_rebrickables_list() -> None:
    rows = list(csv.DictReader(io.StringIO(to_rebrickable(HOUSE))))
    assert rows[1] == {"Part": "3001", "Color": "4", "Quantity": "12"}
    assert sum(int(row["Quantity"]) for row in rows) == len(HOUSE.bricks)


def test_every_size_and_colour_is_a_part_of_its_own() -> None:
    kinds = [(str(size), colour) for size in PARTS for colour in COLOURS]
    assert len(set(to_rebrickable(row(*kinds)).splitlines())) == 1 + len(kinds)
    assert len(ElementTree.fromstring(to_bricklink(row(*kinds)))) == len(kinds)
    numbers = [colour.bricklink for colour in COLOURS.values() if colour.bricklink is not None]
    assert len(set(numbers)) == len(numbers) >= len(COLOURS) - 4


def test_catalogues_have_numbers_of_their_own() -> None:
    """Olive green is 330 in LDraw, 326 in Rebrickable and 155 in BrickLink, which has no number for royal blue."""
    assert to_rebrickable(row(("1x1", 330))).splitlines()[1] == "3005,326,1"
    assert "<COLOR>155</COLOR>" in to_bricklink(row(("1x1", 330)))
    assert "COLOR" not in to_bricklink(row(("1x2", 89)))


@pytest.mark.parametrize(("kind", "problem"), [(("3x5", RED), "3x5"), (("2x4", 1_000_000_000), "no colour 1000000000")])
def test_what_no_shop_sells(kind: tuple[str, int], problem: str) -> None:
    for export in (to_bricklink, to_rebrickable):
        with pytest.raises(InputError, match=problem):
            export(row(kind))


def test_no_bricks_need_no_parts() -> None:
    assert parts_of(()) == []
    assert len(ElementTree.fromstring(to_bricklink(Construction(())))) == 0
    assert part_number(Part("brick", 2, 4)) == "3001"


def test_a_colour_that_is_left_open_has_no_number_in_shops() -> None:
    parts = [Needed(Part("brick", 2, 4), None, 3), Needed(Part("brick", 1, 2), 89, 2)]
    assert rebrickable_list(parts).splitlines()[1:] == ["3001,9999,3", "3004,89,2"]
    items = ElementTree.fromstring(bricklink_list(parts))
    assert [[field.tag for field in item] for item in items] == [
        ["ITEMTYPE", "ITEMID", "MINQTY"],
        ["ITEMTYPE", "ITEMID", "REMARKS", "MINQTY"],
    ]
    assert [needed.name for needed in listed({(needed.part, needed.colour): 1 for needed in parts})] == [
        "2x4 any colour",
        "1x2 royal blue",
    ]


def test_parts_that_are_not_judged_are_bought_too() -> None:
    """By the number of their file, if it is one of a catalogue; transparent red is 36 in LDraw and 17 in BrickLink."""
    places = (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 0, 0), (1, 1, 1)
    names = [("3941.dat", 36), ("3941.dat", 36), ("3062B.dat", 4), ("my <own> & part.dat", 4), ("parts/4589.dat", 4)]
    model = Construction(row(("2x4", 4)).bricks, others=tuple(OtherPart(*name, *places) for name in names))
    assert to_rebrickable(model).splitlines()[1:] == ["3001,4,1", "3062b,4,1", "3941,36,2", "4589,4,1"]
    items = [[field.text for field in item] for item in ElementTree.fromstring(to_bricklink(model))]
    assert items == [
        ["P", "3001", "5", "1"],
        ["P", "3062b", "5", "1"],
        ["P", "3941", "17", "2"],
        ["P", "4589", "5", "1"],
    ]
