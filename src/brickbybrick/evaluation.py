"""How well a builder builds: the one way from a builder and targets to scores, for every command, job and report."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.bounds.optimum import Optimum
from brickbybrick.builders.base import Builder, EpisodeBuilder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.targets.target import Target, spread


@dataclass(frozen=True)
class Scores:
    """What came of building some targets."""

    targets: list[Target]
    built: list[Construction]
    invalid: npt.NDArray[np.bool_]  # (target,) whether the episode ended with an invalid action
    ms: npt.NDArray[np.float64]  # (target,) milliseconds of the processor; shared out evenly over a batch

    def __getitem__(self, part: slice) -> "Scores":
        return Scores(self.targets[part], self.built[part], self.invalid[part], self.ms[part])

    @property
    def iou(self) -> npt.NDArray[np.float64]:
        return np.array([each.iou or 0.0 for each in self.built])

    @property
    def episode_return(self) -> npt.NDArray[np.float64]:
        return np.array([each.episode_return or 0.0 for each in self.built])

    @property
    def bricks(self) -> npt.NDArray[np.int64]:
        return np.array([len(each.bricks) for each in self.built], np.int64)

    @property
    def ms_per_brick(self) -> float:
        """Of the bricks that the builder chose; the first one is given."""
        return float(self.ms.sum() / max(1, int(self.bricks.sum()) - len(self.built)))

    def means(self) -> dict[str, float]:
        """The figures in short."""
        return {
            "iou": float(self.iou.mean()),
            "return": float(self.episode_return.mean()),
            "bricks": float(self.bricks.mean()),
            "invalid": float(self.invalid.mean()),
        }

    def columns(self) -> dict[str, list[Any]]:
        """The figures of each target; columns rather than rows: shorter to write, easier to average."""
        return {
            "target": [target.name for target in self.targets],
            "iou": self.iou.round(5).tolist(),
            "return": self.episode_return.round(5).tolist(),
            "bricks": self.bricks.tolist(),
            "budget": [target.budget for target in self.targets],
        }

    def share_of(self, optima: Sequence[Optimum]) -> float:
        """What is reached of what can be reached, on average; of the bound where the optimum is not proven."""
        return float(np.mean(self.iou / np.array([best.bound for best in optima])))


def evaluate(builder: Builder, targets: Sequence[Target], most: int | None = None, alone: bool = False) -> Scores:
    """Lets a builder build targets, and notes how well and how long that took.

    Args:
        builder: Who builds.
        targets: What.
        most: How many of them at most, spread evenly over all; all if not given.
        alone: One target after the other instead of all in one batch, so that each one's time is its own. The first one
            is built once more before, because that compiles.
    """
    chosen = list(targets) if most is None else spread(targets, most)
    if not chosen:
        raise InputError("there is nothing to build: give at least one target")
    if alone:
        builder.build(chosen[0])
    built: list[Construction] = []
    invalid: list[npt.NDArray[np.bool_]] = []
    spent: list[float] = []
    for batch in [[target] for target in chosen] if alone else [chosen]:
        start = time.process_time()  # not the time of day: other work on the machine is not the builder's
        if isinstance(builder, EpisodeBuilder):
            sim = builder.play(batch)
            models, wrong = builder.constructions(sim), sim.state.invalid
        else:
            models, wrong = builder.build_all(batch), np.zeros(len(batch), np.bool_)
        spent += [1e3 * (time.process_time() - start) / len(batch)] * len(batch)
        built += models
        invalid.append(wrong)
    return Scores(chosen, built, np.concatenate(invalid), np.array(spent))
