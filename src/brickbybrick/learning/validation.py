"""Ways to keep invalid actions out that learn beside the agent, and all ways by their names."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.learning.learner import optimiser_memory
from brickbybrick.policies.graph_network import placed_bricks
from brickbybrick.policies.validation import Direct, Exact, Learned, Sampling, Validation, Validator
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork


class Joint(Learned):
    """A network's guess, the network being trained beside the agent on the states that the agent meets."""

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


def make_validator(
    name: Validation, offsets: OffsetSet, network: ValidityNetwork | None = None, device: str = "cpu", seed: int = 0
) -> Validator:
    """The way that a name stands for. `pretrained` masks come from the network; that of `joint` lives on the device,
    and its first weights are the seed's."""
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
