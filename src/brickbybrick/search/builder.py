"""What every agent is, learned or not: something that builds a target. And the simplest one, which builds at random."""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target, TargetSet


class Builder(Protocol):
    """Builds targets."""

    name: str

    def build(self, target: Target) -> Construction:
        """Builds one target."""
        ...

    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        """Builds many targets side by side."""
        ...


class StepwiseBuilder(Builder, Protocol):
    """A builder that can be watched, stopped after any brick, and set to work on what others began."""

    def begin(self, targets: Sequence[Target], by_hand: bool = False) -> Simulator:
        """An environment for each target with its first brick placed; with room for others' bricks if `by_hand`."""
        ...

    def steps(self, sim: Simulator) -> Iterator[None]:
        """Goes on building, one brick in each environment at a time, until all episodes are over."""
        ...


class SimulatedBuilder(ABC):
    """A builder that plays episodes in the simulator, all targets in one batch."""

    name = "simulated"

    def __init__(self, offsets: OffsetSet, seed: int = 0) -> None:
        self.offsets = offsets
        self.seed = seed

    @abstractmethod
    def choose(self, sim: Simulator, actions: npt.NDArray[np.int64]) -> None:
        """Fills in a valid action (env, 2) for each environment whose episode is not over."""

    def begin(self, targets: Sequence[Target], by_hand: bool = False) -> Simulator:
        """An environment for each target with its first brick placed; with room for others' bricks if `by_hand`."""
        sim = Simulator(TargetSet(tuple(targets)), self.offsets, num_envs=len(targets), by_hand=by_hand)
        # Seeds from what is to be built, not from its place in the batch, so that a target's result is its own.
        seeds = [self.seed + (zlib.crc32(target.volume.tobytes()) << 32) for target in targets]
        sim.reset(targets=np.arange(len(targets)), seed=seeds)
        return sim

    def steps(self, sim: Simulator) -> Iterator[None]:
        """Goes on building, one brick in each environment at a time, until all episodes are over."""
        actions = np.zeros((sim.num_envs, 2), np.int64)
        while not sim.state.done.all():
            self.choose(sim, actions)
            sim.step(actions)
            yield

    def build(self, target: Target) -> Construction:
        return self.build_all([target])[0]

    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        sim = self.begin(targets)
        for _ in self.steps(sim):
            pass
        return [sim.construction(env, self.name) for env in range(len(targets))]


class RandomBuilder(SimulatedBuilder):
    """Places each brick at random, every valid action being equally likely."""

    name = "random"

    def choose(self, sim: Simulator, actions: npt.NDArray[np.int64]) -> None:
        sim.random_actions(actions)
