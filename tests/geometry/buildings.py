"""All buildings of a few bricks, up to translation or rotation, found by trying every joint."""

from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.offsets import offset_set

Building = tuple[tuple[int, int, int, int], ...]  # poses, sorted, moved to the origin


def normal(poses: list[Pose]) -> Building:
    x, y, z = (min(pose[axis] for pose in poses) for axis in range(3))
    return tuple(sorted((pose.x - x, pose.y - y, pose.z - z, pose.d) for pose in poses))


def quarter_turn(size: Size, building: Building) -> Building:
    """Cells (a, b) go to (-b-1, a)."""
    turned = []
    for x, y, z, d in building:
        _, along_y = size.extent(d)
        turned.append(Pose(-y - along_y, x, z, 1 - d if len(size.directions) == 2 else 0))
    return normal(turned)


def clash(size: Size, a: Pose, b: Pose) -> bool:
    return a.z == b.z and not set(size.footprint(a)).isdisjoint(size.footprint(b))


def larger(size: Size, buildings: set[Building]) -> set[Building]:
    """All buildings with one brick more, up to translation."""
    offsets = offset_set("all", size)
    found = set()
    for building in buildings:
        poses = [Pose(*pose) for pose in building]
        candidates = {offsets.place(pivot, k) for pivot in poses for k in range(len(offsets))}
        for new in candidates:
            if not any(clash(size, new, pose) for pose in poses):
                found.add(normal([*poses, new]))
    return found


def up_to_rotation(size: Size, buildings: set[Building]) -> set[Building]:
    kept = set()
    for building in buildings:
        turns = [building]
        for _ in range(3):
            turns.append(quarter_turn(size, turns[-1]))
        kept.add(min(turns))
    return kept


def by_bricks(size: Size, most: int) -> list[set[Building]]:
    """All buildings of 1, 2, ... bricks, up to translation."""
    found = [{((0, 0, 0, d),) for d in size.directions}]
    while len(found) < most:
        found.append(larger(size, found[-1]))
    return found
