"""What the mason builds: judged by the checks of finished models, which share no code with it."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest
import trimesh
from builders.yards import in_plates
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.builders.mason import MOST_BRICKS, MasonBuilder, Work
from brickbybrick.construction import Construction
from brickbybrick.export.ldraw import from_ldraw, to_ldraw
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.inventory import ALL_BRICKS, BRICKS, WITH_PLATES, Inventory
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import Voxels, hollowed
from brickbybrick.judging.check import judge
from brickbybrick.made import MADE
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import Target, target_of_voxels
from brickbybrick.targets.voxelising import filled, voxelise

UPRIGHT = trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0])


def target(voxels: Voxels) -> Target:
    return target_of_voxels("thing", voxels, side=max(voxels.shape))


def surface(name: str) -> Mesh:
    """Things that are round, that hang over, that lean, and that stand on thin legs."""
    parts = {
        "ball": [trimesh.creation.icosphere(3)],
        "ring": [
            trimesh.creation.torus(2, 0.6, transform=trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0]))
        ],
        "mushroom": [
            trimesh.creation.cylinder(0.3, 2),
            trimesh.creation.cylinder(1.2, 0.4, transform=trimesh.transformations.translation_matrix([0.3, 0, 1])),
        ],
        "table": [
            trimesh.creation.box((4, 3, 0.3)),
            *(
                trimesh.creation.box((0.3, 0.3, 2), trimesh.transformations.translation_matrix([x, y, -1]))
                for x in (-1.8, 1.8)
                for y in (-1.3, 1.3)
            ),
        ],
    }[name]
    whole = trimesh.util.concatenate(parts)
    return Mesh(np.asarray(whole.vertices), np.asarray(whole.faces))


def mesh(name: str, side: int) -> Target:
    return target(voxelise(surface(name), side))


def in_layers(name: str, side: int, layer: int) -> Target:
    """A mesh in its real proportions, in layers of so many plates."""
    return target_of_voxels(name, filled(surface(name), side, BRICK_HIGH // layer).voxels, side=side, layer=layer)


def iou(built: Construction, wanted: Voxels, layer: int = BRICK_HIGH) -> float:
    cells: set[Cell] = {cell for brick in built.bricks for cell in brick.cells()}
    there = in_plates(wanted, layer)
    return len(cells & there) / len(cells | there)


def sound(built: Construction, inventory: Inventory = ALL_BRICKS) -> None:
    """All checks are green, and no brick is used that is not in the box."""
    verdict = judge(built)
    assert verdict.joined
    assert verdict.no_overlap
    assert verdict.above_ground
    assert verdict.in_budget
    assert verdict.insertable
    assert verdict.stands
    assert not inventory.lacking(brick.shape for brick in built.bricks)


@pytest.mark.parametrize("side", [12, 20])
@pytest.mark.parametrize(("name", "least"), [("ball", 0.97), ("ring", 0.9), ("mushroom", 0.9), ("table", 0.85)])
def test_meshes_are_built_soundly_and_nearly_fully(name: str, least: float, side: int) -> None:
    wanted = mesh(name, side)
    built = MasonBuilder().build(wanted)
    sound(built)
    assert built.iou == pytest.approx(iou(built, wanted.volume))
    assert built.iou >= least


@pytest.mark.parametrize("name", ["ball", "ring", "mushroom", "table"])
def test_2x4_bricks_alone_do_too(name: str) -> None:
    wanted = mesh(name, 14)
    inventory = Inventory.parse("2x4")
    built = MasonBuilder(inventory).build(wanted)
    sound(built, inventory)
    assert built.iou is not None
    assert built.iou >= 0.6


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_counts_are_hard_limits(data: st.DataObject) -> None:
    """Whatever the box holds, the model is joined and no more bricks are in it; a box too small is used up."""
    sizes = data.draw(st.lists(st.sampled_from(BRICKS), min_size=1, max_size=6, unique=True))
    counts = data.draw(st.lists(st.integers(1, 12), min_size=len(sizes), max_size=len(sizes)))
    inventory = Inventory.of(tuple(zip(sizes, counts, strict=True)))
    built = MasonBuilder(inventory, data.draw(st.integers(0, 99))).build(target(np.ones((12, 12, 8), bool)))
    verdict = judge(built)
    assert verdict.joined
    assert verdict.no_overlap
    assert not inventory.lacking(brick.shape for brick in built.bricks)
    assert any("the bricks were not enough" in note for note in built.notes)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_bricks_and_plates_of_any_box_make_sound_models_of_any_volume(data: st.DataObject) -> None:
    """Joined, nothing in another, no more parts than there are, and each in a colour that it was made in."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    volume = rng.random((9, 7, 10)) < data.draw(st.sampled_from([0.3, 0.7, 1.0]))
    volume[4, 3] = True
    parts = data.draw(st.lists(st.sampled_from(WITH_PLATES.parts), min_size=1, max_size=8, unique=True))
    counts = data.draw(st.lists(st.none() | st.integers(1, 20), min_size=len(parts), max_size=len(parts)))
    inventory = Inventory.of(tuple(zip(parts, counts, strict=True)))
    paint = rng.integers(0, 256, (*volume.shape, 4), np.uint8)
    wanted = target_of_voxels("thing", volume, side=10, paint=paint, layer=1)
    built = MasonBuilder(inventory, seed=data.draw(st.integers(0, 99))).build(wanted)
    verdict = judge(built)
    assert verdict.joined
    assert verdict.no_overlap
    assert not inventory.lacking(brick.shape for brick in built.bricks)
    assert all(brick.colour in MADE[brick.part] for brick in built.bricks)
    owner = [cell for brick in built.bricks for cell in brick.cells()]
    assert len(owner) == len(set(owner))
    assert built.iou == pytest.approx(iou(built, wanted.shell(built.walls or 0), 1))


@pytest.mark.parametrize("name", ["ball", "mushroom", "table"])
def test_plates_come_nearer_to_a_mesh_than_bricks_do(name: str) -> None:
    """In the finer grid, of which both models fill cells; the one of plates is sound too."""
    finer = in_layers(name, 14, 1)
    built = MasonBuilder(WITH_PLATES).build(finer)
    sound(built, WITH_PLATES)
    assert {brick.shape.kind for brick in built.bricks} == {"brick", "plate"}
    assert built.iou == pytest.approx(iou(built, finer.volume, 1))
    assert built.iou > iou(MasonBuilder().build(in_layers(name, 14, BRICK_HIGH)), finer.volume, 1)


def test_a_tight_box_is_used_up_exactly() -> None:
    """48 bricks of 8 cells fill 8 x 8 x 6 cells, and not one is left over; nor are 96 of 4 cells."""
    for text in ("2x4=48", "1x4=96"):
        inventory = Inventory.parse(text)
        built = MasonBuilder(inventory).build(target(np.ones((8, 8, 6), bool)))
        sound(built, inventory)
        assert built.iou == 1.0
        assert len(built.bricks) == inventory.counts[0][1]


def test_a_budget_is_kept_and_makes_large_things_hollow() -> None:
    wanted = target(np.ones((16, 16, 16), bool))  # 512 bricks of 2x4
    for budget in (150, 400):
        built = MasonBuilder(budget=budget).build(wanted)
        assert budget * 0.6 < len(built.bricks) <= budget
        assert judge(built).joined
        assert any("it is hollow" in note for note in built.notes)


def test_walls_are_as_thick_as_asked_for() -> None:
    cube = np.ones((12, 12, 12), bool)
    assert hollowed(cube, 2).sum() == 12**3 - 8**3
    built = MasonBuilder(hollow=2).build(target(cube))
    sound(built)
    assert iou(built, hollowed(cube, 2)) >= 0.99


def test_a_sheet_of_one_layer_is_bridged() -> None:
    """Bricks side by side are not joined: a flat thing needs bricks on top that are not wanted, and few of them."""
    sheet = np.zeros((16, 16, 16), bool)
    sheet[:, :, 0] = True
    built = MasonBuilder().build(target(sheet))
    sound(built)
    assert built.iou is not None
    assert built.iou > 0.7


def test_what_no_brick_can_join_is_left_out() -> None:
    apart = np.zeros((16, 4, 4), bool)
    apart[:6] = apart[12:] = True
    built = MasonBuilder().build(target(apart))
    sound(built)
    assert built.iou == pytest.approx(0.6)


def test_layers_are_tied_across_their_seams() -> None:
    """In a solid block no seam runs straight up from the ground: a third of the way is too far."""
    built = MasonBuilder().build(target(np.ones((16, 16, 12), bool)))
    owner = {cell: index for index, brick in enumerate(built.bricks) for cell in brick.cells()}
    seams = [
        [owner[x, y, z] != owner[x + 1, y, z] for z in range(0, 36, BRICK_HIGH)] for x in range(15) for y in range(16)
    ]  # (place, layer)
    assert not any(all(seam[:4]) and all(seam[4:8]) and all(seam[8:]) for seam in seams)


def test_a_seed_settles_everything() -> None:
    wanted = mesh("mushroom", 20)
    assert MasonBuilder(seed=3).build(wanted) == MasonBuilder(seed=3).build(wanted)
    assert MasonBuilder(seed=3).build(wanted) != MasonBuilder(seed=4).build(wanted)


def test_mixed_models_survive_files() -> None:
    built = MasonBuilder().build(mesh("ring", 18))
    assert len({brick.part for brick in built.bricks}) >= 4
    assert Construction.from_json(built.to_json()) == built
    # What is extra is ours alone to know.
    assert from_ldraw(to_ldraw(built)).bricks == tuple(replace(brick, extra=False) for brick in built.bricks)


def gallows() -> Target:
    """A post on a foot, with an arm to one side that is too heavy for it."""
    voxels = np.zeros((34, 4, 14), bool)
    voxels[:4, :, :] = voxels[:6, :, :2] = voxels[:, :, 12:] = True
    return target(voxels)


def test_pillars_are_told_apart() -> None:
    """Without its pillars the model is what was wanted, and falls; the note counts them."""
    wanted = gallows()
    built = MasonBuilder().build(wanted)
    sound(built)
    extra = [brick for brick in built.bricks if brick.extra]
    assert extra
    assert not any(set(brick.cells()) <= in_plates(wanted.volume) for brick in extra)
    (note,) = (note for note in built.notes if "pillar" in note)
    said = re.fullmatch(r"(a pillar was|\d+ pillars were) added to bear what would fall: (\d+) bricks? that .*", note)
    assert said
    assert int(said[2]) == len(extra)
    without = replace(built, bricks=tuple(brick for brick in built.bricks if not brick.extra))
    assert iou(without, wanted.volume) == 1
    assert judge(without).stands is False
    again = Construction.from_json(built.to_json())
    assert [brick.extra for brick in again.bricks] == [brick.extra for brick in built.bricks]


def on_its_tip() -> Target:
    """A triangle 30 studs wide, 3 deep and 30 layers high, whose lowest layers are 2 studs wide."""
    voxels = np.zeros((30, 3, 30), bool)
    for z in range(30):
        half = max(1, (z + 1) // 2)
        voxels[15 - half : 15 + half, :, z] = True
    return target(voxels)


def test_what_stands_on_its_tip_gets_a_wider_foot() -> None:
    """Its centre of mass is 20 layers, or 24 studs, above a tip 2 studs wide: that tips over at atan(1 / 24)."""
    wanted = on_its_tip()
    built = MasonBuilder().build(wanted)
    sound(built)
    extra = [brick for brick in built.bricks if brick.extra]
    assert 1 <= len(extra) <= 4
    assert {brick.z for brick in extra} == {0}  # nothing but a foot
    assert judge(built).steady
    (note,) = (note for note in built.notes if "foot" in note)
    assert note.endswith(f"{len(extra)} brick{'s' * (len(extra) > 1)} that the target does not show")
    filled = {cell for brick in built.bricks for cell in brick.cells()}
    assert filled >= in_plates(wanted.volume)
    beyond = replace(built, bricks=tuple(brick for brick in built.bricks if brick.z > BRICK_HIGH))
    assert judge(beyond).tips_at < np.degrees(np.arctan(1 / 20))  # as it was without


@pytest.mark.parametrize("there", ["2x2,1x2,1x1", "2x4=200,1x1=300,1x2=9", "2x4,2x3"])
def test_a_foot_is_of_bricks_that_there_are(there: str) -> None:
    inventory, wanted = Inventory.parse(there), on_its_tip()
    built = MasonBuilder(inventory=inventory).build(wanted)
    sound(built, inventory)
    filled = {cell for brick in built.bricks for cell in brick.cells()}
    assert filled >= in_plates(wanted.volume[:, :, :1])  # a foot takes nothing of it away


def test_the_dot_of_an_i_is_carried_by_a_pale_post() -> None:
    voxels = np.zeros((5, 2, 20), bool)
    voxels[:, :, :14] = voxels[:, :, 17:] = True
    paint = np.zeros((5, 2, 20, 4), np.uint8)
    paint[voxels] = (20, 20, 20, 255)
    wanted = target_of_voxels("i", voxels, side=20, paint=paint)
    built = MasonBuilder().build(wanted)
    sound(built)
    post = [brick for brick in built.bricks if brick.extra]
    assert [brick.z for brick in sorted(post, key=lambda brick: brick.z)] == [3 * 14, 3 * 15, 3 * 16]
    assert {brick.colour for brick in post} == {15}
    assert {brick.colour for brick in built.bricks if not brick.extra} == {0}
    assert "a part is carried by a post: 3 bricks that the target does not show" in built.notes
    without = replace(built, bricks=tuple(brick for brick in built.bricks if not brick.extra))
    assert iou(without, wanted.volume) == 1


def test_what_stands_by_itself_has_no_pillars() -> None:
    built = MasonBuilder().build(target(np.ones((8, 8, 8), bool)))
    assert not any(brick.extra for brick in built.bricks)
    assert not any("pillar" in note for note in built.notes)
    assert '"extra"' not in built.to_json()  # nor are files any different


def test_three_hundred_bricks_in_under_ten_seconds() -> None:
    """Built and judged; processor time, with all that numba has to compile done before."""
    MasonBuilder().build(mesh("ball", 8))
    wanted = mesh("ball", 18)
    start = time.process_time()
    built = MasonBuilder().build(wanted)
    assert judge(built).stands
    assert len(built.bricks) >= 300
    assert time.process_time() - start < 10


def test_the_cost_of_a_brick_stays_flat() -> None:
    """Laying and joining: a brick of a model eight times as large takes no more than three times as long, at best of
    some tries, since whatever else a machine does makes some of them slow."""

    def cost(side: int) -> float:
        start = time.process_time()
        work = Work(np.ones((side, side, side), bool), ALL_BRICKS, seed=0, budget=MOST_BRICKS)
        work.lay_all()
        work.join_all()
        return (time.process_time() - start) / len(work.assembly)

    small, large = (min(cost(side) for _ in range(5)) for side in (16, 32))
    assert large < 3 * small


def test_it_tells_how_far_it_is_and_stops_when_it_is_told_to() -> None:
    mason, told = MasonBuilder(), list[tuple[str, float]]()
    mason.tell = lambda doing, share: told.append((doing, share))
    built = mason.build(mesh("mushroom", 14))
    assert built == MasonBuilder().build(mesh("mushroom", 14))  # who watches changes nothing
    assert told[0] == ("laying", 0.0)
    assert {"laying", "joining"} <= {doing for doing, _ in told} <= {"laying", "joining", "propping"}
    assert all(0 <= share <= 1 for _, share in told)

    def stop(doing: str, share: float) -> None:
        if doing == "joining":
            raise InterruptedError(share)

    mason.tell = stop
    with pytest.raises(InterruptedError):
        mason.build(mesh("mushroom", 14))
