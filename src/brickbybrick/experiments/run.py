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
from brickbybrick.experiments.trackers import Track
from brickbybrick.files import write_whole
from brickbybrick.learning.learner import Learner, Report, load_run, save_run
from brickbybrick.policies.files import save_agent
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import spread

CONFIG, LOG, CHECKPOINT, AGENT = "config.json", "log.jsonl", "checkpoint.safetensors", "agent.safetensors"
# Of a report's figures, those that are shown while the run goes on, and what they are called there.
SHOWN = {"round": "round", "loss": "loss", "rollout_episode_return": "return", "rollout_iou": "IoU"}

Record = dict[str, float]


class Run:
    """Something that learns, kept in a folder; it goes on if that holds a run of the same settings.

    On the way it is tested on `tested` targets of each split of the task. `track` is told all figures.
    """

    track: Track = staticmethod(lambda _figures, _step: None)

    def __init__(self, learner: Learner, task: Task, folder: Path, tested: int) -> None:
        self.learner, self.task, self.folder, self.tested = learner, task, folder, tested
        write_whole(folder / CONFIG, json.dumps(learner.settings(), indent=1).encode())
        self.records: list[Record] = []
        if (folder / CHECKPOINT).exists():
            load_run(folder / CHECKPOINT, learner)
            self.records = [record for record in read_log(folder) if record["steps"] <= learner.done]
        self._start = time.perf_counter() - (self.records[-1]["seconds"] if self.records else 0)

    def go_on(self, tell: Tell) -> None:
        """Learns to the end."""
        self.begin(tell)
        for report in self.learner.run():
            self.note(report, tell)

    def begin(self, tell: Tell = lambda _: None) -> None:
        """Tells where it is. What is new is tested before it learns: curves begin there, and soon."""
        learner = self.learner
        tell(Progress(learner.done, learner.total, learner.unit, "" if self.records else "testing"))
        if not self.records:
            self.note(Report(learner.done, {}, "test"), tell)

    def note(self, report: Report, tell: Tell = lambda _: None) -> None:
        """Tests and saves when that is due, and tells how far it is."""
        learner, line = self.learner, ""
        if report.due == "test":
            self.records.append(_record(learner, self.task, report, self.tested, time.perf_counter() - self._start))
            write_whole(self.folder / LOG, "".join(json.dumps(each) + "\n" for each in self.records).encode())
            line = _line(learner.unit, self.records[-1])
        self.track(self.records[-1] if report.due == "test" else report.figures, report.done)
        if report.due:
            save_run(self.folder / CHECKPOINT, learner)
        figures = [f"{called} {report.figures[name]:.3g}" for name, called in SHOWN.items() if name in report.figures]
        tell(Progress(report.done, learner.total, learner.unit, ", ".join(figures), line, bool(report.due)))

    def end(self) -> EpisodeBuilder:
        """The agent that it has become, which is saved."""
        learner = self.learner
        save_agent(self.folder / AGENT, learner.name, learner.policy, learner.settings(), learner.done)
        return learner.builder()


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
