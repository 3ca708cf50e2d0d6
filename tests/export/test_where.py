"""Maps are there for what one cannot find by counting studs, and turn with the picture."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from export.furniture import LEGS

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.book import Scene, passages_of
from brickbybrick.export.stud_map import Layer
from brickbybrick.export.where import as_seen, maps_of
from brickbybrick.geometry.camera import in_book
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go


def scenes_of(*steps: list[PlacedBrick]) -> tuple[Scene, ...]:
    bricks = tuple(brick for step in steps for brick in step)
    ends = np.cumsum([0, *map(len, steps)]).tolist()
    named = [list(range(start, end)) for start, end in pairwise(ends)]
    (passage,) = passages_of(Construction(bricks), in_one_go(named))
    return passage.scenes


@pytest.mark.parametrize("part", ["2x4", "1x3", "plate 4x4", "slope 45 2x1", "slope 33 3x1"])
@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("upside_down", [False, True])
def test_bricks_are_where_a_turned_model_has_them(part: str, quarters: int, upside_down: bool) -> None:
    view = in_book(quarters, upside_down)
    for d in PlacedBrick(part, 0, 0, 0, 0).shape.directions:
        brick = PlacedBrick(part, 2, -3, 4, d)
        seen = as_seen(brick, view)
        middles = (np.array(list(brick.cells())) + 0.5) @ view.turn
        assert {tuple(cell) for cell in (middles - 0.5).round().astype(int).tolist()} == set(seen.cells())
        if not upside_down:
            studs = np.array([(x, y, 0) for x, y in brick.shape.studs(brick.pose)]) + 0.5
            expected = {tuple(place) for place in (studs @ view.turn - 0.5).round().astype(int)[:, :2].tolist()}
            assert expected == set(seen.shape.studs(seen.pose))


def test_legs_that_stand_apart_have_a_map_and_what_is_put_on_them_has_none() -> None:
    feet = [PlacedBrick("2x2", x, y, 0, 0) for x, y in LEGS]
    first, more = scenes_of(feet, [replace(foot, z=3) for foot in feet])
    (layer,) = maps_of(first)
    assert [brick for brick, _ in layer.new] == feet
    assert maps_of(more) == []


def test_legs_that_are_built_apart_have_a_map_of_where_they_are_set_down() -> None:
    feet = [PlacedBrick("2x2", x, y, 0, 0) for x, y in LEGS]
    legs = [brick for foot in feet for brick in (foot, replace(foot, z=3))]
    seat = PlacedBrick("2x2", *LEGS[0], 6, 0)
    chunks = [Chunk((Step((2 * leg, 2 * leg + 1)),)) for leg in range(len(LEGS))]
    whole = Chunk((Step(chunks=tuple(range(len(LEGS)))), Step((len(legs),))))
    scene = passages_of(Construction((*legs, seat)), Handwork((*chunks, whole)))[-1].scenes[0]
    (layer,) = maps_of(scene)
    assert [brick for brick, _ in layer.new] == feet


def test_bricks_that_touch_on_the_table_need_no_map() -> None:
    row = [PlacedBrick("2x4", 4 * x, 0, 0, 1) for x in range(4)]
    assert [maps_of(scene) for scene in scenes_of(row[:1], row[1:3], row[3:])] == [[], [], []]


def test_what_touches_something_that_is_there_needs_no_map_though_other_things_stand_apart() -> None:
    floor, far = PlacedBrick("2x4", 0, 0, 0, 1), PlacedBrick("2x2", 20, 0, 0, 0)
    beside, farther = PlacedBrick("2x4", 0, 2, 0, 1), PlacedBrick("2x2", 20, 20, 0, 0)
    *_, joins, again = scenes_of([floor, far], [beside], [farther])
    assert maps_of(joins) == []
    (layer,) = maps_of(again)
    assert [brick for brick, _ in layer.new] == [farther]


def test_only_what_is_far_from_all_edges_of_a_plain_needs_a_map() -> None:
    plain = [PlacedBrick("plate 4x8", 8 * x, 4 * y, 0, 1) for x in range(3) for y in range(5)]

    def needs(x: int, y: int, *others: PlacedBrick) -> bool:
        return bool(maps_of(scenes_of(plain, list(others), [PlacedBrick("1x1", x, y, 1, 0)])[-1]))

    assert needs(12, 10, PlacedBrick("1x1", 0, 0, 1, 0))
    assert not needs(0, 0, PlacedBrick("1x1", 5, 0, 1, 0))
    assert not needs(4, 3, PlacedBrick("1x1", 0, 0, 1, 0))
    assert not needs(12, 10, PlacedBrick("2x2", 10, 10, 1, 0), PlacedBrick("2x2", 12, 7, 1, 0))


def maps_of_chunk(below: list[PlacedBrick], chunk: list[PlacedBrick]) -> list[Layer]:
    """Of the step that puts a chunk on what is there."""
    own = Chunk((Step(tuple(range(len(below), len(below) + len(chunk)))),))
    work = Handwork((own, Chunk((Step(tuple(range(len(below)))), Step(chunks=(0,))))))
    *_, last = passages_of(Construction((*below, *chunk)), work)
    return maps_of(last.scenes[-1])


def test_what_is_put_on_as_one_has_a_map_unless_it_ends_where_the_other_does() -> None:
    legs = [PlacedBrick("2x2", x, y, 0, 0) for x in (0, 6) for y in (0, 6)]
    assert maps_of_chunk(legs, [PlacedBrick("plate 4x8", x, 0, 3, 0) for x in (0, 4)]) == []
    wide = [PlacedBrick("plate 4x8", x, y, 3, 1) for x in (-4, 4) for y in (-2, 2, 6)]
    (layer,) = maps_of_chunk(legs, wide)  # it overhangs on all sides, and hides by how much
    assert [brick for brick, _ in layer.new] == wide
    assert layer.joined == legs


def test_what_is_put_on_as_one_has_a_map_in_the_midst_of_a_plain() -> None:
    floor = [PlacedBrick("plate 4x8", 4 * x, 8 * y, 0, 0) for x in range(5) for y in range(3)]
    lamp = [PlacedBrick("2x2", 0, 0, 1, 0), PlacedBrick("2x2", 0, 0, 4, 0)]
    assert len(maps_of_chunk(floor, [replace(brick, x=9, y=11) for brick in lamp])) == 1
    assert maps_of_chunk(floor, [replace(brick, x=5, y=19) for brick in lamp]) == []


def test_bricks_that_come_from_elsewhere_than_above_have_a_map_with_what_they_join() -> None:
    post = [PlacedBrick("2x2", 0, 0, 0, 0), PlacedBrick("2x2", 0, 0, 3, 0), PlacedBrick("2x6", 0, 0, 6, 1)]
    hanging = PlacedBrick("2x2", 4, 0, 3, 0)
    (layer,) = maps_of(scenes_of(post, [hanging])[-1])
    assert layer.new == [(hanging, "from below")]
    assert layer.joined == [post[2]]
    assert layer.there == [post[1]]


def test_sections_of_mosaics_always_have_one() -> None:
    (scene,) = scenes_of([PlacedBrick("2x4", 0, 0, 0, 0)])
    assert maps_of(scene) == []
    assert len(maps_of(scene, always=True)) == 1
