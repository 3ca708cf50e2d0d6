"""A network that builds: B3 and its ablations, which look at the graph of bricks, and B3+, which looks at space."""

from collections.abc import Sequence

import numpy as np
import torch

from brickbybrick.builders.base import Actions, Advice, Chooser, EpisodeBuilder
from brickbybrick.builders.greedy import greedy_chooser
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.packed import action_to
from brickbybrick.policies.actor_critic import ActorCritic
from brickbybrick.policies.observation import Observer
from brickbybrick.policies.scenes import Flags, Scenes, Wanted, from_hull, spread_over_actions, weigh
from brickbybrick.policies.spatial import SpatialPolicy
from brickbybrick.policies.threads import one_thread
from brickbybrick.policies.validation import Exact, Validator
from brickbybrick.targets.target import VIEW_SIDE, Target


class GraphAgent(EpisodeBuilder):
    """The paper's agent: chooses a pivot, then an offset.

    Args:
        policy: The network.
        offsets: The joints that its actions stand for.
        name: What to sign constructions with: b3, mlp, sl.
        validator: How invalid actions are kept out; exact masks if not given.
        sampled: Whether to draw actions instead of taking the likeliest.
        seed: Random seed of the draws.
    """

    cells = VIEW_SIDE

    def __init__(
        self,
        policy: ActorCritic,
        offsets: OffsetSet,
        name: str = "b3",
        validator: Validator | None = None,
        sampled: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(offsets, seed)
        shape = policy.config
        if (shape.views == 1) != offsets.flat or shape.offsets != len(offsets):
            raise InputError(
                f"an agent for {shape.views} view(s) and {shape.offsets} offsets does not build with the "
                f"{len(offsets)} offsets of {offsets.name}: take one that was trained for them"
            )
        self.policy, self.name, self.sampled = policy, name, sampled
        self.validator: Validator = validator or Exact()

    @property
    def device(self) -> torch.device:
        return next(self.policy.parameters()).device

    def chooser(self, sim: Simulator) -> Chooser:
        observer = Observer(sim, self.device, self.policy.config.frame)

        @torch.no_grad()
        def choose(actions: Actions) -> None:
            observer.look()
            choice, _ = self.validator.choose(self.policy, observer.observation, observer.valid, not self.sampled)
            actions[:] = choice.actions.cpu().numpy()

        return choose

    def play(self, targets: Sequence[Target]) -> Simulator:
        """Plays an episode for each target, all at once. Training's random numbers are left as they were."""
        with one_thread(), torch.random.fork_rng([self.device] if self.device.type == "cuda" else []):
            torch.manual_seed(self.seed)
            return super().play(targets)

    @torch.no_grad()
    def advice(self, sim: Simulator) -> Advice:
        observer = Observer(sim, self.device, self.policy.config.frame)
        with one_thread():
            probabilities = self.policy.probabilities(observer.observation, observer.valid)
            choice = self.policy.act(observer.observation, observer.valid, greedy=True)
        # The pivot is chosen first, which need not lead to the likeliest action.
        parts = (probabilities.double(), choice.actions, choice.value.double())
        return Advice(*(part.cpu().numpy() for part in parts))


class SpatialAgent(EpisodeBuilder):
    """B3+: places each brick where its network would. Far from the target, where that sees nothing, it places greedily,
    by the images, the seed choosing among equals.

    Args:
        policy: The network.
        offsets: The joints to build with.
        seed: Random seed of the choice among equals.
        wanted: What it believes about a target's cells, from the images; all that they leave room for if not given.
    """

    name = "b3plus"

    def __init__(self, policy: SpatialPolicy, offsets: OffsetSet, seed: int = 0, wanted: Wanted = from_hull) -> None:
        super().__init__(offsets, seed)
        if (policy.config.views == 1) != offsets.flat:
            raise InputError(f"a B3+ of {policy.config.views} view(s) does not build with the offsets {offsets.name}")
        self.policy, self.wanted = policy, wanted
        self.cells = None if offsets.flat else VIEW_SIDE
        policy.trunk.laid_out()

    def scenes(self, sim: Simulator, flips: Flags | None = None) -> Scenes:
        """What it sees of a batch of episodes, of which some may be `flips` in a mirror."""
        return Scenes(sim, self.policy.config.views, self.wanted, flips)

    def chooser(self, sim: Simulator, flips: Flags | None = None) -> Chooser:
        scenes, choose_greedily = self.scenes(sim, flips), greedy_chooser(self, sim)

        def choose(actions: Actions) -> None:
            scene = scenes.look()
            sighted = scene.free.flatten(1).any(dim=1).numpy()
            if not sighted.all():
                choose_greedily(actions)
            poses = scenes.poses(weigh(self.policy, scene).argmax(dim=1).numpy())
            for env in np.flatnonzero(sighted & ~sim.state.done).tolist():
                actions[env] = action_to(sim.state.packed, sim.rel, env, poses[env])

        return choose

    def advice(self, sim: Simulator) -> Advice:
        """Of the actions that lead to one place, the first has all of its probability."""
        scenes = self.scenes(sim)
        scene = scenes.look()
        likely = weigh(self.policy, scene).double().softmax(dim=1).reshape(scene.free.shape).numpy()
        found = np.zeros((sim.num_envs, sim.max_bricks, len(self.offsets)))
        spread_over_actions(sim.state.packed, sim.rel, scenes.origins, scenes.flips, likely, found)
        best = found.reshape(sim.num_envs, -1).argmax(axis=1)
        return Advice(found, np.stack(np.unravel_index(best, found.shape[1:]), axis=1))
