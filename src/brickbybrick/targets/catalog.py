"""The named tasks, with fixed targets and splits, so that everyone builds the same things.

`mnist-0` to `mnist-9`, `mnist` (all digits), `random`, `modelnet-airplane` and every other category of ModelNet,
`objects` (random objects and three categories together), and any folder of one's own pictures or meshes, named by
its path. Another package adds a task through the entry point group `brickbybrick.tasks`: a name there stands for a
function from a folder of data to a `Task`.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import numpy as np

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.targets import images, meshes, mnist, modelnet, random_assembly
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_voxels

GROUP = "brickbybrick.tasks"
Split = Literal["train", "test"]
Progress = Callable[[int, int], None]
OBJECT_CATEGORIES = ("airplane", "monitor", "table")  # the paper's
GENERAL = {1: "mnist", 3: "objects"}  # the tasks whose agents build anything seen in one view, or in three
TEST_SHARE = 0.2  # of a folder of one's own that has no train and test folders in it


@dataclass(frozen=True)
class Task:
    """Something to learn: targets to train on and to be tested on, and the joints that an action may choose from."""

    name: str
    offsets: OffsetSet
    max_bricks: int  # room for bricks in an episode, at least the largest budget
    train: TargetSet
    test: TargetSet
    notes: tuple[str, ...] = ()  # what was left out, and other things to know about the data

    def split(self, split: str) -> TargetSet:
        if split not in ("train", "test"):
            raise InputError(f"no split named {split!r}: choose train or test")
        return self.train if split == "train" else self.test

    @property
    def views(self) -> int:
        """Images of a target."""
        return len(self.train[0].images)

    @property
    def hull_ratio(self) -> float:
        """How many times larger than the volume its visual hull is, on average over the training targets."""
        return float(np.mean([target.hull.sum() / target.volume.sum() for target in self.train]))

    def described(self) -> dict[str, Any]:
        """What it consists of, in a few figures."""
        budgets = [int(budget) for budget in (*self.train.budgets, *self.test.budgets)]
        return {
            "task": self.name,
            "offsets": len(self.offsets),
            "train": len(self.train),
            "test": len(self.test),
            "budget_min": min(budgets),
            "budget_max": max(budgets),
            "budget_mean": round(sum(budgets) / len(budgets), 1),
            "hull_ratio": round(self.hull_ratio, 3),
            "notes": list(self.notes),
        }


def load_task(name: str, data: str | Path | None = None, progress: Progress | None = None) -> Task:
    """A task by its name.

    Args:
        name: As in this module's docstring, or the path of a folder of pictures or meshes.
        data: The folder of data that does not come with the package; the environment variable B3_DATA if not given.
        progress: Told how many of how many meshes are done, when there are meshes to read.
    """
    if name == "random" or name == "mnist" or name.startswith("mnist-"):
        return _task_without_data(name)
    if name == "objects":
        return _objects_task(data_folder(data), progress)
    if name.startswith("modelnet-"):
        return _modelnet_task(name, data_folder(data), progress)
    added = {point.name: point for point in entry_points(group=GROUP)}
    if name in added:
        task = added[name].load()(data_folder(data))
        if not isinstance(task, Task):
            raise InputError(f"{added[name].value}: gives no Task for {name}; see ARCHITECTURE.md")
        return task
    if name and Path(name).is_dir():
        return _folder_task(Path(name), progress)
    known = ", ".join(["mnist-0 to mnist-9", "mnist", "random", "modelnet-<category>", "objects", *added])
    raise InputError(f"no task named {name!r}: choose {known}, or the path of a folder of pictures or meshes")


def data_folder(data: str | Path | None) -> Path:
    """Where data that does not come with the package is looked for."""
    return Path(data or os.environ.get("B3_DATA") or "data")


@lru_cache(maxsize=16)
def _task_without_data(name: str) -> Task:
    if name == "random":
        return _random_task()
    digit = name.removeprefix("mnist-")
    if name != "mnist" and digit not in map(str, range(10)):
        raise InputError(f"no task named {name!r}: the digits are mnist-0 to mnist-9, or mnist for all of them")
    train: list[Target] = []
    test: list[Target] = []
    notes: list[str] = []
    for each in range(10) if name == "mnist" else [int(digit)]:
        more_train, more_test, more_notes = mnist.digit_targets(each)
        train += more_train
        test += more_test
        notes += more_notes
    return Task(name, offset_set("mnist"), mnist.MOST_BRICKS, _set(train), _set(test), tuple(notes))


def _random_task() -> Task:
    targets = [assembled.target for assembled in random_assembly.assembled_targets()]
    train, test = targets[: random_assembly.TRAIN], targets[random_assembly.TRAIN :]
    return Task("random", offset_set("random"), 45, _set(train), _set(test))


def _modelnet_task(name: str, data: Path, progress: Progress | None) -> Task:
    category = name.removeprefix("modelnet-")
    train, test = modelnet.load_category(category, data, progress=progress)
    selection = modelnet.select(name, train, test)
    return Task(name, offset_set("modelnet"), 70, _set(selection.train), _set(selection.test), selection.notes)


def _objects_task(data: Path, progress: Progress | None) -> Task:
    """Everything that is seen in three views, to be built with ModelNet's joints, which include those of `random`."""
    parts = [_task_without_data("random")]
    parts += [_modelnet_task(f"modelnet-{category}", data, progress) for category in OBJECT_CATEGORIES]
    train, test = ([target for part in parts for target in part.split(split)] for split in ("train", "test"))
    notes = tuple(note for part in parts for note in part.notes)
    return Task("objects", offset_set("modelnet"), 70, _set(train), _set(test), notes)


def _folder_task(folder: Path, progress: Progress | None) -> Task:
    notes: tuple[str, ...] = ()
    if (folder / "train").is_dir() != (folder / "test").is_dir():
        raise InputError(
            f"{folder} has one of the folders train and test: add the other, or put all files side by side"
        )
    if (folder / "train").is_dir():
        train, kind = _folder_targets(folder / "train", progress)
        test, test_kind = _folder_targets(folder / "test", progress)
        if kind != test_kind:
            raise InputError(f"{folder} has {kind} in train and {test_kind} in test: give the same in both")
    else:
        targets, kind = _folder_targets(folder, progress)
        tests = max(1, round(TEST_SHARE * len(targets)))
        train, test = targets[:-tests] or targets, targets[-tests:]
        if len(targets) == 1:
            notes = ("there is only one target: it is trained and tested on",)
    largest = max(target.budget for target in [*train, *test])
    offsets = offset_set("mnist" if kind == "pictures" else "modelnet")
    return Task(str(folder), offsets, largest, _set(train), _set(test), notes)


def _folder_targets(folder: Path, progress: Progress | None) -> tuple[list[Target], str]:
    paths = meshes.mesh_files(folder)
    if paths:
        if images.image_files(folder):
            raise InputError(f"{folder} has meshes and pictures in it: put them into folders of their own")
        targets = []
        for done, path in enumerate(paths):
            voxels = meshes.voxelise(meshes.read_mesh(path), modelnet.RESOLUTION)
            targets.append(target_of_voxels(path.name, voxels))
            if progress:
                progress(done + 1, len(paths))
        return targets, "meshes"
    if not images.image_files(folder):
        raise InputError(f"{folder}: no pictures and no meshes in this folder")
    return [target_of_image(name, image) for name, image in images.load_image_folder(folder)], "pictures"


def _set(targets: Sequence[Target]) -> TargetSet:
    return TargetSet(tuple(targets))
