"""Policy-guided search: a learned agent proposes bricks, and what the images and the agent say of them decides.

A beam of width w keeps w sets of bricks and takes the w likeliest next bricks of each, so that width 1 is the agent
itself. The states are environments of the simulator: a larger set is a row copied and an action taken, and its masks
are exact. Beams of width 1, 2, 4, ... follow each other and the model that the images value most is kept, so that more
work never makes a model that is worth less, and none is worth less than the agent's own.
"""

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.base import Advice, EpisodeBuilder
from brickbybrick.builders.beam.planner import Estimate, PlanningBuilder, from_views
from brickbybrick.builders.beam.sites import UNIT, Sites
from brickbybrick.envs.kernels import EnvState
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.packed import PackedAssemblies
from brickbybrick.jit import scrambled
from brickbybrick.targets.target import Target, TargetSet

WORK = 500  # states that the agent looks at for one target
WIDEST = 1024
LIKELY = 0.1  # what it is worth, in cells, that a model is e times as likely by the agent
SHOWN = 4  # sets for each one kept that a critic is asked about


class Beam(NamedTuple):
    """Sets of as many bricks each."""

    sim: Simulator  # an environment for each set
    advice: Advice
    worth: npt.NDArray[np.int64]  # (set,) by the images
    log_prob: npt.NDArray[np.float64]  # (set,) of the actions that led there
    seen: npt.NDArray[np.bool_]  # (set, pixel) covered; the last one stands for no pixel, and is
    name: npt.NDArray[np.uint64]  # (set,) the set's hash


class Proposals(NamedTuple):
    """Bricks that could be added to the sets of a beam, no two alike in one set."""

    parent: npt.NDArray[np.int64]  # (proposal,)
    action: npt.NDArray[np.int64]  # (proposal, 2)
    pose: npt.NDArray[np.int64]  # (proposal, 4)
    log_prob: npt.NDArray[np.float64]  # (proposal,) of all actions that lead to the pose


class Guided(NamedTuple):
    """A model that was found."""

    seconds: float  # since the search began
    work: int  # states looked at
    width: int  # of the beam that found it
    worth: int
    poses: list[Pose]  # in an order that can be built


class GuidedBuilder(PlanningBuilder):
    """Plans a model by beams over what an agent proposes.

    Args: as for every `PlanningBuilder`, with an agent, who proposes, in place of the offsets. Work is counted in
    states that the agent looks at; the beam that exceeds it is the last one.
    """

    name = "guided"

    def __init__(
        self,
        agent: EpisodeBuilder,
        seed: int = 0,
        *,
        work: int | None = WORK,
        seconds: float | None = None,
        estimate: Callable[[Target], Estimate] = from_views,
    ) -> None:
        super().__init__(agent.offsets, seed, work=work, seconds=seconds, estimate=estimate)
        self.agent = agent

    def plan(self, target: Target, begun: Sequence[Pose]) -> list[Pose]:
        *_, last = self.plans(target, begun)
        return last.poses

    def plans(self, target: Target, begun: Sequence[Pose] = ()) -> Iterator[Guided]:
        """Better and better models as they are found; the first is the agent's own. Of the bricks begun, if any are,
        the target's first brick comes first."""
        start, spent, best, width = time.perf_counter(), 0, -1, 1
        there = list(begun) or [target.start]
        worths = SiteWorths(self._sites(target, there))
        first = self._first(target, there, worths)
        while width <= WIDEST:
            beam, looked = self._grow(first, worths, width)
            spent += looked
            top = int(beam.worth.argmax())
            if beam.worth[top] > best:
                best, packed = int(beam.worth[top]), beam.sim.state.packed
                poses = [Pose(*pose) for pose in packed.placed[top, : packed.bricks[top], :4].tolist()]
                yield Guided(time.perf_counter() - start, spent, width, best, poses)
            if self.work is not None and spent >= self.work:
                return
            if self.seconds is not None and time.perf_counter() - start >= self.seconds:
                return
            width *= 2

    def _first(self, target: Target, there: Sequence[Pose], worths: "SiteWorths") -> Beam:
        """The one set of bricks that is there."""
        sim = Simulator(TargetSet((target,)), self.offsets, by_hand=len(there) > 1)
        sim.reset(targets=np.zeros(1, np.int64))
        sim.place(0, there[1:])
        seen = np.zeros((1, len(worths.prizes)), np.bool_)
        sites = worths.number(np.array(there, np.int64))
        seen[0, worths.pixels[sites]] = True
        seen[0, -1] = True
        worth = worths.worths[sites].sum(keepdims=True) + worths.prizes[seen[0]].sum()
        own_seed = zlib.crc32(target.hull.tobytes()) + (self.seed << 32)
        name = scrambled(np.array([own_seed % 2**64], np.uint64))  # so that the order of equals is the seed's
        return Beam(sim, look(self.agent, sim), worth, np.zeros(1), seen, name)

    def _grow(self, beam: Beam, worths: "SiteWorths", width: int) -> tuple[Beam, int]:
        """The finished models of a beam, and the states that the agent looked at."""
        looked = 1
        while not beam.sim.state.done.all():
            proposals = propose(beam, width)
            if not len(proposals.parent):
                break
            beam, few = self._step(beam, proposals, worths, width)
            looked += few
        return beam, looked

    def _step(self, beam: Beam, proposals: Proposals, worths: "SiteWorths", width: int) -> tuple[Beam, int]:
        """The best sets that proposals lead to."""
        parent = proposals.parent
        sites = worths.number(proposals.pose)
        pixels = worths.pixels[sites]  # (proposal, pixel)
        fresh = ~beam.seen[parent[:, None], pixels]
        worth = beam.worth[parent] + worths.worths[sites] + (worths.prizes[pixels] * fresh).sum(axis=1)
        log_prob = beam.log_prob[parent] + proposals.log_prob
        name = beam.name[parent] ^ scrambled(_key(proposals.pose).astype(np.uint64))
        score = worth / UNIT + LIKELY * log_prob

        order = np.lexsort((scrambled(name), -score))
        _, once = np.unique(name[order], return_index=True)  # of equal sets the best, which comes first
        chosen = order[np.sort(once)][: width * (1 if beam.advice.value is None else SHOWN)]

        sim = rows(beam.sim, parent[chosen])
        sim.step(proposals.action[chosen])
        advice = look(self.agent, sim)
        # An expected gain of IoU in cells: a budget's worth of cells is about the target's.
        cells = self.offsets.brick.studs * sim.state.budget
        promise = score[chosen]
        if advice.value is not None:
            promise = promise + np.where(sim.state.done, 0.0, advice.value * cells)
        kept = np.argsort(-promise, kind="stable")[:width]
        which = chosen[kept]
        seen = beam.seen[parent[which]]
        np.put_along_axis(seen, pixels[which], True, axis=1)
        value = None if advice.value is None else advice.value[kept]
        advice = Advice(advice.probabilities[kept], advice.choice[kept], value)
        return Beam(rows(sim, kept), advice, worth[which], log_prob[which], seen, name[which]), len(chosen)


class SiteWorths:
    """What bricks are worth by the images, for any poses; one that is no site is worth nothing."""

    def __init__(self, sites: Sites) -> None:
        self._lowest = sites.poses.min(axis=0)
        self._shape = sites.poses.max(axis=0) - self._lowest + 1
        self._number = np.full(self._shape, len(sites.poses), np.int64)  # (x, y, z, d)
        self._number[tuple((sites.poses - self._lowest).T)] = np.arange(len(sites.poses))
        self.worths = np.append(sites.worths, 0)  # (site + 1,)
        self.prizes = np.append(sites.prizes, 0)  # (pixel + 1,)
        self.pixels = np.full((len(sites.poses) + 1, sites.pixels.shape[1]), len(sites.prizes), np.int64)
        self.pixels[:-1] = np.where(sites.pixels < 0, len(sites.prizes), sites.pixels)  # (site + 1, pixel)

    def number(self, poses: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The sites of poses (pose, 4); the number of sites for those that are none."""
        at = poses - self._lowest
        inside = np.all((at >= 0) & (at < self._shape), axis=1)
        numbers = np.full(len(poses), len(self.worths) - 1, np.int64)
        numbers[inside] = self._number[tuple(at[inside].T)]
        return numbers


def look(agent: EpisodeBuilder, sim: Simulator) -> Advice:
    """What an agent says of the states of a simulator."""
    advice = agent.advice(sim)
    if advice is None:
        raise InputError(f"{agent.name} does not say how likely bricks are: let b3plus, b3 or mlp guide the search")
    return advice


def propose(beam: Beam, most: int) -> Proposals:
    """The agent's own next brick of every set, then the likeliest others, `most` of each set."""
    packed, likely = beam.sim.state.packed, beam.advice.probabilities
    parent, pivot, offset = np.nonzero(likely)
    action = np.stack([pivot, offset], axis=1)
    placed = packed.placed[parent, pivot, :4].astype(np.int64)
    pose = beam.sim.rel.shift[placed[:, 3], offset].astype(np.int64)
    pose[:, :3] += placed[:, :3]
    same = np.stack([parent, _key(pose)])
    _, one, which = np.unique(same, axis=1, return_index=True, return_inverse=True)
    probability = np.bincount(which.ravel(), weights=likely[parent, pivot, offset], minlength=len(one))
    own = np.zeros(len(one), np.bool_)
    own[which.ravel()[np.all(beam.advice.choice[parent] == action, axis=1)]] = True

    order = np.lexsort((one, -probability, ~own, parent[one]))
    rank = np.arange(len(order)) - np.searchsorted(parent[one][order], parent[one][order])
    taken = order[rank < most]
    first = one[taken]
    return Proposals(parent[first], action[first], pose[first], np.log(probability[taken]))


def rows(sim: Simulator, which: npt.NDArray[np.int64]) -> Simulator:
    """Copies of some environments of a simulator, by their numbers."""
    other = copy(sim)
    packed = PackedAssemblies._make(array[which] for array in sim.state.packed)
    other.state = EnvState._make([packed, *(array[which] for array in sim.state[1:])])
    other.num_envs = len(which)
    return other


def _key(poses: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A number for each pose (pose, 4), another for each."""
    x, y, z, d = poses.T + 2**15
    key: npt.NDArray[np.int64] = ((x << 16 | y) << 16 | z) << 1 | d & 1
    return key
