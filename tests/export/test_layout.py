"""Steps flow over pages in their order; rows fill the pages and never leave them or overlap."""

from itertools import pairwise

import pytest
from export.furniture import BY_HAND, TABLE

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.book import Scene, passages_of
from brickbybrick.export.callout import to_name
from brickbybrick.export.layout import GUTTER, pages_of
from brickbybrick.export.panel import fitted
from brickbybrick.export.sections import Chapter, chapters_of, steps_of
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.export.stud_map import cell_of
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.handwork.work import Handwork, in_one_go

BODY = Box(40, 40, 515, 730)
WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
TOWER = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(40)])
PAGES = Pages("a4", "a book")


def pitch(panel: Box, scene: Scene, _: Chapter | None) -> float:
    return fitted(PAGES, panel, scene, ()).pitch


ONE_BY_ONE = in_one_go([[index] for index in range(60)])


@pytest.mark.parametrize(
    ("model", "handwork"),
    [(TABLE, BY_HAND), (WALL, ONE_BY_ONE), (TOWER, in_one_go([[index] for index in range(40)]))],
    ids=["table", "wall", "tower"],
)
def test_rows_lie_below_each_other_on_their_page_and_steps_beside_each_other(
    model: Construction, handwork: Handwork
) -> None:
    passages = passages_of(model, handwork)
    pages = pages_of(passages, BODY, pitch)
    told = [scene.name for page in pages for scene in page.scenes]
    assert told == [scene.name for passage in passages for scene in passage.scenes]
    for page in pages:
        end = 0.0
        for row in page.rows:
            assert row.top >= end - 0.01
            end = row.top + row.height + GUTTER
            panels = row.panels(BODY)
            assert len(panels) == len(row.scenes)
            for panel in panels:
                assert panel.left >= BODY.left
                assert panel.right <= BODY.right + 0.01
                assert panel.top >= BODY.top
                assert panel.bottom <= BODY.bottom + 0.51
            assert all(one.right < other.left for one, other in pairwise(panels))
        assert end - GUTTER > 0.5 * BODY.height or page is pages[-1]


def test_small_things_share_a_page_and_large_ones_get_fewer() -> None:
    pages = pages_of(passages_of(WALL, ONE_BY_ONE), BODY, pitch)
    assert len(pages[0].scenes) > len(pages[-2].scenes)


def test_two_steps_of_something_flat_lie_below_each_other_where_that_shows_them_larger() -> None:
    plates = [PlacedBrick("plate 4x8", 8 * x, 4 * y, 0, 1) for y in range(2) for x in range(3)]
    (page,) = pages_of(passages_of(Construction(tuple(plates)), in_one_go([[0, 1, 2], [3, 4, 5]])), BODY, pitch)
    assert [len(row.scenes) for row in page.rows] == [1, 1]
    tower = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(12)])
    (page,) = pages_of(passages_of(tower, in_one_go([range(6), range(6, 12)])), BODY, pitch)
    assert [len(row.scenes) for row in page.rows] == [2]


def test_what_is_built_apart_has_a_heading_on_each_page_where_it_goes_on() -> None:
    for page in pages_of(passages_of(TABLE, BY_HAND), BODY, pitch):
        for place, row in enumerate(page.rows):
            apart = row.passage.apart is not None
            begins = row.first or place == 0
            assert (row.heading > 0) == (apart and begins)


def test_the_maps_of_a_mosaic_stay_legible_whatever_its_parts_are_called() -> None:
    """Eight parts a step in colours that look alike, whose names take most of a small panel."""
    blues = (1, 9, 73, 212, 323, 321, 322, 313)
    base = [PlacedBrick("plate 4x8", 4 * x, 8 * y, 0, 0) for x in range(8) for y in range(2)]
    top = [PlacedBrick("plate 1x2", x, 2 * y, 1, 0, blues[(x + y) % 8]) for x in range(32) for y in range(8)]
    mosaic = Construction((*base, *top))
    chapters = chapters_of(mosaic)
    named = to_name(blues)

    def in_words(panel: Box, scene: Scene, chapter: Chapter | None) -> float:
        return fitted(PAGES, panel, scene, named, chapter.section if chapter else None).pitch

    passages = passages_of(mosaic, in_one_go(steps_of(chapters, mosaic)), chapters)
    for page in pages_of(passages, BODY, in_words):
        for row in page.rows:
            assert row.passage.chapter is not None
            for panel, scene in zip(row.panels(BODY), row.scenes, strict=True):
                (_, extent, box), *_ = fitted(PAGES, panel, scene, named, row.passage.chapter.section).maps
                assert cell_of(box, extent) >= 4.5
