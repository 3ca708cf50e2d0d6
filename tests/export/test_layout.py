"""Steps flow over pages in their order; rows fill the pages and never leave them or overlap."""

from itertools import pairwise

import pytest
from export.furniture import BY_HAND, TABLE

from brickbybrick.construction import Construction
from brickbybrick.export.book import passages_of
from brickbybrick.export.layout import GUTTER, pages_of
from brickbybrick.export.sheet import Box
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.handwork.work import Handwork, in_one_go

BODY = Box(40, 40, 515, 730)
WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
TOWER = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(40)])
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
    pages = pages_of(passages, BODY)
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
    early, late = pages_of(passages_of(WALL, ONE_BY_ONE), BODY)[0], pages_of(passages_of(WALL, ONE_BY_ONE), BODY)[-2]
    assert len(early.scenes) > len(late.scenes)


def test_what_is_built_apart_has_a_heading_on_each_page_where_it_goes_on() -> None:
    for page in pages_of(passages_of(TABLE, BY_HAND), BODY):
        for place, row in enumerate(page.rows):
            apart = row.passage.apart is not None
            begins = row.first or place == 0
            assert (row.heading > 0) == (apart and begins)
