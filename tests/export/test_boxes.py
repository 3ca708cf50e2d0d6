"""Boxes before a build and after it."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.boxes import Box, box_files, box_of, price_figures, rest_figures, said_of, with_aside
from brickbybrick.geometry.inventory import Entry, Inventory
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.prices import Prices
from brickbybrick.order import Order

BRICK, TILE, SLOPE = Part.parse("2x4"), Part.parse("tile 1x2"), Part.parse("slope 45 2x1")
RED, BLUE = 4, 1
USED = {(BRICK, RED): 5, (BRICK, BLUE): 1}
LISTS = ("bricklink.xml", "rebrickable.csv")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text("Part,Color,Quantity\n3001,4,3\n3023,4,2\n3069b,1,7\n3040b,4,4\n")
    return str(path)


def test_what_an_order_has_no_use_for_stays_in_the_box(mine: str) -> None:
    box = box_of([mine], Order())
    assert box.inventory == "red 2x4=3,red plate 1x2=2"
    assert box.aside == (Entry(TILE, BLUE, 7), Entry(SLOPE, RED, 4))
    assert box.notes == (
        "7 parts stay in the box: add --smooth to build with them",
        "4 parts stay in the box: add --parts all to build with them",
    )
    assert box_of([mine], Order(parts="all", smooth=True)).aside == ()
    assert box_of([mine], Order(parts="bricks")).inventory == "red 2x4=3"


def test_what_somebody_names_is_built_with(mine: str) -> None:
    box = box_of([mine, "slope 45 2x1=1,2x2"], Order())
    assert box.inventory == "red 2x4=3,red plate 1x2=2,red slope 45 2x1=4,slope 45 2x1=1,2x2"
    assert Order(inventory=box.inventory).kinds == "all"
    with pytest.raises(InputError, match="add --smooth, or leave it out"):
        Order(inventory=box_of([mine, "tile 1x2=1"], Order()).inventory)


def test_a_box_of_bricks_alone_builds_in_layers_of_bricks(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("Part,Color,Quantity\n3001,4,3\n3069b,1,7\n")
    box = box_of([str(path)], Order())
    assert Order(inventory=box.inventory).kinds == "bricks"
    path.write_text("Part,Color,Quantity\n3069b,1,7\n")
    with pytest.raises(InputError, match="nothing in the inventory can be built with: add --smooth"):
        box_of([str(path)], Order())


def test_what_is_left_and_missing_as_files_and_figures() -> None:
    rest = Inventory.parse("red 2x4=3,blue 2x4=4,plate 1x2,1x1=2").rest(USED)
    files = box_files(rest, LISTS)
    assert {name: content.decode() for name, content in files.items() if name.endswith("csv")} == {
        "left.csv": "Part,Color,Quantity\n3001,1,3\n3005,9999,2\n",
        "missing-rebrickable.csv": "Part,Color,Quantity\n3001,4,2\n",
    }
    assert b"<ITEMID>3001</ITEMID><COLOR>5</COLOR><MINQTY>2</MINQTY>" in files["missing-bricklink.xml"]
    assert box_files(rest, ("model.json",)) == {}
    assert set(box_files(Inventory.parse("2x4=9").rest(USED), LISTS)) == {"left.csv"}
    figures = rest_figures(rest)
    assert figures == {"left": {"blue 2x4": 3, "1x1": 2}, "missing": {"red 2x4": 2}}
    assert said_of(figures, rest, None) == ["left in the box: 5 parts", "missing in the box: 2, 2 of 2x4 red"]
    prices = Prices.parse("EUR,2x4=0.5")
    assert said_of(figures, rest, prices)[1].endswith("; they cost 1.00 EUR")


def test_what_stayed_aside_is_left_too() -> None:
    rest = Inventory.parse("red 2x4=9,blue 2x4=4").rest(USED)
    figures: dict[str, Any] = rest_figures(rest)
    files = with_aside(box_files(rest, LISTS), figures, Box("", (Entry(TILE, BLUE, 7),)))
    rows = list(csv.reader(io.StringIO(files["left.csv"].decode())))
    assert rows[1:] == [["3001", "1", "3"], ["3001", "4", "4"], ["3069b", "1", "7"]]
    assert figures["left"] == {"blue 2x4": 3, "red 2x4": 4, "blue tile 1x2": 7}
    assert with_aside({"a": b""}, figures, None) == {"a": b""}


def test_what_a_model_costs_and_what_of_it_must_be_bought() -> None:
    model = Construction(tuple(PlacedBrick("2x4", 0, 0, 3 * z, 0, RED) for z in range(3)))
    rest = Inventory.parse("red 2x4=1").rest({(BRICK, RED): 3})
    assert price_figures(model, Prices.parse("EUR,red 2x4=0.1"), rest) == {
        "currency": "EUR",
        "price": 0.3,
        "without_price": 0,
        "price_missing": 0.2,
    }
