"""How invalid actions are kept out: the paper's ways and the exact one, as interchangeable parts of one agent.

Each says which actions the policy may choose from. A wrong answer ends the episode, as in the paper.
"""

from abc import ABC, abstractmethod
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.policies.actor_critic import ActorCritic, Choice, Sight
from brickbybrick.policies.graph_network import placed_bricks
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork, subset_of

Validation = Literal["exact", "pretrained", "joint", "sampling", "direct"]
DRAWS = 15  # of sampling and checking


class Validator(ABC):
    """Chooses actions of a policy, keeping invalid ones out as well as it can."""

    @abstractmethod
    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        """Actions, and the mask (state, brick, offset) that they were chosen under.

        Args:
            policy: Whose actions.
            sight: What it sees.
            valid: Which actions are really valid (state, brick, offset); not every way may look at it.
            greedy: Whether to take the likeliest action rather than draw one.
        """

    def learn(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, valid: Tensor) -> None:  # noqa: B027
        """Learns from the states (state, ...) that an iteration went through, for ways that learn."""

    def memory(self) -> dict[str, Tensor]:
        """What it has learned, as tensors that may be written to."""
        return {}


class Exact(Validator):
    """The mask is the truth: no action is ever invalid."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        return policy.act(sight, valid, greedy), valid


class Direct(Validator):
    """Direct forwarding: every offset of every brick placed may be chosen."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(sight, valid)
        return policy.act(sight, mask, greedy), mask


class Sampling(Validator):
    """Sampling and checking: the first valid one of 15 draws, or the last draw if none is."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(sight, valid)
        if greedy:  # drawing again would give the same
            return policy.act(sight, mask, greedy=True), mask
        return policy.act_checked(sight, mask, valid, DRAWS), mask


class Learned(Validator):
    """A network's guess: what it takes for valid may be chosen, and anything where it takes nothing for valid.

    Args:
        network: The validity network, on the policy's device.
        offsets: The task's offsets, which are some of those that the network judges.
    """

    def __init__(self, network: ValidityNetwork, offsets: OffsetSet) -> None:
        if network.config.near_edges:
            raise InputError("this validity network needs edges to near bricks, which an agent's graph has not")
        self.network = network
        self.subset = subset_of(offsets).to(next(network.parameters()).device)

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        placed = placed_mask(sight, valid)
        nodes = sight.nodes.clone()
        nodes[..., :3] -= sight.nodes[:, :1, :3]  # it learned poses relative to the first brick
        guess = self.network.mask(nodes, sight.neighbours, sight.bricks, self.subset) & placed
        mask = torch.where(guess.any(dim=(1, 2), keepdim=True), guess, placed)
        return policy.act(sight, mask, greedy), mask


class Joint(Learned):
    """A network's guess, the network being trained beside the agent on the states that the agent meets.

    Args:
        offsets: The task's offsets.
        device: Where the policy lives.
        seed: Of the network's first weights.
    """

    BATCH, LEARNING_RATE = 512, 1e-3

    def __init__(self, offsets: OffsetSet, device: str, seed: int) -> None:
        torch.manual_seed(seed)
        super().__init__(ValidityNetwork(ValidityConfig()).to(device), offsets)
        self.optimiser = torch.optim.Adam(self.network.parameters(), self.LEARNING_RATE)

    def learn(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, valid: Tensor) -> None:
        for chosen in torch.split(torch.randperm(len(bricks), device=bricks.device), self.BATCH):
            part = [values.index_select(0, chosen) for values in (nodes, neighbours, bricks)]
            _, logits = self.network(*part)
            placed = placed_bricks(part[2], logits.shape[1])
            loss = binary_cross_entropy_with_logits(
                logits.index_select(-1, self.subset)[placed], valid.index_select(0, chosen)[placed].float()
            )
            self.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()

    def memory(self) -> dict[str, Tensor]:
        weights = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        return weights | optimiser_memory(self.optimiser, self.network)


def optimiser_memory(optimiser: torch.optim.Optimizer, network: nn.Module) -> dict[str, Tensor]:
    """Adam's memory of each parameter, as tensors that may be written to; made here if no step has been taken yet."""
    memory: dict[str, Tensor] = {}
    for name, parameter in network.named_parameters():
        if parameter not in optimiser.state:
            on_gpu = optimiser.defaults.get("capturable", False)
            optimiser.state[parameter] = {
                "step": torch.zeros((), device=parameter.device if on_gpu else "cpu"),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
        memory |= {f"optimiser.{name}.{key}": value for key, value in optimiser.state[parameter].items()}
    return memory


def placed_mask(sight: Sight, valid: Tensor) -> Tensor:
    """All offsets of the bricks placed, in the shape of `valid` (state, brick, offset)."""
    return placed_bricks(sight.bricks, valid.shape[1])[..., None].expand_as(valid)


def make_validator(
    name: Validation, offsets: OffsetSet, network: ValidityNetwork | None = None, device: str = "cpu", seed: int = 0
) -> Validator:
    """The way that a name stands for.

    Args:
        name: Of the way.
        offsets: The task's offsets.
        network: What `pretrained` masks come from.
        device: Where the network of `joint` lives.
        seed: Of its first weights.
    """
    if name == "joint":
        return Joint(offsets, device, seed)
    if name == "pretrained":
        if network is None:
            raise InputError("pretrained masks need a validity network: train one with `b3 validity train`")
        return Learned(network, offsets)
    ways: dict[str, type[Exact | Direct | Sampling]] = {"exact": Exact, "direct": Direct, "sampling": Sampling}
    if name not in ways:
        raise InputError(f"no validation named {name!r}: choose exact, pretrained, joint, sampling or direct")
    return ways[name]()
