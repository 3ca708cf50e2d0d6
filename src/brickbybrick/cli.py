"""The command `b3`. The only module that sees everything; the libraries below it print nothing."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from brickbybrick.errors import InputError

CONSOLE = Console()
NOTES = Console(stderr=True)  # progress and remarks, so that --json leaves only JSON on the output

Json = Annotated[bool, tyro.conf.arg(name="json", help="Print JSON and nothing else.")]


@dataclass(frozen=True)
class BenchEnv:
    """Environment steps per second: one environment, batches on 1 and 2 threads, plain implementations beside them."""

    as_json: Json = False
    seconds: float = 2.0
    """How long to measure each figure."""

    def run(self) -> None:
        from brickbybrick.bench.env import bench_env

        with NOTES.status("measuring") as status:
            figures = bench_env(self.seconds, lambda what: status.update(f"measuring {what}"))
        _print_figures("environment steps", figures, self.as_json)


@dataclass(frozen=True)
class BenchValidity:
    """Microseconds of exact validity: a whole mask and one placement, plain implementations beside them."""

    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bench.validity import bench_validity

        with NOTES.status("measuring") as status:
            figures = bench_validity(lambda what: status.update(f"measuring {what}"))
        _print_figures("exact validity", figures, self.as_json)


@dataclass(frozen=True)
class Bench:
    """Measure how fast things are."""

    what: Annotated[BenchEnv, tyro.conf.subcommand("env")] | Annotated[BenchValidity, tyro.conf.subcommand("validity")]

    def run(self) -> None:
        self.what.run()


@dataclass(frozen=True)
class Data:
    """Show what a task consists of: how many targets, their budgets, what was left out."""

    tasks: tyro.conf.Positional[tuple[str, ...]] = ("mnist", "random")
    """mnist-0 to mnist-9, mnist, random, modelnet-airplane, ..., or folders of pictures or meshes."""
    data: str | None = None
    """Folder of data that does not come with the package; B3_DATA if not given."""
    pack: Path | None = None
    """Write the voxels of a ModelNet category into this folder, so that later runs read one small file."""
    as_json: Json = False

    def run(self) -> None:
        records = []
        for name in self.tasks:
            with Progress(console=NOTES, transient=True, disable=not NOTES.is_terminal) as bar:
                progress = _bar(bar, f"reading {name}")
                records.append(_describe(name, self._packed(name, progress) or self.data, progress))
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
class Demo:
    """Build real digits at random and greedily, and write pictures of them."""

    out: Path = Path("out/demo")
    """Folder to write to."""
    seed: int = 0
    """Which digits, and which random bricks."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.demo import run_demo

        with NOTES.status("building ten digits"):
            figures = run_demo(self.out, self.seed)
        if self.as_json:
            print(json.dumps(figures))
            return
        for builder in ("random", "greedy"):
            iou, bricks = figures[f"{builder}_iou_mean"], figures["bricks_mean"]
            print(f"{builder}: mean IoU {iou:.2f} with {bricks:.1f} bricks a digit")
        print(f"pictures: {figures['pictures']}")
        print(f"models:   {figures['models']}")


Command = (
    Annotated[Demo, tyro.conf.subcommand("demo")]
    | Annotated[Data, tyro.conf.subcommand("data")]
    | Annotated[Bench, tyro.conf.subcommand("bench")]
)


def main(arguments: list[str] | None = None) -> None:
    """Runs a command. What a user can get wrong ends in one line and exit code 2."""
    command: Demo | Data | Bench = tyro.cli(
        Command,
        prog="b3",
        description="Build what an image shows out of 2x4 bricks, one brick at a time.",
        args=arguments,
        config=(tyro.conf.OmitSubcommandPrefixes, tyro.conf.OmitArgPrefixes, tyro.conf.FlagCreatePairsOff),
    )
    try:
        command.run()
        sys.stdout.flush()
    except InputError as error:
        print(f"b3: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _describe(name: str, data: str | None, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """A task's figures: one value for each column of `b3 data`, and the notes below."""
    from brickbybrick.targets.catalog import load_task

    task = load_task(name, data, progress)
    budgets = [int(budget) for budget in (*task.train.budgets, *task.test.budgets)]
    return {
        "task": task.name,
        "offsets": len(task.offsets),
        "train": len(task.train),
        "test": len(task.test),
        "budget_min": min(budgets),
        "budget_max": max(budgets),
        "budget_mean": round(sum(budgets) / len(budgets), 1),
        "hull_ratio": round(task.hull_ratio, 3),
        "notes": list(task.notes),
    }


def _print_figures(title: str, figures: dict[str, float], as_json: bool) -> None:
    if as_json:
        print(json.dumps(figures))
        return
    table = Table("figure", "value", title=title)
    for name, value in figures.items():
        table.add_row(name, f"{value:,.0f}" if value >= 1000 else f"{value:.3g}")
    CONSOLE.print(table)


def _bar(bar: Progress, what: str) -> Callable[[int, int], None]:
    task = bar.add_task(what, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)
