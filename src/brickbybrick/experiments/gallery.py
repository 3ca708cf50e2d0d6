"""Galleries: unseen targets beside what agents made of them, random picks, not the best; the offsets of each task; and,
by example, what the method cannot do: targets that no agent builds well, however it is trained.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from brickbybrick.builders import register
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import agent_file
from brickbybrick.export.replay import is_built, replay_html
from brickbybrick.files import write_whole
from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.voxels import Voxels, three_views
from brickbybrick.picture import draw, paint, to_png
from brickbybrick.sheets import captioned, contact_sheet, image_of_view
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import VIEW_SIDE, Target, target_of_image

PICKS = 6
SEED = 2021  # of the picks
SIZE = (230, 200)  # of an example's pictures
OFFSETS_IN_A_ROW = 8
BLUE, RED = 1, 4  # LDraw's codes


def draw_galleries(tasks: Iterable[str], runs: Path, folder: Path, data: str | None) -> list[Path]:
    """A gallery for each task that there are agents and data for; ones drawn before are kept where data is missing."""
    drawn = []
    for name in tasks:
        path = folder / f"{name}.png"
        try:
            task = load_task(name, data)
        except InputError:
            task = None
        if (task and draw_gallery(task, runs, path)) or path.exists():
            drawn.append(path)
    return drawn


def draw_gallery(task: Task, runs: Path, path: Path) -> bool:
    """Writes a picture of some unseen targets built by the task's agents and by BO, if there is an agent.

    Where the replay page was built, one of them is replayed beside it, all builders side by side.
    """
    builders = {
        label: register.builder(str(file), task.offsets)
        for agent, label in (("b3", "B3"), ("mlp", "MLP"))
        if (file := agent_file(task.name, agent, runs))
    }
    if not builders:
        return False
    builders["BO, told the volume"] = register.builder("bo", task.offsets)
    picks = np.sort(np.random.default_rng(SEED).choice(len(task.test), min(PICKS, len(task.test)), replace=False))
    targets = [task.test[int(pick)] for pick in picks]
    built = [builder.build_all(targets) for builder in builders.values()]
    rows = [[picture_of_target(target) for target in targets]]
    rows += [[picture_of_model(each, (200, 190)) for each in models] for models in built]
    if is_built():
        write_whole(path.with_suffix(".html"), replay_html([models[0] for models in built], task.name).encode())
    write_whole(path, to_png(contact_sheet(rows, ["target", *builders]), small=True))
    return True


def picture_of_target(target: Target) -> Image.Image:
    """What an agent sees: one view, or three side by side."""
    views = [image_of_view(view, (150, 150) if len(target.images) == 1 else (72, 72)) for view in target.images]
    return captioned(contact_sheet([views], gap=4) if len(views) > 1 else views[0], target.name)


def picture_of_model(model: Construction, size: tuple[int, int]) -> Image.Image:
    """What came of a target, with how well."""
    return captioned(paint(draw(model, colours="steps"), size), f"{len(model.bricks)} bricks, IoU {model.iou or 0:.2f}")


@dataclass(frozen=True)
class Limit:
    """Something out of reach."""

    title: str
    says: str  # in a sentence or two, with figures
    row: list[Image.Image]


@cache
def limits() -> list[Limit]:
    """One example of each kind, always the same."""
    return [_ambiguous_views(), _thin_parts(), _unjoined_parts()]


def draw_limits(path: Path) -> Path:
    """Draws the examples one below the other."""
    sheet = contact_sheet([limit.row for limit in limits()], [limit.title for limit in limits()])
    write_whole(path, to_png(sheet, small=True))
    return path


def draw_offsets(path: Path) -> Path:
    """Draws where a new brick, red, may lie relative to its pivot, blue, in each task."""
    rows: list[list[Image.Image | None]] = []
    labels: list[str] = []
    for name, label in (("mnist", "digits"), ("random", "random objects"), ("modelnet", "ModelNet")):
        offsets = offset_set(name)
        pictures: list[Image.Image | None] = [_joint(offsets, number) for number in range(len(offsets))]
        rows += [pictures[first : first + OFFSETS_IN_A_ROW] for first in range(0, len(pictures), OFFSETS_IN_A_ROW)]
        labels += [label] + [""] * (len(rows) - len(labels) - 1)
    write_whole(path, to_png(contact_sheet(rows, labels, gap=4), small=True))
    return path


def _joint(offsets: OffsetSet, number: int) -> Image.Image:
    pivot = Pose(0, 0, 1)
    model = Construction.of_poses(offsets.brick, [pivot, offsets.place(pivot, number)])
    painted = [replace(brick, colour=colour) for brick, colour in zip(model.bricks, (BLUE, RED), strict=True)]
    return paint(draw(replace(model, bricks=tuple(painted))), (96, 80))


def _ambiguous_views() -> Limit:
    """The object whose views allow most besides it."""
    target = min(load_task("random").test.targets, key=lambda each: float(each.volume.sum() / each.hull.sum()))
    assert np.array_equal(three_views(target.volume), three_views(target.hull))
    share = float(target.volume.sum() / target.hull.sum())
    return Limit(
        "ambiguous views",
        "three silhouettes do not fix a volume. Both objects below have exactly the same views, and an IoU of "
        f"{share:.2f} with each other; an agent cannot know which one is meant.",
        [
            picture_of_target(target),
            captioned(_cells(target.volume), f"{target.volume.sum()} cells"),
            captioned(_cells(target.hull), f"{target.hull.sum()} cells, the same views"),
        ],
    )


def _thin_parts() -> Limit:
    """The digit that even a builder that is told every brick's gain builds worst."""
    task = load_task("mnist-7")
    built = GreedyBuilder(task.offsets).build_all(task.test.targets)
    target, model = min(zip(task.test.targets, built, strict=True), key=lambda pair: pair[1].iou or 0.0)
    return Limit(
        "thin parts",
        "a brick is two columns wide and is joined by its studs, so a stroke one cell wide that leans, or runs level, "
        f"is overshot on both sides: IoU {model.iou:.2f} here, by the greedy builder, which is told the volume.",
        [picture_of_target(target), picture_of_model(model, SIZE)],
    )


def _unjoined_parts() -> Limit:
    """A colon: two parts with nothing in between."""
    image = np.zeros((VIEW_SIDE, VIEW_SIDE), bool)  # (row, column)
    image[2:5, 5:9] = image[10:13, 5:9] = True
    target = target_of_image("a colon", image)
    model = GreedyBuilder(load_task("mnist-0").offsets).build(target)
    upper = {(int(x), int(y), int(z)) for x, y, z in np.argwhere(target.volume) if z > 5}
    reached = sum(cell in upper for pose in model.poses for cell in BRICK_2X4.cells(pose))
    return Limit(
        "parts that no brick joins",
        "every brick hangs on another one. The dots of a colon can only be joined by bricks where nothing is wanted, "
        "and a builder that gains nothing on the way never gets there: "
        f"{reached or 'no'} cells of the upper dot are built.",
        [picture_of_target(target), picture_of_model(model, SIZE)],
    )


def _cells(volume: Voxels) -> Image.Image:
    """A volume as if it were made of cells."""
    return paint(draw(Construction.of_poses(Size(1, 1), [(*cell, 0) for cell in np.argwhere(volume)])), SIZE)
