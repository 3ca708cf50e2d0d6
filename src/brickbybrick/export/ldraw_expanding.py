"""Sub-models put in their places: what a file with several models shows, part by part.

A sub-model may hold others, may be used many times, and may be turned in any way. How much comes of it is counted
before anything is put anywhere, so that a small file cannot ask for more than can be held.
"""

from collections.abc import Iterator
from typing import NamedTuple

from brickbybrick.construction import MOST_BOX, MOST_BRICKS
from brickbybrick.errors import InputError, shown
from brickbybrick.export.ldraw_places import PITCH, Box, Move, around
from brickbybrick.export.ldraw_text import Reference, Section, Text, key_of
from brickbybrick.export.other_parts import UNKNOWN, hanging, known_box
from brickbybrick.geometry.numbers import Numbered, numbered

MOST_DEPTH = 40  # models within models
MAIN_COLOURS = (16, 24)  # those that stand for the colour of what refers to them
LARGEST = PITCH * MOST_BOX[0]  # units that another part may reach from its origin
STUD_FILES = ("stud", "stug")  # primitives of LDraw's that have a size of their own, and are no part of a body


class Found(NamedTuple):
    """A part in its place."""

    line: int  # of the file
    name: str
    known: Numbered | None  # None for parts that nobody here builds with
    colour: int
    move: Move
    step: int


class Expanding:
    """A file's models, and what each name in them stands for."""

    def __init__(self, text: Text) -> None:
        self.sections = text.sections
        self.meanings: dict[str, Numbered | Section | None] = {}
        self.sizes: dict[str, tuple[int, int]] = {}  # by names of models: lines that come of it, and its depth
        self.boxes: dict[str, Box | None] = {}
        self.used: set[int] = set()  # models that were met before
        self.step = 0
        self.begun = False  # whether the step has parts

    def parts(self) -> Iterator[Found]:
        """All parts of the first model in the order and the steps of the file, a sub-model's where it is first used."""
        whole = next(iter(self.sections.values()))
        lines, _ = self._size(whole, ())
        if lines > 2 * MOST_BRICKS:
            raise InputError(f"its sub-models come to more than {MOST_BRICKS} bricks: so many can be read")
        yield from self._placed(whole, Move(), None, True)

    def _size(self, section: Section, within: tuple[str, ...]) -> tuple[int, int]:
        """How many lines come of a model, and how many models are within each other in it."""
        key = key_of(section.name)
        if key in within:
            raise InputError(f"the sub-model {shown(section.name)} contains itself: take it out of itself")
        if len(within) >= MOST_DEPTH:
            raise InputError(f"more than {MOST_DEPTH} sub-models within each other, down to {shown(section.name)}")
        if key not in self.sizes:
            lines, depth = 0, 0
            for reference in section.references:
                inner = self.meaning(reference)
                more, deep = self._size(inner, (*within, key)) if isinstance(inner, Section) else (0, 0)
                lines, depth = lines + 1 + more, max(depth, deep)
            self.sizes[key] = lines, depth + 1
        lines, depth = self.sizes[key]
        if len(within) + depth > MOST_DEPTH:
            raise InputError(f"more than {MOST_DEPTH} sub-models within each other, down from {shown(section.name)}")
        return lines, depth

    def meaning(self, reference: Reference) -> Numbered | Section | None:
        """What a line refers to: one of our parts, a model of the file, or None for another part."""
        name = reference.name
        if name not in self.meanings:
            file = name.lower().rpartition("/")[2]
            known = numbered(file.removesuffix(".dat")) if file.endswith(".dat") else None
            section = self.sections.get(key_of(name)) or self.sections.get(key_of(file))
            if known is None and section is None and not file.endswith(".dat"):
                advice = "save the model with all that it is made of as one .mpd file"
                raise InputError(f"line {reference.line}: the sub-model {shown(name)} is not in this file: {advice}")
            self.meanings[name] = known or (None if section is None or section.is_part else section)
        return self.meanings[name]

    def _placed(self, section: Section, outer: Move, colour: int | None, steps: bool) -> Iterator[Found]:
        """The parts of a model that is somewhere; its own steps count if `steps`."""
        last: int | None = None
        for reference in section.references:
            if steps and reference.step != last:
                self._begin_step()
                last = reference.step
            own = reference.colour if colour is None or reference.colour not in MAIN_COLOURS else colour
            inner = self.meaning(reference)
            try:
                move = outer.of(Move(reference.place, reference.turn))
            except InputError as error:
                raise InputError(f"line {reference.line}: {error}") from None
            if isinstance(inner, Section):
                first = steps and id(inner) not in self.used
                self.used.add(id(inner))
                yield from self._placed(inner, move, own, first)
                last = None if first else last
            else:
                self.begun = True
                yield Found(reference.line, reference.name, inner, own, move, self.step)

    def _begin_step(self) -> None:
        self.step += self.begun
        self.begun = False

    def box(self, name: str) -> Box | None:
        """The box of another part around its origin; None if its size is not known."""
        file = name.lower().rpartition("/")[2]
        return known_box(file.removesuffix(".dat")) or self._drawn(name, 0)

    def _drawn(self, name: str, depth: int) -> Box | None:
        """The box around what a file draws of a part itself."""
        key = key_of(name)
        section = self.sections.get(key) or self.sections.get(key.rpartition("/")[2])
        if section is None:
            return _primitive(name) if depth else None
        if depth > MOST_DEPTH:
            return None
        if key not in self.boxes:
            self.boxes[key] = None  # of a part that contains itself
            boxes = [around([section.low, section.high])] if section.drawn else []
            for reference in section.references:
                inner = self._drawn(reference.name, depth + 1)
                boxes += [inner.moved(Move(reference.place, reference.turn))] if inner else []
            if boxes:
                self.boxes[key] = around(corner for box in boxes for corner in box)
        return self.boxes[key]


def _primitive(name: str) -> Box | None:
    """The box of one of LDraw's shapes that parts are drawn with: most are two units wide and one high."""
    file = name.lower().rpartition("/")[2]
    if file.startswith(STUD_FILES) or (file[:1].isdigit() and "-" not in file):
        return None
    return Box((-1.0, 0.0, -1.0), (1.0, 1.0, 1.0))


def box_or_brick(expanding: Expanding, name: str) -> tuple[Box, bool]:
    """The box of another part, and whether its size is known; if not, it is that of a brick with one stud."""
    box = expanding.box(name)
    if box is None or not all(abs(value) <= LARGEST for corner in box for value in corner):
        return hanging(UNKNOWN), False
    return box, True
