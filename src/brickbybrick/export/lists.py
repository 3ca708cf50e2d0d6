"""Lists of parts as people keep them, read into a box: of Rebrickable, of BrickLink, models to be taken apart, our own
short form; and prices.

What is not known, parts that are not built with and colours that are not in our table, is counted and named. Of XML
nothing is read but the few fields of an item, so nothing that it refers to.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from brickbybrick.colours import ANY, COLOURS, SPECIAL, colour_code
from brickbybrick.errors import InputError, shown
from brickbybrick.export.models import ENDINGS, read_model
from brickbybrick.files import read_file
from brickbybrick.geometry.inventory import MOST, Entry, Inventory, Kind, kind_of
from brickbybrick.geometry.numbers import numbered
from brickbybrick.geometry.part import PARTS, Part
from brickbybrick.geometry.prices import Prices, price_of

TEXTS = (".csv", ".xml", ".txt")  # endings of the files that lists come in
MOST_BYTES = 10_000_000
MOST_NAMED = 5  # parts or colours in a note
UNBUILT = {colour.name for colour in SPECIAL.values()}
KINDS = "a parts list of Rebrickable (Part,Color,Quantity), a list of BrickLink (XML) or a model (.ldr, .mpd, .io)"


class Row(NamedTuple):
    """What a list says of one kind of parts."""

    number: str
    colour: int | str | None  # LDraw's code, None for any, or what the list calls a colour that is not known
    amount: int


@dataclass
class Contents:
    """What is in a file, or in several sources together."""

    counts: dict[Kind, int | None] = field(default_factory=dict)
    named: set[Part] = field(default_factory=set)  # parts that somebody wrote down by name, to build with
    notes: list[str] = field(default_factory=list)

    def add(self, kind: Kind, count: int | None) -> None:
        """Puts more parts in; what is without end stays so."""
        there = self.counts.get(kind, 0)
        self.counts[kind] = None if there is None or count is None else min(MOST, there + count)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(Entry(*kind, count) for kind, count in self.counts.items())


def is_file(source: str) -> bool:
    """Whether what somebody gives for an inventory is a file's name; else it is our short form."""
    return source.lower().endswith((*TEXTS, *ENDINGS))


def contents_of(sources: Sequence[str]) -> Contents:
    """All that is in some sources, each a file's name or our short form."""
    contents = Contents()
    for source in sources:
        if is_file(source):
            _add_file(contents, Path(source))
        else:
            _add_written(contents, source)
    return contents


def _add_written(contents: Contents, text: str) -> None:
    for part, colour, count in Inventory.parse(text).entries:
        contents.add((part, colour), count)
        contents.named.add(part)


def _add_file(contents: Contents, path: Path) -> None:
    if path.suffix.lower() == ".txt":
        lines = (line.strip().strip(",") for line in _text_of(path).splitlines())
        _add_written(contents, ",".join(line for line in lines if line and not line.startswith("#")))
        return
    unknown: Counter[str] = Counter()
    strange: Counter[str] = Counter()
    total, known = 0, 0
    for number, colour, count in _rows_of(path):
        part = part_called(number)
        total += count
        if part is None:
            unknown[number] += count
        elif isinstance(colour, str):
            strange[colour] += count
        elif count > 0:
            known += count
            contents.add((part, colour), count)
    if not known:
        raise InputError(f"{path}: no brick in a known colour is listed in it: give {KINDS}")
    for counts, are in ((unknown, "of kinds that are not built with"), (strange, "in colours that are not known")):
        if some := sum(counts.values()):
            contents.notes.append(f"{some:,} of {total:,} parts of {path.name} are {are}: {_named(counts)}")


def _named(counts: Counter[str]) -> str:
    """The commonest, and how many there are besides."""
    first = ", ".join(f"{name[:40]} ({count:,})" for name, count in counts.most_common(MOST_NAMED))
    return f"{first} and {len(counts) - MOST_NAMED} more" if len(counts) > MOST_NAMED else first


def colours_in_list(path: Path) -> tuple[int, ...]:
    """LDraw's codes of the colours of all bricks in a file, those of which there are most first."""
    counts: Counter[int] = Counter()
    for (_, colour), count in contents_of([str(path)]).counts.items():
        if colour is not None:
            counts[colour] += 1 if count is None else count
    if not counts:
        raise InputError(f"{path}: no brick in a known colour is listed in it: give {KINDS}")
    return tuple(code for code, _ in counts.most_common())


def _rows_of(path: Path) -> Iterator[Row]:
    """What a file lists."""
    ending = path.suffix.lower()
    if ending == ".csv":
        return _rebrickable_rows(_text_of(path))
    return _bricklink_rows(_text_of(path)) if ending == ".xml" else _model_rows(path)


def _text_of(path: Path) -> str:
    """The text of a file; spreadsheets write UTF-16 too."""
    content = read_file(path, MOST_BYTES)
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    return content.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def _table(text: str) -> Iterator[dict[str, str]]:
    """The rows of CSV by the names of its columns, in small letters; commas, semicolons or tabs between them."""
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=between)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        for row in rows:
            yield {name: cell.strip() for name, cell in zip(names, row, strict=False)}
    except csv.Error:
        return  # the rest is no list


def _rebrickable_rows(text: str) -> Iterator[Row]:
    """Of a parts list or of a set; one of which no count is told counts once. Spares are in the box too."""
    codes = {str(each.rebrickable): code for code, each in COLOURS.items()}
    for row in _table(text):
        number, colour = _first(row, "part", "part_num"), _first(row, "color", "colour", "color_id")
        if number:
            count = _count(_first(row, "quantity", "qty"))
            yield Row(number, _colour(colour, codes, ("", "-1", str(ANY))), count)


def _bricklink_rows(text: str) -> Iterator[Row]:
    """Of a wanted list, an order or an inventory. What is wanted counts whole, whether some of it is there or not."""
    codes = {str(each.bricklink): code for code, each in COLOURS.items() if each.bricklink is not None}
    plain = "".join(piece.partition("<!--")[0] for piece in text.split("-->"))
    for item in re.split("</item>", plain, flags=re.IGNORECASE)[:-1]:
        fields = re.findall(
            "<(itemtype|itemid|color|minqty|qty|remarks)>([^<]*)<", item.lower().rpartition("<item>")[2]
        )
        told = {name: value.strip() for name, value in fields}
        colour = _colour(told.get("color", ""), codes, ("", "0"))
        remark = told.get("remarks", "")
        if colour is None:  # one that the shop has no number for may be remarked on
            colour = remark if remark in UNBUILT else _code_named(remark)
        if not told.get("itemid"):
            continue
        kind = "" if told.get("itemtype", "p") == "p" else f"{told['itemtype']} "  # a set, a figure
        yield Row(f"{kind}{told['itemid']}", colour, _count(told.get("qty", told.get("minqty", ""))))


def _model_rows(path: Path) -> Iterator[Row]:
    """Of a model that is taken apart."""
    model = read_model(path)
    bricks = Counter((brick.part, brick.colour) for brick in model.bricks)
    others = Counter((part.number, part.colour) for part in model.others)
    for (name, colour), count in (bricks + others).items():
        yield Row(name, colour if colour in COLOURS else _strange(str(colour)), count)


def _colour(text: str, codes: dict[str, int], any_colour: Sequence[str]) -> int | str | None:
    """A colour of a list by the list's own numbers, or by our names."""
    if text in any_colour:
        return None
    code = codes.get(text, _code_named(text))
    return _strange(text) if code is None else code


def _strange(code: str) -> str:
    """What to call a colour that no brick is built in."""
    return SPECIAL[int(code)].name if code.isdecimal() and int(code) in SPECIAL else code


def _code_named(name: str) -> int | None:
    """The code of a colour that is called so, if one is."""
    try:
        return None if name.isdecimal() else colour_code(name)
    except InputError:
        return None


def part_called(name: str) -> Part | None:
    """The part that has a number, or that we call so; None if it is not built with, or is printed on."""
    found = numbered(name)
    if found is not None:
        return None if found.printed else found.part
    try:
        part, colour = kind_of(name)
    except InputError:
        return None
    return part if colour is None and part in PARTS else None


def _first(row: dict[str, str], *names: str) -> str:
    return next((row[name] for name in names if name in row), "")


def _count(text: str) -> int:
    number = text or "1"
    return int(number) if re.fullmatch("[0-9]{1,9}", number) else 0


def prices_in(path: Path) -> Prices:
    """The prices of a CSV file with the columns part, colour, price and currency.

    Parts by their numbers or our names, colours by LDraw's codes or names, or empty for all of a part that are not
    named; one currency. Parts that are not built with do not count.
    """
    text = _text_of(path)
    try:
        return _prices(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _prices(text: str) -> Prices:
    each: dict[Kind, Decimal] = {}
    currencies = set()
    for row in _table(text):
        name, colour, price = _first(row, "part", "part_num"), _first(row, "colour", "color"), _first(row, "price")
        part = part_called(name)
        if part is None or not price:
            continue
        kind = part, colour_code(colour) if colour else None
        if kind in each:
            raise InputError(f"two prices of {Entry(*kind).name}: give each once")
        each[kind] = price_of(price.replace(",", "."))
        currencies.add(_first(row, "currency").upper())
    if not each:
        raise InputError("no prices of bricks: give a table with part, colour, price and currency (CSV)")
    if len(currencies) > 1:
        raise InputError(f"prices in {', '.join(sorted(map(shown, currencies)))}: give all in one currency")
    return Prices(currencies.pop(), tuple(each.items()))
