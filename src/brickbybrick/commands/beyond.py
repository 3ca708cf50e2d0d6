"""`b3 beyond`: every builder on the same unseen targets, IoU against time."""

from dataclasses import dataclass
from pathlib import Path

from brickbybrick.commands.console import DataFolder, jobs_bar
from brickbybrick.errors import InputError, whole_number


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
            with jobs_bar(len(todo)) as tell:
                machine = Machine(data=self.data)
                run_jobs(todo, folder, machine, whole_number(self.workers, "workers", 1), tell=tell)
        measured = load_all(folder)
        if not measured:
            raise InputError(f"nothing was measured in {folder}: run without --draw-only")
        write_beyond(measured, self.out / "BEYOND.md", draw_beyond(measured, folder))
        print(f"report: {self.out / 'BEYOND.md'}")
