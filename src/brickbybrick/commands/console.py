"""What all commands share: where to print, options that many take, figures as a table or as JSON."""

import json
from collections.abc import Callable
from typing import Annotated, Literal

import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from brickbybrick.errors import InputError

CONSOLE = Console()
NOTES = Console(stderr=True)  # progress and remarks, so that --json leaves only JSON on the output

Device = Annotated[
    Literal["auto", "cpu", "cuda"], tyro.conf.arg(help="Where the network lives; auto takes a GPU if there is one.")
]
Json = Annotated[bool, tyro.conf.arg(name="json", help="Print JSON and nothing else.")]


def print_figures(title: str, figures: dict[str, float], as_json: bool) -> None:
    """Shows figures as a table, or as one flat JSON object."""
    if as_json:
        print(json.dumps(figures))
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


def counter(bar: Progress, what: str) -> Callable[[int, int], None]:
    """A bar for work that tells how much of how much is done."""
    task = bar.add_task(what, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


def note_left_out() -> None:
    """Says what kits do not hold on this machine, and what to do about it."""
    from brickbybrick.export.kit import left_out

    for line in left_out():
        NOTES.print(line, soft_wrap=True, highlight=False, markup=False)  # names of extras look like markup
