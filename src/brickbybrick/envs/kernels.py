"""The compiled game: reset and step over a range of environments, straight into the state's arrays.

These are allocated once, one row for each environment, in the layout that a policy reads: a step writes its observation
and nothing is copied. What a brick forbids is `geometry.packed`'s business; here are targets, IoU, rewards and the end
of an episode. Every function works on environments first to last - 1, so that threads can share a batch.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.packed import PackedAssemblies, allocate, clear, is_valid, joined_pose, put, random_action
from brickbybrick.geometry.relations import WORD, Relations
from brickbybrick.jit import inlined, kernel, lowest_bit, random_number
from brickbybrick.targets.target import TargetSet

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
REWARDS = ("gated", "plain", "overlap")  # a reward is passed to the kernels as its place in this list


class TargetArrays(NamedTuple):
    """The targets that episodes draw from, as the compiled step reads them."""

    volumes: npt.NDArray[np.uint8]  # (target, z, y, x) the cells wanted
    filled: Ints  # (target,) how many cells are wanted
    starts: Ints  # (target, 4) pose of the first brick
    budgets: Ints  # (target,) bricks allowed


class EnvState(NamedTuple):
    """A batch of constructions under way."""

    packed: PackedAssemblies  # the bricks: poses, mask words, neighbour lists
    nodes: npt.NDArray[np.int16]  # (env, brick, 4) centre relative to the first brick's, and direction
    target: npt.NDArray[np.int32]  # (env,) index of the target
    budget: npt.NDArray[np.int32]  # (env,) bricks allowed in this episode
    inside: npt.NDArray[np.int32]  # (env,) cells filled that the target wants
    iou: npt.NDArray[np.float64]  # (env,) of the bricks placed with the target
    delta_iou: npt.NDArray[np.float64]  # (env,) what the last brick changed
    reward: npt.NDArray[np.float64]  # (env,) of the last action
    episode_return: npt.NDArray[np.float64]  # (env,) sum of rewards since the first brick
    done: Flags  # (env,) the episode is over
    invalid: Flags  # (env,) because the last action was invalid
    generator: npt.NDArray[np.uint64]  # (env,) random numbers of each environment's own


def allocate_state(size: Size, rel: Relations, num_envs: int, max_bricks: int) -> EnvState:
    """Environments that hold no brick yet and are done, so that the first thing to happen is a reset."""
    return EnvState(
        packed=allocate(size, rel, num_envs, max_bricks),
        nodes=np.zeros((num_envs, max_bricks, 4), np.int16),
        target=np.zeros(num_envs, np.int32),
        budget=np.zeros(num_envs, np.int32),
        inside=np.zeros(num_envs, np.int32),
        iou=np.zeros(num_envs),
        delta_iou=np.zeros(num_envs),
        reward=np.zeros(num_envs),
        episode_return=np.zeros(num_envs),
        done=np.ones(num_envs, np.bool_),
        invalid=np.zeros(num_envs, np.bool_),
        generator=np.zeros(num_envs, np.uint64),
    )


def target_arrays(targets: TargetSet, budget: int | None) -> TargetArrays:
    """The arrays of a set of targets; a budget of one's own replaces the targets'."""
    budgets = targets.budgets if budget is None else np.full(len(targets), budget, np.int64)
    filled = targets.volumes.sum(axis=(1, 2, 3), dtype=np.int64)
    return TargetArrays(targets.volumes, filled, targets.starts, budgets)


@inlined
def overlap(targets: TargetArrays, rel: Relations, target: int, x: int, y: int, z: int, d: int) -> int:
    """How many cells of a brick the target wants. Cells outside the target's grid are not wanted."""
    volumes = targets.volumes
    if z < 0 or z >= volumes.shape[1]:
        return 0
    first_x, last_x = max(x, 0), min(x + rel.extent[d, 0], volumes.shape[3])
    first_y, last_y = max(y, 0), min(y + rel.extent[d, 1], volumes.shape[2])
    wanted = 0
    for row in range(first_y, last_y):
        for column in range(first_x, last_x):
            wanted += volumes[target, z, row, column]
    return wanted


@inlined
def _add_brick(state: EnvState, rel: Relations, targets: TargetArrays, env: int, x: int, y: int, z: int, d: int) -> int:
    """Places a brick and brings nodes and IoU up to date. Returns how many of its cells are wanted."""
    packed, nodes, inside, extent = state.packed, state.nodes, state.inside, rel.extent
    placed = packed.placed
    new, target = packed.bricks[env], state.target[env]
    put(packed, rel, env, x, y, z, d)
    first_d = placed[env, 0, 3]
    nodes[env, new, 0] = x + extent[d, 0] // 2 - placed[env, 0, 0] - extent[first_d, 0] // 2
    nodes[env, new, 1] = y + extent[d, 1] // 2 - placed[env, 0, 1] - extent[first_d, 1] // 2
    nodes[env, new, 2] = z - placed[env, 0, 2]
    nodes[env, new, 3] = d

    wanted = overlap(targets, rel, target, x, y, z, d)
    inside[env] += wanted
    cells = (new + 1) * extent[0, 0] * extent[0, 1]
    before = state.iou[env]
    state.iou[env] = inside[env] / (targets.filled[target] + cells - inside[env])
    state.delta_iou[env] = state.iou[env] - before
    return wanted


@inlined
def _play_brick(
    state: EnvState, rel: Relations, targets: TargetArrays, env: int, reward_kind: int, x: int, y: int, z: int, d: int
) -> None:
    """Places a brick, gives its reward, and ends the episode if no other can follow."""
    packed = state.packed
    cells = rel.extent[0, 0] * rel.extent[0, 1]
    wanted = _add_brick(state, rel, targets, env, x, y, z, d)
    reward = wanted / cells if reward_kind == 2 else state.delta_iou[env]
    if reward_kind != 1 and 2 * wanted < cells:
        reward = 0.0
    state.reward[env] = reward
    state.episode_return[env] += reward
    state.done[env] = packed.bricks[env] >= state.budget[env] or packed.pivots[env] == 0


@inlined
def _begin(state: EnvState, rel: Relations, targets: TargetArrays, env: int, target: int) -> None:
    """Starts an episode with the target's first brick."""
    nodes, starts = state.nodes, targets.starts
    for brick in range(state.packed.bricks[env]):
        for k in range(4):
            nodes[env, brick, k] = 0
    clear(state.packed, env)
    state.target[env] = target
    state.budget[env] = targets.budgets[target]
    state.inside[env] = 0
    state.iou[env] = 0.0
    _add_brick(state, rel, targets, env, starts[target, 0], starts[target, 1], starts[target, 2], starts[target, 3])
    state.delta_iou[env] = 0.0
    state.reward[env] = 0.0
    state.episode_return[env] = 0.0
    state.done[env] = False
    state.invalid[env] = False


@kernel
def reset_envs(
    state: EnvState, rel: Relations, targets: TargetArrays, where: Flags, wanted: Ints, first: int, last: int
) -> None:
    """Starts new episodes in the environments `where` (env,) says so, for the target `wanted` (env,) names, or a
    random one where that is -1."""
    for env in range(first, last):
        if where[env]:
            target = wanted[env]
            if target < 0:
                target = random_number(state.generator, env, targets.filled.shape[0])
            _begin(state, rel, targets, env, target)


@inlined
def _act(
    state: EnvState, rel: Relations, targets: TargetArrays, env: int, reward_kind: int, pivot: int, offset: int
) -> None:
    """Takes one environment's action. If its episode is over it keeps still, with reward 0."""
    state.reward[env] = 0.0
    state.delta_iou[env] = 0.0
    if state.done[env]:
        return
    if state.packed.bricks[env] >= state.budget[env]:
        state.done[env] = True
    elif not is_valid(state.packed, rel, env, pivot, offset):
        state.done[env] = True
        state.invalid[env] = True
    else:
        x, y, z, d = joined_pose(state.packed, rel, env, pivot, offset)
        _play_brick(state, rel, targets, env, reward_kind, x, y, z, d)


@kernel
def step_envs(
    state: EnvState, rel: Relations, targets: TargetArrays, actions: Ints, reward_kind: int, first: int, last: int
) -> None:
    """Takes one action (pivot, offset) in each environment that is not done; the others keep still, with reward 0."""
    for env in range(first, last):
        _act(state, rel, targets, env, reward_kind, actions[env, 0], actions[env, 1])


@kernel
def place_bricks(
    state: EnvState, rel: Relations, targets: TargetArrays, env: int, poses: Ints, reward_kind: int
) -> None:
    """Places bricks (brick, 4) that are known to have room, as if actions had led to them."""
    for brick in range(poses.shape[0]):
        x, y, z, d = poses[brick, 0], poses[brick, 1], poses[brick, 2], poses[brick, 3]
        _play_brick(state, rel, targets, env, reward_kind, x, y, z, d)


@kernel
def random_actions(state: EnvState, rel: Relations, actions: Ints, first: int, last: int) -> None:
    """Draws a valid action for each environment, each equally likely; (0, 0) where there is none."""
    for env in range(first, last):
        pivot, offset = random_action(state.packed, rel, env, state.generator)
        actions[env, 0], actions[env, 1] = max(pivot, 0), max(offset, 0)


@kernel
def all_within(actions: Ints, bricks: int, offsets: int) -> bool:
    """Whether actions (env, 2) lie in the action space."""
    for env in range(actions.shape[0]):
        pivot, offset = actions[env, 0], actions[env, 1]
        if pivot < 0 or pivot >= bricks or offset < 0 or offset >= offsets:
            return False
    return True


class Shown(NamedTuple):
    """What is shown of a batch of constructions beside their nodes and neighbours, which are shown as they are; and
    what it is made of."""

    pixels: npt.NDArray[np.int8]  # (env, pixel) of the target's images
    start: npt.NDArray[np.int16]  # (env, 3) the first brick's centre in the images' cells
    n_bricks: Ints  # (env,) bricks placed
    bricks_left: Ints  # (env,) bricks that may still be placed
    masks: npt.NDArray[np.int8]  # (env, brick, offset) 1 for each action that may be taken
    target: npt.NDArray[np.int32]  # (env,) whose images are shown; -1 before the first
    target_pixels: npt.NDArray[np.int8]  # (target, pixel)
    target_start: npt.NDArray[np.int16]  # (target, 3)
    forced: npt.NDArray[np.uint64]  # (word,) what is shown as valid of every brick placed, even where it is not
    bits: npt.NDArray[np.uint64]  # (offset,) the offset's bit alone, in its word
    edges: Ints  # (word + 1,) where the offsets of each word begin


@inlined
def _show_numbers(state: EnvState, shown: Shown, env: int) -> None:
    """Brings all that is shown of one environment but its mask up to date."""
    target, bricks = state.target[env], state.packed.bricks[env]
    shown.n_bricks[env] = bricks
    shown.bricks_left[env] = state.budget[env] - bricks
    if shown.target[env] != target:
        shown.target[env] = target
        pixels, wanted = shown.pixels[env], shown.target_pixels[target]
        for k in range(pixels.size):
            pixels[k] = wanted[k]
        for k in range(3):
            shown.start[env, k] = shown.target_start[target, k]


@inlined
def _show_word(state: EnvState, shown: Shown, env: int, brick: int, w: int) -> None:
    """A byte for each offset of one of a brick's mask words."""
    word, edges = state.packed.words[env, brick, w], shown.edges
    if brick < state.packed.bricks[env]:
        word |= shown.forced[w]
    # Views, and indices that count from 0: only then does the inner loop become vector code.
    mask, single = shown.masks[env, brick, edges[w] : edges[w + 1]], shown.bits[edges[w] : edges[w + 1]]
    for k in range(mask.size):
        mask[k] = (word & single[k]) != 0


@kernel
def show_envs(state: EnvState, shown: Shown, where: Flags, first: int, last: int) -> None:
    """Shows the environments `where` (env,) says so, whatever was shown of them before."""
    for env in range(first, last):
        if where[env]:
            for brick in range(max(state.packed.bricks[env], shown.n_bricks[env])):
                for w in range(state.packed.words.shape[2]):
                    _show_word(state, shown, env, brick, w)
            _show_numbers(state, shown, env)


@kernel
def play_envs(
    state: EnvState, rel: Relations, targets: TargetArrays, shown: Shown, reward_kind: int, renew: bool, actions: Ints,
    first: int, last: int,
) -> None:  # fmt: skip
    """Takes an action in each environment and shows what came of it while that is at hand, of masks the words that
    changed. Where an episode is over, nothing happens, or with `renew` a new one begins."""
    changed, words = state.packed.changed, state.packed.words.shape[2]
    for env in range(first, last):
        if renew and state.done[env]:
            _begin(state, rel, targets, env, random_number(state.generator, env, targets.filled.shape[0]))
        else:
            _act(state, rel, targets, env, reward_kind, actions[env, 0], actions[env, 1])
        _show_numbers(state, shown, env)
        for part in range(changed.shape[1]):
            left = changed[env, part]
            changed[env, part] = 0
            while left != 0:
                place = WORD * part + lowest_bit(left)
                _show_word(state, shown, env, place // words, place % words)
                left &= left - np.uint64(1)
