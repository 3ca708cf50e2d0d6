"""How B3+ learns: it builds the training targets, and at every step the search shows what is right.

Any brick of the search's plan that can be placed now is right; in which order is the apprentice's own business. Where
it goes astray the search plans anew from there, so that it learns to go on from its own mistakes (DAgger, Ross et al.
2011). Tasks look the same from the left and from the right, so half of the time they are seen in a mirror.

The search is told the volume where the images tell it too. Where they do not, it goes by what the apprentice believes:
one who knows more would show what nobody could know.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.beam.planner import Estimate, SearchBuilder, from_volume
from brickbybrick.builders.belief import Belief
from brickbybrick.builders.explaining import is_explained
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.packed import action_to
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.learning.learner import Learner, Report, check_finite, optimiser_memory
from brickbybrick.learning.objects import targets_made
from brickbybrick.policies.scenes import Scenes, from_hull, weigh
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy
from brickbybrick.policies.threads import one_thread
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import Target, TargetSet


@dataclass(frozen=True)
class TeachingConfig:
    """How the apprentice is taught."""

    rounds: int = 4
    """Times that targets are built; the first time as the search would, by one who knows nothing yet."""
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
    made: int = 0
    """Targets that are made of each training target, to be built besides."""
    targets: int | None = None
    """Targets that are built in a round, others in each; all if not given."""
    seed: int = 0
    """Random seed, of the weights, the draws and the order."""

    def __post_init__(self) -> None:
        least = min(self.rounds, self.epochs, self.batch, self.width, self.layers, self.targets or 1)
        if least < 1 or min(self.work, self.made) < 0 or not self.learning_rate > 0:
            raise InputError("teaching needs at least 1 round, epoch, state in an update, feature and layer")


# What is less where little time is: half an hour of one core for three views, minutes for one.
QUICK: dict[str, Any] = {"rounds": 4, "epochs": 1, "work": 5_000, "targets": 600, "made": 0}


class Lessons(NamedTuple):
    """States, and the places that are right there."""

    target: Tensor  # (sample,) which one
    scene: Scene
    right: Tensor  # (sample, direction, z, y, x)


class PackedLessons:
    """All lessons so far, a bit for each cell and place: an eighth of the room, in memory and on disk. What is wanted
    is the target's, and is not kept again."""

    def __init__(self, scenes: Scenes, device: str) -> None:
        cells, places = scenes.built.shape[1:], scenes.free.shape[1:]
        self.shapes = (cells, places, places)  # of the parts of one state: cells built, places free, places right
        self.sizes = [int(np.prod(shape)) for shape in self.shapes]
        self.wanted = torch.from_numpy(scenes.wanted).to(device)  # (target, z, y, x)
        self.bits = torch.zeros((0, -(-sum(self.sizes) // 8)), dtype=torch.uint8, device=device)  # (state, byte)
        self.counts = torch.zeros((0, 2), dtype=torch.int64, device=device)  # (state, 2) which target, and bricks left

    def __len__(self) -> int:
        return len(self.counts)

    def add(self, packed: Sequence[tuple[Tensor, Tensor]]) -> None:
        """Keeps lessons, as `pack` makes them."""
        bits, counts = zip(*packed, strict=True)
        self.bits = torch.cat([self.bits, *(some.to(self.bits.device) for some in bits)])
        self.counts = torch.cat([self.counts, *(some.to(self.counts.device) for some in counts)])

    def some(self, chosen: Tensor) -> Lessons:
        """The lessons of these numbers (sample,)."""
        shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=self.bits.device)  # the first bit is the highest
        bits = (self.bits.index_select(0, chosen)[..., None] >> shifts & 1).flatten(1)[:, : sum(self.sizes)].bool()
        parts = torch.split(bits, self.sizes, dim=1)
        built, free, right = (part.reshape(-1, *shape) for part, shape in zip(parts, self.shapes, strict=True))
        target, left = self.counts.index_select(0, chosen).unbind(1)
        return Lessons(target, Scene(self.wanted.index_select(0, target), built, free, left), right)


def pack(lessons: Lessons) -> tuple[Tensor, Tensor]:
    """The bits (state, byte) of lessons, and their targets and bricks left (state, 2)."""
    cells = np.concatenate([part.flatten(1).numpy() for part in (*lessons.scene[1:3], lessons.right)], axis=1)
    counts = torch.stack([lessons.target, lessons.scene.left.long()], dim=1)
    return torch.from_numpy(np.packbits(cells, axis=1)), counts


class Classroom:
    """A task's training targets, and others, under construction, with the search looking on. `belief` is what is
    believed of what the images leave open, if they do."""

    def __init__(
        self, task: Task, config: TeachingConfig, belief: Belief | None = None, others: Sequence[Target] = ()
    ) -> None:
        self.targets, self.seed = TargetSet((*task.train, *others)), config.seed
        every = len(self.targets)
        self.sim = Simulator(self.targets, task.offsets, min(config.targets or every, every))

        @cache
        def shown(target: Target) -> Estimate:
            """What the search goes by."""
            if belief is None or is_explained(target, task.offsets):
                return from_volume(target)
            return belief(target)

        self.teacher = SearchBuilder(task.offsets, config.seed, work=config.work, estimate=shown)
        self.scenes = Scenes(self.sim, task.views, belief.cells if belief else from_hull)
        self.plans: list[set[Pose]] = []  # (env,) what the search would still place

    def states_of(self, number: int) -> int:
        """About how many states a round has."""
        chosen, _ = self._draws(number)
        return int((self.targets.budgets[chosen] - 1).sum())

    def _draws(self, number: int) -> tuple[npt.NDArray[np.int64], np.random.Generator]:
        """The targets of a round, and its draws, which are its own so that a run can go on before any round."""
        draws = np.random.default_rng([self.seed, number])
        return draws.permutation(len(self.targets))[: self.sim.num_envs], draws

    def build(self, policy: SpatialPolicy | None, number: int, pool: ThreadPoolExecutor) -> Iterator[Lessons]:
        """Builds a round's targets, by the policy's draws or, without one, as the search would; each step is a lesson.
        The search plans in the pool's threads."""
        sim = self.sim
        chosen, draws = self._draws(number)
        sim.reset(targets=chosen)
        self.plans = list(pool.map(self._plan, range(sim.num_envs)))
        actions = np.zeros((sim.num_envs, 2), np.int64)
        while not sim.state.done.all():
            scene = self.scenes.look()
            right = self._right()
            taught = torch.from_numpy(~sim.state.done) & right.flatten(1).any(dim=1)
            target = torch.from_numpy(sim.state.target)[taught]
            yield Lessons(target, Scene(*(part[taught] for part in scene)), right[taught])
            likely = _weighed(policy, scene) if policy else torch.where(right, 0.0, -torch.inf).flatten(1)
            poses = [Pose(*pose) for pose in self.scenes.poses(drawn(likely.numpy(), draws)).tolist()]
            going = np.flatnonzero(~sim.state.done).tolist()
            for env in going:
                actions[env] = action_to(sim.state.packed, sim.rel, env, np.array(poses[env]))
            sim.step(actions)
            strayed = [env for env in going if not sim.state.done[env] and poses[env] not in self.plans[env]]
            for env in going:
                self.plans[env].discard(poses[env])
            for env, plan in zip(strayed, pool.map(self._plan, strayed), strict=True):
                self.plans[env] = plan

    def _plan(self, env: int) -> set[Pose]:
        """What the search would add to what is there."""
        packed = self.sim.state.packed
        there = [Pose(*pose) for pose in packed.placed[env, : packed.bricks[env], :4].tolist()]
        return set(self.teacher.plan(self.targets[int(self.sim.state.target[env])], there)[len(there) :])

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


def drawn(logits: npt.NDArray[np.floating], draws: np.random.Generator) -> npt.NDArray[np.int64]:
    """A place of each row of logits (env, place), by chance. Most of them are -inf: only the others take a draw."""
    env, place = np.nonzero(logits > -np.inf)
    noisy = np.full(logits.shape, -np.inf, np.float32)
    noisy[env, place] = logits[env, place] + draws.gumbel(size=len(env))
    found: npt.NDArray[np.int64] = noisy.argmax(axis=1)
    return found


def _weighed(policy: SpatialPolicy, scene: Scene) -> Tensor:
    """The policy's logits (sample, place), in half of the time on a CPU that knows how."""
    with torch.autocast(next(policy.parameters()).device.type, torch.bfloat16):
        return weigh(policy, scene)


class Apprenticeship(Learner):
    """B3+ on its way: rounds of building under the search's eyes, which takes some threads, and of learning on a device
    from all that was seen so far. `belief` is what it believes of targets whose images leave something open; `finer`
    has shapes of the task, by their names, in finer cells, which others are made of; `start` is who is taught on, if it
    is not one who knows nothing."""

    unit = "states"
    policy: SpatialPolicy
    config: TeachingConfig

    def __init__(
        self,
        config: TeachingConfig,
        task: Task,
        device: str = "cpu",
        threads: int = 1,
        belief: Belief | None = None,
        finer: Mapping[str, Voxels] | None = None,
        start: SpatialPolicy | None = None,
    ) -> None:
        torch.manual_seed(config.seed)
        if start and start.config.views != task.views:
            raise InputError(f"a B3+ of {start.config.views} view(s) is not taught on with targets of {task.views}")
        self.config, self.task, self.threads, self.belief = config, task, threads, belief
        self.first = 0 if start else 1  # round that it builds itself
        most = int(task.train.budgets.max())
        made = targets_made(task.train.targets, finer or {}, config.made, most, config.seed) if config.made else []
        self.room = Classroom(task, config, belief, made)
        begun = deepcopy(start) if start else SpatialPolicy(SpatialConfig(task.views, config.width, config.layers))
        self.policy = begun.to(device)
        self.policy.trunk.laid_out()
        self.optimiser = torch.optim.Adam(self.policy.parameters(), config.learning_rate)
        self.seen = PackedLessons(self.room.scenes, device)
        self.place = torch.zeros(2, dtype=torch.int64)  # rounds that were built, and epochs that were learned since
        # About: an episode that finds no more room is shorter than its budget.
        expected = np.cumsum([self.room.states_of(number) for number in range(config.rounds)])
        self.total = int(expected[-1] + config.epochs * expected.sum())

    def run(self) -> Iterator[Report]:
        config = self.config
        while self.done < self.total:
            built, learned = self.place.tolist()
            if learned == (config.epochs if built else 0):
                yield from self._build(built)
                continue
            loss = self._epoch((built - 1) * config.epochs + learned)
            check_finite(loss, f"in round {built}")
            self.place[1] += 1
            self.done = min(self.done + len(self.seen), self.total - 1)
            if learned + 1 == config.epochs and built == config.rounds:
                self.done = self.total
            yield Report(self.done, {"round": built, "loss": loss}, "test" if learned + 1 == config.epochs else "save")

    def _build(self, number: int) -> Iterator[Report]:
        """Builds a round's targets; what was seen is kept once all are built."""
        lessons, done = [], self.done  # packed at once: hundreds of steps of thousands of targets take gigabytes
        with ThreadPoolExecutor(self.threads) as pool:
            for seen in self.room.build(self.policy if number >= self.first else None, number, pool):
                lessons.append(pack(seen))
                done += len(seen.right)
                yield Report(min(done, self.total - 1), {"round": number + 1})
        self.seen.add(lessons)
        self.place[:] = torch.tensor([number + 1, 0])
        self.done = min(done, self.total - 1)
        yield Report(self.done, {"round": number + 1}, "save")

    def _epoch(self, number: int) -> float:
        """Goes through all lessons once, in random order, so that what is right becomes likely; the mean loss."""
        device, config = self.seen.counts.device, self.config
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * (1 - number / (config.rounds * config.epochs))
        total = torch.zeros((), device=device)
        with one_thread():
            for chosen in torch.split(torch.randperm(len(self.seen)).to(device), config.batch):
                lessons = mirrored(self.seen.some(chosen), self.task.offsets.brick, *(torch.rand(3) < 0.5).tolist())
                with torch.autocast(device.type, torch.bfloat16):  # half of the time on a CPU that knows it
                    logits = self.policy(lessons.scene).flatten(1)
                right = logits.masked_fill(~lessons.right.flatten(1), -torch.inf)
                loss = (logits.logsumexp(dim=1) - right.logsumexp(dim=1)).mean()
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
                self.optimiser.step()
                total += loss.detach() * len(chosen)
        return float(total) / len(self.seen)

    def builder(self) -> SpatialAgent:
        wanted = self.belief.cells if self.belief else from_hull
        return SpatialAgent(self.policy, self.task.offsets, wanted=wanted)

    def memory(self) -> dict[str, Tensor]:
        lessons = {"place": self.place, "lessons.bits": self.seen.bits, "lessons.counts": self.seen.counts}
        return optimiser_memory(self.optimiser, self.policy) | lessons

    def recall(self, memory: dict[str, Tensor]) -> None:
        bits, counts = memory.get("lessons.bits"), memory.get("lessons.counts")
        if bits is None or counts is None or bits.shape != (len(counts), self.seen.bits.shape[1]):
            raise InputError("does not fit this run: the lessons are missing or of another shape")
        self.seen.bits, self.seen.counts = bits.to(self.seen.bits.device), counts.to(self.seen.counts.device)
        super().recall(memory)

    def settings(self) -> dict[str, Any]:
        return {"task": self.task.name, **super().settings()}


def mirrored(lessons: Lessons, brick: Size, flip_x: bool, flip_y: bool, swap: bool) -> Lessons:
    """The same seen from the other side, from behind, or with x and y swapped; in a plane only the first of them."""
    wanted, built, free, left = lessons.scene
    right = lessons.right
    flat = free.shape[1] == 1
    for axis, flip in enumerate((flip_x, flip_y and not flat)):
        if flip:
            wanted, built = wanted.flip(-1 - axis), built.flip(-1 - axis)
            lengths = [brick.extent(d)[axis] for d in (0, 1)]
            free, right = (_flip_corners(places, -1 - axis, lengths) for places in (free, right))
    if swap and not flat:
        wanted, built = wanted.transpose(-1, -2), built.transpose(-1, -2)
        free, right = (places.transpose(-1, -2).flip(1) for places in (free, right))
    return Lessons(lessons.target, Scene(wanted, built, free, left), right)


def _flip_corners(places: Tensor, axis: int, lengths: Sequence[int]) -> Tensor:
    """Corners in a mirror: what was a brick's far end becomes its corner."""
    ends = zip(places.flip(axis).unbind(1), lengths[: places.shape[1]], strict=True)
    return torch.stack([each.roll(1 - length, axis) for each, length in ends], dim=1)
