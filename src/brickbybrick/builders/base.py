"""What every builder is: something that turns targets into constructions. Those that place one brick after the other
in the simulator can be watched, stopped after any brick, and set to work on what others began."""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target, TargetSet

Sees = Literal["images", "volume"]
Actions = npt.NDArray[np.int64]  # (env, 2) pivot and offset
Chooser = Callable[[Actions], None]
Tell = Callable[[str, float], None]  # what is being done, and which share of everything is done, 0 to 1


def tell_nobody(doing: str, share: float) -> None:
    """For builds that nobody watches."""


class Builder(ABC):
    """Builds targets."""

    name: str  # that constructions are signed with
    sees: Sees = "images"  # what it is told of a target; whoever sees images never looks at the volume
    cells: int | None = None  # of the longest side of targets, for those who know one size only
    # Whom those who build a model as a whole tell how far they are; an error that this raises stops them.
    tell: Tell = staticmethod(tell_nobody)

    @abstractmethod
    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        """Builds many targets. What becomes of one does not depend on the others."""

    def build(self, target: Target) -> Construction:
        """Builds one target."""
        return self.build_all([target])[0]

    def seen(self, target: Target) -> npt.NDArray[np.bool_]:
        """The cells that it may fill: all that the images allow, or the volume for those who are told it."""
        return target.hull if self.sees == "images" else target.volume


def seed_of(seed: int, cells: npt.NDArray[np.bool_]) -> int:
    """A seed from what is to be built, not from its place in a batch, so that a target's result is its own."""
    return seed + (zlib.crc32(cells.tobytes()) << 32)


class Advice(NamedTuple):
    """What a builder thinks of a batch of states."""

    probabilities: npt.NDArray[np.float64]  # (env, brick, offset) how likely each action is
    choice: Actions  # (env, 2) the one that it would take itself
    value: npt.NDArray[np.float64] | None = None  # (env,) the IoU that it expects to gain, for those with a critic


class EpisodeBuilder(Builder):
    """A builder that plays episodes in the simulator, all targets in one batch.

    Args:
        offsets: The joints an action may choose from.
        seed: Random seed. A target is built the same alone and beside any others.
    """

    def __init__(self, offsets: OffsetSet, seed: int = 0) -> None:
        self.offsets = offsets
        self.seed = seed

    @abstractmethod
    def chooser(self, sim: Simulator) -> Chooser:
        """What fills in an action for each environment whose episode is not over, made once for a batch of episodes."""

    def advice(self, sim: Simulator) -> Advice | None:  # noqa: ARG002 - for those that have an opinion
        """What it thinks of the next bricks, if it weighs them."""
        return None

    def begin(self, targets: Sequence[Target], by_hand: bool = False) -> Simulator:
        """An environment for each target with its first brick placed; with room for others' bricks if `by_hand`."""
        sim = Simulator(TargetSet(tuple(targets)), self.offsets, num_envs=len(targets), by_hand=by_hand)
        seeds = [seed_of(self.seed, self.seen(target)) for target in targets]
        sim.reset(targets=np.arange(len(targets)), seed=seeds)
        return sim

    def steps(self, sim: Simulator) -> Iterator[None]:
        """Goes on building, one brick in each environment at a time, until all episodes are over."""
        choose = self.chooser(sim)
        actions = np.zeros((sim.num_envs, 2), np.int64)
        while not sim.state.done.all():
            choose(actions)
            sim.step(actions)
            yield

    def play(self, targets: Sequence[Target]) -> Simulator:
        """Plays an episode for each target, all at once, to its end."""
        sim = self.begin(targets)
        for _ in self.steps(sim):
            pass
        return sim

    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        return self.constructions(self.play(targets))

    def constructions(self, sim: Simulator) -> list[Construction]:
        """What was built in each environment."""
        return [sim.construction(env, self.name) for env in range(sim.num_envs)]


class RandomBuilder(EpisodeBuilder):
    """Places each brick at random, every valid action being equally likely."""

    name = "random"

    def chooser(self, sim: Simulator) -> Chooser:
        return sim.random_actions
