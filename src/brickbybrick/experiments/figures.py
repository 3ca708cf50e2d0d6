"""The paper's figures, drawn from results alone: what is missing is left out, and nothing is trained."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from brickbybrick.bench.validity import BRICKS
from brickbybrick.builders.bayes import POOL
from brickbybrick.experiments.learning_jobs import Rewarded
from brickbybrick.experiments.measuring_jobs import BuilderName, Timing
from brickbybrick.experiments.paper import SIGHTED, WAYS
from brickbybrick.experiments.results import Curve, Results, Split, Spread
from brickbybrick.files import write_whole
from brickbybrick.targets.target import spread

COLOURS = {
    "B3": "#1e5aa8",
    "MLP": "#d67923",
    "BO": "#444444",
    "greedy": "#00852b",
    "SL": "#b40000",
    "no node": "#7b4fa3",
    "no edge": "#00852b",
    "jointly trained": "#b40000",
    "near": "#969696",
    "B3+": "#00a0b0",
    "search": "#c2185b",
    "learned": "#7b9e00",
    "random": "#b0a090",
}
VARIANT_NAMES = {
    "b3": "B3",
    "mlp": "MLP",
    "no-node": "no node",
    "no-edge": "no edge",
    "one-pass": "jointly trained",
    "near": "near",
}
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "legend.frameon": False,
}
PAPER_SECONDS_AT_100 = 20.0  # the paper: over 20 s for the mask of 100 bricks

Drawing = Callable[[], Figure | None]  # None where there is nothing to draw from
Shown = TypeVar("Shown")


def draw_figures(results: Results, folder: Path) -> list[Path]:
    """Draws every figure that there are results for, and returns their files."""
    drawings: dict[str, Drawing] = {
        "mnist": partial(learning_curves, results, results.scale.digits),
        "random": partial(learning_curves, results, ("random",)),
        "modelnet": partial(learning_curves, results, results.scale.categories),
        "supervised": partial(supervised, results),
        "ablation": partial(ablation, results),
        "validity": partial(validity, results),
        "validation": partial(validation, results),
        "time": partial(times, results),
        "frames": partial(frames, results),
        "pools": partial(pools, results),
        "tuned": partial(tuned_curves, results),
        "rewarded": partial(rewarded, results),
        "believed": partial(believed, results),
    }
    return write_figures(drawings, folder)


def learning_curves(results: Results, tasks: tuple[str, ...]) -> Figure | None:
    """Return as training goes, on training and on unseen targets, with the searches as lines."""
    shown = [task for task in tasks if results.trained(task) or results.evaluated(task, "bo")]
    return draw_grid(shown, partial(_task_curves, results), 2.3, "steps (thousands)", "return")


def _task_curves(results: Results, panel: Axes, task: str) -> None:
    for agent, name in (("b3", "B3"), ("mlp", "MLP")):
        _band(panel, results.curve(task, "test_return", agent=agent), name, "-")
        _band(panel, results.curve(task, "train_return", agent=agent), name, ":", label=f"{name}, training targets")
    lines: tuple[tuple[BuilderName, str, str], ...] = (("bo", "BO", "--"), ("greedy", "greedy", "-."))
    for builder, label, line in lines:
        if score := results.score(results.evaluated(task, builder), "test", "return"):
            panel.axhline(score.mean, color=COLOURS[label], linestyle=line, lw=1, label=label)
    panel.set_title(task)


def supervised(results: Results) -> Figure | None:
    """Return on training and unseen objects: imitation against reinforcement learning."""
    rows = results.supervised()
    if not rows["SL"]:
        return None
    figure, panels = make_panels(1, 2, width=3.2, height=2.4)
    splits: tuple[tuple[Split, str], ...] = (("train", "training objects"), ("test", "unseen objects"))
    for panel, (split, title) in zip(panels, splits, strict=True):
        for name, found in rows.items():
            _bar(panel, name, results.score(found, split, "return"), COLOURS[name])
        panel.set(title=title, ylim=(0, 1))
    panels[0].set_ylabel("return")
    return figure


def ablation(results: Results) -> Figure | None:
    """Return on unseen random objects as training goes, without parts of the graph network."""
    agents = [agent for agent in ("b3", "no-edge", "no-node", "mlp") if results.trained("random", agent=agent)]
    if len(agents) < 2:
        return None
    figure, panels = make_panels(1, 1, width=4.6, height=3)
    for agent in agents:
        _band(panels[0], results.curve("random", "test_return", agent=agent), VARIANT_NAMES[agent], "-")
    panels[0].set(xlabel="steps (thousands)", ylabel="return on unseen objects")
    panels[0].legend()
    return figure


def validity(results: Results) -> Figure | None:
    """ROC and PR curves of the validity networks; the rare class has a row of its own."""
    done = {name: result for name, job in results.scale.validities.items() if (result := results.of(job))}
    if not done:
        return None
    figure, panels = make_panels(2, 4, width=2.5, height=2.4)
    for row, positive in enumerate(("valid", "invalid")):
        for column, (head, kind) in enumerate((h, k) for h in ("pivots", "offsets") for k in ("ROC", "PR")):
            panel = panels[4 * row + column]
            x, y, first = ("false_positive_rate", "recall", 0) if kind == "ROC" else ("recall", "precision", 1)
            for name, result in done.items():
                curve, label = result["test"]["curves"][f"{head}_{positive}"], VARIANT_NAMES[name]
                panel.plot(curve[x][first:], curve[y][first:], color=COLOURS[label], label=label, lw=1.3)
            panel.set_title(f"{head}, {positive}: {kind}")
            panel.set_xlabel(x.replace("_", " "))
            panel.set_ylabel("true positive rate" if kind == "ROC" else "precision")
    legend_below(figure, panels)
    return figure


def validation(results: Results) -> Figure | None:
    """Ways to keep invalid actions out: return, length of an episode, early ends, time of a step."""
    tasks = [task for task in results.scale.validated if results.trained(task, validation="exact")]
    if not tasks:
        return None
    figure, panels = make_panels(len(tasks), 3, width=3.2, height=2.3)
    labels = {"return": "return", "bricks": "bricks of an episode", "invalid": "share that ends early"}
    for panel, (task, key) in zip(panels, product(tasks, labels), strict=True):
        for way in ("exact", *WAYS):
            _bar(panel, way, results.last(task, f"test_{key}", validation=way), COLOURS["B3"])
        panel.set_title(f"{task}: {labels[key]}")
        panel.tick_params(axis="x", rotation=20)
    return figure


def times(results: Results) -> Figure | None:
    """Time of exact validity against the number of bricks."""
    result = results.of(Timing())
    if result is None:
        return None
    figure, panels = make_panels(1, 1, width=4.8, height=3.2)
    names = {
        "incremental": "place a brick, masks stay exact",
        "full_mask": "whole mask, bit tables",
        "cell_by_cell": "whole mask, cell by cell",
        "pairwise": "whole mask, pairwise",
    }
    for key, label in names.items():
        seconds = [result["figures"][f"{key}_us_{bricks}"] / 1e6 for bricks in BRICKS]
        spread = [1.96e-6 * result.get("deviations", {}).get(f"{key}_us_{bricks}", 0.0) for bricks in BRICKS]
        panels[0].errorbar(BRICKS, seconds, yerr=spread, marker="o", ms=4, lw=1.3, capsize=3, label=label)
    panels[0].plot(
        [100], [PAPER_SECONDS_AT_100], marker="*", ms=12, color="#b40000", lw=0, label="the paper: over 20 s"
    )
    panels[0].set(xscale="log", yscale="log", xlabel="bricks", ylabel="seconds")
    legend_below(figure, panels, columns=2)
    return figure


def frames(results: Results) -> Figure | None:
    """IoU on unseen digits, with poses counted from the first brick and from the image."""
    digits = [task for task in results.scale.framed if results.trained(task, frame="image")]
    if not digits:
        return None
    figure, panels = make_panels(1, 1, width=6.4, height=2.6)
    place = np.arange(len(digits))
    rows: tuple[tuple[str, dict[str, str], str], ...] = (
        ("MLP", {"agent": "mlp"}, "#d67923"),
        ("B3", {}, "#9cbbe0"),
        ("B3, frame of the image", {"frame": "image"}, "#1e5aa8"),
    )
    for shift, (name, options, colour) in enumerate(rows):
        scores = [results.score(results.trained(task, **options)) for task in digits]
        heights = [score.mean if score else 0.0 for score in scores]
        errors = [score.deviation if score else 0.0 for score in scores]
        panels[0].bar(place + 0.27 * (shift - 1), heights, 0.25, yerr=errors, label=name, color=colour, capsize=2)
    panels[0].set_xticks(place, digits)
    panels[0].set_ylabel("IoU on unseen digits")
    panels[0].legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.2))
    return figure


def tuned_curves(results: Results) -> Figure | None:
    """Return as training goes on, with what the text leaves open: where does B3 pass BO, where does it level off?"""
    scale = results.scale
    shown = [task for task in scale.tasks if results.trained(task, **scale.tuned(task))]
    shown += [task for task in scale.shared if results.trained(task, **scale.longest)]
    return draw_grid(shown, partial(_tuned_task, results), 2.3, "steps (thousands)", "return")


def _tuned_task(results: Results, panel: Axes, task: str) -> None:
    scale = results.scale
    for options in (scale.tuned(task), scale.longest):
        _band(panel, results.curve(task, "test_return", **options), "B3", "-", label="B3, tuned")
        _band(panel, results.curve(task, "train_return", **options), "B3", ":", label="B3, tuned, training targets")
    others = {"B3 by the text": ("near", {}), "B3, sighted": ("B3+", SIGHTED)}
    for label, (colour, options) in others.items():
        _band(panel, results.curve(task, "test_return", **options), colour, "-", label=label)
    parts = scale.digits if task in scale.shared else (task,)
    lines = {
        "BO": [result for part in parts for result in results.evaluated(part, "bo")],
        f"BO of Kim et al., pool of {POOL}": [result for part in parts for result in results.kim(part)],
    }
    for (label, found), line in zip(lines.items(), ("--", "-."), strict=True):
        if score := results.score(found, figure="return"):
            panel.axhline(score.mean, color=COLOURS["BO"], linestyle=line, lw=1, label=label)
    panel.set_title("all digits, one agent" if task in scale.shared else task)


def rewarded(results: Results) -> Figure | None:
    """IoU on unseen targets as training by rewards goes: B3, and B3+'s network; and B3+ as the search taught it."""
    shown = [task for task in results.scale.rewarded if results.rewarded(task)]
    return draw_grid(
        shown, partial(_draw_rewarded, results), 3.0, "steps (thousands)", "IoU on unseen targets", legend=1
    )


def _draw_rewarded(results: Results, panel: Axes, task: str) -> None:
    jobs = results.scale.rewards
    _band(panel, results.curve(task, "test_iou", **results.scale.longest), "B3", "-", label="B3, tuned, by PPO")
    _band(panel, results.curve_of([job for job in jobs if job.task == task], "test_iou"), "B3+", "-", "B3+ by PPO")
    for taught in results.done([job for job in results.scale.lessons if job.task == task]):
        same = spread(taught["test"]["iou"], Rewarded.tested_on_the_way)  # targets as in the curves
        panel.axhline(np.mean(same), color=COLOURS["search"], linestyle="--", lw=1, label="B3+, taught by the search")
    panel.set(title=task, xscale="log")
    panel.xaxis.set_major_formatter(lambda thousands, _: f"{thousands:g}")


def believed(results: Results) -> Figure | None:
    """How far the learned volume can be relied on: what is believed of cells, and how many of those are filled."""
    found = results.of(results.scale.volume)
    if found is None:
        return None
    kinds = [kind for kind in ("random", *results.scale.categories) if kind in found["aside"]]
    others = [each for kind, each in found["aside"].items() if kind not in kinds]
    shown = [(kind, [found["aside"][kind]]) for kind in kinds] + ([("all others", others)] if others else [])
    return draw_grid(shown, _draw_reliability, 2.4, "believed", "filled", legend=2)


def _draw_reliability(panel: Axes, shown: tuple[str, list[dict[str, Any]]]) -> None:
    title, parts = shown
    cells, said, true = (np.array([part[key] for part in parts]) for key in ("cells", "believed", "filled"))
    counts = np.maximum(cells.sum(axis=0), 1)
    said, true = ((cells * each).sum(axis=0) / counts for each in (said, true))  # (bin,)
    there = cells.sum(axis=0) > 0
    panel.plot([0, 1], [0, 1], color="black", lw=0.8, linestyle=":", label="if beliefs were exact")
    sizes = 4 + 60 * cells.sum(axis=0)[there] / cells.sum()
    panel.plot(said[there], true[there], color=COLOURS["learned"], lw=1)
    panel.scatter(said[there], true[there], sizes, color=COLOURS["learned"], label="cells that views leave open")
    panel.set(title=f"{title}, {sum(part['targets'] for part in parts)} objects", aspect="equal")


def pools(results: Results) -> Figure | None:
    """Return of Kim et al.'s BO against what it chooses among, beside those who choose among the task's offsets."""
    digits = [task for task in results.scale.digits if results.done(results.scale.pooled(task).values())]
    groups = [("digits, mean", digits), *((task, [task]) for task in ("random", *results.scale.categories))]
    shown = [(name, tasks) for name, tasks in groups if _pooled(results, tasks)]
    return draw_grid(shown, partial(_draw_pools, results), 2.5, "placements in the pool", "return on unseen targets")


def _pooled(results: Results, tasks: Sequence[str]) -> dict[int, float]:
    """The return of Kim et al.'s BO for each size of the pool, the mean over tasks."""
    found = {size: results.done([results.scale.pooled(task)[size] for task in tasks]) for size in results.scale.pools}
    scores = {size: results.score(each, figure="return") for size, each in found.items() if len(each) == len(tasks)}
    return {size: score.mean for size, score in scores.items() if score}


def _draw_pools(results: Results, panel: Axes, shown: tuple[str, Sequence[str]]) -> None:
    title, tasks = shown
    returns = _pooled(results, tasks)
    panel.plot(list(returns), list(returns.values()), "o-", color=COLOURS["SL"], ms=4, lw=1.3, label="BO of Kim et al.")
    lines = {
        "B3": [result for task in tasks for result in results.trained(task)],
        "B3, tuned": [result for task in tasks for result in results.trained(task, **results.scale.tuned(task))],
        "BO": [result for task in tasks for result in results.evaluated(task, "bo")],
    }
    for (label, found), line in zip(lines.items(), ("-", "--", ":"), strict=True):
        if score := results.score(found, figure="return"):
            panel.axhline(score.mean, color=COLOURS[label.split(",")[0]], linestyle=line, lw=1.2, label=label)
    panel.set(title=title, xscale="log")
    panel.set_xticks(list(returns), [f"{size:,}" for size in returns])
    panel.minorticks_off()


def _band(panel: Axes, curve: Curve | None, name: str, line: str, label: str | None = None) -> None:
    """The mean over seeds, and from the lowest to the highest."""
    if curve is None:
        return
    steps = curve.steps / 1e3
    panel.plot(
        steps, curve.values.mean(axis=0), line, color=COLOURS[name], lw=1.4 if line == "-" else 1, label=label or name
    )
    if line == "-":
        low, high = curve.values.min(axis=0), curve.values.max(axis=0)
        panel.fill_between(steps, low, high, color=COLOURS[name], alpha=0.18, lw=0)


def _bar(panel: Axes, name: str, score: Spread | None, colour: str) -> None:
    """The mean over seeds, and their deviation."""
    if score:
        panel.bar(name, score.mean, yerr=score.deviation, color=colour, capsize=3, width=0.6)


def draw_grid(
    shown: Sequence[Shown], draw: Callable[[Axes, Shown], None], height: float, x: str, y: str, legend: int = 6
) -> Figure | None:
    """A panel for each, up to five in a row, with labels at the outer ones and one legend of so many columns below."""
    if not shown:
        return None
    columns = min(5, len(shown))
    figure, panels = make_panels(-(-len(shown) // columns), columns, 2.6 if columns > 3 else 3.4, height)
    for panel, each in zip(panels, shown, strict=False):
        draw(panel, each)
    for panel in panels[len(shown) :]:
        panel.set_visible(False)
    for panel in panels[-columns:]:
        panel.set_xlabel(x)
    for panel in panels[::columns]:
        panel.set_ylabel(y)
    legend_below(figure, panels, legend)
    return figure


def make_panels(rows: int, columns: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(columns * width, rows * height + 0.4), layout="constrained")
    return figure, list(np.atleast_1d(figure.subplots(rows, columns)).ravel())


def legend_below(figure: Figure, panels: list[Axes], columns: int = 6) -> None:
    """One legend for all panels."""
    entries: dict[str, Any] = {}
    for panel in panels:
        handles, labels = panel.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    figure.legend(list(entries.values()), list(entries), loc="outside lower center", ncols=min(columns, len(entries)))


def write_figures(drawings: Mapping[str, Drawing], folder: Path) -> list[Path]:
    """Draws what can be drawn, and returns the files: the same for the same results, no date and no version in them."""
    drawn = []
    with matplotlib.rc_context(STYLE):
        for name, draw in drawings.items():
            if figure := draw():
                content = BytesIO()
                figure.savefig(content, format="png", metadata={"Software": None})
                drawn.append(folder / f"{name}.png")
                write_whole(drawn[-1], content.getvalue())
    return drawn
