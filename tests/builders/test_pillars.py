"""Pillars go under what would fall, out of what is left in the box."""

import numpy as np
import pytest
from builders.yards import yard_of
from geometry.boxes import put
from geometry.models import at, brick

from brickbybrick.builders.pillars import best_pillar
from brickbybrick.builders.posts import put_pile
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.mixed import MixedAssembly
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.stability import stands
from brickbybrick.geometry.statics import Ground


def gallows(inventory: str, layer: int = BRICK_HIGH) -> MixedAssembly:
    """A post of four 2x2 bricks with an arm of two 2x8 bricks on top, joined by two studs where they meet a 2x2."""
    high = 6 * BRICK_HIGH // layer
    assembly, _ = yard_of(np.ones((24, 6, high), bool), inventory=Inventory.parse(inventory), layer=layer)
    for z in range(4):
        put(assembly, brick(2, 2), at(2, 2, z, 0))
    put(assembly, brick(2, 8), at(2, 2, 4, 1))
    put(assembly, brick(2, 2), at(9, 2, 5, 0))
    put(assembly, brick(2, 8), at(10, 2, 4, 1))
    return assembly


def standing(assembly: MixedAssembly) -> bool:
    return stands(list(assembly.bricks.values()), Ground.TABLE)


@pytest.mark.parametrize("layer", [1, BRICK_HIGH])
def test_what_falls_stands_on_its_pillar(layer: int) -> None:
    assembly = gallows("2x8=2,2x2=20", layer)
    assert not standing(assembly)
    pillar = best_pillar(assembly, 100)
    assert pillar is not None
    assert (pillar.foot, pillar.top) == (0, 4 * BRICK_HIGH // layer - 1)
    assert pillar.x > 4
    put_pile(assembly.arrays, pillar)
    assert standing(assembly)
    assert best_pillar(assembly, 100) is None


def test_there_is_none_of_bricks_that_are_not_there() -> None:
    """The gallows has five 2x2 bricks, and a pillar would take four."""
    assert best_pillar(gallows("2x8=2,2x2=9"), 100) is not None
    assert best_pillar(gallows("2x8=2,2x2=8"), 100) is None
    bricks = len(gallows("2x8=2,2x2=9"))
    assert best_pillar(gallows("2x8=2,2x2=9"), bricks + 4) is not None
    assert best_pillar(gallows("2x8=2,2x2=9"), bricks + 3) is None
