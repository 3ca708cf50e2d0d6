"""`b3 sweep`: a search for settings that learn well."""

import shlex
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from brickbybrick.commands.console import device_of, job_bar
from brickbybrick.commands.learn import Train
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.experiments.job import Progress
    from brickbybrick.experiments.sweeping import Tried, Watch

OVER = ("learning_rate=1e-4..3e-3", "entropy=1e-3..1e-1", "gamma=0.3..0.99")


@dataclass(frozen=True)
class Sweep(Train):
    """Search for settings that learn well, by Optuna; goes on where it was stopped when the same command is given.

    Every fifth training target is kept aside, and trials are judged on those: unseen targets stay unseen. Trials that
    are worse midway than half of the others are given up.
    """

    out: Path | None = None
    """Folder of the sweep; out/TASK-AGENT-sweep if not given."""
    over: tuple[str, ...] = OVER
    """Settings and what they may be: a range, as in learning_rate=1e-4..1e-2, or numbers, as in epochs=2,4,8."""
    trials: int = 20
    """Settings to try in all."""
    seeds: int = 1
    """Runs of each trial, which counts as their mean."""

    def run(self) -> None:
        from brickbybrick.experiments.job import to_record
        from brickbybrick.experiments.sweeping import choice_of, sweep

        if self.agent in ("sl", "b3plus", "volume"):
            raise InputError(f"a sweep is over settings of agents trained by rewards; {self.agent} is taught")
        over = [choice_of(text, self.config()) for text in self.over]
        names = [each.name for each in over] + [text.partition("=")[0] for text in self.settings]
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError(f"{twice[0]} is given twice")
        trials, seeds = whole_number(self.trials, "trials", 1), whole_number(self.seeds, "seeds", 1)
        about = {**to_record(self.job()), "seeds": seeds}
        folder = self.out or Path("out") / f"{Path(self.task).name}-{self.agent}-sweep"
        best = sweep(folder, over, trials, self.seed, about, self.try_out, _say)
        print(f"best: {best.folder.name} with {best.settings}, IoU {best.score:.3f} on targets kept aside")
        print(f"to train with it: {self.line(best.settings)}")

    def try_out(self, folder: Path, settings: str, watch: "Watch") -> float:
        """How good settings are: the mean over seeds. Only the first may be given up."""
        from brickbybrick.experiments.job import Machine, perform, read_result
        from brickbybrick.experiments.run import read_log

        machine = Machine(device_of(self.device), whole_number(self.threads, "threads", 1), self.data, track=self.track)
        scores = []
        for seed in range(self.seed, self.seed + self.seeds):
            job = replace(replace(self, seed=seed, settings=(*self.settings, *settings.split())).job(), aside=True)
            place = folder.with_name(f"{folder.name}-{seed}")
            result = read_result(place)
            if result is None:
                with job_bar(place.name) as show:

                    def tell(progress: "Progress", place: Path = place, first: bool = seed == self.seed) -> None:
                        show(replace(progress, line=""))
                        if progress.kept and first:
                            watch(progress.done / progress.total, read_log(place)[-1]["test_iou"])

                    result = perform(job, place, machine, tell)
            scores.append(float(np.mean(result["test"]["iou"])))
        return float(np.mean(scores))

    def line(self, settings: str) -> str:
        """The command that trains with settings."""
        usual = {field.name: field.default for field in fields(Train)}
        words = ["b3", "train", self.task]
        for name in ("preset", "agent", "validation", "validity", "frame", "aggregation", "steps"):
            if getattr(self, name) != usual[name]:
                words += [f"--{name}", str(getattr(self, name))]
        return shlex.join([*words, "--set", *self.settings, *settings.split()])


def _say(tried: "Tried") -> None:
    score = "" if np.isnan(tried.score) else f", IoU {tried.score:.3f}"
    print(f"{tried.folder.name}: {tried.settings}: {tried.ended}{score}", flush=True)
