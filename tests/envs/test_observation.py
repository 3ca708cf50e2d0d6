"""What an agent sees: bricks where they are in the images, and padding as it is promised."""

import numpy as np
import pytest

from brickbybrick.envs.observation import observation_space, observe, observe_one
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import fill, three_views
from brickbybrick.targets.target import TargetSet


@pytest.fixture
def sim(solid_targets: TargetSet) -> Simulator:
    """Three targets, seven random bricks into their episodes."""
    sim = Simulator(solid_targets, offset_set("modelnet"), num_envs=3, max_bricks=70)
    sim.reset(targets=np.arange(3), seed=1)
    actions = np.zeros((3, 2), np.int64)
    for _ in range(6):
        sim.random_actions(actions)
        sim.step(actions)
    return sim


def test_what_is_seen_lies_in_the_space(sim: Simulator) -> None:
    space, seen = observation_space(sim), observe(sim)
    for env in range(3):
        assert space.contains(observe_one(seen, env))


def test_nodes_and_the_start_say_where_bricks_lie_in_the_images(sim: Simulator) -> None:
    """A silhouette drawn from what is seen alone is the silhouette of the bricks."""
    seen = observe(sim)
    size = sim.offsets.brick
    for env, target in enumerate(sim.targets):
        poses = []
        for x, y, z, d in (seen["nodes"][env, :7] + np.append(seen["start"][env], 0)).tolist():
            along_x, along_y = size.extent(d)
            poses.append(Pose(x - along_x // 2, y - along_y // 2, z, d))
        shown = three_views(fill(size, poses, (14, 14, 14)))
        built = [brick.pose._replace(z=brick.z + target.lift) for brick in sim.construction(env).bricks]
        np.testing.assert_array_equal(shown, three_views(fill(size, built, (14, 14, 14))))


def test_what_is_not_there_is_padding(sim: Simulator) -> None:
    seen = observe(sim)
    assert seen["n_bricks"].tolist() == [7, 7, 7]
    assert seen["bricks_left"].tolist() == [target.budget - 7 for target in sim.targets]
    assert not seen["nodes"][:, 7:].any()
    assert (seen["neighbours"][:, 7:] == -1).all()
    assert not seen["nodes"][:, 0, :3].any()  # the first brick is where poses are counted from


def test_what_was_seen_does_not_change_later(sim: Simulator) -> None:
    before = observe(sim)
    kept = {name: values.copy() for name, values in before.items()}
    actions = np.zeros((3, 2), np.int64)
    sim.random_actions(actions)
    sim.step(actions)
    for name, values in kept.items():
        np.testing.assert_array_equal(before[name], values)
