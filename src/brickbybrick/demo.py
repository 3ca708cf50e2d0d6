"""What `b3 demo` shows: real digits, built at random, by agents and by the search, and a kit of one of them."""

from pathlib import Path

import numpy as np

from brickbybrick.building import builder_of
from brickbybrick.errors import whole_number
from brickbybrick.export.kit import kit_files, plan, write_folder
from brickbybrick.files import write_whole
from brickbybrick.order import Order
from brickbybrick.picture import contact_sheet, draw, image_of_view, paint, to_png
from brickbybrick.targets.catalog import load_task

LABELS = {"random": "at random", "b3": "B3", "b3plus": "B3+", "search": "search"}  # of the builders
KIT_OF = 3  # the digit that comes as a kit


def run_demo(out: Path, seed: int) -> dict[str, float | str]:
    """Builds one unseen digit of each class with builders that see the image alone, and says what was written."""
    task = load_task("mnist")
    generator = np.random.default_rng(whole_number(seed, "seed", 0))
    digits = [[target for target in task.test if target.name.startswith(f"mnist-{digit}/")] for digit in range(10)]
    targets = [of_class[generator.integers(len(of_class))] for of_class in digits]
    built = {name: builder_of(Order(agent=name, seed=seed), views=1).build_all(targets) for name in LABELS}
    for constructions in built.values():
        for construction in constructions:
            construction.save(out / construction.builder / f"{construction.target.replace('/', '-')}.json")
    iou_means = {name: float(np.mean([each.iou for each in constructions])) for name, constructions in built.items()}
    rows = [[image_of_view(target.images[0], (150, 150)) for target in targets]]
    rows += [
        [paint(draw(each, colours="steps"), (150, 170)) for each in constructions] for constructions in built.values()
    ]
    labels = ["target", *(f"{LABELS[name]}\nIoU {iou:.2f}" for name, iou in iou_means.items())]
    write_whole(out / "digits.png", to_png(contact_sheet(rows, labels)))
    write_folder(out / "kit", kit_files(plan(built["search"][KIT_OF], targets[KIT_OF])))
    return {
        **{f"{name}_iou_mean": iou for name, iou in iou_means.items()},
        "bricks_mean": float(np.mean([target.budget for target in targets])),
        "pictures": str(out / "digits.png"),
        "models": str(out / "*" / "*.json"),
        "kit": str(out / "kit"),
    }
