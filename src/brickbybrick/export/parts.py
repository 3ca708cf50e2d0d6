"""What to buy: a model's bricks counted by size and colour, and the lists that shops' sites read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from brickbybrick.colours import colour_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Size

# The same in LDraw, BrickLink and Rebrickable.
PART_NUMBERS = {
    Size(1, 1): "3005",
    Size(1, 2): "3004",
    Size(1, 3): "3622",
    Size(1, 4): "3010",
    Size(2, 2): "3003",
    Size(2, 3): "3002",
    Size(2, 4): "3001",
    Size(2, 6): "2456",
    Size(2, 8): "3007",
}


@dataclass(frozen=True)
class Part:
    """A kind of brick and how many of it are needed."""

    size: Size
    colour: int  # LDraw's code
    count: int

    @property
    def name(self) -> str:
        return f"{self.size} {colour_of(self.colour).name}"


def part_number(size: Size) -> str:
    """The number under which catalogues have the bricks of a size."""
    if size not in PART_NUMBERS:
        raise InputError(
            f"no part is known for a brick of {size} studs: build with {', '.join(map(str, PART_NUMBERS))}"
        )
    return PART_NUMBERS[size]


def parts_of(bricks: Iterable[PlacedBrick]) -> list[Part]:
    """The parts, large bricks first, and of one size in the order of the colours' codes."""
    counts = Counter((brick.size, brick.colour) for brick in bricks)
    kinds = sorted(counts, key=lambda kind: (-kind[0].studs, -kind[0].length, kind[1]))
    return [Part(size, colour, counts[size, colour]) for size, colour in kinds]


def to_bricklink(construction: Construction) -> str:
    """A wanted list in BrickLink's XML, to be pasted as text; its page does not take an XML declaration."""
    items = [
        f"<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>{part_number(part.size)}</ITEMID>"
        f"{_bricklink(part.colour)}<MINQTY>{part.count}</MINQTY></ITEM>\n"
        for part in parts_of(construction.bricks)
    ]
    return f"<INVENTORY>\n{''.join(items)}</INVENTORY>\n"


def to_rebrickable(construction: Construction) -> str:
    """A parts list in Rebrickable's CSV."""
    rows = [
        f"{part_number(part.size)},{colour_of(part.colour).rebrickable},{part.count}\n"
        for part in parts_of(construction.bricks)
    ]
    return f"Part,Color,Quantity\n{''.join(rows)}"


def _bricklink(code: int) -> str:
    """A colour in a wanted list; one that the shop has no number for is left open."""
    number = colour_of(code).bricklink
    return "" if number is None else f"<COLOR>{number}</COLOR>"
