"""Lists of parts as people keep them, read into a box: of Rebrickable, of BrickLink, models to be taken apart, our own
short form; and prices.

What is not known, parts that are not built with and colours that are not in our table, is counted and named; what can
be no list, a count below zero or a file that ends too early, is an error. Of XML nothing is read but the few fields of
an item, so nothing that it refers to.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from brickbybrick.colours import ANY, COLOURS, SPECIAL, Colour, colour_code, colour_of
from brickbybrick.errors import InputError, shown
from brickbybrick.export.ldraw import one_line
from brickbybrick.export.ldraw_text import decoded
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
ITEMS = {"s": "set ", "m": "figure ", "g": "gear ", "b": "book ", "c": "catalogue "}  # of BrickLink, beside parts
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
        elif ending := Path(source).suffix:
            raise InputError(f"{source}: no list ends in {ending}: give one of {', '.join((*TEXTS, *ENDINGS))}")
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
        try:
            _add_written(contents, ",".join(line for line in lines if line and not line.startswith("#")))
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
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
    for counts, how in ((unknown, "of kinds that are not built with"), (strange, "in colours that are not built in")):
        if some := sum(counts.values()):
            are = "is" if some == 1 else "are"
            contents.notes.append(f"{some:,} of {total:,} parts of {path.name} {are} {how}: {_named(counts)}")


def _named(counts: Counter[str]) -> str:
    """The commonest, and how many there are besides."""
    first = ", ".join(f"{one_line(name)[:40]} ({count:,})" for name, count in counts.most_common(MOST_NAMED))
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
    if path.suffix.lower() not in TEXTS:
        yield from _model_rows(path)
        return
    text = _text_of(path)
    try:
        yield from _rebrickable_rows(text) if path.suffix.lower() == ".csv" else _bricklink_rows(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _text_of(path: Path) -> str:
    return decoded(read_file(path, MOST_BYTES))


def _table(text: str) -> Iterator[dict[str, str]]:
    """The rows of CSV by the names of its columns, in small letters; commas, semicolons or tabs between them."""
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=between, strict=True)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        for row in rows:
            yield {name: cell.strip() for name, cell in zip(names, row, strict=False)}
    except csv.Error as error:
        raise InputError(f"line {rows.line_num} is no row of a table (CSV): {error}") from error


def _rebrickable_rows(text: str) -> Iterator[Row]:
    """Of a parts list or of a set; one of which no count is told counts once. Spares are in the box too."""
    numbers = _numbers(lambda colour: colour.rebrickable)
    for row in _table(text):
        number, colour = _first(row, "part", "part_num"), _first(row, "color", "colour", "color_id")
        if number:
            count = _count(_first(row, "quantity", "qty"), number)
            yield Row(number, _colour(colour, numbers, ("", "-1", str(ANY))), count)


def _bricklink_rows(text: str) -> Iterator[Row]:
    """Of a wanted list, an order or an inventory. What is wanted counts whole, whether some of it is there or not."""
    numbers = _numbers(lambda colour: colour.bricklink)
    plain = "".join(piece.partition("<!--")[0] for piece in text.split("-->"))
    *items, rest = re.split("</item>", plain, flags=re.IGNORECASE)
    if "<!entity" in plain.lower():
        raise InputError("it defines words of its own (<!ENTITY), which no list of parts needs: take them out")
    if "<item>" in rest.lower():
        raise InputError("it ends within an item: fetch it again")
    for item in items:
        fields = re.findall(
            "<(itemtype|itemid|color|minqty|qty|remarks)(?:id)?>([^<]*)<", item.lower().rpartition("<item>")[2]
        )
        told = {name: value.strip() for name, value in fields}
        colour = _colour(told.get("color", ""), numbers, ("", "0"))
        remark = told.get("remarks", "")
        if colour is None:  # one that the shop has no number for may be remarked on
            colour = remark if remark in UNBUILT else _code_named(remark)
        if not told.get("itemid"):
            continue
        kind = told.get("itemtype", "p")
        number = f"{'' if kind == 'p' else ITEMS.get(kind, f'{kind} ')}{told['itemid']}"
        yield Row(number, colour, _count(told.get("qty", told.get("minqty", "")), number))


def _model_rows(path: Path) -> Iterator[Row]:
    """Of a model that is taken apart."""
    model = read_model(path)
    bricks = Counter((brick.part, brick.colour) for brick in model.bricks)
    others = Counter((part.number, part.colour) for part in model.others)
    for (name, colour), count in (bricks + others).items():
        yield Row(name, colour if colour in COLOURS else colour_of(colour).name, count)


def _numbers(of_site: Callable[[Colour], int | None]) -> dict[str, int | str]:
    """What a site's numbers of colours stand for: LDraw's codes, or names of those that nothing is built in."""
    meant: dict[str, int | str] = {str(of_site(colour)): colour.name for colour in SPECIAL.values()}
    meant |= {str(of_site(colour)): code for code, colour in COLOURS.items()}
    return {number: colour for number, colour in meant.items() if number.isdecimal()}


def _colour(text: str, numbers: dict[str, int | str], any_colour: Sequence[str]) -> int | str | None:
    """A colour of a list by the list's own numbers, or by our names."""
    if text in any_colour:
        return None
    code = numbers.get(text, _code_named(text))
    return text if code is None else code


def _code_named(name: str) -> int | None:
    """The code of a colour that is called so, if one is."""
    try:
        return None if name.isdecimal() else colour_code(name)
    except InputError:
        return None


@lru_cache(maxsize=4096)  # lists have few kinds of parts
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


def _count(text: str, number: str) -> int:
    if not re.fullmatch("[0-9]{0,9}", text):
        raise InputError(f"a count of {shown(text)} of {shown(number)}: give a number, 0 or more")
    return int(text or 1)


def prices_in(path: Path) -> Prices:
    """The prices of a CSV file with the columns part, colour, price and currency.

    Parts by their numbers or our names, colours by LDraw's codes or names, or empty for all of a part that are not
    named; one currency. Parts that are not built with do not count, nor do colours that nothing is built in.
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
        if part is None or not price or _unbuilt(colour):
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


def _unbuilt(colour: str) -> bool:
    """Whether it is one of LDraw's colours that nothing is built in."""
    return (colour.isdecimal() and int(colour) not in COLOURS) or colour.lower().replace("-", " ") in UNBUILT
