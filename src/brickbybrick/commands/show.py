"""`b3 demo`, `b3 data`, `b3 studio` and `b3 mcp`: what there is to see, for people and for assistants."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.table import Table
from rich.text import Text

from brickbybrick.commands.console import CONSOLE, DataFolder, Json, counter, note_left_out, working
from brickbybrick.errors import InputError, whole_number

LABELS = {"random": "at random", "b3": "B3", "b3plus": "B3+", "search": "search"}  # of the builders of the demo
KIT_OF = 3  # the digit of the demo that comes as a kit


@dataclass(frozen=True)
class Demo:
    """Build real digits at random, with agents and with the search; write pictures and everything to build one."""

    out: Path = Path("out/demo")
    """Folder to write to."""
    seed: int = 0
    """Which digits, and which random bricks."""
    as_json: Json = False

    def run(self) -> None:
        with working("building ten digits"):
            figures = run_demo(self.out, self.seed)
        if self.as_json:
            print(json.dumps(figures))
            return
        for builder in LABELS:
            iou, bricks = figures[f"{builder}_iou_mean"], figures["bricks_mean"]
            print(f"{builder}: mean IoU {iou:.2f} with {bricks:.1f} bricks a digit")
        print(f"pictures: {figures['pictures']}")
        print(f"models:   {figures['models']}")
        print(f"kit:      {figures['kit']}")
        note_left_out()


def run_demo(out: Path, seed: int) -> dict[str, float | str]:
    """Builds one unseen digit of each class with builders that see the image alone, and says what was written."""
    import numpy as np

    from brickbybrick.building import builder_of
    from brickbybrick.export.kit import kit_files, plan, write_folder
    from brickbybrick.files import write_whole
    from brickbybrick.order import Order
    from brickbybrick.picture import draw, paint, to_png
    from brickbybrick.sheets import contact_sheet, image_of_view
    from brickbybrick.targets.catalog import load_task

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


@dataclass(frozen=True)
class Data:
    """Show what a task consists of: how many targets, their budgets, what was left out."""

    tasks: tyro.conf.Positional[tuple[str, ...]] = ("mnist", "random")
    """mnist-0 to mnist-9, mnist, random, modelnet-airplane, ..., or folders of pictures or meshes."""
    data: DataFolder = None
    pack: Path | None = None
    """Write the voxels of a ModelNet category into this folder, so that later runs read one small file."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.targets.catalog import load_task

        records = []
        for name in self.tasks:
            with counter(f"reading {name}", transient=True) as progress:
                records.append(load_task(name, self._packed(name, progress) or self.data, progress).described())
        if self.as_json:
            print(json.dumps(records))
            return
        table = Table("task", "offsets", "train", "test", "fewest bricks", "most", "mean", "hull / volume")
        for *values, _ in (record.values() for record in records):
            table.add_row(*(Text(str(value), overflow="fold") for value in values))  # names are no markup
        CONSOLE.print(table)
        for record in records:
            for note in record["notes"]:
                print(f"{record['task']}: {note}")

    def _packed(self, name: str, progress: Callable[[int, int], None]) -> str | None:
        """Packs a category if that is wanted, and returns where it now is."""
        if self.pack is None:
            return None
        from brickbybrick.targets import catalog, modelnet

        if not name.startswith("modelnet-"):
            raise InputError(f"--pack is for ModelNet's categories; {name} is none of them")
        category = name.removeprefix("modelnet-")
        train, test = modelnet.load_category(category, catalog.data_folder(self.data), progress=progress)
        modelnet.write_packed(self.pack / f"modelnet_{category}.npz", train, test, modelnet.RESOLUTION)
        return str(self.pack)


@dataclass(frozen=True)
class Studio:
    """Open a local page to draw, watch an agent build, take over, and fetch the instructions."""

    host: str = "127.0.0.1"
    """Address to listen at; only this machine can reach the one given here."""
    port: int = 8000
    """Port to listen at; 0 for any that is free."""
    open: bool = False
    """Open the page in the browser."""

    def run(self) -> None:
        from brickbybrick.studio.server import serve

        serve(self.host, self.port, self.open)


@dataclass(frozen=True)
class Mcp:
    """Let assistants build and judge models: a server of the Model Context Protocol, which they start themselves."""

    folder: Path = Path()
    """Folder whose pictures, meshes and models may be read, and to which kits are written; the current one if not
    given."""

    def run(self) -> None:
        from brickbybrick.assistants.server import serve

        serve(self.folder)
