"""Colours of bricks: near to what is wanted, as few as there are, cheap where nobody looks."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.builders.colouring import alike, in_turn, main_colour, painted, seen_of, wishes_of
from brickbybrick.builders.sharing import Rack
from brickbybrick.colours import COLOURS
from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.prices import Prices
from brickbybrick.targets.target import Paint

RED, BLUE, WHITE, BLACK, TAN, PALE = 4, 1, 15, 0, 19, 151
# What nobody sees of a cube, its middle and what it stands on, and then the rest.
HIDDEN = [(1, 1, 0), (1, 1, 1)]
CUBE = [*HIDDEN, *(cell for cell in np.ndindex(3, 3, 3) if cell not in HIDDEN)]


def paint_of(shape: tuple[int, int, int], code: int) -> Paint:
    return np.full((*shape, 4), (*COLOURS[code].rgb, 255), np.uint8)


def cube(part: str = "1x1", layer: int = BRICK_HIGH) -> list[PlacedBrick]:
    return [PlacedBrick(part, x, y, layer * z, 0) for x, y, z in CUBE]


def rack(text: str, *codes: int) -> Rack:
    return Rack(Inventory.parse(text).entries, codes)


def test_a_brick_has_the_colour_of_most_of_its_faces_and_hidden_ones_the_commonest() -> None:
    paint = paint_of((4, 4, 3), BLUE)
    paint[0, :, :, :3] = COLOURS[RED].rgb
    bricks = [PlacedBrick("2x4", x, 0, z, 0) for z in (0, 3, 6) for x in (0, 2)]
    codes = (RED, BLUE, WHITE)
    assert painted(bricks, wishes_of(bricks, paint, codes, BRICK_HIGH), rack("2x4", *codes)) == [RED, BLUE] * 3
    blue = paint_of((3, 3, 3), BLUE)
    blue[1, 1, 1, :3] = COLOURS[WHITE].rgb
    codes = (RED, WHITE, BLUE)
    for part, layer in (("1x1", BRICK_HIGH), ("plate 1x1", 1)):
        bricks = cube(part, layer)
        assert painted(bricks, wishes_of(bricks, blue, codes, layer), rack(part, *codes)) == [BLUE] * 27


def test_what_is_hidden_takes_what_is_left() -> None:
    """Of 25 bricks that are seen all can be blue, so those inside are red; or the cheapest, if prices are known."""
    bricks = cube()
    wishes = wishes_of(bricks, paint_of((3, 3, 3), BLUE), (RED, BLUE, WHITE), BRICK_HIGH)
    codes = (RED, BLUE, WHITE)
    colours = painted(bricks, wishes, rack("blue 1x1=25,red 1x1=2", *codes))
    assert colours == [RED] * 2 + [BLUE] * 25
    prices = Prices.parse("EUR,1x1=0.10,white 1x1=0.04,red 1x1=0.05")
    assert painted(bricks, wishes, rack("1x1", *codes), prices) == [WHITE] * 2 + [BLUE] * 25
    few = rack("blue 1x1=25,red 1x1=5,white 1x1=0", *codes)
    assert painted(bricks, wishes, few, prices) == [RED] * 2 + [BLUE] * 25


def test_where_a_colour_runs_out_those_lose_it_who_lose_least() -> None:
    """White and tan bricks in a row: of red that is there twice, the two that show most of it."""
    paint = paint_of((6, 1, 1), RED)
    bricks = [PlacedBrick("1x1", x, 0, 0, 0) for x in range(6)]  # the outer ones show a side more
    codes = (RED, WHITE)
    wishes = wishes_of(bricks, paint, codes, BRICK_HIGH)
    assert painted(bricks, wishes, rack("red 1x1=2,white 1x1=4", *codes)) == [RED, WHITE, WHITE, WHITE, WHITE, RED]


def test_a_foot_has_one_colour_and_posts_are_pale() -> None:
    paint = paint_of((4, 2, 2), BLUE)
    paint[0, :, :, :3] = COLOURS[RED].rgb
    bricks = [PlacedBrick("2x2", x, 0, z, 0) for z in (0, 3) for x in (0, 2)]
    bricks = [PlacedBrick("1x1", x, y, 0, 0) for x in range(4) for y in range(2)]
    codes = (RED, BLUE, TAN)
    wishes = wishes_of(bricks, paint, codes, BRICK_HIGH)
    foot, posts = {brick.pose for brick in bricks if brick.y == 0}, {bricks[1].pose}
    colours = painted(bricks, wishes, rack("1x1", *codes), None, foot, posts)
    assert [colours[2 * x] for x in range(4)] == [BLUE] * 4
    assert [colours[2 * x + 1] for x in range(4)] == [TAN, BLUE, BLUE, BLUE]
    # Without enough tan and blue, others.
    colours = painted(bricks, wishes, rack("red 1x1=8", *codes), None, foot, posts)
    assert colours == [RED] * 8
    assert painted(
        bricks[1:2], wishes_of(bricks[1:2], paint, (PALE, BLACK), 3), rack("1x1", PALE, BLACK), posts=posts
    ) == [PALE]


def test_what_is_seen() -> None:
    """All of a cube but its middle and what is under that; the middle too under a slope, which hides nothing."""
    assert seen_of(cube()).tolist() == [False] * 2 + [True] * 25
    box = [PlacedBrick("2x2", x, y, z, 0) for x in (0, 2, 4) for y in (0, 2, 4) for z in (0, 3, 6)]
    hidden = box.index(PlacedBrick("2x2", 2, 2, 3, 0))
    assert np.flatnonzero(~seen_of(box)).tolist() == [box.index(PlacedBrick("2x2", 2, 2, 0, 0)), hidden]
    above = box.index(PlacedBrick("2x2", 2, 2, 6, 0))
    box[above] = PlacedBrick("slope 45 2x2", 2, 2, 6, 0)
    assert seen_of(box)[hidden]


def test_colours_in_turn_as_far_as_there_are_any() -> None:
    bricks = [PlacedBrick("1x1", 2 * x, 0, 0, 0) for x in range(6)]
    assert in_turn(bricks, (RED, BLUE), rack("1x1", RED, BLUE)) == [RED, BLUE] * 3
    assert Counter(in_turn(bricks, (RED, BLUE), rack("red 1x1=1,blue 1x1=9", RED, BLUE))) == {RED: 1, BLUE: 5}
    prices = Prices.parse("EUR,1x1=0.10,white 1x1=0.04")
    assert in_turn(cube(), (RED,), rack("1x1", RED, WHITE), prices) == [WHITE] * 2 + [RED] * 25
    assert in_turn([], (RED,), rack("1x1", RED)) == []


def test_the_main_colour_is_the_one_that_there_is_most_of_by_volume() -> None:
    codes = (RED, BLUE, WHITE)
    assert main_colour(Inventory.parse("red 1x1=100,blue 2x4=20,white plate 2x4=40"), codes) == BLUE
    assert main_colour(Inventory.parse("red 1x1=100,blue 2x4=20,white plate 2x4"), codes) == WHITE
    assert main_colour(Inventory.parse("red 1x1=100,blue 2x4=20"), (RED, WHITE)) == RED


def test_more_bricks_look_like_the_others() -> None:
    bricks = [PlacedBrick("1x1", 2 * x, 0, 0, 0) for x in range(3)]
    dark_red = 320
    there = rack("red 1x1=1,dark red 1x1=1,white 1x1=9", WHITE, dark_red, RED)
    assert sorted(alike(bricks, RED, there)) == [RED, WHITE, dark_red]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_more_are_used_than_there_are(data: st.DataObject) -> None:
    """Whatever is wanted where, of any stock that is large enough."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    paint = rng.integers(0, 256, (4, 4, 3, 4), np.uint8)
    bricks = [PlacedBrick("1x1", x, y, 3 * z, 0) for x, y, z in np.ndindex(4, 4, 3)]
    codes = rng.choice(list(COLOURS), 6, replace=False).tolist()
    counts = rng.integers(0, 20, 6)
    free = max(0, len(bricks) - int(counts.sum()))
    text = ",".join(f"{code} 1x1={count}" for code, count in zip(codes, counts, strict=True))
    box = Inventory.parse(f"{text},1x1={free}")
    prices = Prices.parse("EUR,1x1=1") if data.draw(st.booleans()) else None
    foot = {bricks[at].pose for at in data.draw(st.sets(st.integers(0, 47), max_size=5))}
    wishes = wishes_of(bricks, paint, codes, BRICK_HIGH)
    colours = painted(bricks, wishes, Rack(box.entries, codes), prices, foot, {bricks[0].pose})
    used = Counter((brick.shape, colour) for brick, colour in zip(bricks, colours, strict=True))
    assert not box.rest(used).missing


def test_a_paint_that_wants_nothing_leaves_it_to_the_box() -> None:
    bricks = cube()
    nothing = np.zeros((3, 3, 3, 4), np.uint8)
    assert set(painted(bricks, wishes_of(bricks, nothing, (RED,), 3), rack("red 1x1=27", RED))) == {RED}
    with pytest.raises(AssertionError, match="no room for all"):
        painted(bricks, wishes_of(bricks, nothing, (RED, BLUE), 3), rack("red 1x1=26,blue 1x1=0", RED, BLUE))
