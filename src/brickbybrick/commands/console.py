"""What all commands share: where to print, options that many take, figures as a table or as JSON."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.status import Status
from rich.table import Table

from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.experiments.engine import News
    from brickbybrick.experiments.job import Job, Tell
    from brickbybrick.experiments.job import Progress as JobProgress
    from brickbybrick.targets.catalog import Task
    from brickbybrick.targets.target import Target

CONSOLE = Console()
NOTES = Console(stderr=True)  # progress and remarks, so that --json leaves only JSON on the output

Device = Annotated[
    Literal["auto", "cpu", "cuda"], tyro.conf.arg(help="Where the network lives; auto takes a GPU if there is one.")
]
DataFolder = Annotated[
    str | None, tyro.conf.arg(help="Folder of data that does not come with the package; B3_DATA if not given.")
]
Json = Annotated[bool, tyro.conf.arg(name="json", help="Print JSON and nothing else.")]

COMPILING = "compiling, once on this machine"


@contextmanager
def working(what: str) -> Iterator[Status]:
    """A line on a terminal that says what is being done, and when code is compiled, which can take a minute."""
    with NOTES.status(what) as line:
        said: list[str] = []

        def tell(compiling: bool) -> None:
            if compiling:
                said.append(str(line.status))
            line.update(COMPILING if compiling else said.pop())

        with told_of_compiling(tell):
            yield line


@contextmanager
def told_of_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Calls `tell` when numba begins to compile and when it is done; code that it finds in its cache does not count."""
    from numba.core import event

    class Listener(event.Listener):
        depth = 0  # functions that are compiled for the sake of others

        def on_start(self, _: object) -> None:
            self.depth += 1
            if self.depth == 1:
                tell(True)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                tell(False)

    with event.install_listener("numba:compile", Listener()):
        yield


def print_figures(title: str, figures: dict[str, float], as_json: bool, **more: object) -> None:
    """Shows figures as a table, or as one flat JSON object, which may hold more."""
    if as_json:
        print(json.dumps(figures | more))
        return
    table = Table("figure", "value", title=title)
    for name, value in figures.items():
        table.add_row(name, f"{value:,.0f}" if value >= 1000 else f"{value:.3g}")
    CONSOLE.print(table)


def device_of(name: str) -> str:
    """The device that a name stands for."""
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("there is no GPU that PyTorch can use: take --device cpu")
    return "cuda" if name == "auto" and torch.cuda.is_available() else name.replace("auto", "cpu")


@contextmanager
def counter(what: str, transient: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that tells how much of how much is done."""
    with Progress(console=NOTES, transient=transient, disable=not NOTES.is_terminal) as bar:
        shown = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(shown, completed=done, total=total)


def some_targets(name: str, data: str | None, split: str, most: int) -> "tuple[Task, list[Target]]":
    """A task, and so many of its targets at most, spread evenly over all."""
    from brickbybrick.targets.catalog import load_task
    from brickbybrick.targets.target import spread

    task = load_task(name, data)
    return task, spread(task.split(split), whole_number(most, "targets", 1))


@contextmanager
def job_bar(what: str) -> "Iterator[Tell]":
    """A bar for a job that is done in this process; what it finds out on the way stays on the screen."""
    columns: list[ProgressColumn] = [TextColumn("{task.fields[far]}"), BarColumn(), TextColumn("{task.fields[says]}")]
    terminal = NOTES.is_terminal
    with Progress(
        *columns, TimeRemainingColumn(), console=NOTES, disable=not terminal, speed_estimate_period=600
    ) as bar:
        shown = bar.add_task(what, total=None, far=what, says="")

        def tell(progress: "JobProgress") -> None:
            far = f"{progress.done}/{progress.total} {progress.unit}"
            # What was done before says nothing about how long the rest takes.
            move = bar.reset if bar.tasks[0].total is None else bar.update
            move(shown, completed=progress.done, total=progress.total, far=far, says=progress.says)
            if progress.line:
                bar.console.print(progress.line, highlight=False)

        # At once: while code is compiled the bar may not get to draw itself.
        with told_of_compiling(lambda on: bar.update(shown, says=COMPILING if on else "", refresh=True)):
            yield tell


@contextmanager
def jobs_bar(total: int) -> "Iterator[News]":
    """A bar for many jobs that are done elsewhere."""
    columns = (TextColumn("{task.completed}/{task.total} jobs"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=NOTES, disable=not NOTES.is_terminal) as bar:
        shown = bar.add_task("jobs", total=total)

        def tell(job: "Job", what: str) -> None:
            bar.console.print(f"{what}: {job.name}", highlight=False)
            bar.update(shown, advance=what in ("done", "failed"))

        yield tell


def note_left_out() -> None:
    """Says what kits do not hold on this machine, and what to do about it."""
    from brickbybrick.export.kit import left_out

    for line in left_out():
        NOTES.print(line, soft_wrap=True, highlight=False, markup=False)  # names of extras look like markup
