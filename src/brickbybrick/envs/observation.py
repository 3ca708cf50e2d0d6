"""What an agent sees, as Gymnasium spaces and arrays: one definition for one environment and for many. And what people
see of a construction under way, beside the target that the agent is given.

Padding: a row of `nodes` past the bricks placed is 0, an entry of `neighbours` past a brick's neighbours is -1.
"""

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import fill, front_view, three_views
from brickbybrick.picture import draw, paint
from brickbybrick.sheets import contact_sheet, image_of_view
from brickbybrick.targets.target import Target

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
            "images": spaces.MultiBinary(sim.targets.images.shape[1:]),
            # the first brick's centre in the images' cells: x, y, z from the left, the front and the bottom
            "start": spaces.Box(-far, far, (3,), np.int16),
        }
    )


def observe(sim: Simulator) -> Observation:
    """The observations of all environments; an array's first axis is the environment."""
    state, targets = sim.state, sim.targets
    count = state.packed.bricks.astype(np.int64)
    return {
        "nodes": state.nodes.copy(),
        "neighbours": state.packed.neighbours.copy(),
        "n_bricks": count,
        "bricks_left": state.budget - count,
        "images": targets.images[state.target],
        "start": sim.start_cells[state.target],
    }


def observe_one(batch: Observation, env: int) -> Observation:
    """One environment's part of a batch of observations."""
    return {key: values[env] for key, values in batch.items()}


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
