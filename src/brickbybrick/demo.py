"""What `b3 demo` shows: real digits, built at random and greedily."""

import io
from pathlib import Path

import numpy as np

from brickbybrick.construction import write_whole
from brickbybrick.errors import whole_number
from brickbybrick.picture import contact_sheet, draw, image_of_view, paint
from brickbybrick.search.builder import RandomBuilder
from brickbybrick.search.greedy import GreedyBuilder
from brickbybrick.targets.catalog import load_task


def run_demo(out: Path, seed: int) -> dict[str, float | str]:
    """Builds one unseen digit of each class with each builder, and says what was written."""
    task = load_task("mnist")
    generator = np.random.default_rng(whole_number(seed, "seed", 0))
    digits = [[target for target in task.test if target.name.startswith(f"mnist-{digit}/")] for digit in range(10)]
    targets = [of_class[generator.integers(len(of_class))] for of_class in digits]
    builders = [RandomBuilder(task.offsets, seed), GreedyBuilder(task.offsets, seed)]
    built = [builder.build_all(targets) for builder in builders]  # (builder, target)
    for constructions in built:
        for construction in constructions:
            construction.save(out / construction.builder / f"{construction.target.replace('/', '-')}.json")
    iou_means = [float(np.mean([construction.iou for construction in constructions])) for constructions in built]
    rows = [[image_of_view(target.images[0], (150, 150)) for target in targets]]
    rows += [[paint(draw(each, colours="steps"), (150, 170)) for each in constructions] for constructions in built]
    names = [builder.name for builder in builders]
    labels = ["target", *(f"{name}\nIoU {iou:.2f}" for name, iou in zip(names, iou_means, strict=True))]
    sheet = contact_sheet(rows, labels)
    png = io.BytesIO()
    sheet.save(png, "png")
    write_whole(out / "digits.png", png.getvalue())
    return {
        **{f"{name}_iou_mean": iou for name, iou in zip(names, iou_means, strict=True)},
        "bricks_mean": float(np.mean([target.budget for target in targets])),
        "pictures": str(out / "digits.png"),
        "models": str(out / "*" / "*.json"),
    }
