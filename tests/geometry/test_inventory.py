"""The box of bricks, as people write it."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import ALL_BRICKS, WITH_PLATES, Inventory
from brickbybrick.geometry.part import PARTS, Part


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
