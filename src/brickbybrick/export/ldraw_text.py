"""LDraw's text, line by line: the models of a file, what each refers to, and what is said about it.

An .ldr file holds one model, an .mpd file several, the first of which is the whole. Nothing is put together here: which
references are parts, and where they come to lie, is for `ldraw_reading.py` to say.
"""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from math import isfinite
from typing import Any, NamedTuple

from brickbybrick.colours import DIRECT, is_colour
from brickbybrick.construction import FARTHEST, MOST, MOST_NAME, Construction
from brickbybrick.errors import InputError, shown
from brickbybrick.files import parsed_json

MOST_BYTES = 10_000_000  # of a file to read; 100,000 bricks fit
META = "!BRICKBYBRICK"  # what is known of a model beside its title and author, as JSON of these fields
KNOWN = ("budget", "iou", "episode_return", "notes", "verdict", "walls")
DRAWN = {"2": 2, "3": 3, "4": 4, "5": 4}  # points of a line, a triangle, a rectangle and a conditional line
# Lines of comment that hold a line which is not to be seen.
HIDING = {("GHOST",), ("MLCAD", "HIDE"), ("MLCAD", "GHOST"), ("!:",)}
NO_TITLES = {"Name:", "Author:", "STEP", "ROTSTEP", "CLEAR", "PAUSE", "SAVE", "WRITE", "PRINT", "BFC", "NOFILE"}
NO_TITLES |= {"MLCAD", "GROUP"}
PART_HEADER = re.compile(
    r"(?:Unofficial_)?(?:Part|Subpart|Primitive|8_Primitive|48_Primitive|Shortcut)\b", re.IGNORECASE
)
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

Triple = tuple[float, float, float]
Nine = tuple[float, ...]


class Reference(NamedTuple):
    """A line of type 1: a part or another model, somewhere."""

    line: int  # of the file
    colour: int
    place: Triple
    turn: Nine  # row by row
    name: str  # as it is written, with plain slashes
    step: int  # of its model, from 0


@dataclass
class Section:
    """One model of a file, or a part that is drawn in it."""

    name: str
    line: int = 0  # of the file, where it begins
    references: list[Reference] = field(default_factory=list)
    low: list[float] = field(default_factory=list)  # the least and the most of all points that are drawn
    high: list[float] = field(default_factory=list)
    drawn: int = 0  # lines that draw something
    step: int = 0  # the one that is being read
    held: set[int] = field(default_factory=set)  # steps after which a hand must hold what is there
    turned: bool = False  # whether the view shows it upside down while it is built
    part: bool = False  # whether it says so itself

    @property
    def is_part(self) -> bool:
        return self.part or (self.drawn > 0 and self.name.lower().endswith(".dat"))

    def end_step(self) -> None:
        """Begins another step; one that adds nothing is none."""
        self.step += bool(self.references) and self.references[-1].step == self.step

    def reach(self, points: Sequence[Triple]) -> None:
        """Notes how far something drawn reaches."""
        self.low = [min(values) for values in zip(*points, *([self.low] if self.low else []), strict=True)]
        self.high = [max(values) for values in zip(*points, *([self.high] if self.high else []), strict=True)]


@dataclass
class Text:
    """All that a file says."""

    sections: dict[str, Section] = field(default_factory=dict)  # by their names in small letters, the whole one first
    title: str = ""
    author: str = ""
    about: dict[str, Any] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)  # kinds of lines that were not read, and how many


def parsed(content: bytes | str) -> Text:
    """What the content of an .ldr or .mpd file says; what is no LDraw is an error that names the line."""
    if len(content) > MOST_BYTES:
        raise InputError(f"more than {MOST_BYTES // 1_000_000} MB: give a smaller model")
    text = decoded(content) if isinstance(content, bytes) else content.removeprefix("\ufeff")
    reader = _Reader()
    for number, line in enumerate(StringIO(text, newline=None), start=1):
        try:
            reader.read(number, line.strip("\ufeff\x00 \t\r\n\x0b\x0c\x1a"))
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    return reader.text


def decoded(content: bytes) -> str:
    """Text of any encoding that programs for bricks write; the old ones wrote that of Western Europe."""
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    if content[1:2] == b"\0" or content[:1] == b"\0":  # no mark, and every other byte of plain text is empty
        return content.decode("utf-16-le" if content[1:2] == b"\0" else "utf-16-be", errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


class _Reader:
    """What has been read of a file so far."""

    def __init__(self) -> None:
        self.text = Text()
        self.section = Section("")  # lines before the first name belong to a model without one
        self.text.sections[""] = self.section
        self.over = False  # after the end of a model
        self.begun = False  # whether the place for the title is past
        self.colours: dict[int, int] = {}  # codes that the file gives a look, and those that hold that look
        self.stored: dict[str, int] = {}  # how many references there were when they were put aside

    def read(self, number: int, line: str) -> None:
        words = line.split()
        if not words:
            return
        if words[0] == "0":
            self._comment(number, words[1:], line)
        elif self.over:
            self.text.left_out["lines after the end of a model (0 NOFILE)"] += 1
        elif words[0] == "1":
            self.section.references.append(self._reference(number, words))
            self.begun = True
        elif words[0] in DRAWN:
            numbers = [_number(word) for word in words[2 : 2 + 3 * DRAWN[words[0]]]]
            if len(numbers) < 3 * DRAWN[words[0]]:
                raise InputError(f"a line of type {words[0]} needs {2 + 3 * DRAWN[words[0]]} fields")
            self.section.reach([(*numbers[at : at + 3],) for at in range(0, len(numbers), 3)])  # type: ignore[misc]
            self.section.drawn += 1
        else:
            raise InputError(f"{shown(line)} is not a line of LDraw: they begin with 0 to 5")

    def _comment(self, number: int, words: list[str], line: str) -> None:
        if not words:
            return
        if words[0] == "FILE":
            self._file(number, " ".join(words[1:]))
            return
        if self.over:
            return
        main = len(self.text.sections) == 1
        if words[0] == "BUFEXCHG" or words[:2] == ["MLCAD", "BUFEXCHG"]:
            self._exchange(words[words.index("BUFEXCHG") + 1 :])
        elif tuple(words[:1]) in HIDING or tuple(words[:2]) in HIDING:
            self.text.left_out["hidden lines"] += 1
        elif main and not self.begun and words[0] not in NO_TITLES and not words[0].startswith(("!", "//")):
            self.text.title = " ".join(words)
        elif words[0] in ("STEP", "ROTSTEP", "NOFILE"):
            self._step(words)
        elif words[:2] == ["//", "hold"]:
            self.section.held.add(self.section.step)
        elif words[0] == "Author:":
            self.text.author = " ".join(words[1:]) if main else self.text.author
        elif words[0] == META and main:
            self.text.about = _about(line.split(maxsplit=2)[2:])
        elif words[0] == "!COLOUR":
            self._define(words)
        elif words[0] in ("!LDRAW_ORG", "LDRAW_ORG") and len(words) > 1:
            self.section.part |= PART_HEADER.match(words[1]) is not None
        self.begun = True

    def _file(self, number: int, name: str) -> None:
        """The beginning of another model; what came before the first one was a title at most."""
        key = key_of(name)
        if list(self.text.sections) == [""] and not self.section.references:
            self.text.sections.clear()
            begun = bool(self.text.title)
        else:
            begun = True
        self.section = Section(name, number)
        if self.text.sections.setdefault(key, self.section) is not self.section:
            self.text.left_out["models of a name that another one has"] += 1
        self.over, self.begun = False, begun
        self.stored.clear()

    def _step(self, words: list[str]) -> None:
        if words[0] == "ROTSTEP" and len(words) > 3:
            self.section.turned |= [abs(_number(word)) % 360 for word in words[1:4]].count(180) == 1 and (
                abs(_number(words[2])) % 360 != 180
            )
        self.over |= words[0] == "NOFILE"
        self.section.end_step()

    def _exchange(self, words: list[str]) -> None:
        """Parts that are shown for some steps: they are taken away again when others are retrieved."""
        if len(words) > 1 and words[1] == "STORE":
            self.stored[words[0]] = len(self.section.references)
        elif words[0] in self.stored if words else False:
            gone = len(self.section.references) - self.stored[words[0]]
            del self.section.references[self.stored[words[0]] :]
            self.text.left_out["parts that are there for some steps only"] += max(gone, 0)

    def _define(self, words: list[str]) -> None:
        """A colour of the file's own: what is known under its code stays what it is."""
        told = dict(zip(words[2::2], words[3::2], strict=False))
        code, look = told.get("CODE", ""), re.fullmatch("(?:#|0x)([0-9A-Fa-f]{6})", told.get("VALUE", ""))
        if re.fullmatch("[0-9]{1,9}", code) and look and not is_colour(int(code)):
            self.colours[int(code)] = DIRECT + int(look[1], 16)

    def _reference(self, line: int, words: list[str]) -> Reference:
        if len(words) < 15:
            raise InputError(f"a brick needs 15 fields, here are {len(words)}")
        right, down, back, *turn = (_number(word) for word in words[2:14])
        name = " ".join(words[14:]).replace("\\", "/")
        if len(name) > MOST_NAME:
            raise InputError(f"a part of the name {shown(name)}: names have up to {MOST_NAME} characters")
        return Reference(line, self._colour(words[1]), (right, down, back), tuple(turn), name, self.section.step)

    def _colour(self, word: str) -> int:
        if re.fullmatch("(?:0x|#)[0-9A-Fa-f]{7}", word):
            return int(word.removeprefix("#").removeprefix("0x"), 16)
        if re.fullmatch("[0-9]{1,9}", word):
            return self.colours.get(int(word), int(word))
        raise InputError(f"{shown(word)} is not the code of a colour")


def key_of(name: str) -> str:
    """A name of a model as it is looked up."""
    return " ".join(name.lower().replace("\\", "/").split())


def _number(word: str) -> float:
    try:
        value = float(word) if "_" not in word else None
    except ValueError:
        value = None
    if value is None or not isfinite(value):
        raise InputError(f"{shown(word)} is not a number")
    if abs(value) > FARTHEST:
        raise InputError(f"{shown(word)} is too far away: bricks can be {MOST} studs from the origin")
    return value


def _about(text: Sequence[str]) -> dict[str, Any]:
    """What our own line of comment says of a model."""
    try:
        about = parsed_json("".join(text))
    except ValueError:
        about = None
    if not isinstance(about, dict) or not set(about) <= set(KNOWN) or not isinstance(about.get("notes", []), list):
        raise InputError(f"{META} is followed by something else than we write: leave the line out")
    about |= {"notes": tuple(about.get("notes", []))}
    try:
        Construction((), **about).check()
    except InputError as error:
        raise InputError(f"after {META}, {error}") from None
    return about
