"""Objects made of bricks joined at random: targets that are sure to be buildable, and data on validity.

The order in which an object was put together comes with it, as ground truth for learning by imitation.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.packed import PackedAssemblies, allocate, clear, joined_pose, put, random_action
from brickbybrick.geometry.relations import Relations, relations
from brickbybrick.geometry.voxels import fill
from brickbybrick.jit import compiled, random_number, seeded
from brickbybrick.targets.target import VIEW_SIDE, Target, target_of_voxels

FEWEST_BRICKS, MOST_BRICKS = 10, 15
TRAIN, TEST = 800, 200


@dataclass(frozen=True)
class AssembledTarget:
    """A random object and how it was put together."""

    target: Target
    poses: npt.NDArray[np.int16]  # (brick, 4) in the target's frame; the first is the target's start
    actions: npt.NDArray[np.int16]  # (brick - 1, 2) the pivot and offset that led to each brick but the first


def is_random(target: Target) -> bool:
    """Whether a target is one of these, by its name."""
    return target.name.startswith("random/")


def assembled_targets(count: int = TRAIN + TEST, seed: int = 0) -> list[AssembledTarget]:
    """Objects of 10 to 15 bricks, each as likely, that fit into the views and look different from each other."""
    offsets = offset_set("random")
    rel = relations(offsets)
    packed = allocate(offsets.brick, rel, 1, MOST_BRICKS)
    actions = np.zeros((MOST_BRICKS, 2), np.int16)
    generator = seeded(1, seed)
    seen: set[bytes] = set()
    objects: list[AssembledTarget] = []
    while len(objects) < count:
        bricks = FEWEST_BRICKS + random_number(generator, 0, MOST_BRICKS - FEWEST_BRICKS + 1)
        grow(packed, rel, 0, bricks, generator, actions)
        poses = packed.placed[0, :bricks, :4].astype(np.int64)
        poses[:, :3] -= poses[:, :3].min(axis=0)
        if max(poses[:, 2].max() + 1, (poses[:, :2] + rel.extent[poses[:, 3]]).max()) > VIEW_SIDE:
            continue
        voxels = fill(offsets.brick, (Pose(*pose) for pose in poses.tolist()), (VIEW_SIDE,) * 3)
        target = target_of_voxels(f"random/{len(objects):04d}", voxels, budget=bricks)
        if target.images.tobytes() in seen:
            continue
        seen.add(target.images.tobytes())
        poses[:, :3] += np.array(target.start[:3]) - poses[0, :3]
        objects.append(AssembledTarget(target, poses.astype(np.int16), actions[1:bricks].copy()))
    return objects


class ValidityData(NamedTuple):
    """Random assemblies with their exact masks, one a row; see `PackedAssemblies` for the arrays."""

    offsets: OffsetSet
    rel: Relations
    packed: PackedAssemblies


def validity_data(episodes: int, bricks: int, seed: int = 0) -> ValidityData:
    """Random assemblies of 1 to `bricks` bricks: every stage of `episodes` assemblies, all offsets, with a ground.

    The rows of one assembly follow each other, so a row has 1 + row % bricks bricks.
    """
    offsets = offset_set("all")
    rel = relations(offsets)
    packed = allocate(offsets.brick, rel, episodes * bricks, bricks)
    _grow_stages(packed, rel, episodes, bricks, seeded(packed.bricks.size, seed))
    return ValidityData(offsets, rel, packed)


@compiled
def grow(
    packed: PackedAssemblies,
    rel: Relations,
    row: int,
    bricks: int,
    generator: npt.NDArray[np.uint64],
    actions: npt.NDArray[np.int16],
) -> None:
    """Builds a random assembly from one brick at the origin, noting the action (brick, 2) behind each brick."""
    clear(packed, row)
    put(packed, rel, row, 0, 0, 0, 0)
    for brick in range(1, bricks):
        pivot, offset = random_action(packed, rel, row, generator)
        if pivot < 0:
            return
        actions[brick, 0], actions[brick, 1] = pivot, offset
        x, y, z, d = joined_pose(packed, rel, row, pivot, offset)
        put(packed, rel, row, x, y, z, d)


@compiled
def _grow_stages(
    packed: PackedAssemblies, rel: Relations, episodes: int, bricks: int, generator: npt.NDArray[np.uint64]
) -> None:
    placed = packed.placed
    actions = np.empty((bricks, 2), np.int16)
    for episode in range(episodes):
        last = (episode + 1) * bricks - 1
        grow(packed, rel, last, bricks, generator, actions)
        for stage in range(bricks - 1):
            for brick in range(stage + 1):
                x, y, z = placed[last, brick, 0], placed[last, brick, 1], placed[last, brick, 2]
                put(packed, rel, episode * bricks + stage, x, y, z, placed[last, brick, 3])
