"""B3+: an agent that learned from the search where bricks belong, and places them without searching."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.packed import PackedAssemblies, compiled, is_valid, joined_pose
from brickbybrick.geometry.relations import Relations
from brickbybrick.policies.spatial import Scene, SpatialPolicy
from brickbybrick.search.greedy import GreedyBuilder
from brickbybrick.search.planner import action_to

MARGIN = 2  # cells around a target where bricks may begin
HEADROOM = 1  # layers above it


class Scenes:
    """What a spatial policy sees of a batch of episodes.

    Args:
        sim: The episodes.
        views: Of the policy; with one, the grid is the plane of the first brick.
    """

    def __init__(self, sim: Simulator, views: int) -> None:
        self.sim, self.flat = sim, views == 1
        self._hulls = np.stack([self._hull(index) for index in range(len(sim.targets))])
        envs, shape = sim.num_envs, self._hulls.shape[1:]
        self.built = np.zeros((envs, *shape), np.bool_)  # (env, z, y, x)
        self.free = np.zeros((envs, 1 if self.flat else 2, *shape), np.bool_)  # (env, direction, z, y, x)

    def _hull(self, index: int) -> npt.NDArray[np.bool_]:
        """A target's hull (z, y, x) with room around it."""
        target = self.sim.targets[index]
        hull = target.hull.transpose(2, 1, 0)
        if self.flat:
            hull = hull[:, target.start.y : target.start.y + 1]
        around = (0, 0) if self.flat else (MARGIN, MARGIN)
        return np.pad(hull, ((0, HEADROOM), around, (MARGIN, MARGIN)))

    @property
    def origins(self) -> npt.NDArray[np.int64]:
        """The cell (env, 3) of each grid's corner, x, y, z."""
        origins = np.full((self.sim.num_envs, 3), -MARGIN, np.int64)
        origins[:, 2] = 0
        if self.flat:
            origins[:, 1] = self.sim.targets.starts[self.sim.state.target, 1]
        return origins

    def look(self, device: torch.device | str = "cpu") -> Scene:
        """The episodes as they are."""
        self.built[:], self.free[:] = False, False
        _write(self.sim.state.packed, self.sim.rel, self.origins, self.built, self.free)
        left = self.sim.state.budget - self.sim.state.packed.bricks
        arrays = (self._hulls[self.sim.state.target], self.built, self.free, left)
        return Scene(*(torch.from_numpy(array).to(device, copy=True) for array in arrays))

    def poses(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The poses (env, 4) of places, numbered through a grid's directions and cells (env,)."""
        d, z, y, x = np.unravel_index(places, self.free.shape[1:])
        return np.stack([*(np.stack([x, y, z], axis=1) + self.origins).T, d], axis=1)


@compiled
def _write(
    packed: PackedAssemblies,
    rel: Relations,
    origins: npt.NDArray[np.int64],
    built: npt.NDArray[np.bool_],
    free: npt.NDArray[np.bool_],
) -> None:
    for env in range(origins.shape[0]):
        x0, y0, z0 = origins[env, 0], origins[env, 1], origins[env, 2]
        for brick in range(packed.bricks[env]):
            d, z = packed.placed[env, brick, 3], packed.placed[env, brick, 2] - z0
            for x in range(packed.placed[env, brick, 0] - x0, packed.placed[env, brick, 0] - x0 + rel.extent[d, 0]):
                for y in range(packed.placed[env, brick, 1] - y0, packed.placed[env, brick, 1] - y0 + rel.extent[d, 1]):
                    if 0 <= z < built.shape[1] and 0 <= y < built.shape[2] and 0 <= x < built.shape[3]:
                        built[env, z, y, x] = True
            for offset in range(rel.bit.shape[0]):
                if is_valid(packed, rel, env, brick, offset):
                    x, y, z, d = joined_pose(packed, rel, env, brick, offset)
                    x, y, z = x - x0, y - y0, z - z0
                    if 0 <= z < built.shape[1] and 0 <= y < built.shape[2] and 0 <= x < built.shape[3]:
                        free[env, d, z, y, x] = True


class Apprentice(GreedyBuilder):
    """Places each brick where the policy would. Far from the target, where it cannot see, it places greedily.

    Args:
        policy: The network.
        offsets: The joints an action may choose from.
        seed: Of the choice among equals.
    """

    name = "b3plus"

    def __init__(self, policy: SpatialPolicy, offsets: OffsetSet, seed: int = 0) -> None:
        super().__init__(offsets, seed)
        self.policy = policy

    @torch.no_grad()
    def choose(self, sim: Simulator, actions: npt.NDArray[np.int64]) -> None:
        super().choose(sim, actions)
        scenes = Scenes(sim, self.policy.config.views)
        scene = scenes.look(next(self.policy.parameters()).device)
        logits = self.policy(scene).flatten(1)
        best = logits.argmax(dim=1)
        sighted = scene.free.flatten(1).any(dim=1).cpu().numpy() & ~sim.state.done
        poses = scenes.poses(best.cpu().numpy())
        for env in np.flatnonzero(sighted).tolist():
            actions[env] = action_to(sim.state.packed, sim.rel, env, poses[env])
