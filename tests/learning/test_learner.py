"""What all ways of learning share: Adam goes on from its memory, a loss that is no number stops a run, and whatever is
wrong with a checkpoint is said in one line."""

from pathlib import Path

import pytest
import torch
from learning.small import small, weights
from torch import nn

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.errors import InputError
from brickbybrick.learning.learner import check_finite, load_run, optimiser_memory, save_run
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.validation import make_validator
from brickbybrick.policies.files import load_agent, save_agent
from brickbybrick.policies.validation import Exact, Validation
from brickbybrick.targets.catalog import Task


def steps(network: nn.Linear, optimiser: torch.optim.Adam, numbers: range) -> None:
    for number in numbers:
        optimiser.zero_grad()
        network(torch.full((1, 3), float(number))).square().sum().backward()
        optimiser.step()


def test_adam_goes_on_from_its_memory() -> None:
    torch.manual_seed(0)
    network = nn.Linear(3, 2)
    optimiser = torch.optim.Adam(network.parameters(), 0.1)
    steps(network, optimiser, range(4))
    kept = {name: value.clone() for name, value in network.state_dict().items()}
    memory = {name: value.clone() for name, value in optimiser_memory(optimiser, network).items()}
    steps(network, optimiser, range(4, 7))

    again = nn.Linear(3, 2)
    other = torch.optim.Adam(again.parameters(), 0.1)
    again.load_state_dict(kept)
    for name, tensor in optimiser_memory(other, again).items():  # made before any step
        tensor.copy_(memory[name])
    steps(again, other, range(4, 7))
    assert torch.equal(again.weight, network.weight)
    assert torch.equal(again.bias, network.bias)


@pytest.mark.parametrize("loss", [float("nan"), float("inf"), -float("inf")])
def test_a_loss_that_is_no_number_is_told_of(loss: float) -> None:
    with pytest.raises(InputError, match=r"learning broke down in epoch 3: the loss is .*; try a lower learning rate"):
        check_finite(loss, "in epoch 3")
    check_finite(-7.0, "in epoch 3")


def test_a_memory_that_does_not_fit_is_refused(shapes: Task) -> None:
    trainer = Trainer(small(shapes), shapes, Exact())
    memory = trainer.memory()
    trainer.recall(memory)
    name = "environments.bricks"
    for wrong in (memory | {name: torch.zeros(3)}, {key: value for key, value in memory.items() if key != name}):
        with pytest.raises(InputError, match=f"does not fit this run: {name} is missing or of another shape"):
            trainer.recall(wrong)


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
