"""Sections of a mosaic, which is built a square of 16 x 16 studs after the other.

A picture of a thousand bricks is hard to find one's place in, and sixteen studs are not. The base comes first, all of
it, because bricks of the picture reach across the borders of sections; then the picture, as one reads: from the left to
the right, beginning behind. Other models have no sections.
"""

from collections.abc import Sequence
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.steps import grouped
from brickbybrick.export.stud_map import Extent

SIDE = 16  # studs of a section
LEAST = 6  # studs of the shorter side; what is narrower is a bar


class Chapter(NamedTuple):
    """The bricks of one layer in one section."""

    title: str
    section: Extent  # its studs
    bricks: tuple[int, ...]  # by their indices, in the order to place them
    shown: tuple[int, ...]  # these, and all of the layers up to theirs that lie in the section


def chapters_of(construction: Construction) -> list[Chapter]:
    """What to build in turn of a mosaic that is larger than a section; nothing of other models.

    A mosaic is told by its form: two layers, the upper one on the lower one everywhere. A brick belongs to the section
    that its middle lies in.
    """
    if not _is_mosaic(construction):
        return []
    bricks, whole = construction.bricks, Extent.of(construction.bricks)
    sections = _sections(whole)
    home = [_home(brick, whole) for brick in bricks]
    chapters = []
    for layer, name in zip(construction.layers, ("Base", "Section"), strict=True):
        for number, section in enumerate(sections):
            own = [index for index, brick in enumerate(bricks) if brick.z == layer and home[index] == number]
            own.sort(key=lambda index: _reading_order(bricks[index]))
            if own:
                title = f"{name} {number + 1} of {len(sections)}"
                up_to = [index for index, brick in enumerate(bricks) if brick.z <= layer and _reaches(brick, section)]
                chapters.append(Chapter(title, section, tuple(own), tuple(sorted({*own, *up_to}))))
    return chapters


def steps_of(chapters: Sequence[Chapter], construction: Construction) -> list[list[int]]:
    """The steps of all chapters, in turn; none has bricks of two."""
    chapter = {index: number for number, each in enumerate(chapters) for index in each.bricks}
    return grouped(list(chapter), construction, chapter)


def _is_mosaic(construction: Construction) -> bool:
    if not construction.bricks:
        return False
    wide, deep, _ = construction.extent
    if len(construction.layers) != 2 or max(wide, deep) <= SIDE or min(wide, deep) < LEAST:
        return False
    ground = construction.layers[0]
    base = {(x, y) for brick in construction.bricks if brick.z == ground for x, y, _ in brick.cells()}
    upper = (brick for brick in construction.bricks if brick.z > ground)
    return all(any((x, y) in base for x, y, _ in brick.cells()) for brick in upper)


def _sections(whole: Extent) -> list[Extent]:
    """From the left to the right, beginning behind; those at the right and in front may be smaller."""
    found = []
    for behind in range(0, whole.depth, SIDE):
        for across in range(0, whole.width, SIDE):
            width, depth = min(SIDE, whole.width - across), min(SIDE, whole.depth - behind)
            found.append(Extent(whole.left + across, whole.front + whole.depth - behind - depth, width, depth))
    return found


def _home(brick: PlacedBrick, whole: Extent) -> int:
    """The number of the section that the middle of a brick lies in."""
    along_x, along_y = brick.shape.extent(brick.d)
    column = (2 * (brick.x - whole.left) + along_x - 1) // 2 // SIDE
    row = (2 * (whole.front + whole.depth - brick.y) - along_y) // 2 // SIDE
    return row * -(-whole.width // SIDE) + column


def _reading_order(brick: PlacedBrick) -> tuple[int, int]:
    return -brick.y - brick.shape.extent(brick.d)[1], brick.x


def _reaches(brick: PlacedBrick, section: Extent) -> bool:
    """Whether a brick covers studs of a section."""
    along_x, along_y = brick.shape.extent(brick.d)
    return (
        section.left - along_x < brick.x < section.left + section.width
        and section.front - along_y < brick.y < section.front + section.depth
    )
