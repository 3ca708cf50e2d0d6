"""What the method cannot do, by example: targets that no agent builds well, however it is trained."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.experiments.gallery import picture_of_target
from brickbybrick.files import write_whole
from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.voxels import Voxels, three_views
from brickbybrick.picture import captioned, contact_sheet, draw, paint, to_png
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import VIEW_SIDE, target_of_image

SIZE = (230, 200)


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
    shown = limits()
    sheet = contact_sheet([limit.row for limit in shown], [limit.title for limit in shown])
    write_whole(path, to_png(sheet, small=True))
    return path


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
        [picture_of_target(target), _built(model)],
    )


def _unjoined_parts() -> Limit:
    """A colon: two parts with nothing in between."""
    image = np.zeros((VIEW_SIDE, VIEW_SIDE), bool)  # (row, column)
    image[2:5, 5:9] = image[10:13, 5:9] = True
    target = target_of_image("a colon", image)
    model = GreedyBuilder(load_task("mnist-0").offsets).build(target)
    upper = {(int(x), int(y), int(z)) for x, y, z in np.argwhere(target.volume) if z > 5}
    reached = sum(cell in upper for brick in model.bricks for cell in brick.cells())
    return Limit(
        "parts that no brick joins",
        "every brick hangs on another one. The dots of a colon can only be joined by bricks where nothing is wanted, "
        "and a builder that gains nothing on the way never gets there: "
        f"{reached or 'no'} cells of the upper dot are built.",
        [picture_of_target(target), _built(model)],
    )


def _built(model: Construction) -> Image.Image:
    return captioned(paint(draw(model, colours="steps"), SIZE), f"{len(model.bricks)} bricks, IoU {model.iou or 0:.2f}")


def _cells(volume: Voxels) -> Image.Image:
    """A volume as if it were made of cells."""
    return paint(draw(Construction.of_poses(Size(1, 1), [(*cell, 0) for cell in np.argwhere(volume)])), SIZE)
