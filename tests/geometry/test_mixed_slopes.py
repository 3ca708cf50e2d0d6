"""Parts that are not plain on the grid of a mason: whatever touches them from above or below is joined to them."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.mixed import KEPT, MixedAssembly, is_free, put_brick, take_brick
from brickbybrick.judging.check import contacts, overlapping

SHAPE = 7, 7, 9
BOX = Inventory.parse(
    "2x2,1x1,plate 1x2,plate 2x4,slope 45 2x1,slope 33 3x2,inverted slope 45 2x2,tile 1x2,slope 30 1x1"
)


def test_nothing_may_lie_on_a_face() -> None:
    assembly = MixedAssembly(SHAPE, Inventory.parse("plate 1x1,slope 45 2x1,tile 1x1,inverted slope 45 2x1"))
    kinds = {(str(part), d): kind for kind, (part, d) in enumerate(assembly.kinds)}
    put_brick(assembly.arrays, kinds["slope 45 2x1", 0], 2, 2, 0)
    put_brick(assembly.arrays, kinds["tile 1x1", 0], 5, 5, 0)
    put_brick(assembly.arrays, kinds["inverted slope 45 2x1", 0], 2, 4, 3)
    plate = kinds["plate 1x1", 0]
    free = {(x, y, z): is_free(assembly.arrays, plate, x, y, z) for x, y, z in product(*map(range, SHAPE))}
    kept = [(3, 2, 3), (5, 5, 1), (3, 4, 2)]
    assert not any(free[cell] for cell in kept)
    assert all(free[cell] for cell in [(2, 2, 3), (3, 2, 4), (5, 5, 2), (2, 4, 2), (2, 4, 6), (3, 4, 6)])
    filled = 2 * 3 + 1 + 2 * 3
    assert sum(not one for one in free.values()) == filled + len(kept)


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
@settings(deadline=None)
def test_what_touches_is_joined(seed: int, tries: int) -> None:
    generator = np.random.default_rng(seed)
    assembly = MixedAssembly(SHAPE, BOX)
    arrays = assembly.arrays
    for _ in range(tries):
        kind = int(generator.integers(len(assembly.kinds)))
        x, y, z = generator.integers(SHAPE).tolist()
        along_x, along_y, up = arrays.extent[kind].tolist()
        if kind < len(arrays.taken):
            free = is_free(arrays, kind, x, y, z)
        else:
            # As those who set them see to: room for the part, and nothing against its bare sides.
            around = arrays.owner[x : x + along_x, y : y + along_y, max(0, z - 1) : z + up + 1]
            inside = x + along_x <= SHAPE[0] and y + along_y <= SHAPE[1] and z + up <= SHAPE[2]
            free = inside and bool((around == -1).all())
        if free:
            put_brick(arrays, kind, x, y, z)
        elif generator.random() < 0.3 and len(assembly):
            take_brick(arrays, int(generator.choice(list(assembly.bricks))))
    numbers = list(assembly.bricks)
    model = [PlacedBrick(str(part), *pose) for part, pose in assembly.bricks.values()]
    touching = contacts(model)
    assert not overlapping(model)
    for index, number in enumerate(numbers):
        assert assembly.neighbours(number) == {numbers[other] for other in touching.beside(index)}
    # The count of cells taken is what it would be if it were made anew.
    busy = arrays.owner != -1
    for kind in range(len(arrays.taken)):
        along = arrays.extent[kind]
        room = [side - int(reach) + 1 for side, reach in zip(SHAPE, along, strict=True)]
        for x, y, z in product(*map(range, room)):
            cells = busy[x : x + along[0], y : y + along[1], z : z + along[2]]
            assert arrays.taken[kind, x, y, z] == cells.sum()
    assert ((arrays.owner >= 0) | (arrays.owner == -1) | (arrays.owner == KEPT)).all()
