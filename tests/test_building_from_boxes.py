"""Models out of a box: whatever it holds and whatever is asked for, no part in a colour is used that is not there."""

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from brickbybrick.building import build_files, build_wanted, figures_of
from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.boxes import box_of
from brickbybrick.export.kit import Plan
from brickbybrick.geometry.inventory import SLOPES, TILES, WITH_PLATES, Entry, Inventory
from brickbybrick.geometry.part import BRICK_HIGH, PARTS
from brickbybrick.judging.check import judge
from brickbybrick.made import MADE
from brickbybrick.order import Order
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import Target, target_of_voxels

RED, BLUE, WHITE, BLACK, TAN = 4, 1, 15, 0, 19
CODES = (RED, BLUE, WHITE, BLACK, TAN, 71, 14)


def within(built: Construction, box: Inventory) -> None:
    """Of each part, the open ones make up for what the told ones lack, counted one by one."""
    told = {(part, colour): amount for part, colour, amount in box.entries}
    used = Counter((brick.shape, brick.colour) for brick in built.bricks)
    for part in {part for part, _ in used}:
        lacking = 0
        for (other, colour), count in used.items():
            there = told.get((part, colour), 0)
            if other == part and there is not None:
                lacking += max(0, count - there)
                assert count <= there or colour in MADE[str(part)]
        spare = told.get((part, None), 0)
        assert spare is None or lacking <= spare


def top_heavy(rng: np.random.Generator, layer: int, in_colour: bool) -> Target:
    """A stem with a crown that hangs over, with holes in it: it wants pillars, posts, a foot."""
    high = 5 if layer == BRICK_HIGH else 12
    volume = np.zeros((9, 7, high), bool)
    volume[:, :, high // 2 :] = rng.random((9, 7, high - high // 2)) < rng.choice([0.5, 0.8, 1.0])
    at = int(rng.integers(0, 8))
    volume[at : at + 2, 2:4] = True
    paint = rng.choice(np.array([COLOURS[code].rgb for code in CODES], np.uint8), volume.shape)
    rgba = np.concatenate([paint, np.full((*volume.shape, 1), 255, np.uint8)], axis=3)
    return target_of_voxels("thing", volume, side=9, layer=layer, paint=rgba if in_colour else None)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Boxes with few of some things, and options of all kinds."""
    kinds, smooth = draw(st.sampled_from(["bricks", "plates", "all"])), draw(st.booleans())
    parts = [part for part in WITH_PLATES.parts if part.area <= 8 and (kinds != "bricks" or part.height == BRICK_HIGH)]
    parts += [part for part in SLOPES if kinds == "all"] + [part for part in TILES if smooth and kinds != "bricks"]
    kept = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=12, unique=True))
    colours = st.lists(st.sampled_from([None, *CODES]), min_size=1, max_size=4, unique=True)
    amounts = st.integers(1, 30) | st.none()
    entries = tuple(Entry(part, colour, draw(amounts)) for part in kept for colour in draw(colours))
    try:
        return Order(
            inventory=str(Inventory(entries)),
            parts=kinds,
            smooth=smooth and kinds != "bricks",
            colour=tuple(map(str, draw(st.lists(st.sampled_from(CODES), max_size=2, unique=True)))),
            palette=draw(st.sampled_from(["all", "white,black,red", "common"])),
            hollow=draw(st.none() | st.integers(1, 2)),
            repair=draw(st.booleans()),
            prices=draw(st.none() | st.just("EUR,2x4=0.1,white 1x1=0.01,red 1x1=0.02")),
            seed=draw(st.integers(0, 99)),
        )
    except InputError:  # such as no plates where some are needed
        assume(False)
        raise


@settings(max_examples=40, deadline=None)
@given(orders(), st.integers(0, 2**32 - 1), st.booleans())
def test_no_count_is_ever_exceeded(order: Order, seed: int, in_colour: bool) -> None:
    target = top_heavy(np.random.default_rng(seed), order.reading.layer, in_colour and not order.colour)
    try:
        (made,) = build_wanted([Wanted(target)], order)
    except InputError as error:  # a box in other colours than are asked for
        if "no brick of the inventory was made in a colour of the palette" not in str(error):
            raise
        return
    assert order.box is not None
    within(made.construction, order.box)
    assert made.rest is not None
    assert not made.rest.missing
    if order.colour:
        assert {str(brick.colour) for brick in made.construction.bricks} <= set(order.colour)
    if made.construction.bricks:
        verdict = judge(made.construction)
        assert verdict.joined
        assert verdict.no_overlap


def test_only_bricks_in_the_colour_that_is_asked_for_count() -> None:
    cells = target_of_voxels("block", np.ones((8, 8, 3), bool), side=8)
    box = "red 2x4=12,blue 2x4=40,red 1x1=4,2x2=3"
    (made,) = build_wanted([Wanted(cells)], Order(inventory=box, colour=("red",)))
    used = Counter((brick.part, brick.colour) for brick in made.construction.bricks)
    assert set(used) == {("2x4", RED), ("1x1", RED), ("2x2", RED)}
    assert used["2x4", RED] == 12
    assert any("the bricks were not enough" in note for note in made.construction.notes)


def test_what_wants_no_colour_is_built_in_the_one_that_there_is_most_of() -> None:
    """Of 24 bricks 20 can be blue; the others are where nobody sees them, as far as there are such places."""
    block = target_of_voxels("block", np.ones((12, 8, 2), bool), side=12)
    (made,) = build_wanted([Wanted(block)], Order(inventory="blue 2x4=20,red 2x4=9"))
    assert made.construction.iou == 1
    assert Counter(brick.colour for brick in made.construction.bricks) == {BLUE: 20, RED: 4}
    inside = [brick for brick in made.construction.bricks if brick.colour == RED]
    assert all(brick.z == 0 for brick in inside)


def test_repair_takes_what_is_left() -> None:
    """A hook of 1x2 bricks that falls: mended by more of them, in another colour where the first runs out; and not at
    all where none are left."""
    volume = np.zeros((9, 2, 4), bool)
    volume[:2, :, :] = True
    volume[:, :, 3] = True
    order = Order(size=9, inventory="red 2x2=3,red 2x4=5,blue 2x4=9,blue 2x2=9", repair=True)
    (made,) = build_wanted([Wanted(target_of_voxels("hook", volume, side=9))], order)
    assert order.box is not None
    within(made.construction, order.box)


def test_what_is_missing_is_told_and_what_is_there_comes_first() -> None:
    """Inside, where nobody sees it, lies what is there; the rest is bought."""
    block = np.ones((8, 8, 3), bool)
    paint = np.full((*block.shape, 4), (*COLOURS[RED].rgb, 255), np.uint8)
    target = target_of_voxels("block", block, side=8, paint=paint)
    order = Order(inventory="red 2x4=5,blue 2x4=100,1x1=2", allow_missing=True)
    (made,) = build_wanted([Wanted(target)], order)
    assert made.construction.iou == 1
    figures = figures_of(made)
    assert figures["colour_close"] == 1
    used = Counter((brick.part, brick.colour) for brick in made.construction.bricks)
    told = {f"{COLOURS[colour].name} {part}": count for (part, colour), count in used.items()}
    assert figures["parts_missing"] == {**told, "red 2x4": told["red 2x4"] - 5} or "blue 2x4" in told
    assert figures["parts_missing"].get("blue 2x4") is None
    with pytest.raises(InputError, match="add --inventory"):
        Order(allow_missing=True)


def ball(path: Path) -> Path:
    trimesh.creation.icosphere(3).export(path)
    return path


def big_set(path: Path) -> None:
    """A set of 1,500 parts as Rebrickable lists it, spares, prints and parts that are not built with among them."""
    rng = np.random.default_rng(17)
    numbers = [PARTS[part].number for part in PARTS if part.area <= 12] + ["3941", "3062b", "2780", "3001pr0001"]
    rows, left = ["Part,Color,Quantity,Is Spare"], 1500
    while left:
        count = min(left, int(rng.integers(1, 12)))
        rows.append(
            f"{rng.choice(numbers)},{rng.choice([0, 1, 2, 4, 14, 15, 19, 71, 72, 47])},{count},{rng.random() < 0.1}"
        )
        left -= count
    path.write_text("\n".join(rows))


def test_a_set_of_1500_parts_and_a_model_of_500_bricks_in_20_seconds(tmp_path: Path) -> None:
    big_set(tmp_path / "set.csv")
    ball(tmp_path / "ball.stl")
    ((_, warm),) = build_files([tmp_path / "ball.stl"], Order(size=6, inventory="2x4,plate 1x1"))  # compiles
    assert isinstance(warm, Plan)
    start = time.perf_counter()
    order = Order(size=26, hollow=2, parts="plates")
    box = box_of([str(tmp_path / "set.csv")], order)
    order = replace(order, inventory=box.inventory)
    ((_, made),) = build_files([tmp_path / "ball.stl"], order)
    seconds = time.perf_counter() - start
    assert isinstance(made, Plan)
    assert order.box is not None
    within(made.construction, order.box)
    assert len(made.construction.bricks) >= 500
    assert seconds < 20
