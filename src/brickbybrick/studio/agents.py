"""Who can be asked to build: the agents that come with the package, and the builders that need no training.

A new builder is one more entry of `registered`; the page learns of it from there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from brickbybrick.building import Order, builder_of, offsets_for
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.search.builder import StepwiseBuilder
from brickbybrick.targets.catalog import GENERAL

if TYPE_CHECKING:
    from brickbybrick.learning.checkpoint import SavedAgent

LABELS = {"b3": "B3", "mlp": "MLP"}


@runtime_checkable
class WeighingBuilder(Protocol):
    """A builder that knows how likely each next brick is."""

    def probabilities(self, sim: Simulator) -> npt.NDArray[np.float64]:
        """The probability of each action (env, brick, offset)."""
        ...


@dataclass(frozen=True)
class Entry:
    """A builder that the page offers."""

    name: str
    label: str
    views: tuple[int, ...]  # the numbers of views that it builds from
    sees: Literal["images", "volume"]  # what it is told of a target
    make: Callable[[int, int], StepwiseBuilder]  # for a number of views and a seed
    probabilities: bool = False

    def builder(self, views: int, seed: int) -> StepwiseBuilder:
        """The builder for targets seen in so many views."""
        if views not in self.views:
            raise InputError(f"{self.label} does not build from {views} views: choose another agent")
        return self.make(views, seed)

    def described(self) -> dict[str, Any]:
        """What the page is told."""
        names = ("name", "label", "views", "sees", "probabilities")
        return {name: getattr(self, name) for name in names}


def registered() -> dict[str, Entry]:
    """Every builder there is, by its name: agents for anything, builders that need none, agents for one digit each.

    The page chooses the first that builds from as many views as it has.
    """
    entries = [_simple("search", "Search", "images"), *_general_agents()]
    entries.append(_simple("greedy", "Greedy", "volume"))
    if find_spec("torch"):
        entries.append(_simple("bo", "Bayesian optimisation", "volume"))
    entries.append(_simple("random", "Random", "images"))
    entries += _agents_for_a_digit()
    return {entry.name: entry for entry in entries}


def _simple(name: str, label: str, sees: Literal["images", "volume"]) -> Entry:
    return Entry(name, label, (1, 3), sees, lambda views, seed: builder_of(Order(agent=name, seed=seed), views))


def _general_agents() -> Iterator[Entry]:
    views = tuple(views for views, task in GENERAL.items() if _shipped(f"{task}-b3plus"))
    if views:
        yield replace(_simple("b3plus", "B3+", "images"), views=views, probabilities=True)
    for name, label in LABELS.items():
        files = {views: path for views, task in GENERAL.items() if (path := _shipped(f"{task}-{name}"))}
        if files:
            yield _learned(name, label, files)


def _agents_for_a_digit() -> Iterator[Entry]:
    for name, label in LABELS.items():
        for digit in range(10):
            if path := _shipped(f"mnist-{digit}-{name}"):
                yield _learned(f"{name}-digit-{digit}", f"{label}, trained on digit {digit}", {1: path})


def _shipped(name: str) -> Path | None:
    """The file of an agent that comes with the package, if there is one and agents can be read here."""
    if not find_spec("torch") or not find_spec("safetensors"):
        return None
    from brickbybrick.learning.checkpoint import SHIPPED_AGENTS

    path = SHIPPED_AGENTS / f"{name}.safetensors"
    return path if path.exists() else None


def _learned(name: str, label: str, files: dict[int, Path]) -> Entry:
    def make(views: int, seed: int) -> StepwiseBuilder:
        from brickbybrick.learning.evaluate import Agent

        saved = _saved(files[views])
        return Agent(saved.policy, offsets_for(views), saved.name, seed=seed)

    return Entry(name, label, tuple(files), "images", make, probabilities=True)


@lru_cache(maxsize=32)
def _saved(path: Path) -> "SavedAgent":
    """An agent, read once; builds only look at it, so that all can share it."""
    from brickbybrick.learning.checkpoint import load_agent

    return load_agent(path)
