"""What is to be known of a model before it is built, in figures and in sentences.

The sentences never make a model better than it is: one that a touch tips over is not said to stand, and how it stands
comes with how much is left until it falls. What is true of a model is worked out in `check.py`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import floor
from typing import NamedTuple

from brickbybrick.construction import Construction
from brickbybrick.geometry.stability import TOUCHED, holds

# Load factors below which a model stands firmly, and from which on it barely stands: bricks that are worn or badly
# pressed on hold less than those that the friction was measured on.
FIRM, BARE = 0.5, 0.9
MOST_NAMED = 10  # kinds of parts that are not judged


class Fault(NamedTuple):
    """A brick to paint red, and why."""

    brick: int
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What is to be known of a model before it is built."""

    joined: bool  # all bricks hang together by studs
    no_overlap: bool
    above_ground: bool
    in_budget: bool
    insertable: bool  # there is an order in which a hand can put on every brick
    insertable_as_placed: bool  # the order in which the bricks were placed is one
    stands: bool | None  # on a level table, if nobody touches it; None if it is so large that it was not worked out
    stands_on_plate: bool | None
    load_factor: float | None  # friction needed by friction there is, on a table; None if it topples or is not known
    load_factor_on_plate: float | None
    exact_load_factors: bool = True  # whether they are the least friction that is enough; a bound in large models
    tips_at: float | None = None  # degrees that a table may lean before it tips over; None if it is not in one piece
    steady: bool | None = None  # it stands on a table, and a touch does not tip it over; None if that is not known
    faults: tuple[Fault, ...] = ()
    sentences: tuple[str, ...] = ()

    def flat(self) -> dict[str, bool | float | None]:
        """The verdict as a `Construction` carries it; a model that topples has a load factor of null in JSON."""
        names = [field.name for field in fields(self) if field.name not in ("faults", "sentences")]
        return {name: getattr(self, name) for name in names}


def is_steady(stands: bool | None, tips_at: float | None) -> bool | None:
    """Whether a model on a table stays when it is touched; None if that is not known."""
    if stands is False or tips_at is None:
        return stands
    return False if tips_at < TOUCHED else stands


def explain(verdict: Verdict, construction: Construction, parts: int) -> Iterator[str]:
    """The verdict in sentences: first what is wrong with the bricks, then how the model stands."""
    if not verdict.joined:
        yield f"The bricks fall into {parts} pieces that no stud joins."
    if not verdict.no_overlap:
        yield "Some bricks are in each other's place, so it makes no sense to ask whether the model stands."
        return
    if not verdict.above_ground:
        yield "Some bricks are below the ground; the lowest layer is taken for what stands on the table."
    if not verdict.in_budget:
        yield f"There are {len(construction.bricks)} bricks, and the budget is {construction.budget}."
    if verdict.insertable and not verdict.insertable_as_placed:
        yield "It can be built by hand, though not in the order in which the bricks were placed."
    yield from _how_it_stands(verdict)
    if verdict.stands is None or verdict.stands_on_plate is None:
        yield f"With {len(construction.bricks)} bricks it was not worked out: forces are judged in smaller models."
    elif not verdict.exact_load_factors:
        yield f"With {len(construction.bricks)} bricks, how little the joints could do with was not worked out."


def not_judged(construction: Construction) -> Iterator[str]:
    """What the verdict leaves out, in a sentence, if there is anything."""
    counts = Counter(part.number for part in construction.others)
    if not counts:
        return
    named = [number if count == 1 else f"{count} of {number}" for number, count in counts.most_common(MOST_NAMED)]
    more = f" and {len(counts) - MOST_NAMED} more kinds" if len(counts) > MOST_NAMED else ""
    parts = f"{counts.total()} parts are" if counts.total() > 1 else "1 part is"
    yield f"{parts} not judged, and all else as if there were no such parts: {', '.join(named)}{more}."


def _how_it_stands(verdict: Verdict) -> Iterator[str]:
    """How a model stands on a table and on a plate, and how much is left until it does not."""
    exact = verdict.exact_load_factors
    on_table = _how_it_bears(verdict.stands, verdict.load_factor, exact)
    on_plate = _how_it_bears(verdict.stands_on_plate, verdict.load_factor_on_plate, exact)
    if verdict.steady is False and verdict.stands is not False:
        on_table = f"tips over when touched, at a lean of {_degrees(verdict.tips_at or 0.0)}: widen its foot"
    if on_table == on_plate:
        yield f"On a table it {on_table}; on a studded plate too."
    else:
        yield f"On a table it {on_table}."
        yield f"On a studded plate it {on_plate}."
    if verdict.tips_at is not None and verdict.steady is not False:
        yield f"The table may lean {_degrees(verdict.tips_at)} before the model tips over."


def _how_it_bears(stands: bool | None, factor: float | None, exact: bool) -> str:
    """What the joints make of it; a bound on what they bear says that a model stands firmly, never that it barely
    does."""
    if stands is None:
        return "may stand or fall"
    if factor is None:
        return "topples"
    if not holds(factor):
        needed = f"{'' if exact else 'at least '}{factor:.2f} times what it can"
        return f"breaks: the most loaded joint would have to bear {needed}"
    manner = "stands firmly" if factor < FIRM else "stands barely" if exact and factor >= BARE else "stands"
    share = "under 1 %" if exact and factor < 0.01 else f"{'' if exact else 'at most '}{max(100 * factor, 1):.0f} %"
    advice = "; glue it, or widen its foot" if manner == "stands barely" else ""
    return f"{manner}: the most loaded joint bears {share} of what it can{advice}"


def _degrees(angle: float) -> str:
    """An angle, rounded down: what is just too much is not said to be enough."""
    if angle < 0.1:
        return "under 0.1 degrees"
    return f"{floor(10 * angle) / 10:.1f} degrees" if angle < 10 else f"{floor(angle)} degrees"
