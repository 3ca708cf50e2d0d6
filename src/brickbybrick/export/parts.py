"""What to buy: a model's bricks counted by size and colour, and the lists that shops' sites read.

Such lists also come back: who keeps an inventory at one of those sites can have it as a file, and build in its colours.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.files import read_file
from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.inventory import BRICKS

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
LISTS = (".csv", ".xml")  # endings of the files that parts lists come in: Rebrickable's and BrickLink's
MOST_BYTES = 10_000_000


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


def colours_in_list(path: Path) -> tuple[int, ...]:
    """LDraw's codes of the colours of all bricks in a parts list, those of which there are most first.

    Bricks are those that models are built of; other parts, colours that bricks are not made in, and bricks of which
    there are none do not count.
    """
    text = read_file(path, MOST_BYTES).decode("utf-8-sig", errors="replace")
    ours = {PART_NUMBERS[size] for size in BRICKS}
    if path.suffix.lower() == ".csv":
        rows, code_of = _rebrickable_rows(text), {str(each.rebrickable): code for code, each in COLOURS.items()}
    else:
        rows, code_of = _bricklink_rows(text), {str(each.bricklink): code for code, each in COLOURS.items()}
    counts: Counter[int] = Counter()
    for number, colour, count in rows:
        if number in ours and colour in code_of and count > 0:
            counts[code_of[colour]] += count
    if not counts:
        kinds = "a parts list of Rebrickable (Part,Color,Quantity) or an inventory of BrickLink (XML)"
        raise InputError(f"{path}: no brick in a known colour is listed in it: give {kinds}")
    return tuple(code for code, _ in counts.most_common())


def _rebrickable_rows(text: str) -> Iterator[tuple[str, str, int]]:
    """Number, colour and count of each row; one of which no count is told counts once."""
    try:
        for row in csv.DictReader(StringIO(text, newline="")):
            yield row.get("Part") or "", row.get("Color") or "", _count(row.get("Quantity"))
    except csv.Error:
        return  # the rest is no list


def _bricklink_rows(text: str) -> Iterator[tuple[str, str, int]]:
    """The same of each item; nothing else of XML is read, so nothing that it refers to."""
    for item in re.findall("<ITEM>(.*?)</ITEM>", text, re.DOTALL):
        told = dict(re.findall("<(ITEMID|COLOR|MINQTY|QTY)>([^<]*)</", item))
        yield told.get("ITEMID", "").strip(), told.get("COLOR", "").strip(), _count(told.get("QTY", told.get("MINQTY")))


def _count(text: str | None) -> int:
    number = (text or "1").strip()
    return int(number) if re.fullmatch("[0-9]{1,9}", number) else 0
