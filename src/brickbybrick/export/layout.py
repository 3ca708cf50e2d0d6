"""How the steps of a book flow over its pages: in rows, which fill each page, and as many in a row as stay legible."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from brickbybrick.export.book import Passage, Scene
from brickbybrick.export.sections import Chapter
from brickbybrick.export.sheet import Box

Pitch = Callable[[Box, Scene, Chapter | None], float]  # points from stud to stud of a step in a panel, by its section

GUTTER = 26.0  # points between steps
GRIDS = ((3, 4), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1))  # columns and rows of steps on a page, the fullest first
EASY_PITCH = 9.0  # points from stud to stud in the last picture of a passage; if it needs less, fewer are on a page,
LEAST_GAIN = 2.4  # unless a page for each step would make it less than this many times larger, as with towers,
LEAST_PITCH = 6.0  # but never smaller pictures than this
HEADING = 26.0  # points that the heading of what is built apart takes
STRETCH = 0.9  # of its height that a row may grow by to fill its page
WORTH = 1.1  # times that the smallest picture of a page has to grow for its rows to be split


@dataclass(frozen=True)
class Row:
    """Steps beside each other."""

    passage: Passage
    scenes: Sequence[Scene]
    top: float  # from the top of the page's body
    height: float
    heading: float  # points of it above the panels
    first: bool  # whether the passage begins with it

    def panels(self, body: Box) -> list[Box]:
        """The place of each step."""
        count = len(self.scenes)
        inner = body if self.passage.apart is None else body.inset(6)
        width = (inner.width - GUTTER * (count - 1)) / count
        top, height = body.top + self.top + self.heading, self.height - self.heading
        return [Box(inner.left + place * (width + GUTTER), top, width, height) for place in range(count)]


@dataclass(frozen=True)
class Page:
    """Rows below each other, of one section if it is a mosaic's."""

    rows: tuple[Row, ...]

    @property
    def chapter(self) -> Chapter | None:
        return self.rows[0].passage.chapter

    @property
    def scenes(self) -> list[Scene]:
        return [scene for row in self.rows for scene in row.scenes]


def pages_of(passages: Sequence[Passage], body: Box, pitch: Pitch) -> list[Page]:
    """The pages that steps need; the body is what a page has for them."""
    pages: list[list[Row]] = []
    used = 0.0
    for passage in passages:
        for row in _rows(passage, body, pitch):
            begins = not pages or pages[-1][0].passage.chapter is not passage.chapter
            if begins or used + row.height > body.height + 0.5:
                pages.append([])
                used = 0.0
            if passage.apart is not None and not row.heading and not pages[-1]:
                row = replace(row, heading=HEADING)  # it goes on from the page before
            pages[-1].append(row)
            used += row.height + GUTTER
    return [Page(tuple(_opened(rows, body, pitch))) for rows in pages]


def _rows(passage: Passage, body: Box, pitch: Pitch) -> list[Row]:
    """A passage's steps in rows of about as many each."""
    rows: list[Row] = []
    left = passage.scenes
    while left:
        columns, lines = grid_of(left, body, pitch, passage.chapter)
        size = ceil(len(left) / ceil(len(left) / columns))  # not 3, 3 and 1
        height = (body.height - GUTTER * (lines - 1)) / lines
        heading = HEADING if passage.apart is not None and not rows else 0.0
        rows.append(Row(passage, left[:size], 0.0, height, heading, not rows))
        left = left[size:]
    return rows


def grid_of(scenes: Sequence[Scene], body: Box, pitch: Pitch, chapter: Chapter | None = None) -> tuple[int, int]:
    """Columns and rows of steps on a page for the next of some steps: as many as stay legible."""
    for columns, lines in GRIDS:
        row = scenes[: min(columns, len(scenes))]
        panel = _panel(body, len(row), lines)
        worst, scene = min(((pitch(panel, scene, chapter), scene) for scene in row), key=lambda pair: pair[0])
        if worst >= EASY_PITCH:
            return columns, lines
        if worst >= max(LEAST_PITCH, pitch(_panel(body, *GRIDS[-1]), scene, chapter) / LEAST_GAIN):
            return columns, lines
    return GRIDS[-1]


def _panel(body: Box, columns: int, lines: int) -> Box:
    width = (body.width - GUTTER * (columns - 1)) / columns
    return Box(0, 0, width, (body.height - GUTTER * (lines - 1)) / lines)


def _opened(rows: Sequence[Row], body: Box, pitch: Pitch) -> list[Row]:
    """The rows of a page in their places; each in two, while that makes the smallest picture larger."""
    placed = _placed(rows, body.height)
    while any(len(row.scenes) > 1 for row in placed):
        split = _placed([half for row in placed for half in _halves(row)], body.height)
        if _smallest(split, body, pitch) < WORTH * _smallest(placed, body, pitch):
            break
        placed = split
    return placed


def _halves(row: Row) -> list[Row]:
    """The same steps in two rows, if there are several."""
    half = ceil(len(row.scenes) / 2)
    lower = replace(row, scenes=row.scenes[half:], heading=0.0, first=False)
    return [replace(row, scenes=row.scenes[:half]), lower] if lower.scenes else [row]


def _smallest(rows: Sequence[Row], body: Box, pitch: Pitch) -> float:
    """Points from stud to stud in the smallest picture of a page."""
    return min(
        pitch(panel, scene, row.passage.chapter)
        for row in rows
        for panel, scene in zip(row.panels(body), row.scenes, strict=True)
    )


def _placed(rows: Sequence[Row], height: float) -> list[Row]:
    """Rows that share a page's height."""
    room = height - GUTTER * (len(rows) - 1)
    natural = sum(row.height for row in rows)
    spare = (room - natural) / len(rows)
    top, placed = 0.0, []
    for row in rows:
        high = row.height + min(spare, STRETCH * row.height) if spare > 0 else row.height * min(room / natural, 1.0)
        placed.append(replace(row, top=top, height=high))
        top += high + GUTTER
    return placed
