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
from brickbybrick.geometry.part import PARTS, Part, of_its_kind

LISTS = (".csv", ".xml")  # endings of the files that parts lists come in: Rebrickable's and BrickLink's
MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Needed:
    """A part in one colour, and how many of it are needed."""

    part: Part
    colour: int  # LDraw's code
    count: int

    @property
    def name(self) -> str:
        return f"{self.part} {colour_of(self.colour).name}"


def part_number(part: Part) -> str:
    """The number under which catalogues have a part."""
    if part not in PARTS:
        raise InputError(f"no number is known for a part {part}: build with {of_its_kind(part)}")
    return PARTS[part].number


def parts_of(bricks: Iterable[PlacedBrick]) -> list[Needed]:
    """The parts, high and large ones first, and of one part in the order of the colours' codes."""
    counts = Counter((brick.shape, brick.colour) for brick in bricks)
    kinds = sorted(counts, key=lambda kind: (-kind[0].height, -kind[0].area, -kind[0].length, kind))
    return [Needed(part, colour, counts[part, colour]) for part, colour in kinds]


def to_bricklink(construction: Construction) -> str:
    """A wanted list in BrickLink's XML, to be pasted as text; its page does not take an XML declaration."""
    items = [
        f"<ITEM><ITEMTYPE>P</ITEMTYPE><ITEMID>{part_number(needed.part)}</ITEMID>"
        f"{_bricklink(needed.colour)}<MINQTY>{needed.count}</MINQTY></ITEM>\n"
        for needed in parts_of(construction.bricks)
    ]
    return f"<INVENTORY>\n{''.join(items)}</INVENTORY>\n"


def to_rebrickable(construction: Construction) -> str:
    """A parts list in Rebrickable's CSV."""
    rows = [
        f"{part_number(needed.part)},{colour_of(needed.colour).rebrickable},{needed.count}\n"
        for needed in parts_of(construction.bricks)
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
    ours = {known.number for known in PARTS.values()}
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
