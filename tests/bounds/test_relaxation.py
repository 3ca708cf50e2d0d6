"""The bound of the linear program, against trying everything and against CP-SAT."""

from dataclasses import replace

import numpy as np
import pytest
from bounds.small_targets import random_image, random_solid
from builders.brute_force import every_model

from brickbybrick.bounds.optimum import ask, filled, overlap_unit
from brickbybrick.bounds.relaxation import most_filled
from brickbybrick.builders.beam.planner import SearchBuilder, from_volume
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


def test_cp_sat_alone_proves_no_less() -> None:
    """On pictures of more bricks than can be tried. Mostly the two bounds are one."""
    offsets, reached = offset_set("mnist"), 0
    for seed in range(8):
        target = random_image(seed, side=6)
        known = filled(SearchBuilder(offsets, estimate=from_volume).build(target).poses, target, offsets)
        best, bound = ask(target, offsets, known, seconds=30.0).bound, most_filled(target, offsets)
        assert best is not None
        assert bound >= best, seed
        unit = overlap_unit(target, offsets)
        reached += bound // unit * unit == best
    assert reached >= 6


def towers(budget: int) -> Target:
    """Two of six bricks each, two studs apart."""
    image = np.zeros((14, 14), bool)
    image[8:14, 0:2] = image[8:14, 4:6] = True
    return replace(target_of_image("towers", image), budget=budget)


def test_what_lies_apart_costs_the_bricks_between() -> None:
    """12 bricks fill both towers, and 3 more join them."""
    offsets = offset_set("mnist")
    cells = towers(15).volume.sum()
    assert most_filled(towers(15), offsets) == cells
    assert most_filled(towers(12), offsets) < cells


def test_the_first_program_is_always_solved_and_no_other_without_time() -> None:
    """The more is listed of what lies between the towers, the better is the bound."""
    offsets = offset_set("mnist")
    hurried: list[int] = []
    patient: list[int] = []
    assert most_filled(towers(12), offsets, seconds=0.0, tell=hurried.append) == hurried[0]
    assert most_filled(towers(12), offsets, seconds=60.0, tell=patient.append) == patient[-1]
    assert hurried == patient[:1]
    assert patient[-1] < hurried[0]


def test_it_ends_with_a_bound_that_is_good_enough() -> None:
    voxels = np.zeros((14, 14, 14), bool)
    voxels[2:10, 3:7, 0:2] = True  # 8 bricks in two layers
    target, told = target_of_voxels("slab", voxels, budget=8), []
    assert most_filled(target, offset_set("modelnet"), enough=64, tell=told.append) == 64
    assert told == []  # no more than the volume anyway
    assert most_filled(replace(target, budget=7), offset_set("modelnet"), tell=told.append) == 56
