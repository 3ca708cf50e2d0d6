"""The batched game against the readable assembly and IoU computed from scratch."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.envs.simulator import Reward, Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OFFSET_SETS, offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.target import TargetSet


def replay(sim: Simulator, env: int, ground: bool = True) -> Assembly:
    """The readable assembly of what an environment has placed; it refuses bricks that overlap."""
    assembly = Assembly(sim.offsets.brick, sim.offsets, ground)
    for pose in sim.state.packed.placed[env, : sim.state.packed.bricks[env], :4].tolist():
        assembly.put(Pose(*pose))
    return assembly


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(OFFSET_SETS),
    flat=st.booleans(),
    seed=st.integers(0, 2**32),
    threads=st.sampled_from([1, 2]),
    bad=st.floats(0, 0.2),
    ground=st.booleans(),
)
def test_every_state_is_what_the_rules_say(
    flat_targets: TargetSet,
    solid_targets: TargetSet,
    name: str,
    flat: bool,
    seed: int,
    threads: int,
    bad: float,
    ground: bool,
) -> None:
    targets = flat_targets if flat else solid_targets
    sim = Simulator(targets, offset_set(name), num_envs=3, threads=threads, ground=ground)
    sim.seed(seed)
    sim.reset()
    actions = np.zeros((3, 2), np.int64)
    choice = np.random.default_rng(seed)
    returns = np.zeros(3)
    for step in range(25):
        before = sim.state.iou.copy()
        sim.random_actions(actions)
        if choice.random() < bad:  # now and then any action, valid or not
            actions[choice.integers(3)] = choice.integers(sim.max_bricks), choice.integers(len(sim.offsets))
        allowed = [replay(sim, env, ground).is_valid(*actions[env]) for env in range(3)]
        sim.step(actions)
        returns += sim.state.reward
        for env in range(3):
            assembly = replay(sim, env, ground)
            volume = targets[int(sim.state.target[env])].volume
            score = iou(assembly.size, assembly.poses, volume)
            assert sim.state.iou[env] == pytest.approx(score, abs=1e-12)
            mask = assembly.mask() if step % 5 == 0 else sim.mask(env)  # the slow one, now and then
            np.testing.assert_array_equal(sim.mask(env), mask)
            assert sim.state.invalid[env] == (not allowed[env])
            if not allowed[env]:
                assert sim.state.done[env]
                assert sim.state.reward[env] == sim.state.delta_iou[env] == 0
                continue
            cells = list(assembly.size.cells(assembly.poses[-1]))
            inside = sum(
                all(0 <= at < side for at, side in zip(cell, volume.shape, strict=True)) and volume[cell]
                for cell in cells
            )
            gain = score - before[env]
            assert sim.state.delta_iou[env] == pytest.approx(gain, abs=1e-12)
            assert sim.state.reward[env] == pytest.approx(gain if 2 * inside >= len(cells) else 0, abs=1e-12)
            full = len(assembly.poses) == sim.state.budget[env]
            assert sim.state.done[env] == (full or not mask.any())
        np.testing.assert_allclose(sim.state.episode_return, returns)
        returns[sim.state.done] = 0
        sim.reset_finished()


def test_nodes_are_centres_relative_to_the_first_brick(solid_targets: TargetSet) -> None:
    sim = Simulator(solid_targets, offset_set("all"), num_envs=4)
    sim.reset()
    actions = np.zeros((4, 2), np.int64)
    while not sim.state.done.all():
        sim.random_actions(actions)
        sim.step(actions)
    for env in range(4):
        poses = replay(sim, env).poses
        centres = np.array([[*sim.offsets.brick.centre(pose), pose.d] for pose in poses])
        relative = centres - [*centres[0, :3], 0]
        np.testing.assert_array_equal(sim.state.nodes[env, : len(poses)], relative)
        assert not sim.state.nodes[env, len(poses) :].any()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_plays_as_its_environments_would_alone(solid_targets: TargetSet, threads: int) -> None:
    together = Simulator(solid_targets, offset_set("modelnet"), num_envs=5, threads=threads)
    together.seed(100)
    alone = [Simulator(solid_targets, offset_set("modelnet")) for _ in range(5)]
    for env, sim in enumerate(alone):
        sim.seed(100 + env)
    for sim in (together, *alone):
        sim.reset()
    actions, action = np.zeros((5, 2), np.int64), np.zeros((1, 2), np.int64)
    for _ in range(200):
        together.random_actions(actions)
        together.step(actions)
        for env, sim in enumerate(alone):
            sim.random_actions(action)
            sim.step(action)
            np.testing.assert_array_equal(action[0], actions[env])
            for many, one in zip(_arrays(together), _arrays(sim), strict=True):
                np.testing.assert_array_equal(many[env], one[0])
            sim.reset_finished()
        together.reset_finished()


def _arrays(sim: Simulator) -> list[np.ndarray]:
    packed, *others = sim.state
    return [*packed, *others]


def test_rewards_by_hand(flat_targets: TargetSet) -> None:
    """A tower on a square of 6 x 6 pixels: 144 cells. Five more bricks are inside, all others outside."""
    inside = [8 * n / 144 for n in range(1, 7)]  # IoU after n bricks
    outside = [48 / (144 + 8 * n) for n in range(1, 4)]
    iou = [*inside, *outside]
    changes = [after - before for before, after in itertools.pairwise(iou)]
    expected = {
        "gated": [*changes[:5], 0, 0, 0],
        "plain": changes,
        "overlap": [1, 1, 1, 1, 1, 0, 0, 0],
    }
    for reward, wanted in expected.items():
        sim = Simulator(flat_targets, offset_set("mnist"), reward=reward)  # type: ignore[arg-type]
        sim.reset(targets=np.array([0]))
        straight_up = next(k for k, o in enumerate(sim.offsets.offsets) if o.dx == 0 and o.dz == 1)
        rewards = []
        for pivot in range(8):
            sim.step(np.array([[pivot, straight_up]]))
            rewards.append(float(sim.state.reward[0]))
        assert rewards == pytest.approx(wanted)


def test_a_brick_half_inside_is_rewarded(flat_targets: TargetSet) -> None:
    """Shifted by one stud off the square's edge, four of eight cells are inside: the gate is open."""
    sim = Simulator(flat_targets, offset_set("mnist"), reward="overlap")
    sim.reset(targets=np.array([0]))
    offsets = [(o.dx, o.dz) for o in sim.offsets.offsets]
    for pivot, dx in enumerate((1, 1, 1)):  # from the middle columns to the edge, then half over it
        sim.step(np.array([[pivot, offsets.index((dx, 1))]]))
    assert sim.state.reward[0] == 0.5


def test_return_is_not_iou(flat_targets: TargetSet) -> None:
    """The first brick's IoU is no reward, and the gate hides losses."""
    sim = Simulator(flat_targets, offset_set("mnist"), num_envs=8)
    sim.reset()
    first = sim.state.iou.copy()
    actions = np.zeros((8, 2), np.int64)
    while not sim.state.done.all():
        sim.random_actions(actions)
        sim.step(actions)
    assert (first > 0).all()
    assert (sim.state.episode_return > sim.state.iou - first - 1e-12).all()
    assert (sim.state.episode_return > sim.state.iou - first + 1e-9).any()


def test_the_first_brick_counts_in_the_budget(flat_targets: TargetSet) -> None:
    sim = Simulator(flat_targets, offset_set("mnist"), budget=2)
    sim.reset()
    assert not sim.state.done[0]
    actions = np.zeros((1, 2), np.int64)
    sim.random_actions(actions)
    sim.step(actions)
    assert sim.state.done[0]
    assert sim.state.packed.bricks[0] == 2


def test_no_brick_goes_underground_unless_allowed(flat_targets: TargetSet) -> None:
    for ground, below in ((True, False), (False, True)):
        sim = Simulator(flat_targets, offset_set("all"), ground=ground)
        sim.reset()
        assert sim.mask()[0, 46:].any() == below


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"budget": 0}, "budget .* is 0"),
        ({"budget": -3}, "budget .* is -3"),
        ({"max_bricks": 3}, "does not fit"),
        ({"reward": "gold"}, "no reward named 'gold'"),
        ({"num_envs": 0}, "num_envs is 0"),
    ],
)
def test_impossible_options(flat_targets: TargetSet, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Simulator(flat_targets, offset_set("mnist"), **options)  # type: ignore[arg-type]


def test_unknown_target(flat_targets: TargetSet) -> None:
    sim = Simulator(flat_targets, offset_set("mnist"))
    with pytest.raises(InputError, match="0 to 2"):
        sim.reset(targets=np.array([3]))


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(OFFSET_SETS),
    flat=st.booleans(),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 30),
    reward=st.sampled_from(["gated", "plain", "overlap"]),
)
def test_placing_bricks_is_the_same_as_stepping_to_them(
    flat_targets: TargetSet, solid_targets: TargetSet, name: str, flat: bool, seed: int, steps: int, reward: Reward
) -> None:
    targets = flat_targets if flat else solid_targets
    stepped = Simulator(targets, offset_set(name), num_envs=2, reward=reward)
    placed = Simulator(targets, offset_set(name), num_envs=2, reward=reward)
    for sim in (stepped, placed):
        sim.reset(targets=np.array([1, 2]), seed=seed)
    actions = np.zeros((2, 2), np.int64)
    for _ in range(steps):
        if stepped.state.done[0]:
            break
        stepped.random_actions(actions)
        actions[1] = 0
        stepped.step(actions)
    poses = replay(stepped, 0).poses
    placed.place(0, poses[1:])
    placed.state.generator[0] = stepped.state.generator[0]  # nothing was drawn
    for one, other in zip(_arrays(stepped), _arrays(placed), strict=True):
        np.testing.assert_array_equal(one[0], other[0])
    assert placed.state.packed.bricks[1] == 1  # nothing happened next door


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(OFFSET_SETS), flat=st.booleans(), seed=st.integers(0, 2**32))
def test_masks_are_exact_among_bricks_placed_by_hand(
    flat_targets: TargetSet, solid_targets: TargetSet, name: str, flat: bool, seed: int
) -> None:
    """Bricks where no offset leads: turned, shifted, standing by themselves, crowded around one."""
    choice = np.random.default_rng(seed)
    sim = Simulator(flat_targets if flat else solid_targets, offset_set(name), budget=40, by_hand=True)
    sim.reset(targets=np.array([0]))
    assembly = replay(sim, 0)
    for _ in range(60):
        x, y, z, d = choice.integers([-6, -6, 0, 0], [7, 7, 4, 2]).tolist()
        start = assembly.poses[0]
        pose = Pose(start.x + x, start.y + y, z, d)
        if assembly.fits(pose) and len(assembly.poses) < 38:
            assembly.put(pose)
    sim.place(0, assembly.poses[1:])
    np.testing.assert_array_equal(sim.mask(), assembly.mask())
    volume = sim.targets[0].volume
    assert sim.state.iou[0] == pytest.approx(iou(assembly.size, assembly.poses, volume), abs=1e-12)
    for brick, beside in enumerate(sim.state.packed.neighbours[0, : len(assembly.poses)]):
        assert sorted(beside[beside >= 0].tolist()) == sorted(assembly.neighbours(brick))
    actions = np.zeros((1, 2), np.int64)
    if not sim.state.done[0]:  # and goes on from there
        sim.random_actions(actions)
        sim.step(actions)
        np.testing.assert_array_equal(sim.mask(), replay(sim, 0).mask())


def test_bricks_that_have_no_room_are_refused(flat_targets: TargetSet) -> None:
    sim = Simulator(flat_targets, offset_set("mnist"), budget=8)
    with pytest.raises(InputError, match="reset"):
        sim.place(0, [Pose(0, 0, 0, 0)])
    sim.reset(targets=np.array([0]))
    x, y, z, d = flat_targets[0].start
    before = [array.copy() for array in _arrays(sim)]
    crowd = [Pose(x + dx, y + dy, 1, 1) for dx in (-3, 1) for dy in (-1, 1, 3)]  # six on one, mnist's offsets: four
    for poses, why in [
        ([Pose(x + 1, y + 1, z, d)], "shares a cell with brick 1"),
        ([Pose(x, y, 1, 0), Pose(x, y, 1, 1)], "shares a cell with brick 2"),
        ([Pose(x, y, -1, 0)], "below the ground"),
        ([Pose(x, y, 1, 2)], "turn it"),
        ([Pose(2**40, y, 1, 0)], "cells away"),
        ([Pose(x, y, up, 0) for up in range(1, 9)], "budget"),
        (crowd, "by_hand"),
    ]:
        with pytest.raises(InputError, match=why):
            sim.place(0, poses)
        for one, other in zip(before, _arrays(sim), strict=True):
            np.testing.assert_array_equal(one, other)
