"""What all ways of learning share: Adam goes on from its memory, and a loss that is no number stops a run."""

import pytest
import torch
from learning.small import small
from torch import nn

from brickbybrick.errors import InputError
from brickbybrick.learning.learner import check_finite, optimiser_memory
from brickbybrick.learning.ppo import Trainer
from brickbybrick.policies.validation import Exact
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
    weights = {name: value.clone() for name, value in network.state_dict().items()}
    memory = {name: value.clone() for name, value in optimiser_memory(optimiser, network).items()}
    steps(network, optimiser, range(4, 7))

    again = nn.Linear(3, 2)
    other = torch.optim.Adam(again.parameters(), 0.1)
    again.load_state_dict(weights)
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
