"""The named tasks: real digits, random assemblies, folders of one's own."""

from pathlib import Path

import numpy as np
import pytest
from conftest import write_box
from PIL import Image, ImageDraw

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import TargetSet, target_of_voxels


def test_the_hull_ratio_is_the_mean_over_the_training_targets() -> None:
    """A solid cube is its own hull; one with a hidden hole of 8 cells is not."""
    solid = np.ones((6, 6, 6), bool)
    hollow = solid.copy()
    hollow[2:4, 2:4, 2:4] = False
    train = TargetSet((target_of_voxels("solid", solid), target_of_voxels("hollow", hollow)))
    task = Task("cubes", offset_set("all"), 60, train, train[:1])
    assert task.hull_ratio == pytest.approx((1 + 216 / 208) / 2)


def test_the_digits() -> None:
    """500 of each class, 400 to train and 100 to test; only two have too little ink to build."""
    task = load_task("mnist")
    assert (len(task.train), len(task.test)) == (3998, 1000)
    assert len(task.notes) == 2
    assert task.train.images.shape[1:] == (1, 14, 14)
    assert task.train.budgets.max() <= task.max_bricks == 45
    assert len(task.offsets) == 6


@pytest.mark.parametrize("digit", [0, 3, 9])
def test_one_class_of_digits(digit: int) -> None:
    task = load_task(f"mnist-{digit}")
    assert (len(task.train), len(task.test)) == (400, 100)
    train = {target.images.tobytes() for target in task.train}
    assert not any(target.images.tobytes() in train for target in task.test)  # no digit is in both


def test_modelnet_through_a_folder(modelnet_folder: Path) -> None:
    task = load_task("modelnet-airplane", modelnet_folder)
    assert (len(task.train), len(task.test)) == (4, 2)
    assert task.train.images.shape[1:] == (3, 14, 14)
    assert len(task.offsets) == 32


def test_all_shapes_that_are_there(tmp_path: Path) -> None:
    """Of every category, also those that need many bricks; none to train on looks like one to be tested on, whatever
    they are called."""
    for category, sizes in {"bed": ((14, 8, 2), (14, 14, 5), (14, 6, 3)), "desk": ((14, 12, 4), (14, 6, 3))}.items():
        for number, size in enumerate(sizes):
            split = "train" if number < len(sizes) - 1 else "test"
            write_box(tmp_path / category / split / f"{category}_{number:04d}.off", size)
    write_box(tmp_path / "desk/train/desk_0009.off", (14, 6, 3))
    write_box(tmp_path / "desk/test/desk_0010.off", (14, 10, 1))
    task = load_task("shapes", tmp_path)
    assert [target.name for target in task.train] == [
        "modelnet-bed/bed_0000",
        "modelnet-bed/bed_0001",
        "modelnet-desk/desk_0000",
    ]
    assert task.train.budgets.max() > 100
    assert "modelnet-bed/bed_0002" in {target.name for target in task.test}
    assert task.notes == ("train: 1 shapes left out that look like one in test",)
    with pytest.raises(InputError, match="no ModelNet data"):
        load_task("shapes", tmp_path / "bed")


def test_modelnet_through_the_environment(modelnet_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("B3_DATA", str(modelnet_folder))
    assert len(load_task("modelnet-airplane").train) == 4


def test_a_folder_of_pictures_is_a_task(tmp_path: Path) -> None:
    for number in range(5):
        picture = Image.new("RGB", (60, 80), "white")
        ImageDraw.Draw(picture).line((10, 10, 30 + 5 * number, 70), fill="black", width=8)
        picture.save(tmp_path / f"{number}.png")
    task = load_task(str(tmp_path))
    assert (len(task.train), len(task.test)) == (4, 1)
    assert task.test[0].name.startswith("4")


def test_a_folder_of_meshes_with_a_split_is_a_task(tmp_path: Path) -> None:
    write_box(tmp_path / "train/a.off", (3, 2, 1))
    write_box(tmp_path / "train/b.off", (3, 2, 2))
    write_box(tmp_path / "test/c.off", (1, 2, 3))
    task = load_task(str(tmp_path))
    assert (len(task.train), len(task.test)) == (2, 1)
    assert task.max_bricks >= task.train.budgets.max()


@pytest.mark.parametrize(("files", "train", "test"), [(1, 1, 1), (2, 1, 1), (3, 2, 1), (10, 8, 2)])
def test_the_split_of_a_folder(tmp_path: Path, files: int, train: int, test: int) -> None:
    for number in range(files):
        write_box(tmp_path / f"{number}.off", (3, 2, 1))
    task = load_task(str(tmp_path))
    assert (len(task.train), len(task.test)) == (train, test)
    assert bool(task.notes) == (files == 1)


def test_settings_are_chosen_without_a_look_at_unseen_targets(flat_targets: TargetSet) -> None:
    task = load_task("mnist-3")
    chosen = task.with_some_aside()
    assert (len(chosen.train), len(chosen.test)) == (320, 80)
    assert not {each.name for each in chosen.train} & {each.name for each in chosen.test}
    assert {each.name for each in (*chosen.train, *chosen.test)} == {each.name for each in task.train}
    few = Task("few", task.offsets, 30, flat_targets[:2], flat_targets).with_some_aside()
    assert (len(few.train), len(few.test)) == (1, 1)
    with pytest.raises(InputError, match="too few training targets"):
        Task("one", task.offsets, 30, flat_targets[:1], flat_targets).with_some_aside()


def test_folders_that_leave_doubt_are_refused(tmp_path: Path) -> None:
    write_box(tmp_path / "both/a.off", (3, 2, 1))
    Image.new("L", (9, 9)).save(tmp_path / "both/a.png")
    write_box(tmp_path / "half/train/a.off", (3, 2, 1))
    with pytest.raises(InputError, match="meshes and pictures"):
        load_task(str(tmp_path / "both"))
    with pytest.raises(InputError, match="one of the folders"):
        load_task(str(tmp_path / "half"))


@pytest.mark.parametrize("name", ["", "mnist-10", "mnist-", "mnist-x", "chess", "modelnet"])
def test_unknown_tasks(name: str) -> None:
    with pytest.raises(InputError, match="no task named") as caught:
        load_task(name)
    assert "\n" not in str(caught.value)
