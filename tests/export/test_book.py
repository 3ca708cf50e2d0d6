"""A book tells of each chunk once, before it is needed, and shows every brick as new once."""

from collections import Counter
from itertools import pairwise

import pytest
from export.furniture import BY_HAND, TABLE

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.book import as_it_lies, chunk_names, passages_of, step_names
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go

PASSAGES = passages_of(TABLE, BY_HAND)


def test_what_is_built_apart_comes_just_before_the_step_that_needs_it() -> None:
    told = [[scene.name for scene in passage.scenes] for passage in PASSAGES]
    assert told == [["A1", "A2"], ["B1"], ["A3"], ["1", "2"], ["C1", "C2"], ["3"]]
    assert [passage.begins for passage in PASSAGES] == [True, True, False, True, True, False]


def test_copies_are_told_once_and_counted() -> None:
    legs = PASSAGES[1].apart
    assert legs is not None
    assert (legs.name, legs.times, len(legs.bricks), legs.upside_down) == ("B", 4, 4, False)
    (put_on,) = PASSAGES[2].scenes[0].chunks
    assert (put_on.name, put_on.times) == ("B", 4)
    assert put_on.upside_down  # an upright leg goes onto a top that lies upside down
    assert PASSAGES[2].scenes[0].sizes == (4, 4, 4, 4)


def test_every_brick_is_new_by_itself_once_and_copies_stand_for_theirs() -> None:
    placed: Counter[PlacedBrick] = Counter()
    for passage in PASSAGES:
        for scene in passage.scenes:
            placed.update(scene.single)
    copies = {TABLE.bricks[brick] for chunk in (1, 2, 3) for brick in BY_HAND.bricks_of(chunk)}
    assert set(placed.values()) == {1}
    assert placed.keys() | copies == set(TABLE.bricks)
    assert sum(len(s.single) * (p.apart.times if p.apart else 1) for p in PASSAGES for s in p.scenes) == 29


def test_what_is_there_is_what_was_put_there_before() -> None:
    whole = [scene for passage in PASSAGES if passage.apart is None for scene in passage.scenes]
    assert [len(scene.before) for scene in whole] == [0, 24, 25]
    for before, after in pairwise(whole):
        assert before.bricks == after.before
    assert sorted(map(str, whole[-1].bricks)) == sorted(map(str, TABLE.bricks))


def test_a_chunk_that_is_built_upside_down_is_seen_so_and_put_on_from_above() -> None:
    scenes = [scene for passage in PASSAGES if passage.apart and passage.apart.name == "A" for scene in passage.scenes]
    assert all(scene.view.upside_down for scene in scenes)
    assert {way for scene in scenes for way in scene.ways} == {"from above"}
    upright = passages_of(TABLE, in_one_go([list(range(20, 24)), list(range(16, 20)), [*range(16), *range(24, 29)]]))
    assert set(upright[0].scenes[1].ways) == {"from below"}


def test_steps_have_names_and_copies_have_those_of_what_they_repeat() -> None:
    assert step_names(BY_HAND) == ["B1", "B1", "B1", "B1", "A1", "A2", "A3", "C1", "C2", "1", "2", "3"]
    assert chunk_names(BY_HAND)[:6] == ["B", "B", "B", "B", "A", "C"]


def test_there_are_letters_for_any_number_of_chunks() -> None:
    bricks = tuple(PlacedBrick("1x1", 2 * x, 0, 0, 0) for x in range(60))
    chunks = [Chunk((Step((x,)),)) for x in range(60)]
    many = Handwork((*chunks, Chunk(tuple(Step(chunks=(x,)) for x in range(60)))))
    names = chunk_names(many)[:60]
    assert len(set(names)) == 60
    assert names[:2] + names[25:28] == ["A", "B", "Z", "AA", "AB"]
    assert len(passages_of(Construction(bricks), many)) == 120


@pytest.mark.parametrize("part", ["2x4", "plate 1x3", "slope 45 2x1"])
def test_turning_over_twice_brings_a_brick_back(part: str) -> None:
    brick = PlacedBrick(part, 3, -5, 7, 1)
    over = as_it_lies(brick, True)
    assert as_it_lies(over, True) == brick
    assert {(x, -1 - y, -1 - z) for x, y, z in brick.cells()} == set(over.cells())
    assert as_it_lies(brick, False) is brick
