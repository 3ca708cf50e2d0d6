"""Which models stand: hand calculations, models that others built of real bricks, and what must be so for all."""

import time

import numpy as np
import pytest
from geometry.models import BRICK_2X4, Model, at, brick, grown, mirrored, stairs, turned
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.forces import least_friction
from brickbybrick.geometry.part import BRICK_HIGH, Part, grams
from brickbybrick.geometry.stability import (
    carried,
    holds,
    leans_out,
    load_factor,
    proven_load_factor,
    stands,
    steps_that_stand,
    tipping_angle,
    turned_load_factor,
    where_to_hold,
)
from brickbybrick.geometry.statics import Ground, Points, Statics

TABLE, PLATE = Ground.TABLE, Ground.PLATE
# One contact point holds 0.98 N. A 2x4 weighs 2.16 g, which is 0.021168 N or 0.0216 of that.
W = 0.0216


def test_bricks_that_lie_straight_need_no_friction() -> None:
    for ground in Ground:
        assert load_factor([(BRICK_2X4, at(3, 5, 2, 1))], ground) == 0
        assert load_factor([(BRICK_2X4, at(0, 0, z, 0)) for z in range(30)], ground) == 0
        assert load_factor([(brick(1, 1), at(0, 0, z, 0)) for z in range(5)], ground) == 0
    assert load_factor([], TABLE) == 0


def test_a_brick_held_by_one_stud() -> None:
    """The upper brick's centre is (0.5, 1.5) studs from the stud in its corner.

    Its three contact points carry W(a, b, c) with a + b + c = 1 and the centre as their mean. With the points as they
    are published, (1/8, 1/8), (1/8, -1/8) and (-1/4, 0), seen from the stud and a centre at (x, y):
    1/8 - 3/8 c = x and (a - b)/8 = y. Turned so that the centre is at (-1/2, -3/2): c = 5/3, a + b = -2/3,
    a - b = -12, so a = -19/3: it must be held by 19/3 W. The other turns give 5 W for (1/2, 3/2) and 11/3 W for
    (3/2, -1/2) and (-3/2, 1/2).
    """
    model = [(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(1, 3, 1, 0))]
    assert load_factor(model, PLATE) == pytest.approx(19 / 3 * W)
    # On a table the lower brick's rim reaches to 2 and 4, and the common centre is at (1.5, 3.5): as good as a plate.
    assert load_factor(model, TABLE) == pytest.approx(19 / 3 * W)
    by_turn = [turned_load_factor(Statics(model), Statics(model).points(PLATE, turn)) for turn in range(4)]
    assert sorted(factor for factor in by_turn if factor) == pytest.approx([11 / 3 * W, 11 / 3 * W, 5 * W, 19 / 3 * W])


def test_a_narrow_brick_held_by_one_stud() -> None:
    """A 1x2 of 0.81 g on a 1x1: its centre is half a stud from the stud, its four points are a quarter away.

    Points before and behind carry u and v with (v - u)/4 = w/2, the two beside them the rest, w - u - v. If none holds
    more than t: u = -t, v = 2w - t, and the two beside carry 2t - w, at least -2t: so t is w/4.
    """
    model = [(brick(1, 1), at(0, 0, 0, 0)), (brick(1, 2), at(0, 0, 1, 0))]
    assert load_factor(model, PLATE) == pytest.approx(0.81 / 4 * 9.8e-3 / 0.98)


def test_stairs_topple_on_a_table_where_their_centre_leaves_the_lowest_brick() -> None:
    """n bricks, each moved by one stud, have their centre (n - 1)/2 studs from the lowest one's, whose edge is 2 away.

    Four are at 1.5; five are at 2.0, right above the edge, and a brick's rim lies a tenth of a millimetre inside it.
    """
    assert [load_factor(stairs(bricks, 1), TABLE) is not None for bricks in range(1, 8)] == [True] * 4 + [False] * 3
    assert all(stands(stairs(bricks, 1), PLATE) for bricks in range(1, 8))


def test_a_counterweight_keeps_a_beam() -> None:
    """Centres at 1, 2 and 5 on a foot from 0 to 2: their mean is 8/3 and they topple; with a fourth at -1 it is 7/4."""
    beam = [(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(0, 1, 1, 1)), (BRICK_2X4, at(3, 1, 2, 1))]
    assert load_factor(beam, TABLE) is None
    assert stands(beam, PLATE)
    assert stands([*beam, (BRICK_2X4, at(-3, 1, 2, 1))], TABLE)


def test_stairs_of_real_bricks() -> None:
    """StableLego built these on a plate: 19 steps stood, 20 fell, and stood with a 1x2 under the second step."""
    assert stands(stairs(19, 2), PLATE)
    assert not stands(stairs(20, 2), PLATE)
    assert load_factor(stairs(20, 2), PLATE) == pytest.approx(1, abs=0.02)
    assert stands([*stairs(20, 2), (brick(1, 2), at(4, 0, 0, 0))], PLATE)


def test_sticks_of_real_bricks() -> None:
    """Also StableLego's: a long arm of narrow bricks stood, fell with one more 1x4 on it, stood with a 1x2 below."""
    lengths = [8, 4, 4, 8, 8, 6, 6, 6, 6, 6, 6, 4, 4, 4]
    starts = [0, 6, 8, 10, 16, 22, 26, 30, 34, 38, 42, 44, 44, 44]
    layers = [0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5]
    stick = [(brick(1, n), at(x, 0, z, 1)) for n, x, z in zip(lengths, starts, layers, strict=True)]
    assert stands(stick[:-1], PLATE)
    assert not stands(stick, PLATE)
    assert stands([*stick, (brick(1, 2), at(8, 0, 0, 1))], PLATE)


@pytest.mark.parametrize(("part", "half"), [(brick(1, 1), 3.9), (brick(2, 2), 7.9), (BRICK_2X4, 7.9)])
@pytest.mark.parametrize("bricks", [1, 7, 100])
def test_a_column_tips_at_half_its_width_by_half_its_height(part: Part, half: float, bricks: int) -> None:
    """In mm: a brick is 9.6 high, and 0.2 less wide than its studs' pitch of 8 each."""
    column = [(part, at(5, -3, 2 + z, 0)) for z in range(bricks)]
    assert tipping_angle(column) == pytest.approx(np.degrees(np.arctan(half / (4.8 * bricks))))


def test_plates_stand_as_bricks_do_by_what_they_weigh() -> None:
    """A column of 3n plates is as high as n bricks. Of a plate held by one stud only the weight differs from a brick's,
    whether it lies on a brick or on a plate."""
    plate = Part("plate", 2, 4)
    columns = [(plate, Pose(0, 0, z)) for z in range(21)], [(BRICK_2X4, at(0, 0, z)) for z in range(7)]
    assert tipping_angle(columns[0]) == pytest.approx(tipping_angle(columns[1]))
    for lower in (plate, BRICK_2X4):
        model = [(lower, Pose(0, 0, 0)), (plate, Pose(1, 3, lower.height))]
        assert load_factor(model, PLATE) == pytest.approx(19 / 3 * W * grams(plate) / grams(BRICK_2X4))


def test_a_brick_meets_a_plate_only_where_one_ends_and_the_other_begins() -> None:
    """A brick over two plates and a gap of a plate floats; with a third plate it stands."""
    plate = Part("plate", 2, 4)
    model = [(plate, Pose(0, 0, 0)), (plate, Pose(0, 0, 1)), (BRICK_2X4, Pose(0, 0, 3))]
    assert load_factor(model, PLATE) is None
    assert load_factor([*model, (plate, Pose(0, 0, 2))], PLATE) == 0


@pytest.mark.parametrize("upside_down", [False, True])
def test_a_pyramid_is_steadier_than_the_same_upside_down(upside_down: bool) -> None:
    """Layers of 1x1 bricks 2, 4, 6, 8 and 10 wide weigh 4, 16, 36, 64 and 100: the foot reaches 39.9 mm to each side of
    the middle, or 7.9."""
    sides = [2, 4, 6, 8, 10] if upside_down else [10, 8, 6, 4, 2]
    layers = [(z, 5 - side // 2, range(side)) for z, side in enumerate(sides)]
    pyramid = [(brick(1, 1), at(x + low, y + low, z, 0)) for z, low, along in layers for x in along for y in along]
    height = sum(side**2 * 9.6 * (z + 0.5) for z, side in enumerate(sides)) / 220
    assert tipping_angle(pyramid) == pytest.approx(np.degrees(np.arctan((7.9 if upside_down else 39.9) / height)))


@given(st.integers(1, 30), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_model_tips_the_way_that_its_foot_reaches_least(bricks: int, seed: int) -> None:
    """Seen in all directions, degree by degree: how far the lowest bricks reach beyond the centre of mass."""
    model = grown(bricks, seed)
    statics = Statics(model)
    around = np.radians(np.arange(0, 360, 0.25))
    corners = statics.corners[statics.layers == 0].reshape(-1, 2) - statics.centre_of_mass[:2]
    reach = (corners @ [np.cos(around), np.sin(around)]).max(axis=0).min()
    height = np.mean([0.4 * (pose.z + 1.5) for _, pose in model])
    assert tipping_angle(model) == pytest.approx(max(0.0, np.degrees(np.arctan2(reach, height))), abs=0.2)
    assert (tipping_angle(model) > 0) != leans_out(statics, TABLE) or abs(reach) < 1e-6


def test_what_floats_falls() -> None:
    model = [(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(9, 0, 1, 0))]
    assert load_factor(model, PLATE) is None
    (held,) = {hold.brick for hold in where_to_hold(model, PLATE)}
    assert held == 1
    assert sum(hold.force for hold in where_to_hold(model, PLATE)) == pytest.approx(1)  # its own weight
    assert where_to_hold(model[:1], TABLE) == ()


def test_a_hanging_brick_is_held_by_friction_alone() -> None:
    """A 2x4 that hangs by four studs, its centre in their middle: twelve points share its weight at best."""
    foot, bridge = (BRICK_2X4, at(0, 0, 0, 1)), (BRICK_2X4, at(2, 0, 2, 1))
    model = [foot, (BRICK_2X4, at(0, 0, 1, 1)), bridge, (BRICK_2X4, at(4, -1, 1, 0))]
    factor = load_factor(model, PLATE)
    assert factor is not None
    assert factor >= W / 12


def test_neighbours_that_press_help() -> None:
    """Two arms that meet hold each other up: on their own each is an arm held by one row of studs."""
    left = [(BRICK_2X4, at(0, 0, z, 1)) for z in range(3)] + [(BRICK_2X4, at(3, 0, 3, 1))]
    right = [(BRICK_2X4, at(10, 0, z, 1)) for z in range(3)] + [(BRICK_2X4, at(7, 0, 3, 1))]
    alone, together = load_factor(left, PLATE), load_factor(left + right, PLATE)
    assert alone is not None
    assert together is not None
    assert together <= alone + 1e-9


@given(st.integers(1, 3), st.integers(2, 5), st.integers(0, 4))
@settings(max_examples=25, deadline=None)
def test_weight_at_the_far_end_of_an_arm_never_helps(shift: int, bricks: int, load: int) -> None:
    arm = stairs(bricks, shift)
    top = arm[-1][1]
    loaded = arm + [(BRICK_2X4, top._replace(z=top.z + BRICK_HIGH * (1 + more))) for more in range(load)]
    heavier = [*loaded, (BRICK_2X4, top._replace(z=top.z + BRICK_HIGH * (1 + load)))]
    for ground in Ground:
        before, after = load_factor(loaded, ground), load_factor(heavier, ground)
        assert after is None or (before is not None and after >= before - 1e-9)


@given(st.integers(1, 40), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_a_model_is_judged_alike_from_all_sides(bricks: int, seed: int) -> None:
    model = grown(bricks, seed)
    for ground in Ground:
        assert load_factor(turned(model), ground) == pytest.approx(load_factor(model, ground), abs=1e-6)
        assert load_factor(mirrored(model), ground) == pytest.approx(load_factor(model, ground), abs=1e-6)


@given(st.integers(1, 40), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_studs_hold_whatever_is_joined_to_a_plate_if_they_are_strong_enough(bricks: int, seed: int) -> None:
    """A stud passes on a force up or down and both moments, so a joined model always has an equilibrium."""
    assert load_factor(grown(bricks, seed), PLATE) is not None


def carried_friction(statics: Statics, points: Points) -> float:
    """The friction that is enough by handing loads on; none is, where a table would have to hold."""
    pushes = carried(statics, points, statics.weights)
    assert pushes is not None
    return np.inf if np.any(pushes[~points.holds] < 0) else max(0.0, -pushes.min())


@given(st.integers(1, 12), st.integers(0, 10**6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_shortcuts_agree_with_the_linear_program(bricks: int, seed: int, hanging: bool) -> None:
    statics = Statics(grown(bricks, seed, hanging))
    for ground in Ground:
        points = statics.points(ground, seed % 4)
        enough, best = carried_friction(statics, points), least_friction(statics, points)
        assert enough == np.inf or (best is not None and best.friction <= enough + 1e-6)
    if leans_out(statics, TABLE):
        assert least_friction(statics, statics.points(TABLE)) is None


@given(st.integers(2, 20), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_a_rough_load_factor_is_on_the_right_side(bricks: int, seed: int) -> None:
    """To a ten-thousandth: springs may miss the balance by a millionth of a weight at each brick."""
    model = grown(bricks, seed)
    for ground in Ground:
        exact, rough = load_factor(model, ground), load_factor(model, ground, rough=True)
        assert holds(exact) == holds(rough)
        if exact is not None and rough is not None:
            assert rough >= exact - 1e-4 if holds(exact) else rough <= exact + 1e-4


@given(st.integers(2, 20), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_what_is_proven_without_a_program_is_true(bricks: int, seed: int) -> None:
    model = grown(bricks, seed)
    for ground in Ground:
        known, factor = proven_load_factor(model, ground)
        exact = load_factor(model, ground)
        assert not known or holds(factor) == holds(exact)
        if known and factor is not None and exact is not None:
            assert factor >= exact - 1e-4
    assert proven_load_factor([(BRICK_2X4, at(0, 0, 0)), (BRICK_2X4, at(9, 9, 4))], TABLE) == (True, None)


@given(st.integers(2, 25), st.integers(0, 10**6), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_steps_are_judged_as_models_of_their_own(bricks: int, seed: int, a_step: int) -> None:
    model = grown(bricks, seed)
    counts = range(a_step, bricks + 1, a_step)
    for ground in Ground:
        factors = [load_factor(model[:count], ground, level=0) for count in counts]
        alone = [factor is not None and factor <= 1 for factor in factors]
        assert steps_that_stand(model, counts, ground) == alone


def test_the_first_shortcut_is_often_enough() -> None:
    """Masonry: each brick lies on two halves, with half bricks at the ends of every other layer."""
    wall: Model = []
    for z in range(10):
        wall += [(BRICK_2X4, at(4 * n + 2 * (z % 2), 0, z, 1)) for n in range(10 - z % 2)]
        wall += [(brick(2, 2), at(x, 0, z, 0)) for x in (0, 38) if z % 2]
    statics = Statics(wall)
    for ground in Ground:
        assert all(carried_friction(statics, statics.points(ground, turn)) == 0 for turn in range(4))
        assert all(steps_that_stand(wall, range(1, len(wall) + 1), ground))


def test_steps_stand_on_the_ground_of_the_whole_model() -> None:
    """An arch built from its top down hangs in the air until its first foot is there; one foot bears half an arch."""
    arch = [(BRICK_2X4, at(0, 0, 1, 1)), (BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(2, 0, 0, 0))]
    assert steps_that_stand(arch, [1, 2, 3], PLATE) == [False, True, True]


@pytest.mark.parametrize(("bricks", "seconds"), [(100, 1.0), (500, 10.0)])
def test_large_models_are_judged_in_time(bricks: int, seconds: float) -> None:
    model = grown(bricks, 0)
    start = time.process_time()
    assert load_factor(model, TABLE) is not None
    assert time.process_time() - start < 2 * seconds  # twice the aim, for slower machines
