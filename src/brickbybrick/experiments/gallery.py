"""Galleries: unseen targets beside what agents made of them; random picks, not the best."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from brickbybrick.builders import register
from brickbybrick.builders.base import Builder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import agent_file
from brickbybrick.export.replay import is_built, replay_html
from brickbybrick.files import write_whole
from brickbybrick.picture import captioned, contact_sheet, draw, image_of_view, paint, to_png
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import Target

PICKS = 6
SEED = 2021  # of the picks


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
    builders: list[tuple[str, Builder]] = []
    for agent, label in (("b3", "B3"), ("mlp", "MLP")):
        if file := agent_file(task.name, agent, runs):
            builders.append((label, register.builder(str(file), task.offsets)))
    if not builders:
        return False
    builders.append(("BO, told the volume", register.builder("bo", task.offsets)))
    picks = np.sort(np.random.default_rng(SEED).choice(len(task.test), min(PICKS, len(task.test)), replace=False))
    targets = [task.test[int(pick)] for pick in picks]
    built = [builder.build_all(targets) for _, builder in builders]
    rows = [[picture_of_target(target) for target in targets]]
    rows += [[_captioned(each) for each in models] for models in built]
    if is_built():
        write_whole(path.with_suffix(".html"), replay_html([models[0] for models in built], task.name).encode())
    sheet = contact_sheet(rows, ["target", *(label for label, _ in builders)])
    write_whole(path, to_png(sheet, small=True))
    return True


def picture_of_target(target: Target) -> Image.Image:
    """What an agent sees: one view, or three side by side."""
    views = [image_of_view(view, (150, 150) if len(target.images) == 1 else (72, 72)) for view in target.images]
    return captioned(contact_sheet([views], gap=4) if len(views) > 1 else views[0], target.name)


def _captioned(construction: Construction) -> Image.Image:
    text = f"{len(construction.bricks)} bricks, IoU {construction.iou or 0:.2f}"
    return captioned(paint(draw(construction, colours="steps"), (200, 190)), text)
