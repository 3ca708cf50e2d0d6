"""From the simulator's arrays to tensors: the same numbers, whatever is counted from where."""

import numpy as np
import pytest
import torch
from policies.begun import TASKS, few

from brickbybrick.builders.base import RandomBuilder
from brickbybrick.envs.simulator import Simulator
from brickbybrick.policies.actor_critic import Frame
from brickbybrick.policies.observation import Observer

CPU = torch.device("cpu")


def begun(name: str) -> Simulator:
    task = few(name, 3)
    return RandomBuilder(task.offsets).begin(task.train.targets)


def step(sim: Simulator) -> None:
    actions = np.zeros((sim.num_envs, 2), np.int64)
    sim.random_actions(actions)
    sim.step(actions)


@pytest.mark.parametrize("name", TASKS)
def test_valid_actions_are_the_simulators(name: str) -> None:
    sim = begun(name)
    observer = Observer(sim, CPU, "first")
    for _ in range(5):
        step(sim)
        observer.look()
        for env in range(3):
            bricks = int(sim.state.packed.bricks[env])
            np.testing.assert_array_equal(observer.valid[env, :bricks].numpy(), sim.mask(env))
            assert not observer.valid[env, bricks:].any()


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("frame", ["first", "image"])
def test_poses_are_counted_from_the_first_brick_or_from_the_images_corner(name: str, frame: Frame) -> None:
    sim = begun(name)
    observer = Observer(sim, CPU, frame)
    step(sim)
    observer.look()
    seen = observer.observation
    for env, target in enumerate(sim.targets):
        first = [0, 0, 0, 0] if frame == "first" else [*sim.start_cells[env].tolist(), 0]
        assert seen.nodes[env, 0].tolist() == first
        for brick in range(int(sim.state.packed.bricks[env])):
            moved = seen.nodes[env, brick] - seen.nodes[env, 0]
            assert moved.tolist() == sim.state.nodes[env, brick].tolist()
        np.testing.assert_array_equal(seen.images[seen.image[env]].numpy().astype(bool), target.images)


def test_nothing_is_seen_before_it_is_looked_at() -> None:
    """And the tensors keep their place, as recorded kernels need it."""
    sim = begun("mnist-3")
    observer = Observer(sim, CPU, "first")
    places = [part.data_ptr() for part in observer.state]
    step(sim)
    assert observer.state.bricks.tolist() == [1, 1, 1]
    observer.look()
    assert observer.state.bricks.tolist() == [2, 2, 2]
    assert [part.data_ptr() for part in observer.state] == places


def test_room_is_for_all_bricks_and_contacts() -> None:
    sim = begun("random")
    observer = Observer(sim, CPU, "first")
    for _ in range(4):
        step(sim)
    observer.look()
    assert observer.needed == (15, int((observer.state.neighbours >= 0).sum()))


def test_each_target_is_encoded_once() -> None:
    """However many environments build it."""
    task = few("mnist-3", 2)
    sim = RandomBuilder(task.offsets).begin([task.train[1], task.train[0], task.train[1]])
    sim.reset(targets=np.array([1, 0, 1]))
    observer = Observer(sim, CPU, "first")
    seen = observer.observation
    assert len(seen.images) == 2
    assert seen.image.tolist() == [1, 0, 1]
