"""Settings as pages send them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.errors import InputError
from brickbybrick.order import Order
from brickbybrick.studio.requests import Build
from brickbybrick.studio.settings import BUILT, READ, as_done, as_read, order_to_build, order_to_read, settings_of
from brickbybrick.targets.reading import Reading
from brickbybrick.targets.target import target_of_voxels

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just(10**400)
anything = leaves | st.lists(leaves, max_size=3) | st.dictionaries(st.text(max_size=5), leaves, max_size=3)
DONE = {"agent", "size", "parts", "proportions", "background", "contrast", "depth", "mosaic", "dither", "palette"}


def test_settings_are_an_orders() -> None:
    asked = {"size": 40, "proportions": "cubic", "background": "keep", "contrast": 2, "depth": 3, "palette": "common"}
    assert order_to_read(asked) == Order(**asked)
    assert order_to_read({"mosaic": True, "dither": True}) == Order(mosaic=True, dither=True)
    assert order_to_read(None) == order_to_read({}) == order_to_read({"size": None, "agent": None}) == Order()


def test_each_question_takes_the_settings_that_concern_it() -> None:
    everything = {
        "size": 20,
        "hollow": 2,
        "tolerance": 9.5,
        "inventory": "2x4,plate 1x1=30",
        "repair": True,
        "palette": "red",
    }
    assert order_to_read(everything) == Order(size=20, palette="red", inventory="2x4,plate 1x1=30")
    asked = Build.of({"target": "a", "agent": "mason", "seed": 3, "budget": 99, "colours": [1], "settings": everything})
    order = order_to_build(Order(palette="common"), Reading(size=24), asked)
    assert (order.hollow, order.tolerance, order.inventory, order.repair) == (2, 9.5, "2x4,plate 1x1=30", True)
    assert (order.palette, order.seed, order.budget, order.colours, order.size) == ("red", 3, 99, (1,), 24)
    plain = order_to_build(Order(palette="common"), Reading(size=24), Build.of({"target": "a", "agent": "mason"}))
    assert plain.palette == "common"  # as it was read


def test_things_are_built_of_the_parts_that_they_were_read_for() -> None:
    asked = Build.of({"target": "a", "agent": "mason", "settings": {"parts": "bricks"}})
    for layer, parts in ((1, "plates"), (3, "bricks")):  # in layers of bricks there is no place for plates
        target = target_of_voxels("cube", np.ones((4, 4, 4)), layer=layer)
        read = as_read(order_to_read({"parts": "plates"}), target)
        assert read.parts == order_to_build(read, Reading(size=24), asked).parts == parts
        assert as_done(read, read.reading, is_picture=False)["parts"] == parts


def test_what_silhouettes_hide_is_asked_for_of_everyone() -> None:
    for agent in ("mason", "search"):
        assert order_to_read({"agent": agent, "hidden": "full"}) == Order(agent=agent, hidden="full")
    with pytest.raises(InputError, match="hidden is 'empty': choose among believed, full"):
        order_to_read({"hidden": "empty"})


def test_agents_see_everything_in_one_way() -> None:
    order = order_to_read({"agent": "b3", "size": 60, "mosaic": True, "palette": "red"})
    assert order == Order(agent="b3")
    assert order.reading == Reading()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ([], "an object"),
        ("size", "an object"),
        ({"sise": 3}, "no setting 'sise': choose among agent"),
        ({"size": 3}, "4 to 96"),
        ({"size": 97}, "4 to 96"),
        ({"size": 20.5}, "whole number"),
        ({"size": True}, "whole number"),
        ({"size": 10**400}, "whole number"),
        ({"parts": "wood"}, "choose among bricks, plates"),
        ({"parts": "plates", "proportions": "cubic"}, "3 for cubic"),
        ({"proportions": "tall"}, "choose among cubic, real"),
        ({"background": []}, "choose among auto, keep, drop"),
        ({"contrast": "much"}, "give a number"),
        ({"contrast": 9}, "choose 0.25 to 4"),
        ({"contrast": 10**400}, "give a number"),
        ({"depth": 17}, "1 to 16"),
        ({"depth": 2, "mosaic": True}, "lies flat"),
        ({"mosaic": 1}, "true or false"),
        ({"palette": "beige"}, "no colour 'beige'"),
        ({"palette": ""}, "1 to 2000"),
        ({"palette": "x" * 3000}, "1 to 2000"),
        ({"agent": 5}, "agent is 5"),
        ({"hollow": 0}, "whole number"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(settings: object, why: str) -> None:
    with pytest.raises(InputError, match=why) as told:
        order_to_read(settings)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"hollow": 25}, "1 to 24"),
        ({"tolerance": 0}, "0.1 to 1000"),
        ({"inventory": "9x9"}, "no part 9x9"),
        ({"inventory": "2x4=-1"}, "from 0 to 1000000"),
        ({"inventory": {"2x4": 3}}, "inventory is"),
        ({"repair": "yes"}, "true or false"),
    ],
)
def test_the_same_for_builds(settings: object, why: str) -> None:
    asked = Build.of({"target": "a", "agent": "mason", "settings": settings})
    with pytest.raises(InputError, match=why):
        order_to_build(Order(), Reading(size=24), asked)


@given(given=st.dictionaries(st.sampled_from([*READ, *BUILT]), anything, max_size=4))
def test_any_values_make_an_order_or_one_line(given: dict[str, object]) -> None:
    try:
        order = order_to_read(given)
        order_to_build(order, Reading(size=24), Build.of({"target": "a", "agent": "mason", "settings": given}))
    except InputError:
        return
    assert set(settings_of(given)) == {name for name, value in given.items() if value is not None}
    assert set(as_done(order, order.reading, is_picture=True)) == DONE
