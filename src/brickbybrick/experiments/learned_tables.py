"""Tables of the report on networks that the paper does not have: B3+'s by rewards alone, and what three views hide."""

import math

from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.experiments.results import Curve, Results
from brickbybrick.learning.spatial_ppo import SpatialTraining

REWARDED_AT = (25_000, 100_000, 300_000)  # samples at which networks are compared


def rewarded_table(results: Results) -> str:
    """The same samples, by the paper's network and by B3+'s."""
    rows = []
    for task in results.scale.rewarded:
        ours = results.curve_of([job for job in results.scale.rewards if job.task == task], "test_iou")
        theirs = results.curve(task, "test_iou", **results.scale.longest)
        if ours is None:
            continue
        for samples in REWARDED_AT:
            reached = [_at(curve, samples) for curve in (theirs, ours)]
            rows += [(task, f"{samples:,}", *reached)] if any(reached) else []
        rows.append((task, "to the end", *(_at(curve, math.inf) for curve in (theirs, ours))))
    note = "\n\nIoU on 100 unseen targets. B3 to the end has {:,} samples, B3+'s network {:,}."
    ends = results.scale.long, results.scale.rewards[0].steps or SpatialTraining.steps
    head = ("task", "samples", "B3, tuned", "B3+'s network")
    return markdown_table(head, rows) + note.format(*ends) if rows else ""


def believed_table(results: Results) -> str:
    """How near the learned volume comes to that of objects that were kept aside."""
    found = results.of(results.scale.volume)
    rows = [
        (kind, str(each["targets"]), *(f"{each[key]:.3f}" for key in ("hull_iou", "belief_iou", "entropy")))
        for kind, each in (found["aside"].items() if found else ())
    ]
    head = ("kind", "objects kept aside", "IoU of the hull", "IoU of cells likelier than not", "nats a cell left open")
    return markdown_table(head, rows) if rows else ""


def _at(curve: Curve | None, samples: float) -> str:
    """Where a curve was at the last test within so many samples."""
    reached = curve.at(samples) if curve else None
    return str(reached) if reached else ""
