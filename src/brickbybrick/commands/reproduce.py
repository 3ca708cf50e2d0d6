"""`b3 reproduce`: every figure and table of the paper."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from brickbybrick.commands.console import CONSOLE, NOTES, Device, device_of
from brickbybrick.errors import whole_number

if TYPE_CHECKING:
    from brickbybrick.experiments.jobs import Job


@dataclass(frozen=True)
class Reproduce:
    """Run what is missing of the paper's experiments and draw every figure and table. Goes on where it was stopped."""

    only: tuple[str, ...] = ()
    """Names of figures and tables; all if not given."""
    seeds: int = 3
    """Runs of each kind."""
    out: Path = Path("results")
    """Folder of the results."""
    dry_run: bool = False
    """List the jobs that are missing and about how long they take, and do nothing."""
    device: Device = "auto"
    workers: int = 1
    """Jobs at a time. Several on one GPU help where NVIDIA's MPS is running, see docs/reproducing.md."""
    threads: int = 1
    """Threads of a job."""
    data: str | None = None
    """Folder of data that does not come with the package; B3_DATA if not given."""

    def run(self) -> None:
        from brickbybrick.experiments.jobs import Machine
        from brickbybrick.experiments.paper import exhibits, jobs_of
        from brickbybrick.experiments.runner import missing, run_local

        shown = exhibits(self.only)
        runs = self.out / "runs"
        todo = missing(jobs_of(shown, whole_number(self.seeds, "seeds", 1)), runs)
        if self.dry_run:
            _list(todo)
            return
        machine = Machine(device_of(self.device), whole_number(self.threads, "threads", 1), self.data)
        columns = (TextColumn("{task.completed}/{task.total} jobs"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=NOTES, disable=not NOTES.is_terminal) as bar:
            shown_bar = bar.add_task("jobs", total=len(todo))

            def progress(job: "Job", what: str) -> None:
                bar.console.print(f"{what}: {job.name}", highlight=False)
                bar.update(shown_bar, advance=what in ("done", "failed"))

            run_local(todo, runs, machine, whole_number(self.workers, "workers", 1), progress)


def _list(jobs: "list[Job]") -> None:
    table = Table("job", "seconds on one GPU, about")
    for job in jobs:
        table.add_row(job.name, f"{job.seconds:.0f}")
    CONSOLE.print(table)
    print(
        f"{len(jobs)} jobs are missing, about {sum(job.seconds for job in jobs) / 3600:.1f} hours one after the other"
    )
