"""Who can be asked to build on the page: the mason, who builds a model as a whole; the register's builders that place
one brick after the other; and the paper's agents for one digit each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from brickbybrick.builders import register
from brickbybrick.builders.base import EpisodeBuilder, Sees
from brickbybrick.building import offsets_for
from brickbybrick.errors import InputError
from brickbybrick.order import MASON
from brickbybrick.targets.catalog import GENERAL
from brickbybrick.targets.target import VIEW_SIDE

FOR_A_DIGIT = ("b3", "mlp")


@dataclass(frozen=True)
class Agent:
    """A builder that the page offers."""

    name: str
    label: str
    views: tuple[int, ...]  # the numbers of views that it builds from
    sees: Sees  # what it is told of a target
    make: Callable[[int, int], EpisodeBuilder] | None = None  # for a number of views and a seed; not for the mason
    probabilities: bool = False
    cells: int | None = VIEW_SIDE  # of the targets that it knows; None for any

    def builder(self, views: int, seed: int) -> EpisodeBuilder:
        """The builder for targets seen in so many views."""
        if self.make is None:
            raise InputError(f"{self.label} does not place one brick after the other: choose another agent")
        if views not in self.views:
            raise InputError(f"{self.label} does not build from {views} views: choose another agent")
        return self.make(views, seed)

    def described(self) -> dict[str, Any]:
        """What the page is told."""
        told = {name: getattr(self, name) for name in ("label", "views", "sees", "probabilities", "cells")}
        return {"id": self.name, **told, "default": self.name == MASON}


def offered() -> dict[str, Agent]:
    """Everyone the page offers, by name; the first, the mason, unless somebody chooses another."""
    return {agent.name: agent for agent in (_mason(), *_builders(), *_for_a_digit())}


def _mason() -> Agent:
    entry = register.entries()[MASON]
    return Agent(entry.name, entry.label, tuple(GENERAL), entry.sees, cells=None)


def _builders() -> Iterator[Agent]:
    for entry in register.entries().values():
        views = tuple(views for views in GENERAL if entry.builds(views))
        if entry.by_steps and views:
            yield Agent(entry.name, entry.label, views, entry.sees, partial(_made, entry.name, ""), entry.weighs)


def _for_a_digit() -> Iterator[Agent]:
    for name in FOR_A_DIGIT:
        entry = register.entries()[name]
        for digit in range(10):
            task = f"mnist-{digit}"
            if entry.ready and register.is_shipped(name, task):
                label = f"{entry.label}, trained on digit {digit}"
                yield Agent(f"{name}-digit-{digit}", label, (1,), entry.sees, partial(_made, name, task), entry.weighs)


def _made(name: str, task: str, views: int, seed: int) -> EpisodeBuilder:
    builder = register.builder(name, offsets_for(views), task=task, seed=seed)
    if not isinstance(builder, EpisodeBuilder):
        raise InputError(f"{name} does not place one brick after the other: choose another agent")
    return builder
