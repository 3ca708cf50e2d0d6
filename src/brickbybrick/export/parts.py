"""What to buy: a model's bricks counted by size and colour, and the lists that shops' sites read.

How such lists come back, from who keeps an inventory at one of those sites, is `lists.py`'s.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from brickbybrick.colours import ANY, colour_of
from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.part import PARTS, Part, of_its_kind

CATALOGUED = re.compile("[0-9]{2,7}[a-z0-9]*")  # numbers of parts that one can buy


@dataclass(frozen=True)
class Needed:
    """A part in one colour, and how many of it are needed."""

    part: Part
    colour: int | None  # LDraw's code, or None for any
    count: int
    number: str = ""  # of a part that nobody here builds with, which is drawn as a box

    @property
    def label(self) -> str:
        """What it is called."""
        return self.number or str(self.part)

    @property
    def name(self) -> str:
        return f"{self.part} {self.colour_name}"

    @property
    def colour_name(self) -> str:
        return "any colour" if self.colour is None else colour_of(self.colour).name


class Bought(NamedTuple):
    """A line of a list to buy by."""

    number: str  # in catalogues
    colour: int | None  # LDraw's code, or None for any
    amount: int


def part_number(part: Part) -> str:
    """The number under which catalogues have a part."""
    if part not in PARTS:
        raise InputError(f"no number is known for a part {part}: build with {of_its_kind(part)}")
    return PARTS[part].number


def used_in(bricks: Iterable[PlacedBrick]) -> Counter[tuple[Part, int]]:
    """How many there are of each part in each colour."""
    return Counter((brick.shape, brick.colour) for brick in bricks)


def parts_of(bricks: Iterable[PlacedBrick]) -> list[Needed]:
    """The parts, high and large ones first, and of one part in the order of the colours' codes."""
    return listed(used_in(bricks))


def others_among(others: Iterable[OtherPart]) -> list[Needed]:
    """The parts that nobody here builds with, by their numbers."""
    counts = Counter((part.number, part.colour, part.box.shape) for part in others)
    return [Needed(shape, colour, count, number) for (number, colour, shape), count in sorted(counts.items())]


def listed(counts: Mapping[tuple[Part, int | None], int] | Mapping[tuple[Part, int], int]) -> list[Needed]:
    """So many parts in colours in the same order; those of any colour come first."""
    needed = [Needed(part, colour, count) for (part, colour), count in counts.items()]
    return sorted(needed, key=_place)


def _place(needed: Needed) -> tuple[int, int, int, Part, int]:
    part, colour = needed.part, -1 if needed.colour is None else needed.colour
    return -part.height, -part.area, -part.length, part, colour


def to_bricklink(construction: Construction) -> str:
    """A wanted list in BrickLink's XML, to be pasted as text; its page does not take an XML declaration."""
    return bricklink_list(parts_of(construction.bricks), others_of(construction))


def to_rebrickable(construction: Construction) -> str:
    """A parts list in Rebrickable's CSV."""
    return rebrickable_list(parts_of(construction.bricks), others_of(construction))


def others_of(construction: Construction) -> list[Bought]:
    """The parts of a model that are not judged, as catalogues have them; what somebody drew himself is in none."""
    counts = Counter((part.number.rpartition("/")[2].lower(), part.colour) for part in construction.others)
    return [Bought(*kind, count) for kind, count in sorted(counts.items()) if CATALOGUED.fullmatch(kind[0])]


def bricklink_list(parts: Iterable[Needed], others: Iterable[Bought] = ()) -> str:
    """Parts as a wanted list in BrickLink's XML."""
    items = [
        f"<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>{number}</ITEMID>{_bricklink(colour)}<MINQTY>{count}</MINQTY></ITEM>\n"
        for number, colour, count in (*map(_bought, parts), *others)
    ]
    return f"<INVENTORY>\n{''.join(items)}</INVENTORY>\n"


def rebrickable_list(parts: Iterable[Needed], others: Iterable[Bought] = ()) -> str:
    """Parts as a list in Rebrickable's CSV."""
    bought = (*map(_bought, parts), *others)
    rows = [f"{number},{_rebrickable(colour)},{count}\n" for number, colour, count in bought]
    return f"Part,Color,Quantity\n{''.join(rows)}"


def _bought(needed: Needed) -> Bought:
    return Bought(part_number(needed.part), needed.colour, needed.count)


def _bricklink(code: int | None) -> str:
    """A colour in a wanted list; one that the shop has no number for is left open, and remarked on."""
    if code is None:
        return ""
    colour = colour_of(code)
    return f"<REMARKS>{colour.name}</REMARKS>" if colour.bricklink is None else f"<COLOR>{colour.bricklink}</COLOR>"


def _rebrickable(code: int | None) -> int:
    return ANY if code is None else colour_of(code).rebrickable
