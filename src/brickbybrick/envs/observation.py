"""What an agent sees, as Gymnasium spaces and arrays: one definition for one environment and for many. And what people
see of a construction under way, beside the target that the agent is given.

A `Window` shows all environments of a simulator through arrays that are allocated once; nodes and neighbours are the
simulator's own. Padding: a row of `nodes` past the bricks placed is 0, an entry of `neighbours` past a brick's
neighbours is -1.
"""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from brickbybrick.construction import Construction
from brickbybrick.envs import kernels
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.relations import WORD
from brickbybrick.geometry.voxels import fill, front_view, three_views
from brickbybrick.jit import Bound
from brickbybrick.picture import draw, paint
from brickbybrick.sheets import contact_sheet, image_of_view
from brickbybrick.targets.target import Target

MaskKind = Literal["exact", "placed"]
Observation = dict[str, npt.NDArray[np.generic]]


def observation_space(sim: Simulator) -> spaces.Dict:
    """The space of one environment's observations."""
    bricks, far = sim.max_bricks, sim.offsets.brick.length * sim.max_bricks
    neighbours = sim.state.packed.neighbours.shape[2]
    return spaces.Dict(
        {
            # centre relative to the first brick's, and direction
            "nodes": spaces.Box(-far, far, (bricks, 4), np.int16),
            # bricks in stud contact, as indices of nodes
            "neighbours": spaces.Box(-1, bricks - 1, (bricks, neighbours), np.int16),
            "n_bricks": spaces.Discrete(bricks + 1),
            "bricks_left": spaces.Discrete(bricks + 1),
            # the target, as it is given to the agent: (view, row, column)
            "images": spaces.Box(0, 1, sim.targets.images.shape[1:], np.int8),
            # the first brick's centre in the images' cells: x, y, z from the left, the front and the bottom
            "start": spaces.Box(-far, far, (3,), np.int16),
        }
    )


class Window:
    """What is to be seen of a simulator's environments, (env, ...) each: the same arrays for as long as it lives.

    Args:
        sim: The simulator that is looked at.
        mask: "exact": the valid actions. "placed": all offsets of the bricks placed.
    """

    def __init__(self, sim: Simulator, mask: MaskKind = "exact") -> None:
        if mask not in get_args(MaskKind):
            raise InputError(f"no mask named {mask!r}: choose exact or placed")
        self.sim = sim
        envs, state, rel = sim.num_envs, sim.state, sim.rel
        packed, images = state.packed, np.ascontiguousarray(sim.targets.images)
        words = np.arange(rel.every.size)
        self._shown = kernels.Shown(
            pixels=np.zeros((envs, images[0].size), np.int8),
            start=np.zeros((envs, 3), np.int16),
            n_bricks=np.zeros(envs, np.int64),
            bricks_left=np.zeros(envs, np.int64),
            masks=np.zeros((envs, sim.max_bricks, len(sim.offsets)), np.int8),
            target=np.full(envs, -1, np.int32),
            target_pixels=images.reshape(len(images), -1),
            target_start=sim.start_cells,
            forced=np.zeros_like(rel.every) if mask == "exact" else rel.every,
            bits=np.uint64(1) << (rel.bit % WORD).astype(np.uint64),
            edges=np.searchsorted(rel.bit // WORD, [*words, words.size]),
        )
        self.observation: Observation = {
            "nodes": sim.state.nodes,
            "neighbours": packed.neighbours,
            "n_bricks": self._shown.n_bricks,
            "bricks_left": self._shown.bricks_left,
            "images": self._shown.pixels.reshape(envs, *images.shape[1:]),
            "start": self._shown.start,
        }
        self._look = Bound(kernels.show_envs, state, self._shown)
        self._play = Bound(kernels.play_envs, state, rel, sim.target_arrays, self._shown, sim.reward_kind)
        self.info: Observation = {
            "iou": state.iou,
            "delta_iou": state.delta_iou,
            "n_bricks": packed.bricks,
            "invalid_action": state.invalid,
            "target_id": state.target,
            "action_mask": self._shown.masks,
        }

    def look(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Brings the arrays up to date with the simulator, of the environments `where` (env,), or of all."""
        self.sim.share(self._look, np.ones(self.sim.num_envs, bool) if where is None else where)

    def play(self, actions: npt.NDArray[np.int64], renew: bool) -> None:
        """Takes an action in each environment, as the simulator's `step` does, and looks at all of them in the same
        pass. Where an episode is over, nothing happens, or with `renew` a new one begins."""
        self.sim.share(self._play, renew, actions)


def copied(arrays: Observation) -> Observation:
    """What stays as it is when the simulator goes on."""
    return {key: values.copy() for key, values in arrays.items()}


def of_one(arrays: Observation, env: int) -> Observation:
    """One environment's part of what is seen of all, to keep."""
    return {key: values[env].copy() if values.ndim > 1 else values[env] for key, values in arrays.items()}


def painted(construction: Construction, target: Target, side: int = 320) -> npt.NDArray[np.uint8]:
    """The target's views and the model beside them, as (height, width, 3)."""
    views = [image_of_view(view, (side // len(target.images),) * 2) for view in target.images]
    model = paint(draw(construction, colours="steps"), (side, side))
    return np.asarray(contact_sheet([[contact_sheet([[view] for view in views], gap=2), model]], gap=4))


def written(construction: Construction, target: Target) -> str:
    """The target's views as characters: `#` built as wanted, `.` still missing, `x` built where nothing is wanted."""
    lifted = (pose._replace(z=pose.z + target.lift) for pose in construction.poses)
    built = fill(BRICK_2X4, lifted, target.hull.shape)
    shown = front_view(built)[None] if len(target.images) == 1 else three_views(built)
    lines = []
    for row in range(target.images.shape[1]):
        characters = np.where(
            target.images[:, row], np.where(shown[:, row], "#", "."), np.where(shown[:, row], "x", " ")
        )
        lines.append(" | ".join("".join(view) for view in characters))
    iou = "?" if construction.iou is None else f"{construction.iou:.3f}"
    return "\n".join([f"{target.name}: {len(construction.bricks)} of {construction.budget} bricks, IoU {iou}", *lines])
