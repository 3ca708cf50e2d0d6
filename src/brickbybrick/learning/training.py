"""A training run on disk: trains, tests on the way, writes down what it saw, and goes on where it was stopped.

A run's folder holds `config.json`, `log.jsonl` (one line for each test), `checkpoint.safetensors` (everything needed to
go on) and, once it is done, `agent.safetensors`.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch

from brickbybrick.construction import write_whole
from brickbybrick.learning.checkpoint import agent_name, load_run, save_agent, save_run
from brickbybrick.learning.config import TrainConfig
from brickbybrick.learning.evaluate import Agent
from brickbybrick.learning.ppo import Report, Trainer, make_trainer
from brickbybrick.learning.validation import Validator
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import spread

Record = dict[str, float]


def train(
    config: TrainConfig,
    task: Task,
    validator: Validator,
    folder: Path,
    device: torch.device | str = "cpu",
    threads: int = 1,
    progress: Callable[[Report, Record | None], None] = lambda _report, _record: None,
) -> Agent:
    """Trains an agent, or goes on training it if the folder holds a run of the same settings.

    Args:
        config: What to do.
        task: What to learn.
        validator: How invalid actions are kept out.
        folder: Where the run is kept.
        device: Where the network lives.
        threads: For the environments.
        progress: Told of every iteration, with the record of the test where there was one.
    """
    trainer = make_trainer(config, task, validator, device, threads)
    agent = Agent(trainer.policy, task.offsets, agent_name(config), validator)
    checkpoint, log = folder / "checkpoint.safetensors", folder / "log.jsonl"
    write_whole(folder / "config.json", json.dumps(asdict(config), indent=1).encode())
    records: list[Record] = []
    if checkpoint.exists():
        load_run(checkpoint, trainer)
        records = [record for record in read_log(log) if record["steps"] <= trainer.steps]
    start = time.perf_counter() - (records[-1]["seconds"] if records else 0)
    every = max(1, config.iterations // config.evaluations)
    for report in trainer.run():
        iteration = report.steps // config.samples
        record = None
        if iteration % every == 0 or trainer.steps >= config.steps:
            record = _record(trainer, agent, task, report, time.perf_counter() - start)
            records.append(record)
            write_whole(log, "".join(json.dumps(each) + "\n" for each in records).encode())
            save_run(checkpoint, trainer)
        progress(report, record)
    save_agent(folder / "agent.safetensors", agent.name, trainer.policy, config, trainer.steps)
    return agent


def read_log(path: Path) -> list[Record]:
    """The records of a run so far; a last line that was cut short is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def _record(trainer: Trainer, agent: Agent, task: Task, report: Report, seconds: float) -> Record:
    """What is known at this point: tests on both splits, and how training went since the last iteration."""
    train, test = (spread(targets, trainer.config.tested) for targets in (task.train, task.test))
    scores = agent.score([*train, *test])  # in one batch
    trained = len(train)
    record: Record = {"steps": report.steps, "seconds": round(seconds, 2)}
    for split, part in (("train", slice(None, trained)), ("test", slice(trained, None))):
        record[f"{split}_iou"] = float(scores.iou[part].mean())
        record[f"{split}_return"] = float(scores.episode_return[part].mean())
        record[f"{split}_bricks"] = float(scores.bricks[part].mean())
        record[f"{split}_invalid"] = float(scores.invalid[part].mean())
    record |= {f"rollout_{name}": float(value) for name, value in report.episodes._asdict().items()}
    losses = ("policy_loss", "value_loss", "entropy", "gradient")
    record |= {name: float(getattr(report, name)) for name in losses}
    return {name: round(value, 6) for name, value in record.items()}
