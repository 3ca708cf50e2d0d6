"""`b3 demo` and `b3 data`: what there is to see."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from brickbybrick.commands.console import CONSOLE, NOTES, DataFolder, Json, counter, note_left_out, working
from brickbybrick.errors import InputError


@dataclass(frozen=True)
class Demo:
    """Build real digits at random, with agents and with the search; write pictures and everything to build one."""

    out: Path = Path("out/demo")
    """Folder to write to."""
    seed: int = 0
    """Which digits, and which random bricks."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.demo import LABELS, run_demo

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
            with Progress(console=NOTES, transient=True, disable=not NOTES.is_terminal) as bar:
                progress = counter(bar, f"reading {name}")
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
