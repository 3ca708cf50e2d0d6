"""Settings that a page sends, as an order has them: plain values that are checked here, because they come from outside.

A page may send all its settings with every question; each takes those that concern it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.order import MASON, Hidden, Order, Parts
from brickbybrick.studio.requests import Build, Record
from brickbybrick.targets.reading import Keeping, Proportions, Reading
from brickbybrick.targets.target import Target

MOST_TEXT = 2_000  # characters; all names of colours take half of it
MOST_NUMBER = 1e6


def _whole(value: object, name: str) -> int:
    return whole_number(value, name, 1)


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_NUMBER:
        raise InputError(f"{name} is {shown(value)}: give a number")
    return float(value)


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{name} is {shown(value)}: give true or false")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MOST_TEXT:
        raise InputError(f"{name} is {shown(value)}: give text of 1 to {MOST_TEXT} characters")
    return value


def _one_of(*choices: str) -> Callable[[object, str], str]:
    def chosen(value: object, name: str) -> str:
        if not isinstance(value, str) or value not in choices:
            raise InputError(f"{name} is {shown(value)}: choose among {', '.join(choices)}")
        return value

    return chosen


# How what was sent is read, and how it is built.
READ: dict[str, Callable[[object, str], Any]] = {
    "agent": _text,
    "size": _whole,
    "parts": _one_of(*get_args(Parts)),
    "proportions": _one_of(*get_args(Proportions)),
    "background": _one_of(*get_args(Keeping)),
    "contrast": _number,
    "depth": _whole,
    "mosaic": _flag,
    "dither": _flag,
    "hidden": _one_of(*get_args(Hidden)),
    "palette": _text,
    "inventory": _text,
}
BUILT: dict[str, Callable[[object, str], Any]] = {
    "palette": _text,
    "smooth": _flag,
    "hollow": _whole,
    "tolerance": _number,
    "inventory": _text,
    "repair": _flag,
}


def settings_of(value: object) -> Record:
    """The settings that were given, each of its kind; those that are null are left to the usual."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError("settings are an object of names and values: leave them out for the usual ones")
    known, settings = READ | BUILT, {}
    for name, given in value.items():
        if name not in known:
            raise InputError(f"no setting {shown(name)}: choose among {', '.join(known)}")
        if given is not None:
            settings[name] = known[name](given, name)
    return settings


def order_to_read(value: object) -> Order:
    """How something that was sent is to be read. Agents but the mason see all things in one way, at 14 cells, whatever
    is compared with what they build."""
    asked = {name: setting for name, setting in settings_of(value).items() if name in READ}
    if asked.get("agent", MASON) != MASON:
        return Order(**{name: asked[name] for name in ("agent", "hidden") if name in asked})
    return Order(**asked)


def as_read(order: Order, target: Target) -> Order:
    """An order as it came out for what was read by it: in layers as high as bricks, such as those of the paper's
    targets, nothing but bricks has a place."""
    return replace(order, parts="bricks") if order.by_mason and target.layer == BRICK_HIGH else order


def order_to_build(read: Order, reading: Reading, asked: Build, in_paint: bool = False) -> Order:
    """How the mason is to build something that was read.

    Args:
        read: The order for it; its palette counts where a build does not name another.
        reading: What came of it.
        asked: The build.
        in_paint: Whether it has colours of its own; the build's are for what has none.
    """
    settings = {name: setting for name, setting in settings_of(asked.settings).items() if name in BUILT}
    order = Order(
        parts=read.kinds,
        palette=read.palette,
        inventory=read.inventory,
        size=reading.size,
        budget=asked.budget,
        seed=asked.seed,
    )
    return replace(order, colour=() if in_paint else tuple(map(str, asked.colours)), **settings)


def as_done(order: Order, reading: Reading, is_picture: bool) -> Record:
    """The settings by which something was read, as they came out; a background is only in pictures."""
    return {
        "agent": order.agent,
        "size": reading.size,
        "parts": order.kinds,
        "proportions": reading.proportions,
        "background": reading.background if is_picture else None,
        "contrast": reading.contrast,
        "depth": reading.depth if is_picture else None,
        "mosaic": reading.mosaic,
        "dither": bool(reading.mixed),
        "palette": order.palette,
    }
