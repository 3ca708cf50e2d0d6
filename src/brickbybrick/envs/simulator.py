"""Many constructions at once: the arrays and the compiled game of `kernels.py`, guarded by one class.

This is what trains and searches. `construction_env.py` presents it to Gymnasium.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction
from brickbybrick.envs import kernels
from brickbybrick.errors import InputError, whole_number
from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.relations import most_neighbours, relations, unpack_mask
from brickbybrick.jit import seeded
from brickbybrick.targets.target import TargetSet

Reward = Literal["gated", "plain", "overlap"]


class Simulator:
    """A batch of construction episodes.

    Args:
        targets: What episodes build; a reset draws one at random unless it is told which.
        offsets: The joints an action may choose from.
        num_envs: Episodes side by side.
        max_bricks: Room for bricks in an episode; the largest budget if not given.
        reward: `gated`: change of IoU if at least half of the new brick is inside the target, else 0 (the paper's).
            `plain`: change of IoU. `overlap`: the share of the new brick that is inside if at least half, else 0.
        budget: Bricks allowed in every episode instead of the targets' own numbers.
        ground: Whether nothing may be placed below layer 0.
        by_hand: Whether to keep room for the contacts of bricks that `place` puts in, which may touch more others than
            bricks joined by `offsets` can.
        threads: Threads that share the batch. Results do not depend on it.
    """

    def __init__(
        self,
        targets: TargetSet,
        offsets: OffsetSet,
        num_envs: int = 1,
        *,
        max_bricks: int | None = None,
        reward: Reward = "gated",
        budget: int | None = None,
        ground: bool = True,
        by_hand: bool = False,
        threads: int = 1,
    ) -> None:
        if reward not in kernels.REWARDS:
            raise InputError(f"no reward named {reward!r}: choose one of {', '.join(kernels.REWARDS)}")
        num_envs = whole_number(num_envs, "num_envs", 1)
        threads = whole_number(threads, "threads", 1)
        budget = None if budget is None else whole_number(budget, "budget (the first brick counts)", 1)
        max_bricks = None if max_bricks is None else whole_number(max_bricks, "max_bricks", 1)
        self.targets = targets
        self.offsets = offsets
        self.num_envs = num_envs
        self.rel = relations(offsets, ground)
        if by_hand:
            self.rel = self.rel._replace(neighbours=most_neighbours(offset_set("all", offsets.brick)))
        self.ground = ground
        self.target_arrays = kernels.target_arrays(targets, budget)
        largest = int(self.target_arrays.budgets.max())
        self.max_bricks = largest if max_bricks is None else max_bricks
        if largest > self.max_bricks:
            raise InputError(f"a budget of {largest} bricks does not fit into max_bricks={self.max_bricks}: raise it")
        self.threads = min(threads, num_envs)
        self.state = kernels.allocate_state(offsets.brick, self.rel, num_envs, self.max_bricks)
        self.reward_kind = kernels.REWARDS.index(reward)
        self._pool: ThreadPoolExecutor | None = None
        self.seed(0)

    def seed(self, seed: int | Sequence[int]) -> None:
        """Makes the episodes that follow repeatable. From a single number, environment i gets seed + i."""
        self.state.generator[:] = self._generators(seed)

    def _generators(self, seed: int | Sequence[int]) -> npt.NDArray[np.uint64]:
        most = 2**128
        if isinstance(seed, Sequence | np.ndarray):
            seeds = [whole_number(one, "a seed", 0, most) for one in seed]
            if len(seeds) != self.num_envs:
                raise InputError(f"{len(seeds)} seeds for {self.num_envs} environments: give one, or one for each")
        else:
            seeds = [whole_number(seed, "seed", 0, most) + env for env in range(self.num_envs)]
        return np.array([seeded(1, one)[0] for one in seeds], np.uint64)

    def reset(
        self,
        where: npt.NDArray[np.bool_] | None = None,
        targets: npt.NDArray[np.int64] | None = None,
        seed: int | Sequence[int] | None = None,
    ) -> None:
        """Starts episodes.

        Args:
            where: Which environments (env,); all if not given.
            targets: Which target each environment builds (env,), -1 for a random one; all random if not given.
            seed: Makes these episodes repeatable, as `seed` does; environments that go on are left alone.
        """
        where = np.ones(self.num_envs, bool) if where is None else np.asarray(where)
        if where.dtype != np.bool_ or where.shape != (self.num_envs,):
            raise InputError(
                f"which environments to reset: give {self.num_envs} flags, not {where.dtype} {where.shape}"
            )
        wanted = np.full(self.num_envs, -1, np.int64) if targets is None else np.asarray(targets)
        if (
            wanted.shape != (self.num_envs,)
            or not np.issubdtype(wanted.dtype, np.integer)
            or wanted.max() >= len(self.targets)
            or wanted.min() < -1
        ):
            raise InputError(f"target {targets}: give a number from 0 to {len(self.targets) - 1} for each environment")
        if seed is not None:
            self.state.generator[where] = self._generators(seed)[where]
        wanted = wanted.astype(np.int64)
        self.share(kernels.reset_envs, self.state, self.rel, self.target_arrays, where, wanted)

    def reset_finished(self) -> None:
        """Starts a new episode wherever one is over."""
        self.reset(self.state.done)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Takes the action (pivot, offset) in each environment; the state's arrays hold what came of it.

        An action that the mask forbids ends the episode. Actions outside the action space are not checked here.
        """
        self.share(kernels.step_envs, self.state, self.rel, self.target_arrays, actions, self.reward_kind)

    def place(self, env: int, poses: Sequence[Pose]) -> None:
        """Puts bricks into one environment where they are wanted, so that an episode goes on from what others built.

        Masks, contacts, IoU and rewards become what they would be had actions led there. Bricks must be free, above
        the ground and within the budget; they may be joined in ways that no offset has, or not at all.
        """
        here = int(self.state.packed.bricks[env])
        if not poses:
            return
        if not here:
            raise InputError("bricks are placed in an episode under way: reset it first")
        if here + len(poses) > self.state.budget[env]:
            raise InputError(
                f"{here + len(poses)} bricks are more than the budget of {self.state.budget[env]}: raise it"
            )
        there = [Pose(*pose) for pose in self.state.packed.placed[env, :here, :4].tolist()]
        self._check_room([*there, *poses], here)
        kernels.place_bricks(self.state, self.rel, self.target_arrays, env, np.array(poses, np.int64), self.reward_kind)

    def _check_room(self, poses: Sequence[Pose], first: int) -> None:
        """An error unless each pose from the first on is possible beside all others; the kernels take that for sure."""
        size = self.offsets.brick
        # Corners, and what separates the farthest two, are 16-bit numbers, however the model goes on.
        most = np.iinfo(np.int16).max // 2 - size.length * self.max_bricks
        owner: dict[Cell, int] = {}
        for brick, pose in enumerate(poses):
            if brick >= first and (pose.d not in size.directions or max(map(abs, pose[:3])) > most):
                raise InputError(f"brick {brick + 1} at {tuple(pose)}: turn it by 0 or 1, at most {most} cells away")
            if brick >= first and self.ground and pose.z < 0:
                raise InputError(f"brick {brick + 1} is below the ground: place it in layer 0 or above")
            for cell in size.cells(pose):
                if cell in owner:
                    raise InputError(
                        f"brick {brick + 1} shares a cell with brick {owner[cell] + 1}: place it elsewhere"
                    )
                owner[cell] = brick
        for brick, pose in enumerate(poses):
            beside = {owner.get((x, y, pose.z + up), brick) for x, y in size.footprint(pose) for up in (1, -1)}
            if len(beside - {brick}) > self.rel.neighbours:
                raise InputError(f"brick {brick + 1} touches more bricks than there is room for: give by_hand=True")

    def random_actions(self, actions: npt.NDArray[np.int64]) -> None:
        """Fills `actions` (env, 2) with valid actions, each equally likely."""
        self.share(kernels.random_actions, self.state, self.rel, actions)

    @cached_property
    def start_cells(self) -> npt.NDArray[np.int16]:
        """The first brick's centre in the images' cells (target, 3): x, y, z from the left, the front, the bottom."""
        starts = self.targets.starts
        centres = starts[:, :3].copy()
        centres[:, :2] += self.rel.extent[starts[:, 3]] // 2
        centres[:, 2] += self.targets.lifts
        return centres.astype(np.int16)

    def mask(self, env: int = 0) -> npt.NDArray[np.bool_]:
        """The valid actions of one environment, for the bricks that are placed, as (brick, offset)."""
        return unpack_mask(self.state.packed.words[env, : self.state.packed.bricks[env]], self.rel)

    def construction(self, env: int = 0, builder: str = "") -> Construction:
        """What one environment has built so far."""
        target = self.targets[int(self.state.target[env])]
        return Construction.of_poses(
            self.offsets.brick,
            self.state.packed.placed[env, : self.state.packed.bricks[env], :4],
            target=target.name,
            builder=builder,
            budget=int(self.state.budget[env]),
            iou=float(self.state.iou[env]),
            episode_return=float(self.state.episode_return[env]),
            notes=() if target.voxels is not None else ("only views are known: IoU is with their visual hull",),
        )

    def share(self, kernel: Callable[..., None], *arguments: object) -> None:
        """Runs a kernel over all environments, in equal parts on the threads."""
        if self.threads == 1:
            kernel(*arguments, 0, self.num_envs)
            return
        self._pool = self._pool or ThreadPoolExecutor(self.threads - 1)
        edges = [self.num_envs * part // self.threads for part in range(self.threads + 1)]
        others = [self._pool.submit(kernel, *arguments, first, last) for first, last in itertools.pairwise(edges[1:])]
        kernel(*arguments, 0, edges[1])  # this thread takes the first part itself
        for other in others:
            other.result()

    def close(self) -> None:
        """Ends the threads."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_pool": None}  # threads do not travel
