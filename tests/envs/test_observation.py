"""What an agent sees: bricks where they are in the images, and padding as it is promised. And what people see."""

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS

from brickbybrick.construction import Construction
from brickbybrick.envs.observation import observation_space, observe, observe_one, written
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import BRICK_2X4, Pose
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
        built = [pose._replace(z=pose.z + target.lift) for pose in sim.construction(env).poses]
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


def test_pictures_and_text() -> None:
    env = gymnasium.make(IDS[0], render_mode="ansi")
    env.reset(seed=0)
    shown = env.render()
    assert shown.count("#") == 2  # the first brick covers two pixels of the front view
    sim = env.unwrapped.sim
    up = next(k for k, o in enumerate(sim.offsets.offsets) if (o.dx, o.dz) == (0, 1))
    for pivot in range(int(sim.state.budget[0]) - 1):
        env.step(np.array([pivot, up]))
    below = env.render().splitlines()[-sim.targets[int(sim.state.target[0])].lift :]
    assert not any(line.strip() for line in below)  # a tower that leaves the picture does not come back from below
    picture = gymnasium.make(IDS[1], render_mode="rgb_array")
    picture.reset(seed=0)
    image = picture.render()
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert len(np.unique(image)) > 10


def test_characters_say_what_is_built_missing_and_too_much(flat_targets: TargetSet) -> None:
    """A square of 6 x 6 pixels with a brick on its lower left and one that sticks out by a stud."""
    target = flat_targets[0]
    left = target.start._replace(x=4)
    out = left._replace(x=3, z=1)
    shown = written(Construction.of_poses(BRICK_2X4, [left, out], target=target.name, budget=9), target).splitlines()
    assert shown[0] == "square: 2 of 9 bricks, IoU ?"
    rows = shown[1:]
    assert rows[9] == "    ##....    "  # the lowest row of the square
    assert rows[8] == "   x#.....    "
    assert rows[4] == "    ......    "
    assert not any(row.strip() for row in rows[:4] + rows[10:])
