"""The compiled game, cell by cell: what a brick covers of a target, and what each reward is for."""

import numpy as np
import pytest

from brickbybrick.envs.kernels import REWARDS, allocate_state, overlap, target_arrays
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import relations
from brickbybrick.targets.target import TargetSet


def test_overlap_counts_wanted_cells_also_at_the_rim(solid_targets: TargetSet) -> None:
    arrays, rel = target_arrays(solid_targets, None), relations(offset_set("all"))
    for number, target in enumerate(solid_targets):
        wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}
        for x in range(-5, 16, 3):
            for y in range(-5, 16, 2):
                for z in (-1, 0, 1, 6, 13, 14):
                    for d in (0, 1):
                        covered = wanted.intersection(BRICK_2X4.cells(Pose(x, y, z, d)))
                        assert overlap(arrays, rel, number, x, y, z, d) == len(covered)


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_are_what_they_are_said_to_be(reward: str, solid_targets: TargetSet) -> None:
    """gated: the gain of IoU if half of the brick lies inside; plain: always; overlap: the share that lies inside."""
    sim = Simulator(solid_targets, offset_set("all"), num_envs=12, reward=reward)  # type: ignore[arg-type]
    sim.reset(seed=2)
    actions = np.zeros((12, 2), np.int64)
    mostly = []
    for _ in range(15):
        before, inside = sim.state.iou.copy(), sim.state.inside.copy()
        sim.random_actions(actions)
        sim.step(actions)
        gain, share = sim.state.iou - before, (sim.state.inside - inside) / 8
        mostly.append(share >= 0.5)
        wanted = {"gated": gain * (share >= 0.5), "plain": gain, "overlap": share * (share >= 0.5)}[reward]
        np.testing.assert_allclose(sim.state.reward, wanted, atol=1e-12)
    assert 0 < np.mean(mostly) < 1


def test_an_environment_that_is_done_keeps_still(flat_targets: TargetSet) -> None:
    sim = Simulator(flat_targets, offset_set("mnist"), num_envs=2, budget=2)
    sim.reset(seed=0)
    actions = np.zeros((2, 2), np.int64)
    sim.random_actions(actions)
    sim.step(actions)
    assert sim.state.done.all()
    iou, returns = sim.state.iou.copy(), sim.state.episode_return.copy()
    sim.step(actions)
    assert sim.state.packed.bricks.tolist() == [2, 2]
    assert not sim.state.reward.any()
    np.testing.assert_array_equal(sim.state.iou, iou)
    np.testing.assert_array_equal(sim.state.episode_return, returns)


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
