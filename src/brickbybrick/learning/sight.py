"""From the simulator's arrays to the tensors that an agent reads, without a copy where the device is the CPU."""

import numpy as np
import torch
from torch import Tensor

from brickbybrick.envs.simulator import Simulator
from brickbybrick.policies.actor_critic import Sight


class Eyes:
    """Looks at a simulator. The tensors keep their place, so that recorded kernels can read them again and again."""

    def __init__(self, sim: Simulator, device: torch.device) -> None:
        packed = sim.state.packed
        self.device = device
        self.images = torch.from_numpy(sim.targets.images).to(device)  # (target, view, row, column)
        self.bit = torch.from_numpy(sim.rel.bit).to(device)  # (offset,)
        self._sources = [
            torch.from_numpy(array)
            for array in (
                sim.state.target,
                sim.state.nodes,
                packed.neighbours,
                packed.bricks,
                packed.words.view(np.int64),
            )
        ]
        self._seen = [source.to(device, copy=True) for source in self._sources]

    def look(self) -> None:
        """Brings the tensors up to date."""
        for seen, source in zip(self._seen, self._sources, strict=True):
            seen.copy_(source, non_blocking=True)

    @property
    def target(self) -> Tensor:
        """Which target each environment builds, (env,)."""
        return self._seen[0]

    @property
    def sight(self) -> Sight:
        """What the agent sees of each environment."""
        target, nodes, neighbours, bricks, _ = self._seen
        return sight_of(self.images, target, nodes, neighbours, bricks)

    @property
    def valid(self) -> Tensor:
        """Which actions are valid, (env, brick, offset)."""
        return unpacked(self._seen[4], self.bit)


def sight_of(images: Tensor, target: Tensor, nodes: Tensor, neighbours: Tensor, bricks: Tensor) -> Sight:
    """What an agent sees of states that build some of the targets `images` (target, view, row, column) shows.

    On a CPU each target is encoded once, however many states build it; on a GPU, where shapes must not change, once
    for each state.
    """
    if nodes.is_cuda:
        every = torch.arange(len(target), device=target.device)
        return Sight(images.index_select(0, target), every, nodes, neighbours, bricks)
    different, which = torch.unique(target.long(), return_inverse=True)
    return Sight(images.index_select(0, different), which, nodes, neighbours, bricks)


def unpacked(words: Tensor, bit: Tensor) -> Tensor:
    """Mask words (..., word) as one flag for each offset (..., offset)."""
    return (words.index_select(-1, bit >> 6) >> (bit & 63)) & 1 != 0
