"""Objects joined at random: their own bricks build them, and their masks are exact."""

import numpy as np

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import unpack_mask
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.random_assembly import assembled_targets, validity_data


def test_random_objects_are_their_bricks() -> None:
    """Each object is built again, exactly, by its own actions with its own number of bricks."""
    objects = assembled_targets()
    offsets = offset_set("random")
    assert len({each.target.images.tobytes() for each in objects}) == len(objects) == 1000
    sizes = np.bincount([each.target.budget for each in objects])
    assert (sizes[10:] > 120).all()  # six sizes, each as likely
    assert sizes[:10].sum() == 0
    for each in objects[::20]:
        assembly = Assembly(offsets=offsets)
        assembly.put(each.target.start)
        for pivot, offset in each.actions.tolist():
            assembly.place(pivot, offset)
        assert assembly.poses == [Pose(*pose) for pose in each.poses.tolist()]
        assert each.target.voxels is not None
        assert iou(assembly.size, assembly.poses, each.target.voxels) == 1.0


def test_the_split_of_random_objects_is_fixed() -> None:
    task = load_task("random")
    assert (len(task.train), len(task.test)) == (800, 200)
    again = assembled_targets(3)
    for number, each in enumerate(again):
        np.testing.assert_array_equal(each.target.images, task.train[number].images)


def test_validity_data_is_exact() -> None:
    """Every stage of 20 assemblies, against the readable rules."""
    data = validity_data(episodes=20, bricks=12, seed=5)
    packed = data.packed
    assert packed.bricks.tolist() == [1 + row % 12 for row in range(240)]
    for row in range(240):
        assembly = Assembly()
        for pose in packed.placed[row, : packed.bricks[row], :4].tolist():
            assembly.put(Pose(*pose))
        valid = unpack_mask(packed.words[row, : packed.bricks[row]], data.rel)
        np.testing.assert_array_equal(valid, assembly.mask())
        for brick in range(packed.bricks[row]):
            listed = packed.neighbours[row, brick]
            assert set(listed[listed >= 0].tolist()) == assembly.neighbours(brick)
    assert (validity_data(20, 12, seed=5).packed.words == packed.words).all()
    assert (validity_data(20, 12, seed=6).packed.words != packed.words).any()
