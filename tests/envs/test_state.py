"""The simulator's memory: what it holds before the first reset, and what it knows of targets."""

import numpy as np
import pytest

from brickbybrick.envs.simulator import Simulator
from brickbybrick.envs.state import allocate_state, target_arrays
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import relations
from brickbybrick.targets.target import TargetSet


def test_before_a_reset_nothing_is_there_and_all_is_done() -> None:
    state = allocate_state(BRICK_2X4, relations(offset_set("modelnet")), num_envs=3, max_bricks=70)
    assert state.done.all()
    assert not state.packed.bricks.any()
    assert not state.nodes.any()
    assert state.nodes.shape == (3, 70, 4)


def test_targets_layer_by_layer(solid_targets: TargetSet) -> None:
    arrays = target_arrays(solid_targets, None)
    for number, target in enumerate(solid_targets):
        x, y, z = np.argwhere(target.volume)[7]
        assert arrays.volumes[number, z, y, x]
        assert arrays.filled[number] == target.volume.sum()
        assert tuple(arrays.starts[number]) == target.start
    assert arrays.budgets.tolist() == [target.budget for target in solid_targets]
    assert target_arrays(solid_targets, 9).budgets.tolist() == [9, 9, 9]


@pytest.mark.parametrize("envs", [1, 5])
def test_memory_stays_where_it_is(envs: int, flat_targets: TargetSet) -> None:
    """Policies read these very arrays: nothing is allocated anew while episodes come and go."""
    sim = Simulator(flat_targets, offset_set("mnist"), num_envs=envs)
    places = [array.ctypes.data for array in (*sim.state.packed, *sim.state[1:])]
    sim.reset()
    actions = np.zeros((envs, 2), np.int64)
    for _ in range(40):
        sim.random_actions(actions)
        sim.step(actions)
        sim.reset_finished()
    assert [array.ctypes.data for array in (*sim.state.packed, *sim.state[1:])] == places
