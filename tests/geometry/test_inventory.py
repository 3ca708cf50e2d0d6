"""The box of bricks, as people write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.colours import COLOURS
from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import ALL_BRICKS, WITH_PLATES, Entry, Inventory
from brickbybrick.geometry.part import PARTS, Part

BRICK, PLATE = Part("brick", 2, 4), Part("plate", 1, 2)
RED, BLUE, WHITE = 4, 1, 15


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is no part"),
        ("2x5", "no part 2x5 in an inventory: choose among 1x1"),
        ("2x4=-1", "-1 parts 2x4"),
        ("2x4=many", "write a part and a number"),
        ("2x4=", "write a part and a number"),
        ("2x4,2x4=3", "names a part twice"),
        ("2x4=0,1x1=0", "0 bricks: nothing can be built"),
        ("4x2", "no part 4x2 in an inventory"),
        ("plank 2x4", "is no part: write it as"),
        ("red 2x4=1,4 2x4=2", "names a part twice"),
        ("mauve 2x4=1", "is no part: write it as .* after a colour"),
        ("red 2x5=1", "no part 2x5"),
        ("red =1", "is no part"),
        (" " * 90 + "x" * 90 + " 2x4", "is no part"),
        ("2x4," * 200_000, "characters"),
    ],
)
def test_mistakes_in_an_inventory(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Inventory.parse(text)


def test_an_inventory_is_written_as_it_is_read() -> None:
    for text in ("2x4=100,2x2=50,1x2", "1x1", "plate 2x4=3,2x4,slope 45 2x1=0", str(ALL_BRICKS), str(WITH_PLATES)):
        assert str(Inventory.parse(text)) == text
    brick, plate = Part("brick", 2, 4), Part("plate", 1, 2)
    assert Inventory.parse(" 2x4 = 3 , plate 1x2").counts == ((brick, 3), (plate, None))
    used = [brick] * 3 + [Part("brick", 2, 2), plate]
    assert Inventory.parse("2x4=1,plate 1x2").lacking(used) == {brick: 2, Part("brick", 2, 2): 1}


def test_bricks_and_plates_of_a_box_are_parts_that_there_are() -> None:
    assert set(ALL_BRICKS.parts) < set(WITH_PLATES.parts) < set(PARTS)
    assert {part.height for part in WITH_PLATES.parts} == {1, 3}


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(sorted(PARTS)), st.none() | st.sampled_from(sorted(COLOURS))),
        st.none() | st.integers(1, 999),
        min_size=1,
    )
)
def test_parts_in_colours_are_written_as_they_are_read(counts: dict[tuple[Part, int | None], int | None]) -> None:
    box = Inventory(tuple(Entry(*kind, count) for kind, count in counts.items()))
    assert Inventory.parse(str(box)) == box


def test_colours_are_named_before_parts_or_by_their_codes() -> None:
    box = Inventory.parse("light bluish gray inverted slope 45 2x1=3, 72 plate 1x2 ,Dark Blue-Violet 1x1=2,2x4=5")
    assert box.entries == (
        Entry(Part("inverted slope 45", 2, 1), 71, 3),
        Entry(PLATE, 72, None),
        Entry(Part("brick", 1, 1), 23, 2),
        Entry(BRICK, None, 5),
    )
    assert box.in_colour
    assert not ALL_BRICKS.in_colour


def test_a_part_is_counted_over_all_its_colours() -> None:
    box = Inventory.parse("red 2x4=3,2x4=2,blue 2x4=1,red plate 1x2,plate 1x2=4")
    assert box.counts == ((BRICK, 6), (PLATE, None))


def test_what_is_left_and_what_is_missing() -> None:
    """Told colours are used first, then those of any colour; only then something is missing."""
    box = Inventory.parse("red 2x4=3,blue 2x4=2,2x4=2,plate 1x2")
    left, missing = box.rest({(BRICK, RED): 4, (BRICK, BLUE): 1, (PLATE, WHITE): 9})
    assert left == (Entry(BRICK, RED, 0), Entry(BRICK, BLUE, 1), Entry(BRICK, None, 1), Entry(PLATE, None, None))
    assert missing == {}
    assert box.rest({(BRICK, RED): 4, (BRICK, WHITE): 3}).missing == {(BRICK, WHITE): 2}
    assert box.rest({(Part("brick", 1, 1), RED): 1}).missing == {(Part("brick", 1, 1), RED): 1}
    assert box.rest({}).left == box.entries


def test_more_parts_without_end() -> None:
    """Those whose colour is told stay as they are."""
    box = Inventory.parse("red 2x4=3,2x4=2").with_parts([BRICK, PLATE])
    assert str(box) == "red 2x4=3,2x4,plate 1x2"
