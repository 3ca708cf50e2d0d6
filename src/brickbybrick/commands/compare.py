"""`b3 compare`: learning curves of runs with bands, and where they end."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from rich.table import Table

from brickbybrick.commands.console import CONSOLE, Json, working
from brickbybrick.errors import InputError


@dataclass(frozen=True)
class Compare:
    """Draw learning curves of runs with bands, and say where they end: interquartile means with 95 % confidence.

    Runs that differ in nothing but seed and task are one curve, called as their folders are.
    """

    runs: tyro.conf.Positional[tuple[Path, ...]]
    """Folders that b3 train wrote, or that hold such."""
    figure: str = "test_iou"
    """A figure of their logs: test_iou, test_return, train_iou, rollout_iou, entropy, ..."""
    against: Literal["steps", "seconds"] = "steps"
    """What it is drawn against."""
    out: Path = Path("out/compare.png")
    """File to write, a PNG."""
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.experiments.comparison import check_figure, draw_comparison, find_runs, kinds_of, said

        if not self.runs:
            raise InputError("nothing to compare: name folders that b3 train wrote, such as out/mnist-0-b3-0")
        if self.out.suffix != ".png":
            raise InputError(f"{self.out}: the picture is a PNG; give a name that ends with .png")
        runs = find_runs(self.runs)
        check_figure(runs, self.figure)
        kinds = kinds_of(runs)
        with working("drawing"):
            ends = [kind.ending(self.figure) for kind in kinds]
            draw_comparison(kinds, self.figure, self.against, self.out)
        if self.as_json:
            print(json.dumps({"figure": self.figure, "picture": str(self.out), "kinds": [vars(end) for end in ends]}))
            return
        names = ("run", "tasks", "runs", "steps", "interquartile mean", "95 % confidence", "mean and deviation")
        table = Table(*names, title=f"{said(self.figure)}, at the last test")
        for end in ends:
            figures = f"{end.middle:.3f}", f"{end.low:.3f} to {end.high:.3f}", f"{end.mean:.3f} ± {end.deviation:.3f}"
            table.add_row(end.name, str(end.tasks), str(end.runs), f"{end.steps:,.0f}", *figures)
        CONSOLE.print(table)
        print(f"picture: {self.out}")
