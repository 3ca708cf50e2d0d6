"""`b3 reproduce` and `b3 beyond`: every figure and table of the paper, and every builder on the same targets."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.table import Table

from brickbybrick.commands.console import CONSOLE, DataFolder, Device, device_of, jobs_bar, working
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.experiments.job import Job


@dataclass(frozen=True)
class Reproduce:
    """Run what is missing of the paper's experiments and draw every figure and table. Goes on where it was stopped."""

    only: tuple[str, ...] = ()
    """Names of figures and tables; all if not given."""
    preset: Literal["paper", "smoke"] = "paper"
    """paper: 3 seeds of everything with the paper's samples. smoke: a little of everything, in minutes on two cores."""
    seeds: int | None = None
    """Runs of each kind; the preset's number if not given."""
    out: Path | None = None
    """Folder of the results; results or, for smoke, out/smoke if not given."""
    dry_run: bool = False
    """List the jobs that are missing and about how long they take, and do nothing."""
    draw_only: bool = False
    """Draw from the results that are there, and run nothing."""
    device: Device = "auto"
    engine: Literal["local", "ray"] = "local"
    """local: processes of this machine. ray: tasks on a Ray cluster."""
    address: str | None = None
    """Of the Ray cluster; one is started on this machine if not given."""
    workers: int = 2
    """Jobs at a time, with Ray on each GPU. Many on one GPU help where NVIDIA's MPS runs, see docs/reproducing.md."""
    threads: int = 1
    """Threads of a job."""
    together: int = 1
    """Trainings of one shape that a job does as one, at most: 30 digits, or 9 of objects, keep a GPU busy."""
    data: DataFolder = None

    def run(self) -> None:
        from brickbybrick.experiments.engine import missing, run_jobs
        from brickbybrick.experiments.figures import draw_figures
        from brickbybrick.experiments.gallery import draw_galleries, draw_limits, draw_offsets
        from brickbybrick.experiments.job import Machine
        from brickbybrick.experiments.paper import SCALES, jobs_of
        from brickbybrick.experiments.report import write_report
        from brickbybrick.experiments.results import Results

        scale = SCALES[self.preset]
        if self.seeds is not None:
            scale = replace(scale, seeds=whole_number(self.seeds, "seeds", 1))
        out = self.out or Path("results" if self.preset == "paper" else "out/smoke")
        runs = out / "runs"
        todo = missing(jobs_of(scale, self.only), runs)
        if self.dry_run:
            _list(todo)
            return
        if not self.draw_only:
            threads, together = whole_number(self.threads, "threads", 1), whole_number(self.together, "together", 1)
            machine = Machine(device_of(self.device), threads, self.data, together)
            workers = whole_number(self.workers, "workers", 1)
            with jobs_bar(len(todo)) as tell:
                run_jobs(todo, runs, machine, workers, self.engine, self.address, tell)
        every = jobs_of(scale)
        if missing(every, runs) == every:
            raise InputError(f"no results in {runs}: run without --draw-only, or name their folder with --out")
        with working("drawing"):
            results = Results(runs, scale)
            figures = draw_figures(results, out / "figures")
            galleries = draw_galleries(scale.tasks, runs, out / "galleries", self.data)
            examples = draw_limits(out / "galleries" / "limits.png")
            figures.append(draw_offsets(out / "galleries" / "offsets.png"))
            write_report(results, out / "REPORT.md", figures, galleries, examples)
        print(f"report: {out / 'REPORT.md'}")


@dataclass(frozen=True)
class Beyond:
    """Measure every builder on the same unseen targets and say how far beyond the paper's agents the others get.

    Goes on where it was stopped: who was measured, with the settings and weights that there are, is not measured again.
    """

    tasks: tuple[str, ...] = ()
    """mnist-0 to mnist-9, random, modelnet-airplane, modelnet-monitor, modelnet-table; all of them if not given."""
    targets: int | None = None
    """Unseen targets of each task at most, spread evenly over all; all if not given."""
    draw_only: bool = False
    """Draw from the measurements that are there, and measure nothing."""
    out: Path = Path("results")
    """Folder of the results. The paper's runs are looked for in it too: agents count as the mean over their seeds."""
    data: DataFolder = None
    workers: int = 1
    """Tasks at a time; with more than one core each, times stay those of one core."""

    def run(self) -> None:
        from brickbybrick.experiments.beyond import TASKS, beyond_job, load_all
        from brickbybrick.experiments.beyond_report import draw_beyond, write_beyond
        from brickbybrick.experiments.engine import missing, run_jobs
        from brickbybrick.experiments.job import Machine
        from brickbybrick.targets.catalog import load_task

        unknown = [task for task in self.tasks if task not in TASKS]
        if unknown:
            raise InputError(f"no task named {unknown[0]!r} is measured: choose from {', '.join(TASKS)}")
        targets = None if self.targets is None else whole_number(self.targets, "targets", 1)
        folder = self.out / "beyond"
        if not self.draw_only:
            for task in self.tasks or TASKS:
                load_task(task, self.data)  # missing data is told at once
            todo = missing([beyond_job(task, self.out / "runs", targets) for task in self.tasks or TASKS], folder)
            workers = whole_number(self.workers, "workers", 1)
            with jobs_bar(len(todo)) as tell:
                run_jobs(todo, folder, Machine(data=self.data), workers, tell=tell)
        measured = load_all(folder)
        if not measured:
            raise InputError(f"nothing was measured in {folder}: run without --draw-only")
        write_beyond(measured, self.out / "BEYOND.md", draw_beyond(measured, folder))
        print(f"report: {self.out / 'BEYOND.md'}")


def _list(jobs: "list[Job]") -> None:
    table = Table("job", "seconds on one GPU, about")
    for job in jobs:
        table.add_row(job.name, f"{job.seconds:.0f}")
    CONSOLE.print(table)
    hours = sum(job.seconds for job in jobs) / 3600
    print(f"{len(jobs)} jobs are missing, about {hours:.1f} hours one after the other")
