"""Runs on disk: whatever is wrong with a checkpoint is said in one line."""

from pathlib import Path

import pytest
import torch
from learning.small import small, weights

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.errors import InputError
from brickbybrick.learning.checkpoint import load_run, save_run
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.validation import make_validator
from brickbybrick.policies.files import load_agent, save_agent
from brickbybrick.policies.validation import Exact, Validation
from brickbybrick.targets.catalog import Task


@pytest.mark.parametrize("damage", ["cut", "text", "version", "other", "missing"])
def test_checkpoints_that_cannot_be_used(shapes: Task, stairs: Task, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "run.safetensors"
    trainer = Trainer(small(shapes), shapes, Exact())
    save_run(path, trainer)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:1000])
    elif damage == "text":
        path.write_text("not a checkpoint")
    elif damage == "version":
        path.write_bytes(path.read_bytes().replace(b'\\"version\\": 1', b'\\"version\\": 9'))
    elif damage == "other":
        trainer = Trainer(small(stairs), stairs, Exact())
    else:
        save_agent(path, "b3", trainer.policy, trainer.settings(), 0)
    with pytest.raises(InputError) as caught:
        load_run(path, trainer)
    assert "\n" not in str(caught.value)
    assert "run.safetensors" in str(caught.value)


@pytest.mark.parametrize("validation", ["exact", "joint"])
def test_a_run_goes_on_as_if_it_had_not_been_stopped(shapes: Task, tmp_path: Path, validation: Validation) -> None:
    """Stopped after any iteration: the same episodes, choices and weights follow."""

    def trainer() -> Trainer:
        config = small(shapes, validation=validation, steps=160)
        return Trainer(config, shapes, make_validator(validation, shapes.offsets, seed=3))

    unbroken = trainer()
    stopped = []
    for report in unbroken.run():
        save_run(tmp_path / f"{report.done}.safetensors", unbroken)
        stopped.append((report, weights(unbroken.policy)))
    for number in (0, 2, 4):
        again = trainer()
        load_run(tmp_path / f"{stopped[number][0].done}.safetensors", again)
        assert torch.equal(weights(again.policy), stopped[number][1])
        for after, report in enumerate(again.run(), start=number + 1):
            assert report == stopped[after][0]
            assert torch.equal(weights(again.policy), stopped[after][1])
        assert again.done == 160


def test_a_run_of_other_settings_is_not_gone_on_with(shapes: Task, tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    save_run(path, Trainer(small(shapes), shapes, Exact()))
    with pytest.raises(InputError, match="another run, with other seed, gamma; give another folder"):
        load_run(path, Trainer(small(shapes, seed=1, gamma=0.9), shapes, Exact()))


def test_a_checkpoint_can_be_built_with(shapes: Task, tmp_path: Path) -> None:
    trainer = Trainer(small(shapes), shapes, Exact())
    save_run(tmp_path / "run.safetensors", trainer)
    saved = load_agent(tmp_path / "run.safetensors")
    assert (saved.name, saved.training, saved.steps) == ("b3", trainer.settings(), 0)
    before, after = (
        GraphAgent(policy, shapes.offsets).build_all(shapes.train.targets)  # type: ignore[arg-type]
        for policy in (trainer.policy, saved.policy)
    )
    assert before == after
