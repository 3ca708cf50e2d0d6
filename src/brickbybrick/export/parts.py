"""What to buy: a model's bricks counted by part and colour, and the lists that shops' sites read."""

from collections import Counter
from dataclasses import dataclass

from brickbybrick.colours import COLOURS, Colour, colour_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError

# A size's part number, the same in LDraw, BrickLink and Rebrickable.
PART_NUMBERS = {
    "1x1": "3005",
    "1x2": "3004",
    "1x3": "3622",
    "1x4": "3010",
    "2x2": "3003",
    "2x3": "3002",
    "2x4": "3001",
    "2x6": "2456",
    "2x8": "3007",
}


@dataclass(frozen=True)
class Lot:
    """So many bricks of one part in one colour."""

    part: str  # the size, as in "2x4"
    colour: Colour
    count: int

    @property
    def number(self) -> str:
        return PART_NUMBERS[self.part]


def part_number(brick: PlacedBrick) -> str:
    """The number under which catalogues have a brick."""
    part = str(brick.size)
    if part not in PART_NUMBERS:
        raise InputError(f"no part is known for a brick of {part} studs: build with {', '.join(PART_NUMBERS)}")
    return PART_NUMBERS[part]


def parts_list(construction: Construction) -> tuple[Lot, ...]:
    """The bricks needed, small parts first and then in the colours' order, however the model is built."""
    sizes = {number: part for part, number in PART_NUMBERS.items()}
    counts = Counter((sizes[part_number(brick)], colour_of(brick.colour)) for brick in construction.bricks)
    return tuple(
        Lot(part, colour, counts[part, colour])
        for part in PART_NUMBERS
        for colour in COLOURS.values()
        if counts[part, colour]
    )


def to_bricklink(construction: Construction) -> str:
    """A wanted list in BrickLink's XML, to be pasted as text; its page does not take an XML declaration."""
    items = [
        f"<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>{lot.number}</ITEMID><COLOR>{lot.colour.bricklink}</COLOR>"
        f"<MINQTY>{lot.count}</MINQTY></ITEM>\n"
        for lot in parts_list(construction)
    ]
    return f"<INVENTORY>\n{''.join(items)}</INVENTORY>\n"


def to_rebrickable(construction: Construction) -> str:
    """A parts list in Rebrickable's CSV."""
    rows = [f"{lot.number},{lot.colour.code},{lot.count}\n" for lot in parts_list(construction)]
    return f"Part,Color,Quantity\n{''.join(rows)}"
