"""The box of bricks, as people write it."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.inventory import ALL_BRICKS, Inventory


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is not a brick size"),
        ("2x5", "no brick 2x5 in an inventory: choose among 2x4"),
        ("2x4=-1", "-1 bricks of 2x4"),
        ("2x4=many", "write a size and a number"),
        ("2x4=", "write a size and a number"),
        ("2x4,2x4=3", "names a size twice"),
        ("2x4=0,1x1=0", "0 bricks: nothing can be built"),
        ("4x2", "short side first"),
    ],
)
def test_mistakes_in_an_inventory(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Inventory.parse(text)


def test_an_inventory_is_written_as_it_is_read() -> None:
    for text in ("2x4=100,2x2=50,1x2", "1x1", str(ALL_BRICKS)):
        assert str(Inventory.parse(text)) == text
    assert Inventory.parse(" 2x4 = 3 , 1x2").counts == ((Size(2, 4), 3), (Size(1, 2), None))
    assert Inventory.parse("2x4=1,1x1").lacking([Size(2, 4)] * 3 + [Size(2, 2)]) == {Size(2, 4): 2, Size(2, 2): 1}
