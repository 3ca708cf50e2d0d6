"""The bound of the linear program, against trying everything."""

from dataclasses import replace

import numpy as np
import pytest
from bounds.small_targets import random_image, random_solid
from builders.brute_force import every_model

from brickbybrick.bounds.optimum import filled
from brickbybrick.bounds.relaxation import most_filled
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.targets.target import Target, target_of_image, target_of_voxels


def best_by_trying(target: Target, offsets: OffsetSet) -> int:
    return max(filled(list(bricks), target, offsets) for bricks in every_model(target, offsets))


@pytest.mark.parametrize(("name", "budget"), [("mnist", 5), ("random", 4), ("modelnet", 3)])
def test_nothing_that_can_be_built_fills_more(name: str, budget: int) -> None:
    """And mostly something fills as much."""
    offsets = offset_set(name)
    reached = 0
    for seed in range(12):
        target = replace(random_image(seed), budget=budget) if name == "mnist" else random_solid(seed, budget)
        best, bound = best_by_trying(target, offsets), most_filled(target, offsets)
        assert bound >= best, (name, seed)
        reached += bound == best
    assert reached >= 8


def test_what_lies_apart_costs_the_bricks_between() -> None:
    """Two towers of six bricks, two studs apart: 12 bricks fill both, and 3 more join them."""
    image = np.zeros((14, 14), bool)
    image[8:14, 0:2] = image[8:14, 4:6] = True
    offsets = offset_set("mnist")
    whole = replace(target_of_image("towers", image), budget=15)
    assert most_filled(whole, offsets) == whole.volume.sum()
    assert most_filled(replace(whole, budget=12), offsets) < whole.volume.sum()


def test_it_ends_with_a_bound_that_is_good_enough() -> None:
    voxels = np.zeros((14, 14, 14), bool)
    voxels[2:10, 3:7, 0:2] = True  # 8 bricks in two layers
    target, told = target_of_voxels("slab", voxels, budget=8), []
    assert most_filled(target, offset_set("modelnet"), enough=64, tell=told.append) == 64
    assert told == []  # no more than the volume anyway
    assert most_filled(replace(target, budget=7), offset_set("modelnet"), tell=told.append) == 56
