"""Models out of a box: whatever it holds and whatever is asked for, no part in a colour is used that is not there."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from brickbybrick.building import build_files, build_wanted, figures_of, finish_laid
from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.boxes import box_of
from brickbybrick.export.kit import Plan
from brickbybrick.export.parts import used_in
from brickbybrick.geometry.inventory import SLOPES, TILES, WITH_PLATES, Entry, Inventory
from brickbybrick.geometry.part import BRICK_HIGH, PARTS
from brickbybrick.geometry.prices import Prices
from brickbybrick.geometry.voxels import Voxels
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


def gallows(rng: np.random.Generator, brick: int) -> Voxels:
    """A stem with a long arm to one side: it wants pillars."""
    low = brick * int(rng.integers(2, 5))
    volume = np.zeros((int(rng.integers(20, 30)), int(rng.integers(2, 4)), low + brick), bool)
    volume[:3] = volume[:, :, low:] = True
    return volume


def wall(rng: np.random.Generator, brick: int) -> Voxels:
    """A wall so thin that a touch tips it over: it wants a wider foot."""
    return np.ones((int(rng.integers(2, 7)), 1, int(rng.integers(19, 24)) * brick), bool)


def dotted(rng: np.random.Generator, brick: int) -> Voxels:
    """A letter i: its dot wants a post."""
    low, gap, high = (brick * int(rng.integers(first, last)) for first, last in ((1, 4), (1, 3), (2, 4)))
    volume = np.zeros((4, 4, low + gap + high), bool)
    volume[1:3, :, :low] = volume[:, :, low + gap :] = True
    return volume


def target_like(make: Callable[[np.random.Generator, int], Voxels], seed: int, layer: int, in_colour: bool) -> Target:
    rng = np.random.default_rng(seed)
    volume = make(rng, BRICK_HIGH // layer)
    paint = rng.choice(np.array([COLOURS[code].rgb for code in CODES], np.uint8), volume.shape)
    rgba = np.concatenate([paint, np.full((*volume.shape, 1), 255, np.uint8)], axis=3)
    return target_of_voxels("thing", volume, side=max(volume.shape), layer=layer, paint=rgba if in_colour else None)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Boxes with few of some things, and options of all kinds."""
    kinds, smooth = draw(st.sampled_from(["bricks", "plates", "all"])), draw(st.booleans())
    parts = [part for part in WITH_PLATES.parts if part.area <= 8 and (kinds != "bricks" or part.height == BRICK_HIGH)]
    parts += [part for part in SLOPES if kinds == "all"] + [part for part in TILES if smooth and kinds != "bricks"]
    kept = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=12, unique=True))
    colours = st.lists(st.sampled_from([None, *CODES]), min_size=1, max_size=4, unique=True)
    amounts = st.integers(1, 4) | st.integers(1, 40) | st.none()
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


@pytest.mark.parametrize("make", [gallows, wall, dotted])
@settings(max_examples=15, deadline=None)
@given(order=orders(), seed=st.integers(0, 2**32 - 1), in_colour=st.booleans())
def test_no_count_is_ever_exceeded(
    make: Callable[[np.random.Generator, int], Voxels], order: Order, seed: int, in_colour: bool
) -> None:
    target = target_like(make, seed, order.reading.layer, in_colour and not order.colour)
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


@pytest.mark.parametrize(
    ("make", "box", "says"),
    [
        (gallows, "2x4=60,2x2=60,1x2=60,1x1=80", "pillar"),
        (wall, "2x4=9,1x4=30,1x2=60,1x1=30", "wider foot"),
        (dotted, "2x4=20,2x2=20,1x2=9,1x1=9", "carried by a post"),
    ],
)
def test_such_things_get_bricks_that_are_not_shown(
    make: Callable[[np.random.Generator, int], Voxels], box: str, says: str
) -> None:
    """So that what holds for all of them above holds for pillars, feet and posts."""
    (made,) = build_wanted([Wanted(target_like(make, 1, BRICK_HIGH, False))], Order(inventory=box))
    assert any(says in note for note in made.construction.notes)
    assert any(brick.extra for brick in made.construction.bricks)


def test_only_bricks_in_the_colour_that_is_asked_for_count() -> None:
    cells = target_of_voxels("block", np.ones((8, 8, 3), bool), side=8)
    box = "red 2x4=12,blue 2x4=40,red 1x1=4,2x2=3"
    (made,) = build_wanted([Wanted(cells)], Order(inventory=box, colour=("red",)))
    used = Counter((brick.part, brick.colour) for brick in made.construction.bricks)
    assert set(used) == {("2x4", RED), ("1x1", RED), ("2x2", RED)}
    assert used["2x4", RED] == 12
    assert any("the bricks were not enough" in note for note in made.construction.notes)


def test_what_wants_no_colour_is_built_in_the_one_that_there_is_most_of() -> None:
    """Of 36 bricks 30 can be blue; the others are where nobody sees them, as far as there are such places."""
    block = target_of_voxels("block", np.ones((12, 8, 3), bool), side=12)
    (made,) = build_wanted([Wanted(block)], Order(inventory="blue 2x4=30,red 2x4=9"))
    bricks = made.construction.bricks
    assert made.construction.iou == 1
    assert Counter(brick.colour for brick in bricks) == {BLUE: 30, RED: 6}
    hidden = hidden_in(bricks)
    red = sum(inside for brick, inside in zip(bricks, hidden, strict=True) if brick.colour == RED)
    assert red == min(6, sum(hidden)) > 0


@pytest.mark.parametrize("more", ["red 2x2=9", "red 2x2=1,blue 2x2=8", "2x2=9", "blue 2x2=1"])
def test_repair_takes_what_is_left(more: str) -> None:
    """A hook that falls: mended by more of its bricks, in another colour where the first runs out; and as far as it
    goes where few are left."""
    hook = [PlacedBrick("2x2", 0, 0, 3 * z, 0) for z in range(3)] + [PlacedBrick("2x4", x, 0, 9, 1) for x in (0, 4)]
    hook += [PlacedBrick("2x2", 3, 0, 12, 0)]
    there = Counter({("2x2", "red"): 4, ("2x4", "red"): 2})
    for entry in Inventory.parse(more).entries:
        there[str(entry.part), "" if entry.colour is None else COLOURS[entry.colour].name] += entry.amount or 0
    box = ",".join(f"{colour} {part}={count}".strip() for (part, colour), count in there.items())
    volume = np.zeros((8, 2, 5), bool)
    volume[:2, :, :3] = volume[:, :, 3] = volume[3:5, :, 4] = True
    order = Order(size=9, inventory=box, repair=True, colour=() if "blue" in more else ("red",))
    built = Construction(tuple(hook), "hook", "mason")
    made = finish_laid(built, Wanted(target_of_voxels("hook", volume, side=8)), order)
    assert order.box is not None
    within(made.construction, order.box)
    assert bool(judge(made.construction).stands) == (more != "blue 2x2=1")
    extra = [brick for brick in made.construction.bricks if brick.extra]
    assert {brick.part for brick in extra} <= {"2x2"}


def hidden_in(bricks: Sequence[PlacedBrick]) -> list[bool]:
    """Which bricks no air touches that comes from outside, where the table lets none in: filled cell by cell."""
    own = {cell: number for number, brick in enumerate(bricks) for cell in brick.cells()}
    low, high = np.min(list(own), axis=0) - 1, np.max(list(own), axis=0) + 1
    low[2] += 1
    hidden, todo = [True] * len(bricks), [tuple(high.tolist())]
    air = set(todo)
    while todo:
        x, y, z = todo.pop()
        for cell in ((x - 1, y, z), (x + 1, y, z), (x, y - 1, z), (x, y + 1, z), (x, y, z - 1), (x, y, z + 1)):
            if cell in own:
                hidden[own[cell]] = False
            elif cell not in air and (low <= cell).all() and (cell <= high).all():
                air.add(cell)
                todo.append(cell)
    return hidden


PRICED = "EUR," + ",".join(
    f"{COLOURS[code].name} {part}={price}"
    for part in ("2x4", "2x2", "1x2", "1x1")
    for code, price in ((RED, "0.40"), (BLUE, "0.05"), (WHITE, "0.10"), (BLACK, "0.20"))
)


@pytest.mark.parametrize("seed", range(6))
def test_prices_count_where_nobody_looks_and_nowhere_else(seed: int) -> None:
    """The same bricks with and without prices: what is seen keeps its colour, and what is hidden costs the least that
    can be had of what is left then, by SciPy's assignment."""
    rng = np.random.default_rng(seed)
    block = np.ones((10, 8, 5), bool)
    paint = np.full((*block.shape, 4), (*COLOURS[RED].rgb, 255), np.uint8)
    target = target_of_voxels("block", block, side=10, paint=paint)
    few = [f"{COLOURS[code].name} 2x4={rng.integers(0, 5)}" for code in (BLUE, WHITE, BLACK)]
    small = [f"{COLOURS[code].name} {part}={rng.integers(0, 4)}" for code in (BLUE, WHITE) for part in ("2x2", "1x2")]
    order = Order(inventory=",".join([*few, *small, "red 2x4", "red 2x2", "red 1x2", "red 1x1"]))
    assert order.box is not None
    (plain,) = build_wanted([Wanted(target)], order)
    (made,) = build_wanted([Wanted(target)], replace(order, prices=PRICED))
    bricks = {brick.pose: brick for brick in made.construction.bricks}
    assert {pose: brick.part for pose, brick in bricks.items()} == {
        brick.pose: brick.part for brick in plain.construction.bricks
    }
    hidden = [brick for brick, inside in zip(bricks.values(), hidden_in(list(bricks.values())), strict=True) if inside]
    assert len(hidden) > 4
    for brick in plain.construction.bricks:
        assert brick.pose in {each.pose for each in hidden} or bricks[brick.pose].colour == brick.colour == RED
    prices = Prices.parse(PRICED)
    cost = sum(prices.bill(Counter({(brick.shape, brick.colour): 1})).total for brick in hidden)
    stock = [entry for entry in order.box.entries for _ in range(len(hidden) if entry.amount is None else entry.amount)]
    each = np.array([[_each(prices, brick, entry) for entry in stock] for brick in hidden])
    assert float(cost) == pytest.approx(each[linear_sum_assignment(each)].sum())
    usual = made.construction.notes[-1]
    assert usual == f"its parts cost {prices.said(prices.bill(used_in(made.construction.bricks)))}"
    assert not any("cost" in note for note in plain.construction.notes)


def _each(prices: Prices, brick: PlacedBrick, entry: Entry) -> float:
    """What a brick costs as one of an entry; very much if it is another part."""
    price = prices.of(entry.part, entry.colour or 0)
    return float(price) if brick.shape == entry.part and price is not None else 1e6


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
    trimesh.creation.box((3, 2, 2)).export(tmp_path / "chest.stl")
    ((_, warm),) = build_files([tmp_path / "chest.stl"], Order(size=6, inventory="2x4,plate 1x1"))  # compiles
    assert isinstance(warm, Plan)
    start = time.perf_counter()
    order = Order(size=22, parts="plates")
    box = box_of([str(tmp_path / "set.csv")], order)
    order = replace(order, inventory=box.inventory)
    ((_, made),) = build_files([tmp_path / "chest.stl"], order)
    seconds = time.perf_counter() - start
    assert isinstance(made, Plan)
    assert order.box is not None
    within(made.construction, order.box)
    print(f"{len(made.construction.bricks)} bricks out of a set of 1,500 parts in {seconds:.1f} s")
    assert len(made.construction.bricks) >= 500
    assert seconds < 20
