"""How long exact validity takes, as the command measures it; it checks the masks that it times. The plain rules that
the fast one is compared with say the same as the readable one."""

import json

import numpy as np
import pytest
from command_line import b3

from brickbybrick.bench.validity import cell_by_cell_mask, naive_episode, pairwise_mask
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import relations
from brickbybrick.jit import seeded
from brickbybrick.targets.random_assembly import validity_data


def test_the_command_prints_one_flat_object() -> None:
    figures = json.loads(b3("bench", "validity", "--json").stdout)
    assert all(isinstance(value, float) and value > 0 for value in figures.values())
    named = {"full_mask_us_100", "incremental_us_100", "incremental_us_1000", "ratio_to_pairwise_100"}
    assert named <= set(figures)
    # By far: the paper's rule takes 92 offsets x 1,000 bricks x 1,000 bricks.
    assert figures["ratio_to_pairwise_1000"] > 10


@pytest.mark.parametrize("rule", [cell_by_cell_mask, pairwise_mask])
def test_masks_are_those_of_the_readable_rule(rule: object) -> None:
    """On random assemblies of 1 to 12 bricks, for all 92 ways to join two bricks."""
    packed, rel = validity_data(3, 12, seed=5).packed, relations(offset_set("all"))
    for state in range(0, 36, 5):
        poses = packed.placed[state, : packed.bricks[state], :4].astype(np.int16)
        mask = np.zeros((len(poses), 92), np.bool_)
        rule(poses, rel, mask)  # type: ignore[operator]
        assembly = Assembly()
        for pose in poses.tolist():
            assembly.put(Pose(*pose))
        assert np.array_equal(mask, assembly.mask())


@pytest.mark.parametrize("pairwise", [False, True])
def test_an_episode_places_all_its_bricks_but_the_first(pairwise: bool) -> None:
    """In space there is always room for another brick."""
    assert naive_episode(relations(offset_set("all")), 20, pairwise, seeded(1, seed=0)) == 19
