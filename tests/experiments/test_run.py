"""A run on disk: what it keeps, and what it goes on from."""

import json
from pathlib import Path

import pytest
from drawings import draw_strokes

from brickbybrick.builders.register import builder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.job import Progress
from brickbybrick.experiments.run import AGENT, CHECKPOINT, CONFIG, LOG, read_log, run
from brickbybrick.learning.config import preset
from brickbybrick.learning.ppo import Trainer
from brickbybrick.policies.validation import Exact
from brickbybrick.targets.catalog import Task, load_task


@pytest.fixture(scope="module")
def strokes(tmp_path_factory: pytest.TempPathFactory) -> Task:
    return load_task(str(draw_strokes(tmp_path_factory.mktemp("run") / "strokes")))


def trainer(task: Task, seed: int = 0) -> Trainer:
    small = {"num_envs": 4, "rollout": 8, "minibatches": 2, "width": 16, "steps": 128, "seed": seed}
    return Trainer(preset("quick", task, **small), task, Exact())


def test_a_run_keeps_what_it_saw_and_ends_with_an_agent(strokes: Task, tmp_path: Path) -> None:
    told: list[Progress] = []
    agent = run(trainer(strokes), strokes, tmp_path, 2, told.append)
    assert {path.name for path in tmp_path.iterdir()} == {CONFIG, LOG, CHECKPOINT, AGENT}
    assert json.loads((tmp_path / CONFIG).read_text())["seed"] == 0
    records = read_log(tmp_path)
    assert records[-1]["steps"] == told[-1].done == told[-1].total == 128
    assert [progress.line != "" for progress in told].count(True) == len(records)
    assert all(progress.kept for progress in told if progress.line)
    # What the log says of the end is what one finds with the agent's file.
    again = builder(str(tmp_path / AGENT), strokes.offsets)
    assert evaluate(again, strokes.test).iou.mean() == pytest.approx(records[-1]["test_iou"], abs=1e-6)
    assert again.build(strokes.test[0]).bricks == agent.build(strokes.test[0]).bricks


def test_a_run_goes_on_with_its_own_settings_alone(strokes: Task, tmp_path: Path) -> None:
    run(trainer(strokes), strokes, tmp_path, 2)
    with pytest.raises(InputError, match="is of another run, with other seed; give another folder"):
        run(trainer(strokes, seed=1), strokes, tmp_path, 2)


def test_a_line_that_was_cut_short_is_left_out(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text('{"steps": 1}\n{"steps": 2}\n{"ste')
    assert read_log(tmp_path) == [{"steps": 1}, {"steps": 2}]
    assert read_log(tmp_path / "nothing") == []
