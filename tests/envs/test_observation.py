"""What an agent sees: bricks where they are in the images, and padding as it is promised. And what people see."""

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS

from brickbybrick.construction import Construction
from brickbybrick.envs.observation import MaskKind, Observation, Window, copied, observation_space, of_one, written
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


def seen_of(sim: Simulator) -> Observation:
    window = Window(sim)
    window.look()
    return window.observation


def test_what_is_seen_lies_in_the_space(sim: Simulator) -> None:
    space, seen = observation_space(sim), seen_of(sim)
    for env in range(3):
        assert space.contains(of_one(seen, env))


def test_nodes_and_the_start_say_where_bricks_lie_in_the_images(sim: Simulator) -> None:
    """A silhouette drawn from what is seen alone is the silhouette of the bricks."""
    seen = seen_of(sim)
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
    seen = seen_of(sim)
    assert seen["n_bricks"].tolist() == [7, 7, 7]
    assert seen["bricks_left"].tolist() == [target.budget - 7 for target in sim.targets]
    assert not seen["nodes"][:, 7:].any()
    assert (seen["neighbours"][:, 7:] == -1).all()
    assert not seen["nodes"][:, 0, :3].any()  # the first brick is where poses are counted from


def test_a_window_keeps_its_arrays_and_copies_keep_what_was_seen(sim: Simulator) -> None:
    window = Window(sim)
    window.look()
    arrays = {**window.observation, **window.info}
    places = {name: values.ctypes.data for name, values in arrays.items()}
    before = copied(window.observation)
    kept = copied(before)
    actions = np.zeros((3, 2), np.int64)
    sim.random_actions(actions)
    sim.step(actions)
    window.look()
    assert (window.observation["n_bricks"] == kept["n_bricks"] + 1).all()
    for name, values in kept.items():
        np.testing.assert_array_equal(before[name], values)
    assert {name: values.ctypes.data for name, values in arrays.items()} == places


@pytest.mark.parametrize("offsets", ["mnist", "modelnet", "all"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_window_shows_what_one_newly_opened_would(offsets: str, threads: int, solid_targets: TargetSet) -> None:
    """However bricks come and go, though it writes only what changed; and the masks are the simulator's."""
    sim = Simulator(solid_targets, offset_set(offsets), num_envs=5, threads=threads)
    windows = {kind: Window(sim, kind) for kind in ("exact", "placed")}  # type: ignore[arg-type]
    actions = np.zeros((5, 2), np.int64)
    sim.reset(seed=3)
    for step in range(80):
        sim.random_actions(actions)
        if step % 7 == 0:
            actions[step % 5] = 0  # now and then invalid, which ends an episode early
        sim.step(actions)
        sim.reset_finished()
        for kind, window in windows.items():
            if kind == "exact" or step % 3 == 0:
                window.look()
                fresh = Window(sim, kind)  # type: ignore[arg-type]
                fresh.look()
                for name in ("observation", "info"):
                    for key, values in getattr(fresh, name).items():
                        np.testing.assert_array_equal(getattr(window, name)[key], values)
        for env, bricks in enumerate(sim.state.packed.bricks.tolist()):
            mask = windows["exact"].info["action_mask"][env]
            np.testing.assert_array_equal(mask[:bricks], sim.mask(env))
            assert not mask[bricks:].any()


@pytest.mark.parametrize("offsets", ["mnist", "random", "all"])
@pytest.mark.parametrize("renew", [False, True])
@pytest.mark.parametrize("kind", ["exact", "placed"])
def test_playing_is_stepping_and_looking(offsets: str, renew: bool, kind: MaskKind, solid_targets: TargetSet) -> None:
    """In one pass or one after the other, also when the simulator went on by itself meanwhile."""
    played, stepped = (Simulator(solid_targets, offset_set(offsets), num_envs=5, budget=70) for _ in range(2))
    window = Window(played, kind)
    for sim in (played, stepped):
        sim.reset(seed=3)
    window.look()
    actions = np.zeros((5, 2), np.int64)
    for step in range(200):
        stepped.random_actions(actions)
        if step % 7 == 0:
            actions[step % 5] = 0  # now and then invalid, which ends an episode early
        played.state.generator[:] = stepped.state.generator
        over = stepped.state.done.copy()
        stepped.step(actions)
        if renew:
            stepped.reset(over)
        if step % 3:
            window.play(actions, renew)
            fresh = Window(stepped, kind)
            fresh.look()
            for name in ("observation", "info"):
                for key, values in getattr(fresh, name).items():
                    np.testing.assert_array_equal(getattr(window, name)[key], values)
        else:
            played.step(actions)
            if renew:
                played.reset(over)
        np.testing.assert_array_equal(played.state.reward, stepped.state.reward)
        np.testing.assert_array_equal(played.state.done, stepped.state.done)
        if not renew and stepped.state.done.all():
            for sim in (played, stepped):
                sim.reset()


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
