"""Bayesian optimisation of the next brick: the paper's BO baseline (Kim et al. 2020), for many targets at once.

Each step is a search of its own: a few placements are evaluated on the exact volume, a Gaussian process with a
Matern 5/2 kernel is fitted to what they scored, and the placement with the largest expected improvement is
evaluated next. The processes have at most 15 points, so those of all targets are fitted side by side in torch;
fitted one by one they would take hours.
"""

import dataclasses
import math
from typing import NamedTuple

import numpy as np
import torch

from brickbybrick.builders.base import Actions, Chooser, EpisodeBuilder
from brickbybrick.construction import Construction
from brickbybrick.envs.kernels import EnvState, TargetArrays, overlap
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError, whole_number
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.packed import is_valid, joined_pose
from brickbybrick.geometry.relations import Relations
from brickbybrick.jit import Floats, Ints, compiled, random_number
from brickbybrick.policies.threads import one_thread

# Turning a 2x4 brick about its centre keeps 4 of its 8 cells, and so does moving it 2 studs along its long side.
TURN_IN_STUDS = 2.0
# Studs and layers over which scores resemble each other: within a brick, to across the whole object.
LENGTHS = (1.0, 2.0, 4.0, 8.0, 16.0)
# Relative to the kernel's variance. Scores are exact, but raw pairs repeat poses, and a matrix with two equal
# rows has no Cholesky factor without it.
NOISE = 1e-6
POOL = 50  # placements: Kim et al. draw for about a second
ENVS_AT_ONCE = 128  # bounds memory: 128 environments x 2,000 pairs x 15 points is 30 MB, a few times over


class Candidates(NamedTuple):
    """The placements that the next brick can be chosen from, in random order."""

    counts: Ints  # (row,) how many there are
    actions: Ints  # (row, candidate, 2) pivot and offset
    poses: Ints  # (row, candidate, 4) corner and direction that the action leads to


class Processes(NamedTuple):
    """Gaussian processes with zero mean, one a row, after seeing their data."""

    points: torch.Tensor  # (row, point, 4) scaled by the lengths
    lengths: torch.Tensor  # (row, 4)
    variance: torch.Tensor  # (row,) of the prior
    factor: torch.Tensor  # (row, point, point) Cholesky factor of the correlation, noise included
    weights: torch.Tensor  # (row, point) the scores, multiplied by the inverse of that correlation


class BayesBuilder(EpisodeBuilder):
    """Places each brick at the best of a few placements that a Gaussian process proposed.

    Told the exact volume, like the greedy builder, but allowed only `initial` + `more` looks at it a step: where
    there are no more candidates than that, all are looked at and the choice is the greedy one. So the notes of what
    is built and `candidates_per_step` say how many there were. What a process sees of a candidate is the new brick's
    pose, its centre and its direction: the score depends on nothing else.

    Args:
        offsets: The joints an action may choose from.
        seed: Which initial placements. A target is built the same alone and beside any others.
        distinct: Whether actions that lead to the same pose count as one candidate. As pairs (pivot, offset) they
            are several, so that placements with many pivots are drawn more often and looked at twice.
        initial: Placements evaluated before the first fit, drawn at random.
        more: Placements evaluated after it, one fit each.
        pool: Candidates that are drawn at random in each step to choose among; all that there are if not given.
    """

    name = "bo"
    sees = "volume"

    def __init__(
        self,
        offsets: OffsetSet,
        seed: int = 0,
        *,
        distinct: bool = False,
        initial: int = 5,
        more: int = 10,
        pool: int | None = None,
    ) -> None:
        super().__init__(offsets, seed)
        if initial < 1 or more < 0:
            raise InputError(f"{initial} initial evaluations and {more} more: at least 1 and 0 are needed")
        self.distinct, self.initial, self.more = distinct, initial, more
        self.pool = None if pool is None else whole_number(pool, "the pool of BO", 1)
        self.counts: list[Ints] = []  # (step, env) candidates in the last batch, 0 after an end

    @property
    def candidates_per_step(self) -> float:
        """The mean over all steps of the last batch."""
        steps = sum(int(np.count_nonzero(count)) for count in self.counts)
        return sum(int(count.sum()) for count in self.counts) / steps if steps else math.nan

    def chooser(self, sim: Simulator) -> Chooser:
        self.counts = counts = []

        def choose(actions: Actions) -> None:
            counts.append(np.zeros(sim.num_envs, np.int64))
            going = np.flatnonzero(~sim.state.done)
            with one_thread():
                for envs in np.split(going, range(ENVS_AT_ONCE, going.size, ENVS_AT_ONCE)):
                    counts[-1][envs] = self._choose(sim, envs, actions)

        return choose

    def constructions(self, sim: Simulator) -> list[Construction]:
        counts = np.stack(self.counts) if self.counts else np.zeros((1, sim.num_envs), np.int64)
        means = counts.sum(axis=0) / np.maximum(1, np.count_nonzero(counts, axis=0))
        kind = "distinct placements" if self.distinct else "(pivot, offset) pairs"
        few = f"each brick is the best of at most {self.initial + self.more} out of"
        return [
            dataclasses.replace(built, notes=(*built.notes, f"{few} {mean:.1f} {kind} on average"))
            for built, mean in zip(super().constructions(sim), means, strict=True)
        ]

    def _choose(self, sim: Simulator, envs: Ints, actions: Actions) -> Ints:
        """Chooses in some environments (row,), and returns how many candidates there were (row,)."""
        evaluations = self.initial + self.more
        found = find_candidates(sim, envs, self.distinct, at_least=evaluations)
        if self.pool is not None:
            found = found._replace(counts=np.minimum(found.counts, self.pool))  # they are in random order
        rows = np.arange(envs.size)
        tried = np.tile(np.arange(evaluations), (envs.size, 1))  # (row, evaluation) candidates
        scores = np.zeros(tried.shape)  # (row, evaluation)
        scores[:, : self.initial] = evaluate(sim, envs, found.poses[:, : self.initial])
        few = found.counts <= evaluations
        many = np.flatnonzero(~few)
        scores[few, self.initial :] = evaluate(sim, envs[few], found.poses[few, self.initial : evaluations])
        if many.size:
            features = pose_features(found.poses[many], sim.rel)
            for done in range(self.initial, evaluations):
                new = propose(features, tried[many, :done], scores[many, :done], found.counts[many])
                tried[many, done] = new
                scores[many, done] = evaluate(sim, envs[many], found.poses[many, new][:, None])[:, 0]
        scores[tried >= found.counts[:, None]] = -1.0
        actions[envs] = found.actions[rows, tried[rows, scores.argmax(axis=1)]]
        return found.counts


class KimBuilder(BayesBuilder):
    """BO as Kim et al.'s own code has it: bricks are joined in any way, whatever the task's offsets are, and each is
    chosen among a few placements that were drawn at random."""

    name = "bo-kim"

    def __init__(self, offsets: OffsetSet, seed: int = 0, *, pool: int = POOL) -> None:
        super().__init__(offset_set("all", offsets.brick), seed, pool=pool)


def find_candidates(sim: Simulator, envs: Ints, distinct: bool = False, at_least: int = 1) -> Candidates:
    """All valid placements in the environments `envs` (row,), shuffled: the first few are then a random draw, and
    the first of equals a random one. There is room for `at_least` candidates, also where there are fewer."""
    valid = np.bitwise_count(sim.state.packed.words[envs]).sum(axis=(1, 2), dtype=np.int64)
    room = int(valid.max(initial=at_least))
    found = Candidates(
        counts=np.zeros(envs.size, np.int64),
        actions=np.zeros((envs.size, room, 2), np.int64),
        poses=np.zeros((envs.size, room, 4), np.int64),
    )
    _list_candidates(sim.state, sim.rel, envs, distinct, found)
    return found


@compiled
def _list_candidates(state: EnvState, rel: Relations, envs: Ints, distinct: bool, found: Candidates) -> None:
    packed, actions, poses = state.packed, found.actions, found.poses
    for row in range(envs.size):
        env, count = envs[row], 0
        seen = {np.int64(-1)}
        for pivot in range(packed.bricks[env]):
            for offset in range(rel.bit.shape[0]):
                if not is_valid(packed, rel, env, pivot, offset):
                    continue
                x, y, z, d = joined_pose(packed, rel, env, pivot, offset)
                if distinct:
                    # Corners are 16-bit numbers: moved above 0, a pose is one number.
                    key = (((((np.int64(x) + 32768) << 16) + y + 32768) << 16) + z + 32768) * 2 + d
                    if key in seen:
                        continue
                    seen.add(key)
                place = random_number(state.generator, env, count + 1)  # the one that was there goes to the end
                actions[row, count], poses[row, count] = actions[row, place], poses[row, place]
                actions[row, place, 0], actions[row, place, 1] = pivot, offset
                poses[row, place, 0], poses[row, place, 1], poses[row, place, 2], poses[row, place, 3] = x, y, z, d
                count += 1
        found.counts[row] = count


def evaluate(sim: Simulator, envs: Ints, poses: Ints) -> Floats:
    """The IoU after one more brick, for poses (row, pose, 4) in the environments `envs` (row,)."""
    ious = np.zeros(poses.shape[:2])
    _evaluate(sim.state, sim.rel, sim.target_arrays, envs, poses, ious)
    return ious


@compiled
def _evaluate(state: EnvState, rel: Relations, targets: TargetArrays, envs: Ints, poses: Ints, ious: Floats) -> None:
    for row in range(envs.size):
        env = envs[row]
        target = state.target[env]
        cells = targets.filled[target] + (state.packed.bricks[env] + 1) * rel.extent[0, 0] * rel.extent[0, 1]
        for k in range(poses.shape[1]):
            x, y, z, d = poses[row, k, 0], poses[row, k, 1], poses[row, k, 2], poses[row, k, 3]
            inside = state.inside[env] + overlap(targets, rel, target, x, y, z, d)
            ious[row, k] = inside / (cells - inside)


def pose_features(poses: Ints, rel: Relations) -> torch.Tensor:
    """What a process sees of poses (..., 4): the brick's centre, and its direction as a distance."""
    features = poses.astype(np.float64)
    features[..., :2] += rel.extent[poses[..., 3]] / 2
    features[..., 3] *= TURN_IN_STUDS
    return torch.from_numpy(features)


def propose(features: torch.Tensor, tried: Ints, scores: Floats, counts: Ints) -> Ints:
    """The candidate (row,) that is expected to improve most on the best so far, out of those with features (row,
    candidate, 4), after some (row, point) were tried and scored. Candidates from a row's count (row,) on are padding.
    """
    places = torch.from_numpy(tried)
    y = torch.from_numpy(scores - scores.mean(axis=1, keepdims=True))
    spread = y.std(dim=1, keepdim=True, correction=0)
    y = y / torch.where(spread > 1e-9, spread, 1.0)  # all scores may be equal
    processes = fit(features.gather(1, places[..., None].expand(-1, -1, features.shape[2])), y)
    mean, deviation = posterior(processes, features)
    gain = expected_improvement(mean, deviation, y.amax(dim=1, keepdim=True))
    gain = gain.scatter(1, places, -1.0)
    gain[torch.arange(gain.shape[1]) >= torch.from_numpy(counts)[:, None]] = -1.0
    # Rounded, because poses that lie alike gain alike, and which of them has the larger last bit is the machine's
    # business. Of equals the first is taken.
    return gain.mul(1e7).round().argmax(dim=1).numpy()


def fit(points: torch.Tensor, y: torch.Tensor) -> Processes:
    """Fits a process to the scores y (row, point) at points (row, point, 4), by maximum marginal likelihood.

    One length for x, y and the turn and one for z are chosen from a grid; the variance that belongs to them has a
    closed form. A grid, because it costs one batched Cholesky, cannot diverge where 5 points say little about a
    length, and its choice does not hang on last bits as the end of a gradient ascent would.
    """
    n = y.shape[1]
    grid = torch.tensor([(across, across, up, across) for across in LENGTHS for up in LENGTHS], dtype=y.dtype)
    scaled = points[:, None] / grid[:, None]  # (row, choice, point, 4)
    correlation = matern52(scaled, scaled) + NOISE * torch.eye(n, dtype=y.dtype)
    factor = torch.linalg.cholesky(correlation)  # (row, choice, point, point)
    whitened = torch.linalg.solve_triangular(factor, y[:, None, :, None].expand(-1, len(grid), -1, -1), upper=False)
    variance = whitened.square().sum(dim=(2, 3)).div(n).clamp(min=1e-6)  # (row, choice)
    log_determinant = 2 * factor.diagonal(dim1=-2, dim2=-1).log().sum(dim=-1)
    likelihood = -0.5 * (n * variance.log() + log_determinant)
    choice = likelihood.mul(1e6).round().argmax(dim=1)  # rounded for the same reason as gains
    row = torch.arange(len(y))
    factor, whitened = factor[row, choice], whitened[row, choice]
    weights = torch.linalg.solve_triangular(factor.mT, whitened, upper=True)[..., 0]
    return Processes(scaled[row, choice], grid[choice], variance[row, choice], factor, weights)


def posterior(processes: Processes, at: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and standard deviation (row, candidate) of each process at its candidates (row, candidate, 4)."""
    between = matern52(processes.points, at / processes.lengths[:, None])  # (row, point, candidate)
    mean = torch.einsum("rp,rpc->rc", processes.weights, between)
    explained = torch.linalg.solve_triangular(processes.factor, between, upper=False).square().sum(dim=1)
    return mean, (processes.variance[:, None] * (1 - explained).clamp(min=0.0)).sqrt()


def matern52(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Correlation of points (..., a, 4) with points (..., b, 4), already divided by their lengths."""
    squared = a.new_zeros((*a.shape[:-1], b.shape[-2]))
    for axis in range(a.shape[-1]):  # differences, not products: exact zeros where points coincide, and no 5th axis
        squared += (a[..., :, None, axis] - b[..., None, :, axis]).square()
    root = (5 * squared).sqrt()
    return (1 + root + 5 / 3 * squared) * (-root).exp()


def expected_improvement(mean: torch.Tensor, deviation: torch.Tensor, best: torch.Tensor) -> torch.Tensor:
    """How much a normal variable is expected to exceed `best`, what falls short counting as 0."""
    deviation = deviation.clamp(min=1e-12)
    z = (mean - best) / deviation
    density = (-0.5 * z.square()).exp() / math.sqrt(2 * math.pi)
    gain: torch.Tensor = deviation * (z * torch.special.ndtr(z) + density)
    return gain
