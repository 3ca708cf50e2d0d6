"""How like its target a model is said to be, and what of it is said to be lost."""

import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.builders.mason import MasonBuilder
from brickbybrick.colours import COLOURS, colour_code, colour_of, lab, lab_in_bricks, unlike
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.voxels import Voxels, hollowed, visible_area
from brickbybrick.judging.likeness import colour_figures, iou_of, likeness, losses, shape_figures
from brickbybrick.targets.target import Target, target_of_image, target_of_views, target_of_voxels

HIGH = 1.2  # studs that a brick is high
RED, WHITE, PINK = (colour_code(name) for name in ("red", "white", "bright pink"))


def painted(voxels: Voxels, colour: int) -> Target:
    """All of a volume in one colour."""
    paint = np.full((*voxels.shape, 4), (*colour_of(colour).rgb, 255), np.uint8)
    return target_of_voxels("thing", voxels, side=max(voxels.shape), paint=paint)


def cubes(cells: Voxels, colour: int = RED) -> Construction:
    """Bricks 1x1 in cells."""
    return Construction(tuple(PlacedBrick("1x1", x, y, 3 * z, 0, colour) for x, y, z in np.argwhere(cells).tolist()))


def in_grid(target: Target, colour: int = RED) -> Construction:
    """Bricks 1x1 in all of a target."""
    built = cubes(target.volume, colour)
    return replace(built, iou=iou_of(built, target))


def brute_area(filled: set[Cell], side: int, high: float = HIGH) -> dict[Cell, float]:
    """The faces that a walk through the empty cells around a model comes past; it cannot go below the ground.

    Cells are so many studs high, and their faces are told in squares of a stud.
    """
    start = (-1, -1, side)
    seen, todo, area = {start}, [start], dict.fromkeys(filled, 0.0)
    while todo:
        x, y, z = todo.pop()
        for step in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            cell = (x + step[0], y + step[1], z + step[2])
            if cell in filled:
                area[cell] += 1 if step[2] else high
            elif cell not in seen and min(cell[:2]) >= -1 and max(cell) <= side and cell[2] >= 0:
                seen.add(cell)
                todo.append(cell)
    return area


@given(st.integers(1, 5), st.integers(0, 10**6), st.sampled_from([1, 3]))
@settings(max_examples=50, deadline=None)
def test_faces_are_seen_that_a_walk_around_comes_past(side: int, seed: int, layer: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.random((side, side, side)) < rng.uniform(0.3, 1)
    area = visible_area(cells, layer)
    found = brute_area({(x, y, z) for x, y, z in np.argwhere(cells).tolist()}, side, 0.4 * layer)
    assert {cell: area[cell] for cell in found} == pytest.approx(found)
    assert area[~cells].sum() == 0


def test_a_cube_shows_five_sides_and_no_cavity() -> None:
    """3 x 3 x 3 cells without the middle one: five sides of nine faces; the sixth stands on the ground.

    The upright faces of a brick are 1.2 times as high as wide.
    """
    shell = np.ones((3, 3, 3), bool)
    shell[1, 1, 1] = False
    target = painted(shell, RED)
    area = pytest.approx(36 * HIGH + 9)
    assert colour_figures(in_grid(target), target) == {"colour_mean": 0.0, "colour_close": 1.0, "colour_area": area}
    shell[1, 1, 0] = False  # a hole in the bottom shows nothing
    assert colour_figures(cubes(shell), target)["colour_area"] == area
    shell[1, 1, 2] = False  # one in the top shows all of it: a lid less, and 3 x 4 faces inside
    assert colour_figures(cubes(shell), target)["colour_area"] == pytest.approx(36 * HIGH + 9 - 1 + 3 * 4 * HIGH)


def test_colours_are_compared_where_they_are_seen_and_wanted() -> None:
    """A bar of four cells, two red and two white, of which one does not count, built in red with one cell too much."""
    bar = np.ones((4, 1, 1), bool)
    paint = np.zeros((4, 1, 1, 4), np.uint8)
    paint[:2] = (*colour_of(RED).rgb, 255)
    paint[2] = (*colour_of(WHITE).rgb, 255)
    paint[3] = (*colour_of(WHITE).rgb, 0)
    target = target_of_voxels("bar", bar, side=4, paint=paint)
    (_, y, _) = np.argwhere(target.volume)[0].tolist()
    built = Construction((PlacedBrick("1x4", 0, y, 0, 1, RED), PlacedBrick("1x1", 4, y, 0, 0, RED)))
    figures = colour_figures(built, target)
    apart = float(unlike(lab(colour_of(RED).rgb), lab(colour_of(WHITE).rgb)))
    assert apart > 20
    each = 1 + 2 * HIGH  # its top and two sides
    assert figures["colour_area"] == pytest.approx(3 * each + HIGH)  # and the end
    assert figures["colour_close"] == pytest.approx((2 * each + HIGH) / (3 * each + HIGH))
    assert figures["colour_mean"] == pytest.approx(each / (3 * each + HIGH) * apart)
    assert list(losses(built, target)) == [
        "bricks stick out of the shape by 25 % of it",
        "30 % of what is seen should be about white and is quite another colour",
    ]


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_colour_figures_are_those_of_every_face_by_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.random((4, 4, 4)) < 0.7
    cells[0, 0, 0] = cells[3, 3, 3] = True
    paint = rng.integers(0, 256, (4, 4, 4, 4), np.uint8)
    paint[..., 3] = np.where(rng.random((4, 4, 4)) < 0.8, 255, 0)
    target = target_of_voxels("thing", cells, side=4, paint=paint)
    there = [cell for cell in product(range(-1, 5), range(-1, 5), range(5)) if rng.random() < 0.6 or cell == (0, 0, 0)]
    codes = rng.choice(list(COLOURS), len(there)).tolist()
    built = Construction(
        tuple(PlacedBrick("1x1", x, y, 3 * z, 0, code) for (x, y, z), code in zip(there, codes, strict=True))
    )
    moved = {(x + 1, y + 1, z): brick for (x, y, z), brick in zip(there, built.bricks, strict=True)}
    apart, areas = [], []
    for (x, y, z), area in brute_area(set(moved), 6).items():
        inside = 1 <= x <= 4 and 1 <= y <= 4 and z < 4
        if inside and target.volume[x - 1, y - 1, z] and paint[x - 1, y - 1, z, 3]:
            rgb = colour_of(moved[x, y, z].colour).rgb
            apart.append(float(unlike(lab_in_bricks(paint[x - 1, y - 1, z, :3]), lab(rgb))))
            areas.append(area)
    figures = colour_figures(built, target)
    assert figures["colour_area"] == pytest.approx(sum(areas), abs=0.06)
    if sum(areas) > 0:
        assert figures["colour_mean"] == pytest.approx(np.average(apart, weights=areas))
        assert figures["colour_close"] == pytest.approx(np.average(np.array(apart) <= 10, weights=areas))
    else:
        assert figures["colour_mean"] is figures["colour_close"] is None


def test_large_models_are_compared_in_time() -> None:
    """A ball of 64 cells in 1x1 bricks of many colours; a mason's bricks are ten times fewer."""
    x, y, z = np.ogrid[-1:1:64j, -1:1:64j, -1:1:64j]
    ball = (x**2 + y**2 + z**2 < 1) & (x**2 + y**2 + z**2 > 0.8)
    rng = np.random.default_rng(0)
    paint = np.concatenate([rng.integers(0, 256, (64, 64, 64, 3)), np.full((64, 64, 64, 1), 255)], axis=3)
    target = target_of_voxels("ball", ball, side=64, paint=paint.astype(np.uint8))
    built = in_grid(target)
    start = time.process_time()
    colour_figures(built, target)
    seconds = time.process_time() - start
    print(f"{len(built.bricks)} bricks in {seconds:.2f} s")
    assert seconds < 2


def test_bricks_far_away_take_no_room() -> None:
    target = painted(np.ones((2, 2, 2), bool), RED)
    far = PlacedBrick("1x1", 100_000, -100_000, 99_999, 0)
    built = in_grid(target)
    assert colour_figures(replace(built, bricks=(*built.bricks, far)), target) == colour_figures(built, target)
    assert colour_figures(Construction((far,)), target)["colour_area"] == 0
    assert colour_figures(Construction(()), target)["colour_area"] == 0
    assert shape_figures(Construction((far,)), target) == {"missing": 1.0, "added": 1 / 8}


def test_the_lowest_layer_that_is_built_is_on_the_ground() -> None:
    target = painted(np.ones((3, 3, 3), bool), RED)
    upper = cubes(target.volume & (np.arange(3) > 0))
    assert colour_figures(upper, target)["colour_area"] == pytest.approx(4 * 6 * HIGH + 9)


def test_a_likeness_is_said_in_shares_and_never_rounded_up() -> None:
    target = painted(np.ones((10, 10, 10), bool), RED)
    whole = in_grid(target)
    assert likeness(whole, target) == "100 % of the shape, 100 % of the colour"
    short = replace(whole, bricks=whole.bricks[:-1])
    assert likeness(replace(short, iou=iou_of(short, target)), target) == "99 % of the shape, 100 % of the colour"
    assert likeness(replace(whole, iou=0.29), replace(target, paint=None)) == "29 % of the shape"
    views = target_of_views("views", np.ones((3, 4, 4), bool))
    assert likeness(replace(whole, iou=0.5), views) == "50 % of the shape that the views allow"


def test_a_hollow_model_is_compared_with_a_hollow_target() -> None:
    target = target_of_voxels("cube", np.ones((12, 12, 12), bool), side=12)
    built = MasonBuilder(hollow=2).build(target)
    assert built.walls == 2
    assert built.iou == pytest.approx(iou_of(built, target))
    assert built.iou > 0.99
    assert likeness(built, target).endswith("% of the shape, counting its walls alone")
    assert shape_figures(built, target)["missing"] < 0.01
    assert list(losses(built, target)) == []
    solid = MasonBuilder().build(target)
    assert solid.walls is None
    assert iou_of(replace(solid, walls=2), target) == pytest.approx(hollowed(target.volume, 2).sum() / 12**3)


def test_what_is_missing_and_what_is_added() -> None:
    """Two cells of ten are not built; three bricks stick out, of which one is there so that the rest stands."""
    target = target_of_voxels("row", np.ones((10, 1, 1), bool), side=10)
    (_, y, _) = np.argwhere(target.volume)[0].tolist()
    cells = [*((x, y, 0) for x in range(8)), (0, y, 1), (1, y, 1)]
    built = Construction(
        (*(PlacedBrick("1x1", x, y, 3 * z, 0) for x, y, z in cells), PlacedBrick("1x1", 2, y, 3, 0, extra=True))
    )
    assert shape_figures(built, target) == {"missing": 0.2, "added": 0.2}
    assert list(losses(built, target)) == [
        "20 % of the shape is not built",
        "bricks stick out of the shape by 20 % of it",
    ]


def test_thin_parts_that_are_gone_are_named() -> None:
    """A block with an arm of one layer to its right, of which nothing is built; the block's own edge is not thin."""
    image = np.zeros((14, 14), bool)
    image[4:, :6] = True
    image[8, 6:12] = True
    target = target_of_image("flag", image)
    without = np.array(target.volume)
    without[6:, :, 5] = False
    (note,) = losses(cubes(without), target)
    assert note == "a thin part at columns 7-12, layers 6-6 is not built, 24 cells: make it thicker, or build it larger"
    edge = np.array(target.volume)
    edge[0] = False  # the block is one cell narrower, but there
    assert not any("thin" in note for note in losses(cubes(edge), target))


def test_parts_that_no_brick_has_reached_are_named_once() -> None:
    """The dot of an i, one layer high: it is a part of its own, not a thin part of something."""
    image = np.zeros((14, 14), bool)
    image[3, 4:6] = image[6:, 4:8] = True
    target = target_of_image("i", image)
    stem = np.array(target.volume)
    stem[:, :, 10] = False
    (note,) = losses(cubes(stem), target)
    assert note.startswith("the part at columns 5-6, layers 11-11 is not built")
    assert list(losses(cubes(target.volume), target)) == []


def test_the_colour_that_most_faces_lack_is_named() -> None:
    cube = np.ones((6, 6, 6), bool)
    target = painted(cube, PINK)
    assert target.paint is not None
    target.paint[:3] = (*colour_of(WHITE).rgb, 255)
    built = cubes(target.volume, WHITE)
    named = [note for note in losses(built, target) if "colour" in note]
    assert named == ["50 % of what is seen should be about bright pink and is quite another colour"]
    target.paint[:, 1:, :5] = (*colour_of(WHITE).rgb, 255)  # no more than 3 of 180 faces are left
    target.paint[:, :, 5] = target.paint[:, 0, :5] = (*colour_of(WHITE).rgb, 255)
    target.paint[5, 0, 0] = (*colour_of(PINK).rgb, 255)
    assert not any("colour" in note for note in losses(built, target))
