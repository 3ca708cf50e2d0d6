"""`b3 leaderboard`: everyone on the same unseen targets, and how others take part."""

import re
from dataclasses import dataclass
from pathlib import Path

from brickbybrick.commands.console import DataFolder, counter, working
from brickbybrick.errors import InputError


@dataclass(frozen=True)
class Leaderboard:
    """Rank all builders on the unseen targets of all tasks; check the entries of others, or make one.

    ModelNet's tasks are entered and checked where their data are.
    """

    enter: str | None = None
    """A builder to enter: its name, or an agent's file. All of its models are kept in an entry."""
    called: str | None = None
    """What the entry is called; the builder's own name if not given."""
    by: str = ""
    """Who made it."""
    about: str = ""
    """A sentence about it, or where to read on."""
    tasks: tuple[str, ...] = ()
    """Tasks to enter it in; all whose data are there if not given."""
    out: Path = Path("results")
    """Folder of the results."""
    data: DataFolder = None

    def run(self) -> None:
        from brickbybrick.experiments.beyond import TASKS, load_all
        from brickbybrick.experiments.leaderboard import (
            check_entry,
            enter,
            read_entries,
            row_of_entry,
            rows_of_records,
            write_entry,
            write_leaderboard,
        )
        from brickbybrick.targets.catalog import load_task

        folder = self.out / "leaderboard"
        if unknown := [task for task in self.tasks if task not in TASKS]:
            raise InputError(f"no task named {unknown[0]!r} is ranked: choose from {', '.join(TASKS)}")
        measured = load_all(self.out / "beyond")
        if not measured:
            raise InputError(f"nothing was measured in {self.out / 'beyond'}: b3 beyond measures")
        needed = {name for entry in read_entries(folder) for name in entry.tasks}
        needed |= set(self.tasks or TASKS) if self.enter is not None else set()
        tasks = []
        for name in (task for task in TASKS if task in needed):
            try:
                tasks.append(load_task(name, self.data))
            except InputError:
                if name in self.tasks:
                    raise
        if self.enter is not None:
            chosen = [task for task in tasks if task.name in (self.tasks or TASKS)]
            with counter("tasks") as count:
                entry = enter(self.enter, chosen, self.called or Path(self.enter).stem, self.by, self.about, count)
            file = re.sub(r"[^\w-]+", "-", entry.name)
            write_entry(entry, folder / f"{file}.json")
        entries = read_entries(folder)
        with working("checking"):
            for entry in entries:
                check_entry(entry, tasks)
        rows = [*rows_of_records(measured, self.out / "runs"), *map(row_of_entry, entries)]
        write_leaderboard(rows, measured, self.out / "LEADERBOARD.md")
        print(f"leaderboard: {self.out / 'LEADERBOARD.md'}")
