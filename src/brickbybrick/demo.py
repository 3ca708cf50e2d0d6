"""What `b3 demo` shows: real digits, built at random and greedily."""

from pathlib import Path

import numpy as np

from brickbybrick.picture import contact_sheet, draw, image_of_view, paint
from brickbybrick.search.builder import RandomBuilder
from brickbybrick.search.greedy import GreedyBuilder
from brickbybrick.targets.catalog import load_task


def run_demo(out: Path, seed: int) -> list[str]:
    """Builds one unseen digit of each class with each builder, and says what was written."""
    task = load_task("mnist")
    generator = np.random.default_rng(seed)
    digits = [[target for target in task.test if target.name.startswith(f"mnist-{digit}/")] for digit in range(10)]
    targets = [of_class[generator.integers(len(of_class))] for of_class in digits]
    builders = [RandomBuilder(task.offsets, seed), GreedyBuilder(task.offsets, seed)]
    built = [builder.build_all(targets) for builder in builders]  # (builder, target)
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for constructions in built:
        for construction in constructions:
            construction.save(out / construction.builder / f"{construction.target.replace('/', '-')}.json")
        iou = np.mean([construction.iou for construction in constructions])
        bricks = np.mean([len(construction.bricks) for construction in constructions])
        lines.append(f"{constructions[0].builder:>8}: mean IoU {iou:.2f} with {bricks:.1f} bricks a digit")
    rows = [[image_of_view(target.images[0], (150, 150)) for target in targets]]
    rows += [[paint(draw(each, colours="steps"), (150, 170)) for each in constructions] for constructions in built]
    labels = ["target", *(f"{each[0].builder}\nIoU {np.mean([c.iou for c in each]):.2f}" for each in built)]
    sheet = contact_sheet(rows, labels)
    sheet.save(out / "digits.png")
    return [*lines, f"pictures: {out / 'digits.png'}", f"models:   {out}/random/*.json, {out}/greedy/*.json"]
