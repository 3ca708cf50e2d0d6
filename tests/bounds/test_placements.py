"""Where bricks can lie in a good construction: nothing that is needed is left out."""

from dataclasses import replace

import numpy as np
import pytest
from builders.brute_force import every_model

from brickbybrick.bounds.placements import moved, moves, placements
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.targets.target import Target, target_of_image, target_of_voxels


def things() -> list[tuple[Target, str]]:
    image = np.zeros((14, 14), bool)
    image[6:9, 4:9] = np.random.default_rng(2).random((3, 5)) < 0.6
    step = np.zeros((14, 14, 14), bool)
    step[3:7, 4:6, 0] = step[5:9, 4:6, 1] = True
    return [
        (replace(target_of_image("speckles", image), budget=4), "mnist"),
        (target_of_voxels("step", step, budget=3), "random"),
    ]


@pytest.mark.parametrize(("target", "name"), things(), ids=str)
def test_the_best_model_is_among_them_whatever_is_asked_for(target: Target, name: str) -> None:
    """Against all models: of those that fill enough, one with the same cells lies in the places kept."""
    offsets = offset_set(name)
    wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}

    def fills(model: frozenset[Pose]) -> int:
        return sum(cell in wanted for pose in model for cell in BRICK_2X4.cells(pose))

    models = {model: fills(model) for model in every_model(target, offsets)}
    best = max(models.values())
    fewer = None
    for least in range(best - 6, best + 1):
        kept = set(placements(target, offsets, least).poses)
        useful = [
            {pose for pose in model if pose == target.start or not wanted.isdisjoint(BRICK_2X4.cells(pose))}
            for model, filled in models.items()
            if filled >= least
        ]
        assert all(model <= kept for model in useful)  # bricks that fill something are all kept
        assert fewer is None or kept <= fewer  # and the more is asked for, the fewer places are left
        fewer = kept


@pytest.mark.parametrize(("target", "name"), things(), ids=str)
def test_what_is_known_of_a_place(target: Target, name: str) -> None:
    offsets = offset_set(name)
    found = placements(target, offsets, least := 8)
    assert least <= target.volume.sum()
    assert (found.poses[0], found.depths[0]) == (target.start, 1)
    assert len(set(found.poses)) == len(found.poses)
    wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}
    for number, pose in enumerate(found.poses):
        assert found.gains[number] == len(wanted.intersection(BRICK_2X4.cells(pose)))
        joinable = {offsets.place(pivot, k): pivot for pivot in found.poses for k in range(len(offsets))}
        for pivot in found.pivots[number]:
            assert pose in {offsets.place(found.poses[pivot], k) for k in range(len(offsets))}
        if number:
            assert pose in joinable
            assert found.depths[number] == 1 + min(found.depths[pivot] for pivot in found.pivots[number])


@pytest.mark.parametrize("name", ["mnist", "random", "modelnet"])
def test_moves_lead_there_and_back(name: str) -> None:
    offsets = offset_set(name)
    ahead, back = moves(offsets)
    for d in (0, 1):
        pivot = Pose(3, 4, 5, d)
        joined = [offsets.place(pivot, k) for k in range(len(offsets))]
        assert moved(pivot, ahead) == joined
        assert all(pivot in moved(pose, back) for pose in joined)
