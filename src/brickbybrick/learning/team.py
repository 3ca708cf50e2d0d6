"""Agents of one shape that learn side by side, as one.

A network as small as these leaves most of a GPU idle, and processes that share a GPU wait for each other. Here the
weights of all agents are rows of one tensor, and every kernel does its part for all of them. What an agent learns is
its own: its environments, its experience, its gradient.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, grad_and_value, vmap

from brickbybrick.errors import InputError
from brickbybrick.learning.learner import Report, optimiser_memory
from brickbybrick.learning.ppo import (
    Experience,
    Losses,
    Placed,
    Trainer,
    ended_episodes,
    estimate_advantages,
    losses_of,
    mean_of,
    room_for,
    samples_of,
)
from brickbybrick.learning.recording import Recorded
from brickbybrick.policies.graph_network import Room
from brickbybrick.policies.observation import State, Views, unpacked
from brickbybrick.policies.validation import Exact

Weights = dict[str, Tensor]
ALIGNED = 4  # numbers: kernels read weights fastest from where so many of them begin


class Team:
    """Trainers whose iterations are done together. Each is tested and saved by itself, and loaded before it joins.

    Args:
        members: Trainers of one shape and one schedule with exact masks, all as far as each other.
    """

    def __init__(self, members: Sequence[Trainer]) -> None:
        first = members[0]
        if len({(member.done, member.total) for member in members}) > 1:
            raise InputError("agents learn as one only where all are as far as each other")
        if not all(isinstance(member.validator, Exact) for member in members):
            raise InputError("agents learn as one with exact masks only")
        self.members, self.config, self.bit = list(members), first.config, first.observer.bit
        device = first.chosen.device
        self.rows = _Rows(members)
        experiences = zip(Experience._fields, *(member.experience for member in members), strict=True)
        self.experience = Experience(*(_stacked(parts, name) for name, *parts in experiences))  # (member, step, env)
        for number, member in enumerate(members):
            member.experience = Experience(*(part[number] for part in self.experience))
        views = [member.observer.views for member in members]
        self.views = Views(*(_stacked(parts) for parts in zip(*views, strict=True)))  # (member, target)
        names = (*State._fields, "words")
        sources = zip(names, *(member.observer.sources for member in members), strict=True)
        self._host = [_stacked(parts, name) for name, *parts in sources]  # (member, env), as the simulators have them
        if device.type == "cuda":
            self._host = [part.pin_memory() for part in self._host]
        self.seen = [part.to(device, copy=True) for part in self._host]
        self.chosen = torch.stack([member.chosen for member in members])  # (member, sample)
        self._act, self._judge = _Method(first.policy, "act"), _Method(first.policy, "judge")
        self.place_bricks: Callable[[Room], Placed] = self._place_bricks
        self.learn: Callable[[Room], Tensor] = self._learn
        if device.type == "cuda":
            self.place_bricks = Recorded(self._place_bricks, device)
            self.learn = Recorded(self._learn, device, lambda: self.rows.memory)
        self._threads = ThreadPoolExecutor(min(len(members), os.cpu_count() or 1))

    def run(self) -> Iterator[list[Report]]:
        """Trains to the end, stopping after each iteration to tell how it went for each member."""
        while self.members[0].done < self.members[0].total:
            episodes = [mean_of(ended) for ended in self._collect()]
            self._look()
            last_values = self.place_bricks(self._needed).value
            for member, last_value in zip(self.members, last_values, strict=True):
                estimate_advantages(member.experience, last_value, self.config.gamma, self.config.gae_lambda)
            reports = zip(self.members, episodes, self._update(), strict=True)
            yield [member.report(ended, losses) for member, ended, losses in reports]

    def _collect(self) -> list[list[np.ndarray]]:
        """Places bricks for an iteration; returns for each member the episodes that ended in each step."""
        ended: list[list[np.ndarray]] = [[] for _ in self.members]
        reward, done = torch.zeros(self.seen[0].shape), torch.zeros(self.seen[0].shape, dtype=torch.bool)
        for step in range(self.config.rollout):
            self._look()
            placed = self.place_bricks(self._needed)
            actions = placed.actions.cpu().numpy()

            def play(number: int, actions: np.ndarray = actions) -> None:
                sim = self.members[number].sim
                sim.step(actions[number])
                reward[number], done[number] = torch.from_numpy(sim.state.reward), torch.from_numpy(sim.state.done)
                ended[number].append(ended_episodes(sim))
                sim.reset_finished()

            list(self._threads.map(play, range(len(self.members))))
            state = dict(zip(State._fields, self.seen[:-1], strict=True))
            for name, now in (state | placed._asdict() | {"reward": reward, "done": done}).items():
                getattr(self.experience, name)[:, step].copy_(now)
        return ended

    def _look(self) -> None:
        """Brings what is seen up to date."""

        def copy(number: int) -> None:
            for host, source in zip(self._host, self.members[number].observer.sources, strict=True):
                _corner(host[number], source.shape).copy_(source)

        list(self._threads.map(copy, range(len(self.members))))
        for seen, host in zip(self.seen, self._host, strict=True):
            seen.copy_(host, non_blocking=True)

    @property
    def _needed(self) -> Room:
        return _enough([member.observer.needed for member in self.members])

    @torch.no_grad()
    def _place_bricks(self, room: Room | None) -> Placed:
        def place(weights: Weights, views: Views, state: State, words: Tensor) -> Placed:
            valid = unpacked(words, self.bit)
            choice = functional_call(self._act, weights, (views.observation(*state, room), valid))
            return Placed(choice.actions, valid, choice.log_prob, choice.value, valid)

        *state, words = self.seen
        placed: Placed = vmap(place, randomness="different")(self.rows.weights, self.views, State(*state), words)
        return placed

    def _update(self) -> list[Losses]:
        """Goes through the experience several times, each member in a random order of its own."""
        config, device = self.config, self.chosen.device
        total = torch.zeros((len(self.members), 4), device=device)
        for _ in range(config.epochs):
            orders = [torch.randperm(config.samples, device=device) for _ in self.members]
            order = torch.stack(orders).reshape(len(orders), config.minibatches, -1)
            needed = zip(self.members, order, strict=True)
            room = _enough([room_for(member.experience, samples) for member, samples in needed])
            for part in order.transpose(0, 1):
                self.chosen.copy_(part)
                total += self.learn(room)
        return [Losses(*row) for row in (total / (config.epochs * config.minibatches)).tolist()]

    def _learn(self, room: Room | None) -> Tensor:
        """One step of all members on their chosen samples; returns what `Losses` are the means of, (member, 4)."""

        def loss(weights: Weights, views: Views, experience: Experience, chosen: Tensor) -> tuple[Tensor, Tensor]:
            some = samples_of(experience, chosen)
            seen = views.observation(some.target, some.nodes, some.neighbours, some.bricks, room)
            return losses_of(functional_call(self._judge, weights, (seen, some.mask, some.actions)), some, self.config)

        gradients, (_, parts) = vmap(grad_and_value(loss, has_aux=True))(
            self.rows.weights, self.views, self.experience, self.chosen
        )
        norm = self.rows.step(gradients, self.config.gradient)
        return torch.cat([parts, norm[:, None]], dim=1).detach()


class _Rows:
    """The weights of all members and Adam's memory of them, (member, number). The members' own are parts of it."""

    def __init__(self, members: Sequence[Trainer]) -> None:
        named = dict(members[0].policy.named_parameters())
        spaces = [-(-weight.numel() // ALIGNED) * ALIGNED for weight in named.values()]
        starts = np.cumsum([0, *spaces]).tolist()
        self._places = {
            name: (start, weight.shape) for (name, weight), start in zip(named.items(), starts, strict=False)
        }
        device = members[0].chosen.device
        self._numbers = torch.zeros((len(members), starts[-1]), device=device)
        self._gaps = torch.zeros((len(members), ALIGNED), device=device)
        settings = {name: members[0].optimiser.defaults[name] for name in ("lr", "fused", "capturable")}
        self._optimiser = torch.optim.Adam([self._numbers], **settings)
        optimiser_memory(members[0].optimiser, members[0].policy)
        step = next(iter(members[0].optimiser.state.values()))["step"].clone()  # all have taken as many
        self._steps = step.repeat(len(members), len(named))  # (member, weight), for the members' own memory
        moments = {key: torch.zeros_like(self._numbers) for key in ("exp_avg", "exp_avg_sq")}
        self._optimiser.state[self._numbers] = {"step": step, **moments}
        self.memory = [self._numbers, self._steps, step, *moments.values()]
        for number, member in enumerate(members):
            optimiser_memory(member.optimiser, member.policy)
            for (name, weight), taken in zip(member.policy.named_parameters(), self._steps[number], strict=True):
                own = member.optimiser.state[weight]
                weight.data = self._taken_over(self._numbers[number], name, weight.data)
                own.update({key: self._taken_over(row[number], name, own[key]) for key, row in moments.items()})
                own["step"] = taken
        # As `_Method` names them, (member, ...).
        self.weights: Weights = {f"policy.{name}": self._part(self._numbers, name) for name in named}

    def step(self, gradients: Weights, most: float) -> Tensor:
        """Adam's step, along gradients whose norms are at most so large; returns the norms before that, (member,)."""
        parts = []
        for gradient in gradients.values():
            parts += [gradient.flatten(1), self._gaps[:, : -gradient[0].numel() % ALIGNED]]
        gradient = torch.cat(parts, dim=1)
        norm: Tensor = torch.linalg.vector_norm(gradient, dim=1)
        self._numbers.grad = gradient * (most / (norm + 1e-6)).clamp(max=1)[:, None]
        self._optimiser.step()
        self._steps += 1
        return norm

    def _part(self, rows: Tensor, name: str) -> Tensor:
        """One weight (..., shape) in rows (..., number)."""
        start, shape = self._places[name]
        return rows[..., start : start + shape.numel()].reshape(*rows.shape[:-1], *shape)

    def _taken_over(self, row: Tensor, name: str, values: Tensor) -> Tensor:
        return self._part(row, name).copy_(values)


class _Method(nn.Module):
    """A method of a policy, as what can be called with other weights than the policy's own."""

    def __init__(self, policy: nn.Module, method: str) -> None:
        super().__init__()
        self.policy, self.method = policy, method

    def forward(self, *given: object) -> object:
        return getattr(self.policy, self.method)(*given)


def _enough(rooms: Sequence[Room]) -> Room:
    """Room for each of some batches."""
    return Room(*(max(counts) for counts in zip(*rooms, strict=True)))


def _stacked(parts: Sequence[Tensor], name: str = "") -> Tensor:
    """Tensors as one, (member, ...), each as large as the largest; what is spare stands for nothing."""
    shape = [max(sizes) for sizes in zip(*(part.shape for part in parts), strict=True)]
    whole = parts[0].new_full((len(parts), *shape), -1 if name == "neighbours" else 0)
    for own, part in zip(whole, parts, strict=True):
        _corner(own, part.shape).copy_(part)
    return whole


def _corner(tensor: Tensor, shape: Sequence[int]) -> Tensor:
    """As much of a tensor as a smaller one of the shape fills."""
    return tensor[tuple(slice(size) for size in shape)]
