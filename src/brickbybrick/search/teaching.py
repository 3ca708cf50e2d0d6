"""How B3+ learns: it builds the training targets, and at every step the search, told the volume, shows what is right.

Any brick of the search's plan that can be placed now is right; in which order is the apprentice's own business. Where
it goes astray the search plans anew from there, so that it learns to go on from its own mistakes (DAgger, Ross et al.
2011). Tasks look the same from the left and from the right, so half of the time they are seen in a mirror.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.learning.evaluate import one_thread
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy
from brickbybrick.search.apprentice import Scenes, weigh
from brickbybrick.search.planner import SearchBuilder, action_to, from_volume
from brickbybrick.targets.catalog import Task


@dataclass(frozen=True)
class Teaching:
    """How the apprentice is taught."""

    rounds: int = 4
    """Times that every training target is built; the first time as the search would."""
    epochs: int = 3
    """Times that all that was seen so far is learned from, after each round."""
    batch: int = 128
    """States in an update."""
    learning_rate: float = 1e-3
    """Adam's at first; it falls to 0."""
    work: int = 20_000
    """Bricks that the search looks at for a plan."""
    width: int = 32
    """Features of a cell."""
    layers: int = 6
    """Convolutions after the first."""
    targets: int | None = None
    """Training targets that are built in a round, others in each; all if not given."""
    seed: int = 0
    """Of the weights, the draws and the order."""

    def __post_init__(self) -> None:
        least = min(self.rounds, self.epochs, self.batch, self.width, self.layers, self.targets or 1)
        if least < 1 or self.work < 0 or not self.learning_rate > 0:
            raise InputError("teaching needs at least 1 round, epoch, state in an update, feature and layer")


QUICK = Teaching(epochs=1, work=5_000, targets=600)  # an hour of one core for three views, minutes for one


class Lessons(NamedTuple):
    """States, and the places that are right there."""

    scene: Scene
    right: Tensor  # (sample, direction, z, y, x)


class Classroom:
    """Training targets under construction, with the search looking on.

    Args:
        task: Whose training targets are built.
        config: How much the search thinks.
        pool: Threads for the search.
    """

    def __init__(self, task: Task, config: Teaching, pool: ThreadPoolExecutor) -> None:
        self.targets, self.pool = task.train, pool
        self.sim = Simulator(task.train, task.offsets, min(config.targets or len(task.train), len(task.train)))
        self.teacher = SearchBuilder(task.offsets, config.seed, work=config.work, estimate=from_volume)
        self.scenes = Scenes(self.sim, task.views)
        self.plans: list[set[Pose]] = []  # (env,) what the search would still place
        self.draws = np.random.default_rng(config.seed)

    def build(self, policy: SpatialPolicy | None) -> Iterator[Lessons]:
        """Builds the targets, by the policy's draws or, without one, as the search would; each step is a lesson."""
        sim = self.sim
        sim.reset(targets=self.draws.permutation(len(self.targets))[: sim.num_envs])
        self.plans = list(self.pool.map(self._plan, range(sim.num_envs)))
        actions = np.zeros((sim.num_envs, 2), np.int64)
        while not sim.state.done.all():
            scene = self.scenes.look()
            right = self._right()
            taught = torch.from_numpy(~sim.state.done) & right.flatten(1).any(dim=1)
            yield Lessons(Scene(*(part[taught] for part in scene)), right[taught])
            likely = weigh(policy, scene) if policy else right.flatten(1).float().log()
            drawn = (likely.numpy() + self.draws.gumbel(size=likely.shape)).argmax(axis=1)
            poses = [Pose(*pose) for pose in self.scenes.poses(drawn).tolist()]
            going = np.flatnonzero(~sim.state.done).tolist()
            for env in going:
                actions[env] = action_to(sim.state.packed, sim.rel, env, np.array(poses[env]))
            sim.step(actions)
            strayed = []
            for env in going:
                if sim.state.done[env]:
                    continue
                if poses[env] in self.plans[env]:
                    self.plans[env].remove(poses[env])
                else:
                    strayed.append(env)
            for env, plan in zip(strayed, self.pool.map(self._plan, strayed), strict=True):
                self.plans[env] = plan

    def _plan(self, env: int) -> set[Pose]:
        """What the search would add to what is there."""
        packed = self.sim.state.packed
        there = [Pose(*pose) for pose in packed.placed[env, : packed.bricks[env], :4].tolist()]
        *_, (_, poses) = self.teacher.plans(self.targets[int(self.sim.state.target[env])], there)
        return set(poses[len(there) :])

    def _right(self) -> Tensor:
        """The places (env, direction, z, y, x) of the plans' bricks that can be placed now."""
        right = np.zeros_like(self.scenes.free)
        origins = self.scenes.origins
        listed = [(env, *pose) for env, plan in enumerate(self.plans) for pose in plan]
        env, x, y, z, d = np.array(listed, np.int64).reshape(-1, 5).T
        x, y, z = (x, y, z) - origins[env].T
        inside = np.all([(at >= 0) & (at < most) for at, most in zip((z, y, x), right.shape[2:], strict=True)], axis=0)
        right[env[inside], d[inside], z[inside], y[inside], x[inside]] = True
        return torch.from_numpy(right & self.scenes.free)


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
    shape = SpatialConfig(task.views, config.width, config.layers)
    policy = SpatialPolicy(shape).to(device)
    optimiser = torch.optim.Adam(policy.parameters(), config.learning_rate)
    rates = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, config.rounds * config.epochs)
    seen: list[Lessons] = []
    with ThreadPoolExecutor(threads) as pool, one_thread():
        room = Classroom(task, config, pool)
        for number in range(config.rounds):
            seen = [joined([*seen, *(moved(lessons, device) for lessons in room.build(policy if number else None))])]
            for _ in range(config.epochs):
                loss = learn(policy, optimiser, seen[0], config.batch, task.offsets.brick)
                rates.step()
            if not np.isfinite(loss):
                raise InputError(f"teaching broke down in round {number + 1}: the loss is {loss}; try a lower rate")
            progress(number + 1, loss, policy)
    return policy


def joined(lessons: Sequence[Lessons]) -> Lessons:
    scene = Scene(*(torch.cat(parts) for parts in zip(*(each.scene for each in lessons), strict=True)))
    return Lessons(scene, torch.cat([each.right for each in lessons]))


def moved(lessons: Lessons, device: str) -> Lessons:
    return Lessons(Scene(*(part.to(device) for part in lessons.scene)), lessons.right.to(device))


def learn(policy: SpatialPolicy, optimiser: torch.optim.Optimizer, lessons: Lessons, batch: int, brick: Size) -> float:
    """Goes through all lessons once, in random order, so that what is right becomes likely; returns the mean loss."""
    device = lessons.right.device
    total = torch.zeros((), device=device)
    for chosen in torch.split(torch.randperm(len(lessons.right)).to(device), batch):
        some = Lessons(Scene(*(part.index_select(0, chosen) for part in lessons.scene)), lessons.right[chosen])
        some = mirrored(some, brick, *(torch.rand(3) < 0.5).tolist())
        with torch.autocast(device.type, torch.bfloat16):  # half of the time on a CPU that knows it
            logits = policy(some.scene).flatten(1)
        right = logits.masked_fill(~some.right.flatten(1), -torch.inf)
        loss = (logits.logsumexp(dim=1) - right.logsumexp(dim=1)).mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimiser.step()
        total += loss.detach() * len(chosen)
    return float(total) / len(lessons.right)


def mirrored(lessons: Lessons, brick: Size, flip_x: bool, flip_y: bool, swap: bool) -> Lessons:
    """The same seen from the other side, from behind, or with x and y swapped; in a plane only the first of them."""
    hull, built, free, left = lessons.scene
    right = lessons.right
    flat = free.shape[1] == 1
    if flip_x:
        hull, built = hull.flip(-1), built.flip(-1)
        free, right = (_flip_corners(places, -1, [brick.extent(d)[0] for d in (0, 1)]) for places in (free, right))
    if flip_y and not flat:
        hull, built = hull.flip(-2), built.flip(-2)
        free, right = (_flip_corners(places, -2, [brick.extent(d)[1] for d in (0, 1)]) for places in (free, right))
    if swap and not flat:
        hull, built = hull.transpose(-1, -2), built.transpose(-1, -2)
        free, right = (places.transpose(-1, -2).flip(1) for places in (free, right))
    return Lessons(Scene(hull, built, free, left), right)


def _flip_corners(places: Tensor, axis: int, lengths: Sequence[int]) -> Tensor:
    """Corners in a mirror: what was a brick's far end becomes its corner."""
    ends = zip(places.flip(axis).unbind(1), lengths[: places.shape[1]], strict=True)
    return torch.stack([each.roll(1 - length, axis) for each, length in ends], dim=1)
