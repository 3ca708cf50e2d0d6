"""Models to weigh: stairs, what grows at random, and the same turned or in a mirror."""

import numpy as np

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.part import BRICK_HIGH, Part

Model = list[tuple[Part, Pose]]

BRICK_2X4 = Part("brick", 2, 4)


def brick(width: int, length: int) -> Part:
    return Part("brick", width, length)


def at(x: int, y: int, layer: int, d: int = 0) -> Pose:
    """The pose of a brick in a layer of bricks."""
    return Pose(x, y, BRICK_HIGH * layer, d)


def stairs(bricks: int, shift: int) -> Model:
    """2x4 bricks, each one layer higher and `shift` studs further along their length."""
    return [(BRICK_2X4, at(shift * step, 0, step, 1)) for step in range(bricks)]


def grown(bricks: int, seed: int, hanging: bool = True) -> Model:
    """2x4 bricks joined at random, above the ground; only upwards from each other unless some may hang."""
    rng = np.random.default_rng(seed)
    assembly = Assembly()
    assembly.put(Pose(0, 0, 0, 0))
    while len(assembly.poses) < bricks:
        pivot = assembly.poses[rng.integers(len(assembly.poses))]
        pose = assembly.offsets.place(pivot, int(rng.integers(len(assembly.offsets))))
        if assembly.fits(pose) and (hanging or pose.z > pivot.z):
            assembly.put(pose)
    return [(BRICK_2X4, at(*pose)) for pose in assembly.poses]


def turned(model: Model) -> Model:
    """A model turned by a quarter: the cell at (x, y) goes to (-1 - y, x)."""
    poses = []
    for part, pose in model:
        _, along_y = part.extent(pose.d)
        d = pose.d if part.width == part.length else 1 - pose.d
        poses.append((part, Pose(-along_y - pose.y, pose.x, pose.z, d)))
    return poses


def mirrored(model: Model) -> Model:
    return [(part, pose._replace(x=-part.extent(pose.d)[0] - pose.x)) for part, pose in model]
