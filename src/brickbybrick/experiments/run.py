"""A run on disk: learns, tests on the way, writes down what it saw, and goes on exactly where it was stopped.

A run's folder holds `config.json`, `log.jsonl` (one line for each test), `checkpoint.safetensors` (everything needed to
go on) and, once it is done, `agent.safetensors`.
"""

import json
import time
from pathlib import Path

from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.job import Progress, Tell
from brickbybrick.files import write_whole
from brickbybrick.learning.learner import Learner, Report, load_run, save_run
from brickbybrick.policies.files import save_agent
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import spread

CONFIG, LOG, CHECKPOINT, AGENT = "config.json", "log.jsonl", "checkpoint.safetensors", "agent.safetensors"
# Of a report's figures, those that are shown while the run goes on, and what they are called there.
SHOWN = {"round": "round", "loss": "loss", "rollout_episode_return": "return", "rollout_iou": "IoU"}

Record = dict[str, float]


def run(learner: Learner, task: Task, folder: Path, tested: int, tell: Tell = lambda _: None) -> EpisodeBuilder:
    """Lets something learn to the end, or go on if the folder holds a run of the same settings; returns the agent.

    On the way it is tested on so many targets of each split of the task.
    """
    write_whole(folder / CONFIG, json.dumps(learner.settings(), indent=1).encode())
    records: list[Record] = []
    if (folder / CHECKPOINT).exists():
        load_run(folder / CHECKPOINT, learner)
        records = [record for record in read_log(folder) if record["steps"] <= learner.done]
    start = time.perf_counter() - (records[-1]["seconds"] if records else 0)
    for report in learner.run():
        line = ""
        if report.due == "test":
            records.append(_record(learner, task, report, tested, time.perf_counter() - start))
            write_whole(folder / LOG, "".join(json.dumps(each) + "\n" for each in records).encode())
            line = _line(learner.unit, records[-1])
        if report.due:
            save_run(folder / CHECKPOINT, learner)
        figures = [f"{called} {report.figures[name]:.3g}" for name, called in SHOWN.items() if name in report.figures]
        tell(Progress(report.done, learner.total, learner.unit, ", ".join(figures), line, bool(report.due)))
    agent = learner.builder()
    save_agent(folder / AGENT, agent.name, learner.policy, learner.settings(), learner.done)
    return agent


def read_log(folder: Path) -> list[Record]:
    """The records of a run so far; a last line that was cut short is left out."""
    path = folder / LOG
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def _record(learner: Learner, task: Task, report: Report, tested: int, seconds: float) -> Record:
    """What is known at this point: tests on both splits, and how learning went since the last time."""
    train, test = (spread(targets, tested) for targets in (task.train, task.test))
    scores = evaluate(learner.builder(), [*train, *test])  # in one batch
    record: Record = {"steps": report.done, "seconds": round(seconds, 2)}
    for split, part in (("train", slice(None, len(train))), ("test", slice(len(train), None))):
        record |= {f"{split}_{name}": value for name, value in scores[part].means().items()}
    return {name: round(value, 6) for name, value in (record | report.figures).items()}


def _line(unit: str, record: Record) -> str:
    tested = f"IoU {record['train_iou']:.3f} train, {record['test_iou']:.3f} test"
    return f"{record['steps']:.0f} {unit}, {record['seconds']:.0f} s: {tested}"
