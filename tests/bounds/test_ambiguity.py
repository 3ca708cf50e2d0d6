"""Volumes that look alike: the views really are the same, and none is drawn more often than another."""

import itertools
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from brickbybrick.bounds import ambiguity as module
from brickbybrick.bounds.ambiguity import ambiguity, volumes_alike
from brickbybrick.cli import main
from brickbybrick.errors import InputError
from brickbybrick.geometry.voxels import Voxels, three_views
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import target_of_image, target_of_voxels


def every_volume_alike(hull: Voxels, number: int) -> set[bytes]:
    """All sets of so many cells of a hull with its views, tried one by one."""
    views, found = three_views(hull), set()
    for cells in itertools.combinations(np.argwhere(hull), number):
        volume = np.zeros(hull.shape, bool)
        volume[tuple(np.array(cells).T)] = True
        if np.array_equal(three_views(volume), views):
            found.add(volume.tobytes())
    return found


def block() -> Voxels:
    """8 of 3 x 2 x 2 cells."""
    voxels = np.zeros((14, 14, 14), bool)
    voxels[5:8, 5:7, 0:2] = True
    voxels[5, 5, 0] = voxels[6, 6, 1] = voxels[7, 5, 1] = voxels[7, 6, 0] = False
    return voxels


def tetrahedron() -> Voxels:
    """4 of 2 x 2 x 2 cells, no two in a row: all are needed, and no swap leads to the other 4, which look alike."""
    voxels = np.zeros((14, 14, 14), bool)
    voxels[6, 6, 0] = voxels[7, 7, 0] = voxels[6, 7, 1] = voxels[7, 6, 1] = True
    return voxels


@pytest.mark.parametrize("voxels", [block(), tetrahedron()], ids=["block", "tetrahedron"])
def test_every_volume_is_drawn_as_often(voxels: Voxels, monkeypatch: pytest.MonkeyPatch) -> None:
    target = target_of_voxels("few cells", voxels)
    assert target.hull.sum() <= 12
    every = every_volume_alike(target.hull, int(voxels.sum()))
    assert len(every) > 1
    monkeypatch.setattr(module, "THINNING", 30)
    expected = 200
    drawn = Counter(volume.tobytes() for volume in volumes_alike(target, expected * len(every), seed=3))
    assert set(drawn) == every
    # The sum over volumes of (drawn - expected)^2 / expected is close to their number, less one, if all are as likely.
    chi_square = sum((drawn[volume] - expected) ** 2 / expected for volume in every)
    freedom = len(every) - 1
    assert chi_square < freedom + 4 * np.sqrt(2 * freedom)


def test_views_and_size_are_kept() -> None:
    for target in load_task("random").test.targets[:5]:
        drawn = volumes_alike(target, 4, seed=1)
        assert (len({volume.tobytes() for volume in drawn}) > 1) == (target.hull.sum() > target.volume.sum())
        for volume in drawn:
            lifted = np.roll(volume, target.lift, axis=2)
            assert np.array_equal(three_views(lifted), target.images)
            assert volume.sum() == target.volume.sum()
        again = volumes_alike(target, 4, seed=1)
        assert all(np.array_equal(*pair) for pair in zip(drawn, again, strict=True))


def test_a_volume_that_only_one_object_has() -> None:
    """Nothing is lost where the views leave nothing open."""
    wall = np.zeros((14, 14, 14), bool)
    wall[3:11, 6, 0:4] = True
    target = target_of_voxels("wall", wall)
    assert np.array_equal(volumes_alike(target, 1)[0], target.volume)
    figures = ambiguity([target], load_task("random").offsets, samples=2, work=3000)
    assert figures["hull_iou"] == figures["alike_iou"] == figures["share_alike"] == 1.0


def test_what_is_lost_adds_up() -> None:
    task = load_task("random")
    figures = ambiguity(task.test.targets[:3], task.offsets, samples=2, work=10_000)
    assert figures["alike_iou"] < 1
    assert figures["search_alike_iou"] < figures["search_volume_iou"]
    assert figures["share_alike"] == pytest.approx(figures["search_alike_iou"] / figures["search_volume_iou"])
    assert (figures["targets"], figures["samples"]) == (3, 2)


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["ambiguity", "random", "--targets", "2", "--samples", "1", "--work", "1000", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["targets"] == 2
    assert 0 < figures["alike_iou"] < 1


def test_what_cannot_be_drawn_is_refused() -> None:
    image = np.ones((14, 14), bool)
    with pytest.raises(InputError, match="three views and a volume"):
        volumes_alike(target_of_image("square", image), 1)
    target = load_task("random").test.targets[0]
    with pytest.raises(InputError, match="three views and a volume"):
        volumes_alike(replace(target, voxels=None), 1)
    with pytest.raises(InputError, match="at least one"):
        ambiguity([], load_task("random").offsets)
