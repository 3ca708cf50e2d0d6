"""Environment steps a second, as the command measures them, and the large task that they are measured on."""

import json

import numpy as np
from command_line import b3

from brickbybrick.bench.env import GRID_BRICKS, GRID_SIDE, grid_task
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import three_views


def test_the_command_prints_one_flat_object() -> None:
    figures = json.loads(b3("bench", "env", "--json", "--seconds", "0.05").stdout)
    assert all(isinstance(value, float) and value > 0 for value in figures.values())
    assert {"mnist_steps_per_s_1_thread", "grid32_steps_per_s_1_thread"} <= set(figures)


def test_the_large_task_is_of_thirty_bricks_in_its_grid() -> None:
    """30 bricks of 2 x 4 studs, some of them cut off at the edge, the first one never: up to 240 cells."""
    task = grid_task()
    assert len(task.offsets) == 92  # all ways to join two 2x4 bricks
    for target in task.train:
        assert target.volume.shape == (GRID_SIDE,) * 3
        assert 4 * GRID_BRICKS < np.count_nonzero(target.volume) <= 8 * GRID_BRICKS
        assert all(target.volume[cell] for cell in BRICK_2X4.cells(target.start))
        assert np.array_equal(target.images, three_views(target.volume))
