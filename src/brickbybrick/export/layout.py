"""How the steps of a book flow over its pages: in rows, which fill each page, and as many in a row as stay legible."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from brickbybrick.export.book import Passage, Scene
from brickbybrick.export.panel import pitch_of
from brickbybrick.export.sections import Chapter
from brickbybrick.export.sheet import Box

GUTTER = 26.0  # points between steps
GRIDS = ((3, 4), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1))  # columns and rows of steps on a page, the fullest first
EASY_PITCH = 9.0  # points from stud to stud in the last picture of a passage; if it needs less, fewer are on a page,
LEAST_GAIN = 2.4  # unless a page for each step would make it less than this many times larger, as with towers,
LEAST_PITCH = 6.0  # but never smaller pictures than this
HEADER = 62.0  # points that number and parts take of a panel, usually
HEADING = 26.0  # points that the heading of what is built apart takes
STRETCH = 0.9  # of its height that a row may grow by to fill its page


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


def pages_of(passages: Sequence[Passage], body: Box) -> list[Page]:
    """The pages that steps need; the body is what a page has for them."""
    pages: list[Page] = []
    rows: list[Row] = []
    used = 0.0
    for passage in passages:
        for row in _rows(passage, body):
            chapter = rows[0].passage.chapter if rows else passage.chapter
            if rows and (used + row.height > body.height + 0.5 or chapter is not passage.chapter):
                pages.append(_filled(rows, body.height))
                rows, used = [], 0.0
            if passage.apart is not None and not row.heading and not rows:
                row = replace(row, heading=HEADING)  # it goes on from the page before
            rows.append(row)
            used += row.height + GUTTER
    return [*pages, _filled(rows, body.height)] if rows else pages


def _rows(passage: Passage, body: Box) -> list[Row]:
    """A passage's steps in rows of about as many each."""
    rows: list[Row] = []
    left = passage.scenes
    while left:
        columns, lines = grid_of(left, body)
        size = ceil(len(left) / ceil(len(left) / columns))  # not 3, 3 and 1
        height = (body.height - GUTTER * (lines - 1)) / lines
        heading = HEADING if passage.apart is not None and not rows else 0.0
        rows.append(Row(passage, left[:size], 0.0, height, heading, not rows))
        left = left[size:]
    return rows


def grid_of(scenes: Sequence[Scene], body: Box) -> tuple[int, int]:
    """Columns and rows of steps on a page for the next of some steps: as many as stay legible."""
    for columns, lines in GRIDS:
        last = scenes[min(columns, len(scenes)) - 1]
        pitches = []
        for across, down in ((min(columns, len(scenes)), lines), GRIDS[-1]):
            width = (body.width - GUTTER * (across - 1)) / across
            height = (body.height - GUTTER * (down - 1)) / down - HEADER
            pitches.append(pitch_of(Box(0, 0, width, height), last))
        if pitches[0] >= min(EASY_PITCH, max(LEAST_PITCH, pitches[1] / LEAST_GAIN)):
            return columns, lines
    return GRIDS[-1]


def _filled(rows: Sequence[Row], height: float) -> Page:
    """Rows that share what is left of a page's height."""
    spare = (height - sum(row.height for row in rows) - GUTTER * (len(rows) - 1)) / len(rows)
    top, placed = 0.0, []
    for row in rows:
        high = row.height + min(max(spare, 0.0), STRETCH * row.height)
        placed.append(replace(row, top=top, height=high))
        top += high + GUTTER
    return Page(tuple(placed))
