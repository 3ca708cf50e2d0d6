"""Actions drawn by Gymnasium's own way: `action_space.sample(mask=info["action_mask"])`."""

import pickle
from collections import Counter
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from gymnasium.vector.utils import batch_space

from brickbybrick.envs.actions import PivotOffset
from brickbybrick.envs.wrappers import FlatActions
from brickbybrick.errors import InputError

ENVS = 3


@pytest.mark.parametrize("name", ["brickbybrick/Mnist-v0", "brickbybrick/RandomAssembly-v0"])
@pytest.mark.parametrize("wrapper", [lambda env: env, FlatActions])
def test_what_is_drawn_is_valid(wrapper: Callable[[gymnasium.Env], gymnasium.Env], name: str) -> None:
    env = wrapper(gymnasium.make(name))
    env.action_space.seed(0)
    for _ in range(3):
        _, info = env.reset(seed=5)
        terminated = False
        while not terminated:
            action = env.action_space.sample(mask=info["action_mask"])
            assert env.action_space.contains(action)
            _, _, terminated, _, info = env.step(action)
            assert not info["invalid_action"]


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_a_batch_is_drawn_with_the_masks_of_a_batch(mode: str) -> None:
    """Of our own vector and of the one that Gymnasium puts together, past ends of episodes too."""
    vector = gymnasium.make_vec("brickbybrick/RandomAssembly-v0", num_envs=ENVS, vectorization_mode=mode)
    vector.action_space.seed(0)
    _, info = vector.reset(seed=5)
    ends = 0
    for _ in range(40):
        actions = vector.action_space.sample(mask=info["action_mask"])
        assert vector.action_space.contains(actions)
        assert actions.shape == (ENVS, 2)
        _, _, terminated, _, info = vector.step(actions)
        assert not info["invalid_action"].any()
        ends += terminated.sum()
    assert ends >= ENVS
    vector.close()


def test_all_valid_pairs_are_as_likely() -> None:
    mask = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]], np.int8)
    space = PivotOffset(3, 3, seed=0)
    drawn = Counter(tuple(space.sample(mask=mask).tolist()) for _ in range(3000))
    assert drawn.keys() == {(0, 1), (1, 0), (1, 2)}
    assert all(900 < count < 1100 for count in drawn.values())  # four standard deviations are 103


def test_pairs_as_likely_as_is_said() -> None:
    likely = np.array([[0, 0.75], [0.25, 0]])
    space = PivotOffset(2, 2, seed=0)
    drawn = Counter(tuple(space.sample(probability=likely).tolist()) for _ in range(2000))
    assert drawn.keys() == {(0, 1), (1, 0)}
    assert 1400 < drawn[0, 1] < 1600


def test_where_nothing_is_valid_the_pair_is_0_0() -> None:
    mask = np.zeros((2, 4, 5), np.int8)
    mask[1, 3, 4] = 1
    assert PivotOffset(4, 5, 2).sample(mask=mask).tolist() == [[0, 0], [3, 4]]


def test_a_seed_repeats_what_is_drawn() -> None:
    mask = np.ones((4, 45, 6), np.int8)
    one, other = PivotOffset(45, 6, 4, seed=1), PivotOffset(45, 6, 4, seed=2)
    first = one.sample(mask=mask)
    assert first.dtype == np.int64
    assert (first != other.sample(mask=mask)).any()
    copy = pickle.loads(pickle.dumps(one))
    assert (one.sample(mask=mask) == copy.sample(mask=mask)).all()
    one.seed(1)
    assert (one.sample(mask=mask) == first).all()


def test_it_is_the_space_that_gymnasium_knows() -> None:
    space = PivotOffset(45, 6)
    assert space == gymnasium.spaces.MultiDiscrete([45, 6])
    assert batch_space(space, 2) == gymnasium.spaces.MultiDiscrete([[45, 6], [45, 6]])
    pivot, offset = np.zeros(45, np.int8), np.ones(6, np.int8)
    pivot[7] = 1
    assert space.sample(mask=(pivot, offset))[0] == 7  # a mask of each component, as Gymnasium's spaces take it
    assert space.contains(space.sample())
    with pytest.raises(InputError, match=r"shape \(270,\): give .* \(45, 6\)"):
        space.sample(mask=np.ones(270, np.int8))
