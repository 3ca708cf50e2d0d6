"""Orders: who builds what is asked for, in which colours, and what is no order."""

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from brickbybrick.builders.register import entries
from brickbybrick.errors import InputError
from brickbybrick.order import MASON, Order
from brickbybrick.targets.reading import AS_TRAINED


def test_who_builds() -> None:
    """The mason, whatever is brought, unless one of the paper's world is asked for."""
    assert Order().by_mason
    assert not Order(agent="greedy", size=24).by_mason
    assert Order(mosaic=True, palette="common").by_mason


def test_how_inputs_are_understood() -> None:
    """By the mason in colour and in real proportions, by others as agents were trained."""
    assert Order(agent="b3").reading == AS_TRAINED
    mine = Order().reading
    assert (mine.size, mine.proportions, mine.colours) == (None, "real", True)
    assert not Order(colour=("blue",)).reading.colours
    assert Order(agent="search", proportions="real").reading.proportions == "real"


def test_the_masons_name_is_the_registers() -> None:
    assert entries()[MASON].label == "Mason"


def test_colours_have_names_and_the_codes_of_ldraw() -> None:
    """https://www.ldraw.org/article/547.html: red is 4, blue 1, light bluish grey 71."""
    assert Order().colours == (4,)
    assert Order(colour=("Blue", "14", "light-bluish-grey")).colours == (1, 14, 71)


def test_an_order_travels_as_plain_values() -> None:
    order = Order(size=20, inventory="2x4=3,1x2", colour=("blue", "white"), kit=("json",))
    sent = json.loads(json.dumps(asdict(order)))
    back = Order(**{name: tuple(value) if isinstance(value, list) else value for name, value in sent.items()})
    assert back == order


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"colour": ("mauve",)}, "no colour 'mauve'"),
        ({"size": 3}, "a size of 3 cells: choose 4 to 96"),
        ({"budget": 20_001}, "a budget of 20001 bricks: choose 1 to 20000"),
        ({"size": 20, "hollow": 21}, "walls 21 cells thick: choose 1 to 20"),
        ({"hollow": 97}, "walls 97 cells thick: choose 1 to 96"),
        ({"agent": "b3", "hollow": 2}, "b3 builds as in the paper, solid and of 2x4 alone: leave --hollow out"),
        ({"agent": "search", "mosaic": True}, "leave --mosaic out"),
        ({"mosaic": True, "depth": 3}, "a mosaic lies flat: leave the depth out"),
        ({"depth": 17}, "a depth of 17 studs: choose 1 to 16"),
        ({"contrast": 9.0}, "a contrast of 9.0: choose 0.25 to 4.0"),
        ({"tolerance": 0.0}, "a tolerance of 0.0: choose 0.1 to 1000"),
        ({"palette": "red,mauve"}, "no colour 'mauve'"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_what_is_no_order(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Order(**asked)


@pytest.mark.parametrize(
    ("asked", "of_picture", "of_others"),
    [
        ({"size": 20, "palette": "common", "hollow": 20}, None, None),
        ({"hollow": 20}, None, None),  # of a size that the input decides
        ({"mosaic": True}, None, "--mosaic: for one picture alone.* leave it out"),
        ({"depth": 3, "contrast": 2.0, "background": "keep"}, None, "--depth, --background, --contrast:.* leave them"),
        ({"dither": True, "mosaic": True}, None, "--mosaic, --dither: .* leave them out"),
        ({"dither": True}, "--dither mixes the colours of mosaics: add --mosaic", "--dither: for one picture alone"),
    ],
)
def test_options_without_effect_are_named(asked: dict[str, Any], of_picture: str | None, of_others: str | None) -> None:
    for says, kind in ((of_picture, "picture"), (of_others, "mesh"), (of_others, "silhouettes")):
        said = Order(**asked).without_effect(kind)
        assert said is None if says is None else re.match(says, said or "")


def test_only_silhouettes_hide_something() -> None:
    order = Order(hidden="full")
    assert order.without_effect("silhouettes") is None
    for kind in ("picture", "mesh"):
        assert re.match("--hidden: for three silhouettes alone", order.without_effect(kind) or "")


def test_parts_that_slope_need_grains_and_smooth_tops_need_plates() -> None:
    assert Order(parts="all").reading.grains
    assert Order(parts="all").reading.layer == 1
    assert not Order(parts="plates").reading.grains
    with pytest.raises(InputError, match="add --parts plates or all"):
        Order(smooth=True, parts="bricks")
    assert Order(smooth=True).kinds == "plates"


def test_parts_are_plates_unless_something_else_is_given() -> None:
    assert Order().kinds == "plates"
    assert Order(proportions="cubic").kinds == "bricks"
    assert Order(agent="search").kinds == "bricks"
    assert Order(inventory="2x4=3,1x2").kinds == "bricks"
    assert Order(inventory="2x4=3,plate 1x2").kinds == "plates"
    assert Order(inventory="2x4=3,plate 1x1,slope 30 1x1").kinds == "all"
    with pytest.raises(InputError, match="3 for cubic ones"):
        Order(proportions="cubic", parts="plates")


@pytest.mark.parametrize(
    ("inventory", "advice"),
    [("2x4,slope 45 2x1", "add --parts all"), ("2x4,tile 1x1", "add --smooth"), ("plate 1x1", "add --parts plates")],
)
def test_an_inventory_has_no_parts_that_would_not_be_used(inventory: str, advice: str) -> None:
    with pytest.raises(InputError, match=advice):
        Order(inventory=inventory, parts="bricks")
    both = f"{inventory},plate 2x2"
    assert Order(inventory=both, parts="all", smooth=True).inventory == both


def test_layers_of_plates_need_plates() -> None:
    with pytest.raises(InputError, match="no plates in the inventory"):
        Order(inventory="2x4=100", parts="plates")
    with pytest.raises(InputError, match="no plates in the inventory"):
        Order(inventory="2x4=100,slope 45 2x1")
