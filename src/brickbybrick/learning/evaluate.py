"""How well an agent builds: many targets in one batch, and the agent as a `Builder`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.learning.sight import Eyes
from brickbybrick.learning.validation import Exact, Validator
from brickbybrick.policies.actor_critic import ActorCritic
from brickbybrick.targets.target import Target, TargetSet


@contextmanager
def one_thread() -> Iterator[None]:
    """For small matrices: a second thread gains nothing, and on a busy machine waiting for it took 10 times as long."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class Scores(NamedTuple):
    """What came of building some targets, (target,) each."""

    iou: npt.NDArray[np.float64]
    episode_return: npt.NDArray[np.float64]
    bricks: npt.NDArray[np.int64]
    invalid: npt.NDArray[np.bool_]  # the episode ended with an invalid action


class Agent:
    """A policy that builds: what every learned agent is.

    Args:
        policy: The network.
        offsets: The joints that its actions stand for.
        name: What to sign constructions with.
        validator: How invalid actions are kept out.
        greedy: Whether to take the likeliest action rather than draw one.
        seed: Of the draws.
    """

    def __init__(
        self,
        policy: ActorCritic,
        offsets: OffsetSet,
        name: str = "b3",
        validator: Validator | None = None,
        greedy: bool = True,
        seed: int = 0,
    ) -> None:
        self.policy, self.offsets, self.name = policy, offsets, name
        self.validator: Validator = validator or Exact()
        self.greedy, self.seed = greedy, seed

    def build(self, target: Target) -> Construction:
        return self.build_all([target])[0]

    def build_all(self, targets: Sequence[Target]) -> list[Construction]:
        sim = self.play(TargetSet(tuple(targets)))
        return [sim.construction(env, self.name) for env in range(len(targets))]

    def score(self, targets: Sequence[Target]) -> Scores:
        """Builds targets and keeps the figures alone."""
        state = self.play(TargetSet(tuple(targets))).state
        return Scores(
            state.iou.copy(), state.episode_return.copy(), state.packed.bricks.astype(np.int64), state.invalid.copy()
        )

    def begin(self, targets: Sequence[Target], by_hand: bool = False) -> Simulator:
        """An environment for each target with its first brick placed; with room for others' bricks if `by_hand`."""
        sim = Simulator(TargetSet(tuple(targets)), self.offsets, num_envs=len(targets), by_hand=by_hand)
        sim.reset(targets=np.arange(len(targets)))
        return sim

    @torch.no_grad()
    def steps(self, sim: Simulator) -> Iterator[None]:
        """Goes on building, one brick in each environment at a time, until all episodes are over."""
        eyes = self._eyes(sim)
        while not sim.state.done.all():
            eyes.look()
            choice, _ = self.validator.choose(self.policy, eyes.sight, eyes.valid, self.greedy)
            sim.step(choice.actions.cpu().numpy())
            yield

    @torch.no_grad()
    def probabilities(self, sim: Simulator) -> npt.NDArray[np.float64]:
        """How likely each valid action is to be drawn next, (env, brick, offset); they sum to 1 in an environment."""
        eyes = self._eyes(sim)
        return self.policy.probabilities(eyes.sight, eyes.valid).double().cpu().numpy()

    def play(self, targets: TargetSet) -> Simulator:
        """Plays an episode for each target, all at once. Training's random numbers are left as they were."""
        sim = self.begin(targets)
        device = next(self.policy.parameters()).device
        with one_thread(), torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(self.seed)
            for _ in self.steps(sim):
                pass
        return sim

    def _eyes(self, sim: Simulator) -> Eyes:
        return Eyes(sim, next(self.policy.parameters()).device, self.policy.config.frame)
