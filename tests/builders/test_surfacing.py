"""Slopes and tiles that are set before bricks are laid: against brute force, and in finished models by the checks that
share no code with the mason."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from brickbybrick.builders.mason import MasonBuilder, Work
from brickbybrick.builders.surfacing import BREADTH, LEAST, gains, set_slopes, set_tiles
from brickbybrick.construction import Construction
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.grains import ALL, FULL, GRAINS, Words, counted, grains_of, packed, unpacked
from brickbybrick.geometry.inventory import SLOPES, TILES, WITH_PLATES, Inventory
from brickbybrick.geometry.part import PARTS, Part
from brickbybrick.judging.check import judge
from brickbybrick.made import MADE
from brickbybrick.targets.inputs import wanted_mesh
from brickbybrick.targets.reading import Reading
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import Target, target_of_voxels

EVERYTHING = WITH_PLATES.with_parts(SLOPES).with_parts(TILES)
SIDE = 8


def blob(seed: int, shape: tuple[int, int, int] = (SIDE, SIDE, 12)) -> Words:
    """Something smooth that stands on the ground, in one piece, in grains."""
    generator = np.random.default_rng(seed)
    fine = [cells * grains for cells, grains in zip(shape, GRAINS, strict=True)]
    hills = ndimage.gaussian_filter(generator.standard_normal(fine), (5, 5, 5), mode="nearest")
    x, y, z = (np.linspace(-1, 1, side) for side in fine)
    bowl = x[:, None, None] ** 2 + y[None, :, None] ** 2 + (z[None, None] * 0.5 + 0.5) ** 2
    solid = 6 * hills / np.abs(hills).max() * 0.08 + 0.9 - bowl > 0
    labels, _ = ndimage.label(solid)
    return packed(labels == np.bincount(labels[labels > 0]).argmax())


def target_of(words: Words) -> Target:
    return target_of_voxels("blob", 2 * counted(words) >= ALL, side=max(words.shape[:2]), layer=1, grains=words)


def errors(words: Words, filled: Words) -> int:
    return int((unpacked(words) != unpacked(filled)).sum())


@given(st.integers(0, 2**32 - 1), st.sampled_from(SLOPES), st.integers(0, 3))
@settings(deadline=None, max_examples=30)
def test_gains_are_the_grains_that_a_part_is_truer_by(seed: int, part: Part, d: int) -> None:
    words = blob(seed)
    steps = np.where(2 * counted(words) >= ALL, FULL, np.uint32(0))
    box = grains_of(part, d)
    found = gains(words, counted(words ^ steps), box)
    generator = np.random.default_rng(seed)
    for _ in range(20):
        x, y, z = generator.integers(np.array(words.shape) - box.shape + 1).tolist()
        place = np.s_[x : x + box.shape[0], y : y + box.shape[1], z : z + box.shape[2]]
        of_steps = errors(words[place], steps[place])
        assert found[x, y, z] == (of_steps - errors(words[place], box) if of_steps else 0)


def best_by_trying(words: Words, part: Part) -> float:
    """What the best place for a part on bricks and plates is worth, of all where it is held and nothing lies on it."""
    wanted = 2 * counted(words) >= ALL
    cells = {(x, y, z) for x, y, z in np.argwhere(wanted).tolist()}
    best = 0.0
    for d in part.directions:
        box = grains_of(part, d)
        for x, y, z in product(*(range(side - along + 1) for side, along in zip(words.shape, box.shape, strict=True))):
            pose, top = Pose(x, y, z, d), z + part.height
            faces = {(i, j, top) for i, j in set(part.footprint(pose)) - set(part.studs(pose))}
            under = {(i, j, z - 1) for i, j in set(part.footprint(pose)) - set(part.sockets(pose))}
            held = {(i, j, top) for i, j in part.studs(pose)} | {(i, j, z - 1) for i, j in part.sockets(pose)}
            if cells & (faces | under) or not cells & held or (under and z == 0):
                continue
            place = np.s_[x : x + box.shape[0], y : y + box.shape[1], z : z + box.shape[2]]
            steps = np.where(wanted[place], FULL, np.uint32(0))
            gain = errors(words[place], steps) - errors(words[place], box)
            if gain >= LEAST * part.length:
                best = max(best, gain / part.length**BREADTH)
    return float(np.round(best))


@pytest.mark.parametrize("part", [*map(Part.parse, ("slope 45 2x2", "slope 30 1x1", "inverted slope 45 2x1"))])
@pytest.mark.parametrize("seed", range(3))
def test_the_first_slope_is_the_best(seed: int, part: Part) -> None:
    words = blob(seed, (6, 6, 7))
    inventory = Inventory.of(((Part.parse("1x1"), None), (part, 1)))
    wanted = 2 * counted(words) >= ALL
    work = Work(wanted, inventory, 0, 1000, layer=1)
    margin = ((3, 3), (3, 3), (0, 1))
    padded = np.pad(words, margin)
    best = best_by_trying(padded, part)
    count = set_slopes(work.assembly, work.yard, padded)
    assert count == (best > 0)
    if count:
        ((_, pose),) = work.assembly.bricks.values()
        box = grains_of(part, pose.d)
        place = tuple(slice(at, at + along) for at, along in zip(pose[:3], box.shape, strict=True))
        steps = np.where(np.pad(wanted, margin)[place], FULL, np.uint32(0))
        gain = errors(padded[place], steps) - errors(padded[place], box)
        assert np.round(gain / part.length**BREADTH) == best


def roof(half: int, deep: int) -> Mesh:
    """A prism as wide as twice so many studs that rises by a brick each stud."""
    wide, high = 2.0 * half, 1.2 * half
    corners = [(0, 0, 0), (wide, 0, 0), (wide, deep, 0), (0, deep, 0), (half, 0, high), (half, deep, high)]
    faces = [(0, 2, 1), (0, 3, 2), (0, 1, 4), (2, 3, 5), (1, 2, 5), (1, 5, 4), (3, 0, 4), (3, 4, 5)]
    return Mesh(np.array(corners, float), np.array(faces))


def test_a_roof_is_covered_by_slopes_that_fall_outwards() -> None:
    half, deep = 6, 8
    reading = Reading(size=2 * half, proportions="real", layer=1, grains=True)
    built = MasonBuilder(WITH_PLATES.with_parts(SLOPES)).build(wanted_mesh("roof", roof(half, deep), reading).target)
    assert judge(built).joined
    slopes = [brick for brick in built.bricks if brick.shape.kind == "slope 45"]
    assert len(slopes) == 2 * (half - 1) * deep // 4  # 2x4 each
    left = min(brick.x for brick in built.bricks)
    for brick in slopes:
        assert brick.z % 3 == 0
        assert brick.d == (0 if brick.x - left >= half else 2)
    # Nothing but faces looks up.
    filled = {cell for brick in built.bricks for cell in brick.cells()}
    assert {(x, y, brick.top) for brick in built.bricks for x, y in brick.shape.studs(brick.pose)} <= filled


def test_what_is_made_of_slopes_is_built_without_error() -> None:
    words = np.zeros((10, 4, 9), np.uint32)
    for layer in range(3):
        words[layer : 8 - layer, :, 3 * layer : 3 * layer + 3] = FULL
        for part, d, x in ((Part.parse("slope 45 2x4"), 0, 8 - layer), (Part.parse("slope 45 2x4"), 2, layer)):
            box = grains_of(part, d)
            at = x - 1 if d == 0 else x
            words[at : at + 2, :, 3 * layer : 3 * layer + 3] = box
    words = words[:9]
    target = target_of_voxels("stairs", 2 * counted(words) >= ALL, side=9, layer=1, grains=words)
    built = MasonBuilder(WITH_PLATES.with_parts(SLOPES)).build(target)
    assert target.grains is not None
    assert built_error(built, target.grains) == 0
    assert Counter(brick.d for brick in built.bricks if brick.shape.slopes) == {0: 3, 2: 3}


def built_error(built: Construction, words: Words) -> int:
    """Grains in which a model and what was wanted differ, of the grid and around it."""
    there = np.zeros([side + 8 for side in words.shape], np.uint32)
    for brick in built.bricks:
        box = grains_of(brick.shape, brick.d)
        x, y, z = brick.x + 4, brick.y + 4, brick.z
        there[x : x + box.shape[0], y : y + box.shape[1], z : z + box.shape[2]] |= box
    return errors(np.pad(words, ((4, 4), (4, 4), (0, 8))), there)


def checked(built: Construction, inventory: Inventory) -> None:
    verdict = judge(built)
    assert verdict.joined
    assert verdict.no_overlap
    assert verdict.insertable
    assert not inventory.lacking(brick.shape for brick in built.bricks)
    filled = {cell for brick in built.bricks for cell in brick.cells()}
    for brick in built.bricks:
        columns = set(brick.shape.footprint(brick.pose))
        assert not filled & {(x, y, brick.top) for x, y in columns - set(brick.shape.studs(brick.pose))}
        assert not filled & {(x, y, brick.z - 1) for x, y in columns - set(brick.shape.sockets(brick.pose))}


@given(st.integers(0, 2**32 - 1), st.data())
@settings(deadline=None, max_examples=12)
def test_models_are_joined_and_out_of_the_box(seed: int, data: st.DataObject) -> None:
    few = [(part, data.draw(st.integers(0, 6))) for part in (*SLOPES, *TILES)]
    inventory = Inventory.of((*WITH_PLATES.counts, *few))
    words = blob(seed)
    built = MasonBuilder(inventory, seed=seed).build(target_of(words))
    checked(built, inventory)


@pytest.mark.parametrize("seed", range(4))
def test_slopes_bring_a_model_nearer_to_the_mesh(seed: int) -> None:
    target = target_of(blob(seed, (12, 12, 18)))
    assert target.grains is not None
    sloped = MasonBuilder(WITH_PLATES.with_parts(SLOPES)).build(target)
    stepped = MasonBuilder(WITH_PLATES).build(target)
    assert any(brick.shape.slopes for brick in sloped.bricks)
    assert built_error(sloped, target.grains) < 0.9 * built_error(stepped, target.grains)


@pytest.mark.parametrize("seed", range(3))
def test_every_part_was_made_in_its_colour(seed: int) -> None:
    target = target_of(blob(seed))
    paint = np.random.default_rng(seed).integers(0, 256, (*target.volume.shape, 4), np.uint8)
    paint[..., 3] = 255
    paint = paint[::4, ::4, ::4].repeat(4, 0).repeat(4, 1).repeat(4, 2)[tuple(map(slice, target.volume.shape))]
    built = MasonBuilder(EVERYTHING).build(replace(target, paint=paint))
    checked(built, EVERYTHING)
    assert any(not brick.shape.plain for brick in built.bricks)
    assert all(brick.colour in MADE[brick.part] for brick in built.bricks)


def test_tops_are_covered_by_tiles_if_there_are_any() -> None:
    volume = np.zeros((8, 8, 24), bool)
    volume[:, :, :6] = True
    volume[2:6, 2:6, 6:9] = True
    target = target_of_voxels("steps", volume, side=8, layer=1)
    built = MasonBuilder(EVERYTHING).build(target)
    checked(built, EVERYTHING)
    filled = {cell for brick in built.bricks for cell in brick.cells()}
    for brick in built.bricks:
        seen = [(x, y) for x, y in brick.shape.footprint(brick.pose) if (x, y, brick.top) not in filled]
        assert not seen or brick.shape.kind == "tile"
    assert built.iou == 1.0
    without = MasonBuilder(WITH_PLATES).build(target)
    assert all(brick.shape.plain for brick in without.bricks)


def test_nothing_is_set_where_nothing_would_hold_it() -> None:
    # One layer on the ground: tiles would have nothing under them.
    volume = np.zeros((6, 6, 18), bool)
    volume[:, :, 0] = True
    work = Work(volume, EVERYTHING, 0, 100, layer=1)
    assert set_tiles(work.assembly, work.yard) == 0


def test_every_usual_part_was_made_in_red() -> None:
    # What has no colours of its own is built in red.
    assert all(4 in MADE[str(part)] for part in PARTS)
