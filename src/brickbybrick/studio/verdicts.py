"""What pages are told of models: the verdict, where it is wanting, and how like its target a model is."""

from collections.abc import Sequence
from typing import Any

from brickbybrick.building import likeness_figures
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.kit import Plan, plan

Record = dict[str, Any]


def told(made: Plan) -> Record:
    """A verdict as the page reads it."""
    return {
        "verdict": made.verdict.flat(),
        "faults": [fault._asdict() for fault in made.verdict.faults],
        "sentences": list(made.sentences),
    }


def judged(bricks: Sequence[PlacedBrick], budget: int | None = None) -> Record:
    """The verdict on any bricks."""
    return told(plan(Construction(tuple(bricks), budget=budget)))


def told_at_the_end(made: Plan) -> Record:
    """The last thing that the page is told of a build."""
    built = made.construction
    about = {"iou": built.iou, "likeness": likeness_of(made), "builder": built.builder}
    return {"construction": built.record(), **told(made), **about}


def likeness_of(made: Plan) -> Record:
    """How like its target a model is; the colour only where the target has any."""
    built, target = made.construction, made.target
    figures = {} if target is None else likeness_figures(built, target)
    return {
        "shape": built.iou,
        "colour": figures.get("colour_close"),
        "mean_difference": figures.get("colour_mean"),
        "bricks": len(built.bricks),
    }
