"""What a finished model is told before anyone builds it."""

import json
import math
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import BRICK_2X4, Cell
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.stability import steps_that_stand
from brickbybrick.geometry.statics import Ground
from brickbybrick.judging.check import (
    Contacts,
    assembly_order,
    can_follow,
    contacts,
    hang_together,
    judge,
    pieces,
    sized,
    with_ground,
)

PARTS = [Part.parse(text) for text in ("1x1", "1x2", "1x4", "2x2", "2x3", "2x4", "plate 1x2", "plate 2x4", "plate 4x4")]
# A foot under x from 0 to 2, a beam to 4, another from 3 to 7, and a counterweight from -3 to 1.
BEAM = [(0, 0, 0, 0), (0, 1, 1, 1), (3, 1, 2, 1), (-3, 1, 2, 1)]


def model(*poses: Sequence[int], budget: int | None = None) -> Construction:
    return Construction.of_poses(BRICK_2X4, poses, budget=budget)


def grown(bricks: int, seed: int) -> Construction:
    """Bricks and plates of several sizes, each put at random where it shares a stud with one that is there."""
    rng = np.random.default_rng(seed)
    placed = [PlacedBrick("2x4", 0, 0, 0, 0)]
    cells = set(placed[0].cells())
    while len(placed) < bricks:
        x, y, z = sorted(cells)[rng.integers(len(cells))]
        part = PARTS[rng.integers(len(PARTS))]
        d = int(rng.integers(len(part.directions)))
        along_x, along_y = part.extent(d)
        foot = z + 1 if rng.random() < 0.5 else z - part.height
        brick = PlacedBrick(str(part), x - int(rng.integers(along_x)), y - int(rng.integers(along_y)), foot, d)
        if cells.isdisjoint(brick.cells()):
            placed.append(brick)
            cells |= set(brick.cells())
    return Construction(tuple(placed))


def replay(construction: Construction, order: Sequence[int]) -> None:
    """Builds a model by hand: each brick goes onto something, and the layer on its other side is free."""
    assert sorted(order) == list(range(len(construction.bricks)))
    there: set[Cell] = set()
    for brick in (construction.bricks[index] for index in order):
        under = any((x, y, z - 1) in there for x, y, z in brick.cells())
        over = any((x, y, z + 1) in there for x, y, z in brick.cells())
        assert under != over or not there
        there |= set(brick.cells())


def reached(start: int, among: set[int], touching: Contacts) -> set[int]:
    """The bricks that `start` is joined to, directly or through others."""
    seen, todo = {start}, [start]
    while todo:
        new = (touching.beside(todo.pop()) & among) - seen
        seen |= new
        todo += new
    return seen


def test_a_tower_passes() -> None:
    verdict = judge(model((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 0), budget=3))
    assert verdict.flat() == {
        "joined": True,
        "no_overlap": True,
        "above_ground": True,
        "in_budget": True,
        "insertable": True,
        "insertable_as_placed": True,
        "stands": True,
        "stands_on_plate": True,
        "load_factor": 0.0,
        "load_factor_on_plate": 0.0,
        "exact_load_factors": True,
        "tips_at": pytest.approx(math.degrees(math.atan(7.9 / 14.4))),  # mm: half a width, half a height
        "steady": True,
    }
    assert verdict.faults == ()
    assert judge(Construction(())).stands


def test_bricks_side_by_side_are_not_joined() -> None:
    verdict = judge(model((0, 0, 0, 0), (0, 0, 1, 0), (2, 0, 0, 0)))
    assert not verdict.joined
    assert not verdict.insertable
    assert verdict.stands  # two piles on a table
    assert [fault.brick for fault in verdict.faults] == [2]
    assert "2 pieces" in verdict.sentences[0]


def test_a_brick_that_floats_falls() -> None:
    verdict = judge(model((0, 0, 0, 0), (9, 0, 3, 0)))
    assert not verdict.stands_on_plate
    assert verdict.load_factor_on_plate is None
    assert {fault.brick for fault in verdict.faults} == {1}


def test_bricks_in_the_same_place() -> None:
    verdict = judge(model((0, 0, 0, 0), (0, 0, 1, 0), (1, 3, 1, 0)))
    assert not verdict.no_overlap
    assert not verdict.insertable
    assert not verdict.stands
    assert [fault.brick for fault in verdict.faults] == [1, 2]
    assert assembly_order(model((0, 0, 0, 0), (0, 0, 0, 0))) is None


def test_the_ground_and_the_budget() -> None:
    verdict = judge(model((0, 0, 0, 0), (0, 0, -1, 0), budget=1))
    assert not verdict.above_ground
    assert not verdict.in_budget
    assert {fault.brick for fault in verdict.faults} == {1}


def test_a_model_that_topples_has_a_verdict_in_json() -> None:
    """Three bricks of the beam have their centre at 8/3, beyond their foot; four at 7/4, over it."""
    falls = judge(model(*BEAM[:3]))
    assert falls.load_factor is None
    assert (falls.stands, falls.stands_on_plate) == (False, True)
    assert 2 in {fault.brick for fault in falls.faults}  # the outermost brick wants a hand
    assert falls.sentences[0] == "On a table it topples."
    assert falls.tips_at == 0
    assert falls.steady is False
    kept = Construction.from_json(Construction(model(*BEAM[:3]).bricks, verdict=falls.flat()).to_json())
    assert kept.verdict == falls.flat()
    assert json.loads(kept.to_json())["verdict"]["load_factor"] is None
    assert judge(model(*BEAM)).stands


def test_too_long_an_arm_breaks_even_on_a_plate() -> None:
    """StableLego's stairs of twenty bricks fell; see the tests of stability."""
    verdict = judge(model(*((2 * step, 0, step, 1) for step in range(20))))
    assert not verdict.stands_on_plate
    assert verdict.load_factor_on_plate == pytest.approx(1, abs=0.02)
    assert any("plate" in fault.reason for fault in verdict.faults)


def test_a_brick_pushed_between_two_layers_is_found() -> None:
    """The third brick lies half over a gap beside the second; a fourth in that gap touches what is below and above."""
    squeezed = model((0, 0, 0, 1), (3, 0, 1, 1), (1, 0, 2, 1), (0, 0, 1, 0))
    assert not can_follow(range(4), contacts(squeezed.bricks))
    assert can_follow(range(3), contacts(squeezed.bricks))
    assert assembly_order(squeezed) == (0, 3, 1, 2)
    verdict = judge(squeezed)
    assert verdict.insertable
    assert not verdict.insertable_as_placed
    assert "not in the order" in verdict.sentences[0]


def test_a_hanging_foot_follows_what_holds_it() -> None:
    """An arch of two feet and a bridge with a brick on top: the second foot joins nothing until the bridge is there."""
    top, right, bridge, left = (1, 0, 2, 1), (4, 0, 0, 0), (1, 0, 1, 1), (0, 0, 0, 0)
    assert assembly_order(model(top, right, bridge, left)) == (3, 2, 1, 0)
    assert assembly_order(model(top, right, bridge, left), from_ground=True) == (3, 1, 2, 0)  # both feet set down first


def test_a_ring_is_closed_at_its_top() -> None:
    """Two columns on one brick and a brick across both: whichever side is built, the last one lies on top."""
    ring = model((0, 0, 0, 1), (2, 0, 3, 1), (-1, 0, 1, 0), (-1, 0, 2, 0), (3, 0, 1, 0), (3, 0, 2, 0), (0, 0, 3, 1))
    assert not judge(ring).no_overlap  # a spare brick across the top
    ring = Construction(ring.bricks[:1] + ring.bricks[2:])
    order = assembly_order(ring)
    assert order is not None
    replay(ring, order)
    assert order[0] == 0
    assert order[-1] == 5


@given(st.integers(1, 30), st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_whatever_is_joined_can_be_built_by_hand(bricks: int, seed: int) -> None:
    construction = grown(bricks, seed)
    order = assembly_order(construction)
    assert order is not None
    replay(construction, order)
    assert construction.bricks[order[0]].z == min(brick.z for brick in construction.bricks)


@given(st.integers(1, 30), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_whatever_is_joined_can_be_built_up_from_the_ground(bricks: int, seed: int) -> None:
    """As if the ground were a brick that is there from the start, and that the lowest layer goes onto."""
    construction = grown(bricks, seed)
    order = assembly_order(construction, from_ground=True)
    assert order is not None
    columns = [(x, y) for brick in construction.bricks for x, y, _ in brick.cells()]
    (x, y), side = np.min(columns, axis=0), int(np.ptp(columns, axis=0).max()) + 1
    plate = PlacedBrick(f"plate {side}x{side}", x, y, min(brick.z for brick in construction.bricks) - 1, 0)
    replay(Construction((*construction.bricks, plate)), [bricks, *order])


def test_bricks_are_often_placed_where_no_hand_can_put_them() -> None:
    assert sum(not judge(grown(20, seed)).insertable_as_placed for seed in range(20)) > 5


def test_a_beam_falls_in_some_steps() -> None:
    """It topples from its third brick until its counterweight, the fourth; studs under its foot hold it."""
    beam = sized(model(*BEAM).bricks)
    assert steps_that_stand(beam, [1, 2, 3, 4], Ground.TABLE) == [True, True, False, True]
    assert steps_that_stand(beam, [1, 2, 3, 4], Ground.PLATE) == [True] * 4
    # Begun with the arm, nothing stands before the foot is there; then half a beam is more than it bears on a table.
    arm_first = [beam[brick] for brick in (2, 1, 0, 3)]
    assert steps_that_stand(arm_first, [1, 2, 3, 4], Ground.TABLE) == [False, False, False, True]
    assert steps_that_stand(arm_first, [1, 2, 3, 4], Ground.PLATE) == [False, False, True, True]


def test_masonry_rises_by_layers_from_the_ground() -> None:
    """Bricks side by side are joined only by the next layer: laid out on the ground first, they need no lifting."""
    wall = model(*((4 * n + z % 2, 0, z, 1) for z in range(4) for n in range(4)))
    order = assembly_order(wall, from_ground=True)
    assert order == tuple(range(16))
    assert all(steps_that_stand(sized(wall.bricks), [4, 8, 16], Ground.TABLE))
    in_the_hand = assembly_order(wall)
    assert in_the_hand is not None
    replay(wall, in_the_hand)


def test_large_models_are_ordered_in_time() -> None:
    construction = grown(500, 1)
    start = time.process_time()
    order = assembly_order(construction)
    assert time.process_time() - start < 5
    assert order is not None
    replay(construction, order)


@given(st.integers(3, 40), st.integers(0, 10**6), st.data())
@settings(max_examples=40, deadline=None)
def test_bricks_hang_together_if_one_can_be_reached_from_another(bricks: int, seed: int, data: st.DataObject) -> None:
    touching = contacts(grown(bricks, seed).bricks)
    among = data.draw(st.sets(st.integers(0, bricks - 1), min_size=2))
    some = data.draw(st.sets(st.sampled_from(sorted(among)), min_size=2))
    assert hang_together(some, among, touching) == (some <= reached(min(some), among, touching))


def test_a_large_model_is_told_that_its_load_factor_is_a_bound() -> None:
    """A wall of 600 bricks: the least friction would take minutes at 2,000, so it is not asked for above 500."""
    wall = [(4 * n + 2 * (z % 2), 0, z, 1) for z in range(30) for n in range(20)]
    verdict = judge(model(*wall))
    assert verdict.stands
    assert not verdict.exact_load_factors
    assert any("at most" in sentence for sentence in verdict.sentences)
    assert any("was not worked out" in sentence for sentence in verdict.sentences)


def test_what_hangs_comes_after_the_layer_it_hangs_from() -> None:
    """On a post of two bricks lie two more, side by side, and the last hangs from both: it does not come between."""
    assert assembly_order(model((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (0, 2, 2, 1), (2, 0, 1, 0))) == (
        0,
        1,
        2,
        3,
        4,
    )


def test_an_order_may_be_followed_in_the_hand_or_on_the_ground() -> None:
    """Two feet and a bridge: on the ground both feet may come first, in the hand only one."""
    left, right, bridge, top = (0, 0, 0, 0), (4, 0, 0, 0), (1, 0, 1, 1), (1, 0, 2, 1)
    for order in ((left, right, bridge, top), (left, bridge, right, top), (bridge, left, right, top)):
        assert judge(model(*order)).insertable_as_placed
    assert not judge(model(left, top, right, bridge)).insertable_as_placed  # nothing holds the top
    # Pressed on from below it leaves no ground to set others onto, for the model is in the hand.
    far = (9, 0, 0, 0)
    assert not judge(model(left, bridge, right, far, (5, 0, 1, 1))).insertable_as_placed


@given(st.integers(1, 25), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_orders_that_are_found_can_be_followed(bricks: int, seed: int) -> None:
    construction = grown(bricks, seed)
    for from_ground in (False, True):
        order = assembly_order(construction, from_ground)
        assert order is not None
        in_order = Construction(tuple(construction.bricks[brick] for brick in order))
        assert judge(in_order).insertable_as_placed


def test_bricks_in_one_place_are_one_piece_only_through_others() -> None:
    assert pieces(model((0, 0, 0, 0), (0, 0, 0, 0)).bricks) == [[0], [1]]
    assert pieces(model((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0)).bricks) == [[0, 1, 2]]
    assert pieces(model((0, 0, 0, 0), (9, 0, 0, 0), (9, 0, 1, 0)).bricks) == [[1, 2], [0]]


@pytest.mark.parametrize(
    ("poses", "sentence"),
    [
        ([(0, 0, z, 0) for z in range(5_000)], "it stands firmly: the most loaded joint bears at most 1 %"),
        ([(0, 0, z % 2, 0) for z in range(30_000)], "in each other's place"),
        ([(5 * (n % 200), 5 * (n // 200), 0, 0) for n in range(30_000)], "30000 pieces"),
        ([(4 * n + 2 * (z % 2), 0, z, 1) for z in range(2) for n in range(15_000)], "was not worked out"),
    ],
)
def test_very_large_models_are_judged_in_time(poses: list[tuple[int, int, int, int]], sentence: str) -> None:
    start = time.process_time()
    verdict = judge(model(*poses))
    assert time.process_time() - start < 20
    assert sentence in " ".join(verdict.sentences)
    assert verdict.no_overlap == ("place" not in sentence)


def test_a_very_large_model_is_not_said_to_stand_or_to_fall() -> None:
    wall = judge(model(*((4 * n + 2 * (z % 2), 0, z, 1) for z in range(2) for n in range(10_001))))
    assert wall.stands is wall.stands_on_plate is wall.load_factor is None
    assert wall.joined
    assert wall.insertable
    assert "may stand or fall" in wall.sentences[0]


def test_very_large_models_are_ordered_in_time() -> None:
    """A tower, and two layers whose every brick is on the ground or on one that is."""
    tower = model(*((0, 0, z, 0) for z in range(10_000)))
    floor = model(*((4 * x + 2 * z, 2 * y + z, z, 1) for z in range(2) for x in range(70) for y in range(70)))
    start = time.process_time()
    assert assembly_order(tower) == tuple(range(10_000))
    order = assembly_order(floor, from_ground=True)
    assert time.process_time() - start < 20
    assert order is not None
    assert can_follow(order, with_ground(floor.bricks, contacts(floor.bricks)), there=[len(floor.bricks)])
