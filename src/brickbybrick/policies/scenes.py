"""What B3+ sees: the simulator's episodes as grids of cells, and how likely its network finds each place in them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.packed import PackedAssemblies, is_valid, joined_pose
from brickbybrick.geometry.relations import Relations
from brickbybrick.jit import Floats, Ints, compiled, inlined
from brickbybrick.policies.spatial import LAYERS, Scene, SpatialPolicy
from brickbybrick.policies.threads import one_thread
from brickbybrick.targets.target import Target

MARGIN = 2  # cells around a target where bricks may begin
HEADROOM = 1  # layers above it
PORTION = 256  # scenes that the network looks at together
Flags = npt.NDArray[np.bool_]
Wanted = Callable[[Target], npt.NDArray[np.generic]]


def from_hull(target: Target) -> Flags:
    """All that the images leave room for is wanted."""
    return target.hull


class Scenes:
    """What a spatial policy of some views sees of a batch of episodes; with one, the grid is the plane of the first
    brick.

    Args:
        sim: The episodes.
        views: Of the policy.
        wanted: How likely each cell (x, y, z) of a target is to be filled, as far as the policy may know.
        flips: Whether each episode (env, 2) is seen in a mirror, along x and along y; none is if not given.
    """

    def __init__(self, sim: Simulator, views: int, wanted: Wanted = from_hull, flips: Flags | None = None) -> None:
        self.sim, self.flat = sim, views == 1
        self.flips = np.zeros((sim.num_envs, 2), np.bool_) if flips is None else flips
        self._lengths = np.array([sim.offsets.brick.extent(d) for d in (0, 1)])  # (direction, axis) of a brick
        self.wanted = np.stack([self._seen(target, wanted) for target in sim.targets])  # (target, z, y, x)
        envs, shape = sim.num_envs, self.wanted.shape[1:]
        self._corner = np.tile(np.array([-MARGIN, -MARGIN, 0]), (envs, 1))
        self.built = np.zeros((envs, *shape), np.bool_)  # (env, z, y, x)
        self.free = np.zeros((envs, 1 if self.flat else 2, *shape), np.bool_)  # (env, direction, z, y, x)

    def _seen(self, target: Target, wanted: Wanted) -> npt.NDArray[np.float32]:
        """What is wanted of a target (z, y, x) with room around it."""
        cells = wanted(target).transpose(2, 1, 0).astype(np.float32)
        if not self.flat:
            cells = cells[:LAYERS]
            return np.pad(cells, ((0, LAYERS - len(cells)), (MARGIN, MARGIN), (MARGIN, MARGIN)))
        row = target.start.y
        # Nothing of it is in the plane of a first brick that people placed elsewhere.
        cells = cells[:, row : row + 1] if 0 <= row < cells.shape[1] else np.zeros_like(cells[:, :1])
        return np.pad(cells, ((0, HEADROOM), (0, 0), (MARGIN, MARGIN)))

    @property
    def origins(self) -> Ints:
        """The cell (env, 3) of each grid's corner, x, y, z."""
        origins = self._corner
        if self.flat:
            origins = origins.copy()
            origins[:, 1] = self.sim.targets.starts[self.sim.state.target, 1]
        return origins

    def look(self) -> Scene:
        """The episodes as they are."""
        self.built[:], self.free[:] = False, False
        _write(self.sim.state.packed, self.sim.rel, self.origins, self.flips, self.built, self.free)
        left = self.sim.state.budget - self.sim.state.packed.bricks
        wanted = self.wanted[self.sim.state.target]
        for axis, flips in enumerate(self.flips.T):
            wanted[flips] = np.flip(wanted[flips], -1 - axis)
        return Scene(*(torch.from_numpy(array) for array in (wanted, self.built.copy(), self.free.copy(), left)))

    def poses(self, places: Ints) -> Ints:
        """The poses (env, 4) of places, numbered through a grid's directions and cells (env,)."""
        d, z, y, x = np.unravel_index(places, self.free.shape[1:])
        corners = np.stack([x, y], axis=1)
        far = np.array(self.free.shape[:-3:-1]) - self._lengths[d]  # (env, 2) where a mirror shows a corner at 0
        x, y = np.where(self.flips, far - corners, corners).T
        return np.stack([*(np.stack([x, y, z], axis=1) + self.origins).T, d], axis=1)


@compiled
def _write(packed: PackedAssemblies, rel: Relations, origins: Ints, flips: Flags, built: Flags, free: Flags) -> None:
    """Fills in the cells of bricks, and the corners of those that can be placed next."""
    _, depth, height, width = built.shape
    for env in range(origins.shape[0]):
        for brick in range(packed.bricks[env]):
            d, z = packed.placed[env, brick, 3], packed.placed[env, brick, 2] - origins[env, 2]
            first_x = _along(packed.placed[env, brick, 0] - origins[env, 0], rel.extent[d, 0], width, flips[env, 0])
            first_y = _along(packed.placed[env, brick, 1] - origins[env, 1], rel.extent[d, 1], height, flips[env, 1])
            if 0 <= z < depth:
                for x in range(max(first_x, 0), min(first_x + rel.extent[d, 0], width)):
                    for y in range(max(first_y, 0), min(first_y + rel.extent[d, 1], height)):
                        built[env, z, y, x] = True
            for offset in range(rel.bit.shape[0]):
                here, d, z, y, x = _place(packed, rel, origins, flips, free.shape, env, brick, offset)
                if here:
                    free[env, d, z, y, x] = True


@inlined
def _along(at: int, length: int, side: int, flip: bool) -> int:
    """Where what begins at a cell of a row and is so long begins in a mirror, if it is seen in one."""
    return side - length - at if flip else at


@inlined
def _place(
    packed: PackedAssemblies,
    rel: Relations,
    origins: Ints,
    flips: Flags,
    shape: tuple[int, ...],
    env: int,
    brick: int,
    offset: int,
) -> tuple[bool, int, int, int, int]:
    """Whether an action is valid and leads to a place of the grid, (env, direction, z, y, x) of `shape`; and which."""
    if not is_valid(packed, rel, env, brick, offset):
        return False, 0, 0, 0, 0
    x, y, z, d = joined_pose(packed, rel, env, brick, offset)
    z = z - origins[env, 2]
    x = _along(x - origins[env, 0], rel.extent[d, 0], shape[4], flips[env, 0])
    y = _along(y - origins[env, 1], rel.extent[d, 1], shape[3], flips[env, 1])
    # In a plane only bricks of one direction have a place, though people may turn others.
    inside = d < shape[1] and 0 <= z < shape[2] and 0 <= y < shape[3] and 0 <= x < shape[4]
    return inside, d, z, y, x


@compiled
def spread_over_actions(
    packed: PackedAssemblies, rel: Relations, origins: Ints, flips: Flags, likely: Floats, found: Floats
) -> None:
    """Hands what places (env, direction, z, y, x) have on to the first actions that lead there; none is left there."""
    for env in range(origins.shape[0]):
        for brick in range(packed.bricks[env]):
            for offset in range(rel.bit.shape[0]):
                here, d, z, y, x = _place(packed, rel, origins, flips, likely.shape, env, brick, offset)
                if here:
                    found[env, brick, offset] = likely[env, d, z, y, x]
                    likely[env, d, z, y, x] = 0.0


@torch.inference_mode()
def weigh(policy: SpatialPolicy, scene: Scene) -> Tensor:
    """The policy's logits (sample, place) of a batch, a portion at a time."""
    device = next(policy.parameters()).device
    with one_thread():
        if len(scene.left) <= PORTION:
            logits: Tensor = policy(Scene(*(part.to(device) for part in scene)))
            return logits.flatten(1).cpu()
        portions = zip(*(torch.split(part, PORTION) for part in scene), strict=True)
        return torch.cat([weigh(policy, Scene(*some)) for some in portions])
