"""How B3+ learns: it builds the training targets, and at every step the search, told the volume, shows what it would do.

Where the apprentice goes astray the search plans anew from there, so that it learns how to go on from its own mistakes
too (Ross et al. 2011, DAgger). Any brick of the plan that can be placed now is right: the order is the apprentice's own.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import Pose
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy
from brickbybrick.search.apprentice import Scenes
from brickbybrick.search.planner import SearchBuilder, action_to, from_volume
from brickbybrick.targets.catalog import Task


@dataclass(frozen=True)
class Teaching:
    """How the apprentice is taught."""

    rounds: int = 6
    """Times that every training target is built; the first time as the search would."""
    epochs: int = 4
    """Times that all that was seen so far is learned from, after each round."""
    batch: int = 512
    learning_rate: float = 1e-3
    """At first; it falls to 0."""
    work: int = 20_000
    """Bricks that the search looks at for a plan."""
    width: int = 48
    layers: int = 9
    seed: int = 0


class Lessons(NamedTuple):
    """States, and the places that are right there."""

    scene: Scene
    right: Tensor  # (sample, direction, z, y, x)


class Classroom:
    """All training targets under construction, with the search looking on.

    Args:
        task: Whose training targets are built.
        config: How much the search thinks.
        views: Of the policy.
        pool: Threads for the search.
    """

    def __init__(self, task: Task, config: Teaching, views: int, pool: ThreadPoolExecutor) -> None:
        self.targets, self.pool = task.train, pool
        self.sim = Simulator(task.train, task.offsets, len(task.train))
        self.teacher = SearchBuilder(task.offsets, config.seed, work=config.work, estimate=from_volume)
        self.scenes = Scenes(self.sim, views)
        self.plans: list[set[Pose]] = []  # (env,) what the search would still place
        self.draws = np.random.default_rng(config.seed)

    def build(self, policy: SpatialPolicy | None) -> Iterator[Lessons]:
        """Builds every target, by the policy's draws or as the search would, with a lesson for each step."""
        sim, number = self.sim, len(self.targets)
        sim.reset(targets=np.arange(number))
        self.plans = list(self.pool.map(self._plan, range(number)))
        actions = np.zeros((number, 2), np.int64)
        while not sim.state.done.all():
            scene = self.scenes.look()
            right = self._right()
            going = torch.from_numpy(~sim.state.done & right.any(axis=(1, 2, 3, 4)))
            yield Lessons(Scene(*(part[going] for part in scene)), torch.from_numpy(right)[going])
            places = self._draw(scene, policy) if policy else self._draw_right(right)
            poses = [Pose(*pose) for pose in self.scenes.poses(places).tolist()]
            for env in np.flatnonzero(~sim.state.done).tolist():
                actions[env] = action_to(sim.state.packed, sim.rel, env, np.array(poses[env]))
            going_on = ~sim.state.done
            sim.step(actions)
            strayed = []
            for env in np.flatnonzero(going_on & ~sim.state.done).tolist():
                if poses[env] in self.plans[env]:
                    self.plans[env].remove(poses[env])
                else:
                    strayed.append(env)
            for env, plan in zip(strayed, self.pool.map(self._plan, strayed), strict=True):
                self.plans[env] = plan

    def _plan(self, env: int) -> set[Pose]:
        packed = self.sim.state.packed
        there = [Pose(*pose) for pose in packed.placed[env, : packed.bricks[env], :4].tolist()]
        *_, (_, poses) = self.teacher.plans(self.targets[env], there)
        return set(poses[len(there) :])

    def _right(self) -> npt.NDArray[np.bool_]:
        """The places (env, direction, z, y, x) of plans' bricks that can be placed now."""
        right = np.zeros_like(self.scenes.free)
        origins = self.scenes.origins
        depth, height, width = right.shape[2:]
        for env, plan in enumerate(self.plans):
            for pose in plan:
                x, y, z = (int(at) for at in np.subtract(pose[:3], origins[env]))
                if 0 <= z < depth and 0 <= y < height and 0 <= x < width:
                    right[env, pose.d, z, y, x] = True
        return right & self.scenes.free

    def _draw_right(self, right: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return (self.draws.random(right.shape, np.float32) * right).reshape(len(right), -1).argmax(axis=1)

    @torch.no_grad()
    def _draw(self, scene: Scene, policy: SpatialPolicy) -> npt.NDArray[np.int64]:
        """A place for each environment, as likely as the policy finds it."""
        device = next(policy.parameters()).device
        drawn = []
        for part in torch.split(torch.arange(len(scene.left)), 1024):
            logits = policy(Scene(*(each[part].to(device) for each in scene))).flatten(1).cpu().numpy()
            drawn.append((logits + self.draws.gumbel(size=logits.shape)).argmax(axis=1))
        return np.concatenate(drawn)


def teach(
    task: Task,
    config: Teaching,
    device: str = "cpu",
    threads: int = 1,
    progress: Callable[[int, float, SpatialPolicy], None] = lambda _round, _loss, _policy: None,
) -> SpatialPolicy:
    """Teaches a policy to build a task's targets.

    Args:
        task: What to learn.
        config: How.
        device: Where the network lives.
        threads: For the search.
        progress: Told after each round its number, the mean loss of its last epoch and how far the policy is.
    """
    torch.manual_seed(config.seed)
    views = len(task.train[0].images)
    policy = SpatialPolicy(SpatialConfig(views, config.width, config.layers)).to(device)
    optimiser = torch.optim.Adam(policy.parameters(), config.learning_rate)
    seen: list[Lessons] = []
    with ThreadPoolExecutor(threads) as pool:
        room = Classroom(task, config, views, pool)
        for number in range(config.rounds):
            seen += [Lessons(Scene(*(part.to(device) for part in lesson.scene)), lesson.right.to(device)) for lesson in room.build(policy if number else None)]
            lessons = joined(seen)
            for epoch in range(config.epochs):
                done = (number * config.epochs + epoch) / (config.rounds * config.epochs)
                for group in optimiser.param_groups:
                    group["lr"] = config.learning_rate * (1 - done)
                loss = learn(policy, optimiser, lessons, config.batch)
            progress(number + 1, loss, policy)
    return policy


def joined(lessons: Sequence[Lessons]) -> Lessons:
    scene = Scene(*(torch.cat(parts) for parts in zip(*(lesson.scene for lesson in lessons), strict=True)))
    return Lessons(scene, torch.cat([lesson.right for lesson in lessons]))


def learn(policy: SpatialPolicy, optimiser: torch.optim.Optimizer, lessons: Lessons, batch: int) -> float:
    """Goes through all lessons once, in random order; returns the mean loss."""
    device = lessons.right.device
    total = torch.zeros((), device=device)
    for chosen in torch.split(torch.randperm(len(lessons.right), device=device), batch):
        scene = Scene(*(part.index_select(0, chosen) for part in lessons.scene))
        right = lessons.right.index_select(0, chosen)
        scene, right = mirrored(scene, right)
        logits = policy(scene).flatten(1)
        wanted = logits.masked_fill(~right.flatten(1), -torch.inf)
        loss = (logits.logsumexp(dim=1) - wanted.logsumexp(dim=1)).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimiser.step()
        total += loss.detach() * len(chosen)
    return float(total) / len(lessons.right)


def mirrored(scene: Scene, right: Tensor) -> tuple[Scene, Tensor]:
    """Half of the time seen in a mirror: the tasks are the same from the left and from the right."""
    if torch.rand(()) < 0.5:
        return scene, right

    def corners(places: Tensor) -> Tensor:
        """Corners move by the brick's length less one, since the mirror swaps the ends."""
        flipped = places.flip(-1)
        out = torch.zeros_like(flipped)
        for d, extent in enumerate((2, 4)[: places.shape[1]]):
            out[:, d, ..., : flipped.shape[-1] - extent + 1] = flipped[:, d, ..., extent - 1 :]
        return out

    return Scene(scene.hull.flip(-1), scene.built.flip(-1), corners(scene.free), scene.left), corners(right)
