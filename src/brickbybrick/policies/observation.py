"""From the simulator's arrays to the tensors that an agent reads, without a copy where the device is the CPU."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from brickbybrick.envs.simulator import Simulator
from brickbybrick.policies.actor_critic import Frame, Observation
from brickbybrick.policies.graph_network import Room


class Observer:
    """Looks at a simulator. The tensors keep their place, so that recorded kernels can read them again and again."""

    def __init__(self, sim: Simulator, device: torch.device, frame: Frame) -> None:
        self._packed = packed = sim.state.packed
        starts = np.zeros((len(sim.targets), 4), np.int16)
        if frame == "image":
            starts[:, :3] = sim.start_cells
        self.views = Views(torch.from_numpy(sim.targets.images).to(device), torch.from_numpy(starts).to(device))
        self.bit = torch.from_numpy(sim.rel.bit).to(device)  # (offset,)
        words = packed.words.view(np.int64)
        arrays = (sim.state.target, sim.state.nodes, packed.neighbours, packed.bricks, words)
        self._sources = [torch.from_numpy(array) for array in arrays]
        self._seen = [source.to(device, copy=True) for source in self._sources]

    def look(self) -> None:
        """Brings the tensors up to date."""
        for seen, source in zip(self._seen, self._sources, strict=True):
            seen.copy_(source, non_blocking=True)

    @property
    def state(self) -> "State":
        """The environments as they were last seen."""
        return State(*self._seen[:4])

    @property
    def observation(self) -> Observation:
        """What the agent sees of each environment."""
        return self.views.observation(*self.state)

    @property
    def needed(self) -> Room:
        """The bricks and edges of all environments."""
        return Room(int(self._packed.bricks.sum()), int(self._packed.degrees.sum()))

    @property
    def valid(self) -> Tensor:
        """Which actions are valid, (env, brick, offset)."""
        return unpacked(self._seen[4], self.bit)


class State(NamedTuple):
    """Constructions under way, as the simulator has them."""

    target: Tensor  # (env,) which target
    nodes: Tensor  # (env, brick, 4)
    neighbours: Tensor  # (env, brick, neighbour)
    bricks: Tensor  # (env,)


class Views(NamedTuple):
    """What is known of the targets."""

    images: Tensor  # (target, view, row, column)
    starts: Tensor  # (target, 4) what is added to the poses of bricks: nothing, or where the first one is

    def observation(self, target: Tensor, nodes: Tensor, neighbours: Tensor, bricks: Tensor) -> Observation:
        """What an agent sees of states that build `target` (state,).

        On a CPU each target is encoded once, however many states build it; on a GPU, where shapes must not change,
        once for each state.
        """
        nodes = nodes + self.starts.index_select(0, target)[:, None, :]
        if nodes.is_cuda:
            every = torch.arange(len(target), device=target.device)
            return Observation(self.images.index_select(0, target), every, nodes, neighbours, bricks)
        different, which = torch.unique(target.long(), return_inverse=True)
        return Observation(self.images.index_select(0, different), which, nodes, neighbours, bricks)


def unpacked(words: Tensor, bit: Tensor) -> Tensor:
    """Mask words (..., word) as one flag for each offset (..., offset)."""
    return (words.index_select(-1, bit >> 6) >> (bit & 63)) & 1 != 0
