"""Files with sub-models hold exactly the model, show it step by step, and say what is built once and used often."""

import random
from dataclasses import replace
from math import cos, sin

import numpy as np
import pytest
from export.assembled import random_handwork, table
from export.replayed import alike, replayed
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import from_ldraw, to_ldraw
from brickbybrick.export.mpd import to_mpd
from brickbybrick.geometry.camera import in_book
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go

seeds = st.integers(0, 2**32).map(random.Random)


def bricks_of(model: Construction) -> list[tuple[object, ...]]:
    """Where which bricks are, in no order."""
    return sorted((brick.part, brick.pose, brick.colour) for brick in model.bricks)


@settings(deadline=None, max_examples=150)
@given(seeds)
def test_nothing_is_lost_or_added(chance: random.Random) -> None:
    """By our own reader, and by another one that knows nothing of bricks and multiplies matrices."""
    model, work = random_handwork(chance)
    content = to_mpd(model, work, [chance.randrange(4) for _ in work.steps])
    assert content.count(b"0 FILE") == sum(chunk.copy_of is None for chunk in work.chunks)
    assert alike(replayed(content)) == alike(replayed(to_ldraw(model)))
    back = from_ldraw(content)
    assert bricks_of(back) == bricks_of(model)
    assert back.others == ()
    assert (back.target, back.builder, back.notes) == (model.target, model.builder, ())


def test_a_table_in_lines() -> None:
    lines = to_mpd(*table()).decode().split("\r\n")
    upright, half = "1 0 0 0 1 0 0 0 1", "-1 0 0 0 1 0 0 0 -1"
    assert lines == [
        "0 FILE model.ldr",
        "0 Model of a table",
        "0 Name: model.ldr",
        "0 Author: me",
        "0 !LDRAW_ORG Unofficial_Model",
        f"1 16 0 0 0 {upright} assembly-1.ldr",
        f"1 16 120 0 0 {upright} assembly-1.ldr",
        f"1 16 0 0 120 {upright} assembly-1.ldr",
        f"1 16 120 0 120 {upright} assembly-1.ldr",
        "0 STEP",
        f"1 15 80 -104 40 {upright} 3035.dat",
        f"1 15 80 -104 120 {upright} 3035.dat",
        "0 // hold what is there after this step",
        "0 STEP",
        "1 0 80 -128 80 0 0 1 0 1 0 -1 0 0 3001.dat",
        "0 STEP",
        "0 NOFILE",
        "0 FILE assembly-1.ldr",
        "0 Assembly-1, built upside down",
        "0 Name: assembly-1.ldr",
        "0 Author: me",
        "0 !LDRAW_ORG Unofficial_Model",
        f"1 4 20 -96 20 {upright} 3003.dat",
        f"1 1 20 -72 20 {upright} 3003.dat",
        "0 ROTSTEP 180 0 0 REL",
        "0 STEP",
        f"1 4 20 -48 20 {upright} 3003.dat",
        f"1 1 20 -24 20 {upright} 3003.dat",
        "0 STEP",
        "0 ROTSTEP END",
        "0 NOFILE",
        "",
    ]
    assert half not in lines


def test_the_view_turns_where_it_is_told_to() -> None:
    tower = Construction(tuple(PlacedBrick("2x4", 0, 0, 3 * up, 0) for up in range(6)))
    content = to_mpd(tower, in_one_go([[step] for step in range(6)]), [0, 1, 1, 3, 0, 4])
    after = [line for line in content.decode().splitlines() if line.startswith(("1", "0 ROT", "0 STEP"))]
    turns = [line if line.startswith("0") else "brick" for line in after]
    assert turns == [
        *("brick", "0 STEP"),
        *("brick", "0 ROTSTEP 0 270 0 REL", "0 STEP"),
        *("brick", "0 STEP"),
        *("brick", "0 ROTSTEP 0 90 0 REL", "0 STEP"),
        *("brick", "0 ROTSTEP END", "0 STEP"),
        *("brick", "0 STEP"),
    ]
    assert [brick.step for brick in from_ldraw(content).bricks] == list(range(6))
    with pytest.raises(InputError, match="5 views of 6 steps"):
        to_mpd(tower, in_one_go([[step] for step in range(6)]), [0] * 5)


def turned_by(line: str) -> np.ndarray:
    """The matrix that LPub3D makes of three angles: about Z, then Y, then X, in LDraw's axes."""
    x, y, z = np.radians([float(word) for word in line.split()[2:5]])
    about_x = np.array([[1, 0, 0], [0, cos(x), -sin(x)], [0, sin(x), cos(x)]])
    about_y = np.array([[cos(y), 0, sin(y)], [0, 1, 0], [-sin(y), 0, cos(y)]])
    about_z = np.array([[cos(z), -sin(z), 0], [sin(z), cos(z), 0], [0, 0, 1]])
    return (about_x @ about_y @ about_z).round(6)


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_view_turns_as_the_book_does(upside_down: bool, quarters: int) -> None:
    """Turned over about the axis along x if it is, then anticlockwise seen from above: right becomes back, in LDraw's
    axes X becomes Z, and front becomes right."""
    tower = Construction((PlacedBrick("2x4", 0, 0, 0, 0),))
    content = to_mpd(tower, Handwork((Chunk((Step((0,)),), upside_down),)), [quarters]).decode()
    [line] = [line for line in content.splitlines() if "REL" in line]
    over = np.diag([1, -1, -1]) if upside_down else np.eye(3)
    quarter = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    assert (quarter @ [1, 0, 0] == [0, 0, 1]).all()
    assert (turned_by(line) == np.linalg.matrix_power(quarter, quarters) @ over).all()


def test_steps_are_read_where_a_sub_model_is_first_used() -> None:
    """The first leg in its two steps, the other three at once, as they are put on."""
    back = from_ldraw(to_mpd(*table()))
    assert [brick.step for brick in back.bricks] == [0, 0, 1, 1, *[2] * 12, 3, 3, 4]


def test_a_copy_in_other_colours_is_written_by_itself() -> None:
    model, work = table()
    painted = [PlacedBrick(*(brick.part, *brick.pose), 14) for brick in model.bricks[4:8]]
    other = Construction((*model.bricks[:4], *painted, *model.bricks[8:]))
    content = to_mpd(other, work)
    assert content.count(b"0 FILE") == 3
    assert bricks_of(from_ldraw(content)) == bricks_of(other)


def test_other_parts_are_written_as_they_were() -> None:
    line = "1 4 40 -48 20 0.6 0 0.8 0 1 0 -0.8 0 0.6 3941.dat"
    model = from_ldraw(f"1 4 40 -24 20 1 0 0 0 1 0 0 0 1 3001.dat\n{line}")
    content = to_mpd(model, in_one_go([[0]]))
    assert line in content.decode().splitlines()
    assert from_ldraw(content).others == tuple(replace(other, step=1) for other in model.others)


def test_a_model_below_the_ground_is_written_on_it() -> None:
    model, work = table()
    sunk = Construction(tuple(PlacedBrick(b.part, b.x, b.y, b.z - 7, b.d, b.colour) for b in model.bricks))
    assert bricks_of(from_ldraw(to_mpd(sunk, work))) == bricks_of(model)


def test_handwork_of_another_model() -> None:
    model, work = table()
    with pytest.raises(InputError, match="name every brick once"):
        to_mpd(Construction(model.bricks[1:]), work)
    with pytest.raises(InputError, match="without bricks"):
        to_mpd(Construction(()), Handwork(()))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_other_programs_turn_the_model_as_the_book_does(quarters: int, turned: bool) -> None:
    """LPub3D turns about Y, then about X, in the axes of LDraw: X to the right, Y down and Z away."""
    brick = Construction((PlacedBrick("2x4", 0, 0, 0, 0),))
    handwork = Handwork((Chunk((Step((0,)),), turned=turned), Chunk((Step(chunks=(0,)),))))
    lines = to_mpd(brick, handwork, [quarters, 0]).decode().split("assembly", 2)[-1].splitlines()
    angles = [list(map(float, line.split()[2:5])) for line in lines if line.endswith("REL")] or [[0.0, 0.0, 0.0]]
    x, y, _ = angles[0]
    turn = Rotation.from_euler("x", x, degrees=True) * Rotation.from_euler("y", y, degrees=True)
    to_ldraw = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    ours = in_book(quarters, turned).turn
    for axis in np.eye(3):
        np.testing.assert_allclose(turn.apply(to_ldraw @ axis), to_ldraw @ (axis @ ours), atol=1e-9)
