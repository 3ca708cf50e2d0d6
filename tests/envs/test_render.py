"""Pictures and text of what is being built."""

import gymnasium
import numpy as np
from envs.playing import IDS

from brickbybrick.construction import Construction
from brickbybrick.envs.render import text
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.targets.target import TargetSet


def test_pictures_and_text() -> None:
    env = gymnasium.make(IDS[0], render_mode="ansi")
    env.reset(seed=0)
    shown = env.render()
    assert shown.count("#") == 2  # the first brick covers two pixels of the front view
    sim = env.unwrapped.sim
    up = next(k for k, o in enumerate(sim.offsets.offsets) if (o.dx, o.dz) == (0, 1))
    for pivot in range(int(sim.state.budget[0]) - 1):
        env.step(np.array([pivot, up]))
    below = env.render().splitlines()[-sim.targets[int(sim.state.target[0])].lift :]
    assert not any(line.strip() for line in below)  # a tower that leaves the picture does not come back from below
    picture = gymnasium.make(IDS[1], render_mode="rgb_array")
    picture.reset(seed=0)
    image = picture.render()
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert len(np.unique(image)) > 10


def test_characters_say_what_is_built_missing_and_too_much(flat_targets: TargetSet) -> None:
    """A square of 6 x 6 pixels with a brick on its lower left and one that sticks out by a stud."""
    target = flat_targets[0]
    left = target.start._replace(x=4)
    out = left._replace(x=3, z=1)
    shown = text(Construction.of_poses(BRICK_2X4, [left, out], target=target.name, budget=9), target).splitlines()
    assert shown[0] == "square: 2 of 9 bricks, IoU ?"
    rows = shown[1:]
    assert rows[9] == "    ##....    "  # the lowest row of the square
    assert rows[8] == "   x#.....    "
    assert rows[4] == "    ......    "
    assert not any(row.strip() for row in rows[:4] + rows[10:])
