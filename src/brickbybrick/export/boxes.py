"""A box before a build and after it: what of it can be built with; what is left in it and what is missing, in words, in
figures and as lists that sites read."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.lists import Contents, contents_of
from brickbybrick.export.parts import Needed, bricklink_list, listed, rebrickable_list, used_in
from brickbybrick.geometry.inventory import Entry, Inventory, Rest
from brickbybrick.geometry.prices import Prices
from brickbybrick.order import Order, Parts

BOUGHT, WHOLE = "bricklink.xml", "rebrickable.csv"  # the lists of all that a model needs
LEFT, MISSING, MISSING_ROWS = "left.csv", f"missing-{BOUGHT}", f"missing-{WHOLE}"
BOX_FILES = (LEFT, MISSING, MISSING_ROWS)
MOST_NAMED = 5  # kinds of missing parts in a line


class Box(NamedTuple):
    """What is in the boxes that somebody names."""

    inventory: str  # what can be built with, in our short form
    aside: tuple[Entry, ...] = ()  # what an order has no use for
    notes: tuple[str, ...] = ()


def box_of(sources: Sequence[str], order: Order) -> Box:
    """What some sources, files or our short form, hold for an order that has no inventory yet.

    What somebody named is built with, or an order says that it cannot be; of a file, what there is no use for stays
    aside.
    """
    contents = contents_of(sources)
    if not order.by_mason:
        return Box(",".join(sources))  # nobody else has a box
    sorting = replace(order, parts=_kinds_for(contents, order))
    used, aside, why = [], [], Counter[str]()
    for entry in contents.entries:
        advice = None if entry.part in contents.named else sorting.no_use_for(entry.part)
        if advice is None:
            used.append(entry)
        else:
            aside.append(entry)
            why[advice] += entry.amount or 0
    if not used:
        raise InputError(f"nothing in the inventory can be built with: {', '.join(why)}, or give others")
    notes = [f"{count:,} parts stay in the box: {advice} to build with them" for advice, count in why.items()]
    return Box(str(Inventory(tuple(used))), tuple(aside), (*contents.notes, *notes))


def _kinds_for(contents: Contents, order: Order) -> Parts:
    """The parts to build with where an order leaves that open: slopes only if somebody names some, and plates if there
    are any."""
    if order.parts is not None or order.kinds == "bricks":
        return order.kinds
    if any(part.slopes for part in contents.named):
        return "all"
    return "plates" if any(part.kind == "plate" for part, _ in contents.counts) else "bricks"


def left_of(entries: Iterable[Entry]) -> list[Needed]:
    """What is left in a box, but for what there is no end of."""
    return listed({(part, colour): amount for part, colour, amount in entries if amount})


def box_files(rest: Rest, kinds: Collection[str]) -> dict[str, bytes]:
    """The files that tell what becomes of a box, each beside its site's list of all that a model needs, if a kit holds
    that."""
    files = {}
    if WHOLE in kinds:
        files[LEFT] = rebrickable_list(left_of(rest.left))
    if rest.missing and BOUGHT in kinds:
        files[MISSING] = bricklink_list(listed(rest.missing))
    if rest.missing and WHOLE in kinds:
        files[MISSING_ROWS] = rebrickable_list(listed(rest.missing))
    return {name: text.encode() for name, text in files.items()}


def with_aside(files: Mapping[str, bytes], figures: dict[str, Any], box: Box | None) -> dict[str, bytes]:
    """The files of a kit, with what stayed aside among what is left; so do the figures of the model."""
    if box is None:
        return dict(files)
    aside = left_of(box.aside)
    figures["left"] = figures["left"] | _by_name(aside)
    _, _, more = rebrickable_list(aside).partition("\n")
    return {**files, LEFT: files[LEFT] + more.encode()} if LEFT in files else dict(files)


def rest_figures(rest: Rest) -> dict[str, dict[str, int]]:
    """What is left and what is missing, by the names of our short form."""
    return {"left": _by_name(left_of(rest.left)), "missing": _by_name(listed(rest.missing))}


def _by_name(parts: Iterable[Needed]) -> dict[str, int]:
    return {Entry(needed.part, needed.colour).name: needed.count for needed in parts}


def price_figures(built: Construction, prices: Prices, rest: Rest | None) -> dict[str, Any]:
    """What a model costs, and what of it must be bought."""
    whole = prices.bill(used_in(built.bricks))
    figures: dict[str, Any] = {"currency": prices.currency, "price": float(whole.total), "without_price": whole.without}
    if rest is not None:
        figures["price_missing"] = float(prices.bill(rest.missing).total)
    return figures


def said_of(figures: Mapping[str, Any], rest: Rest, prices: Prices | None) -> list[str]:
    """What is left in a box and what is missing in it, in words."""
    left = sum(figures["left"].values())
    said = [f"left in the box: {f'{left:,}' if left else 'no'} part{'s' * (left != 1)}"]
    if rest.missing:
        first = ", ".join(f"{needed.count} of {needed.name}" for needed in listed(rest.missing)[:MOST_NAMED])
        kinds = f" and {len(rest.missing) - MOST_NAMED} more kinds" if len(rest.missing) > MOST_NAMED else ""
        cost = "" if prices is None else f"; they cost {prices.said(prices.bill(rest.missing))}"
        said.append(f"missing in the box: {sum(rest.missing.values()):,}, {first}{kinds}{cost}")
    return said
