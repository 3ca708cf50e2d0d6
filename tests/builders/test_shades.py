"""Shades: what a cell wants, what sizes there are in it, and that no brick is in a colour it was never made in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.builders.mason import MasonBuilder
from brickbybrick.builders.shades import in_colours, shades_of
from brickbybrick.colours import COLOURS, lab, lab_in_bricks, unlike
from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import ALL_BRICKS, WITH_PLATES, Inventory
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.made import MADE
from brickbybrick.order import TOLERANCE
from brickbybrick.targets.target import Paint, target_of_voxels

RED, BLUE, WHITE = 4, 1, 15


def painted(shape: tuple[int, int, int], code: int) -> Paint:
    return np.full((*shape, 4), (*COLOURS[code].rgb, 255), np.uint8)


def seen_by_looking(filled: Voxels, x: int, y: int, z: int) -> int:
    """Open faces of a cell, one by one."""
    count = 0
    for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        at = x + dx, y + dy, z + dz
        outside = any(not 0 <= place < side for place, side in zip(at, filled.shape, strict=True))
        count += at[2] >= 0 and (outside or not filled[at])
    return count


def test_shades_are_the_nearest_colours_and_inside_any_will_do() -> None:
    paint = np.random.default_rng(1).integers(0, 256, (4, 4, 4, 4), np.uint8)
    paint[..., 3] = 255
    volume = np.ones((4, 4, 4), bool)
    inventory, codes = in_colours(ALL_BRICKS, tuple(COLOURS))
    shades = shades_of(paint, volume, inventory, codes, TOLERANCE)
    assert (shades.wanted[1:3, 1:3, :3] == -1).all()  # the lowest of them stand on the ground
    assert (shades.wanted[0] >= 0).all()
    for cell in [(0, 0, 0), (3, 1, 2), (2, 2, 3)]:
        far = [float(unlike(lab_in_bricks(paint[cell][:3]), lab(COLOURS[code].rgb))) for code in codes]
        assert shades.wanted[cell] == int(np.argmin(far))
    for size, row in zip(ALL_BRICKS.parts, shades.instead, strict=True):
        assert {codes[shade] for shade in row} <= set(MADE[str(size)])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1.0, 5.0, 20.0]))
def test_no_brick_is_in_a_colour_that_it_was_never_made_in(seed: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    volume = rng.random((6, 5, 4)) < 0.8
    volume[2, 2] = True
    paint = rng.integers(0, 256, (*volume.shape, 4), np.uint8)
    palette = rng.choice(list(COLOURS), 40, replace=False).tolist()
    target = target_of_voxels("thing", volume, side=6, paint=paint)
    built = MasonBuilder(palette=palette, tolerance=tolerance).build(target)
    assert {brick.colour for brick in built.bricks} <= set(palette)
    assert all(brick.colour in MADE[brick.part] for brick in built.bricks)


def test_halves_of_two_colours_are_built_in_them() -> None:
    """Each face that is seen has its colour, no seam between the halves is left open, and it hangs together."""
    volume = np.ones((8, 4, 6), bool)
    paint = painted(volume.shape, RED)
    paint[3:] = painted((5, 4, 6), BLUE)
    built = MasonBuilder().build(target_of_voxels("two", volume, side=8, paint=paint))
    assert built.iou == 1
    plates = np.repeat(volume, BRICK_HIGH, axis=2)
    for brick in built.bricks:
        seen = [cell for cell in brick.cells() if seen_by_looking(plates, *_in(volume, cell))]
        wanted = {RED if _in(volume, cell)[0] < 3 else BLUE for cell in seen}
        assert wanted <= {brick.colour}


def _in(volume: Voxels, cell: tuple[int, int, int]) -> tuple[int, int, int]:
    """A cell of a model, whose target lies in the middle of its grid, as one of the volume."""
    x, y, z = cell
    return x, y - (8 - volume.shape[1]) // 2, z


def test_plates_are_coloured_layer_by_layer() -> None:
    """Stripes a plate high, which no brick could show."""
    volume = np.ones((6, 4, 9), bool)
    paint = painted(volume.shape, RED)
    paint[:, :, 1::2] = painted((6, 4, 4), WHITE)
    target = target_of_voxels("stripes", volume, side=6, paint=paint, layer=1)
    built = MasonBuilder(WITH_PLATES, tolerance=1.0).build(target)
    assert built.iou == 1
    assert {(brick.z % 2, brick.colour) for brick in built.bricks} == {(0, RED), (1, WHITE)}
    assert all(brick.colour in MADE[brick.part] for brick in built.bricks)


def test_more_tolerance_takes_fewer_bricks() -> None:
    rng = np.random.default_rng(5)
    volume = np.ones((12, 3, 10), bool)
    paint = painted(volume.shape, WHITE)
    paint[..., :3] = 150 + 12 * rng.integers(0, 5, (12, 1, 10, 1))
    target = target_of_voxels("grey", volume, side=12, paint=paint)
    counts = [len(MasonBuilder(tolerance=tolerance).build(target).bricks) for tolerance in (1.0, 10.0, 100.0)]
    assert counts[0] > counts[1] > counts[2]


def test_sizes_that_were_made_in_no_colour_of_the_palette_are_not_used() -> None:
    only = next(code for code in COLOURS if code in MADE["1x2"] and code not in MADE["2x4"])
    volume = np.ones((4, 4, 2), bool)
    target = target_of_voxels("thing", volume, side=4, paint=painted(volume.shape, RED))
    built = MasonBuilder(palette=(only,)).build(target)
    assert built.iou == 1
    assert {brick.colour for brick in built.bricks} == {only}
    assert "2x4" not in {brick.part for brick in built.bricks}
    with pytest.raises(InputError, match="no brick of the inventory was made in a colour of the palette"):
        in_colours(Inventory.parse("2x4"), (only,))
