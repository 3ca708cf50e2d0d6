"""`results/BEYOND.md` and its figures, from the measurements of `b3 beyond` alone."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from brickbybrick.experiments.beyond import GUIDED_WORKS, MOST_WORK, TASKS, WORKS, Measured, Measurements
from brickbybrick.experiments.figures import COLOURS, Drawing, draw_grid, write_figures
from brickbybrick.experiments.markdown import markdown_parts, markdown_picture, markdown_table
from brickbybrick.experiments.paper import DIGITS
from brickbybrick.files import write_whole

Claim = tuple[str, str, bool]  # what is claimed, what was measured, whether it holds
CLAIMED_WORK = 100_000  # of the search that the claims are about
DIGIT_SHARE, DIGIT_MS = 0.99, 100.0  # of the optimum, by search from the image
PLUS_SHARE = 0.95  # of the optimum, by B3+ without search
GAP_SHARE = 0.5  # of the way from B3 to the best known
HIDDEN_SHARE = 0.5  # of what the views hide, by the learned volume
NOTHING = 0.0005  # IoU that does not show in three digits
# Those with the most work on all tasks.
SEARCH, LEARNED, TOLD = (f"{kind}-{WORKS[-1]}" for kind in ("search", "learned", "volume"))
LABELS = {
    "random": "random",
    "greedy": "greedy*",
    "bo": "BO*",
    "mlp": "MLP",
    "b3": "B3",
    "b3plus": "B3+",
    **{f"guided-{work}": f"guided by B3+ {work:,}" for work in GUIDED_WORKS},
    **{f"search-{work}": f"search {work:,}" for work in WORKS},
    **{f"learned-{work}": f"search, learned volume {work:,}" for work in WORKS},
    **{f"volume-{work}": f"search* {work:,}" for work in (WORKS[-1], MOST_WORK)},
}
POINTS = {"random": "v", "greedy": "s", "bo": "D", "mlp": "^", "b3": "o", "b3plus": "*"}  # and their markers
# Searches: their names, lines and markers' faces.
LINES: dict[str, tuple[str, str, Literal["full", "left", "right", "none"]]] = {
    "search": ("search", "-", "full"),
    "learned": ("search, learned volume", "-", "left"),
    "volume": ("search, told the volume*", "--", "none"),
    "guided": ("search, guided by B3+", ":", "right"),
}


SEEING = ("search", "learned")  # searches that see images


def best_known(task: Measurements) -> npt.NDArray[np.float64]:
    """The IoU (target,) of the best construction that anyone found; where `is_proven`, the optimum."""
    best: npt.NDArray[np.float64] = np.max([task.best, *(each.iou for each in task.builders.values())], axis=0)
    return best


def is_proven(task: Measurements) -> bool:
    """Whether nothing better than the best known can be built, whatever the target."""
    return bool(np.greater_equal(task.best, task.bound).all())


def share(task: Measurements, measured: Measured) -> float:
    """What a builder reaches of the best known, the mean over targets."""
    return float(np.mean(measured.iou / best_known(task)))


def anytime(task: Measurements, kind: str) -> list[Measured]:
    """A search's measurements, by growing work: from images, by the learned volume, told the volume, or guided."""
    works = (*GUIDED_WORKS, *WORKS, MOST_WORK)
    return [task.builders[name] for work in works if (name := f"{kind}-{work}") in task.builders]


def draw_beyond(tasks: Sequence[Measurements], folder: Path) -> list[Path]:
    """IoU against time, a panel a task; digits in one figure, the rest in another."""
    digits = [task for task in tasks if task.task in DIGITS]
    objects = [task for task in tasks if task.task not in DIGITS]
    labels = ("ms a target, one core", "IoU on unseen targets")
    drawings: dict[str, Drawing] = {
        name: partial(draw_grid, shown, _draw_task, 2.5, *labels, legend=5)
        for name, shown in (("digits", digits), ("objects", objects))
    }
    return write_figures(drawings, folder)


def _draw_task(panel: Axes, task: Measurements) -> None:
    for name, marker in POINTS.items():
        if name in task.builders:
            each, label = task.builders[name], LABELS[name]
            size = 10 if marker == "*" else 6
            colour = COLOURS[label.rstrip("*")]
            panel.plot([each.ms], [np.mean(each.iou)], marker, ms=size, color=colour, label=label, zorder=3)
    for kind, (label, line, face) in LINES.items():
        points = [(each.ms, np.mean(each.iou)) for each in anytime(task, kind)]
        if points:
            colour = COLOURS[{"learned": "learned", "guided": "B3+"}.get(kind, "search")]
            (drawn,) = panel.plot(*zip(*points, strict=True), line, marker="o", ms=4, lw=1.3, color=colour, label=label)
            drawn.set_fillstyle(face)
    best, proven = best_known(task).mean(), is_proven(task)
    label = "optimum, proven" if proven else "best known"
    panel.axhline(best, color="black", lw=1, linestyle="-" if proven else "-.", label=label, zorder=0)
    if not proven:
        panel.axhline(float(np.mean(task.bound)), color="black", lw=1, linestyle=":", label="proven bound", zorder=0)
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter(lambda ms, _: f"{ms:g}")
    panel.xaxis.set_minor_formatter("")
    panel.set_title(task.task)


def write_beyond(tasks: Sequence[Measurements], path: Path, figures: Iterable[Path]) -> None:
    """Writes the report beside the folder of figures."""
    claims = [(claim, measured, "yes" if holds else "no") for claim, measured, holds in _claims(tasks)]
    head = ("task", *LABELS.values(), "best known", "proven bound")
    ious = _rows(
        tasks,
        lambda _, each: float(np.mean(each.iou)),
        "{:.3f}",
        lambda task: (float(best_known(task).mean()), float(np.mean(task.bound))),
    )
    parts = [
        "# Beyond the paper's agents\n\nWritten by `b3 beyond` from the files in `beyond/`. All builders build the "
        "same unseen targets. Those with a * are told the volume; all others see the images, which on digits say as "
        "much. B3 and MLP are the paper's agents, means over seeds. B3+ was taught by the search and does not search; "
        "from three views it builds each target from behind too and keeps the model that the views value more. "
        "The number behind a search is its work, in bricks looked at; behind one that B3+ guides, in states that B3+ "
        "looks at. Time is CPU time of one core, one target at a "
        "time, measured beside other work on the machine.",
        _missing(tasks),
        "## Claims\n\n" + markdown_table(("claim", "measured", "holds"), claims),
        *(markdown_picture(file, path) for file in figures),
        "## IoU\n\nMeans over targets. Where the best known is the proven bound it is the optimum.\n\n"
        + markdown_table(head, ious),
        "## Share of the best known\n\nIoU over the best known IoU of the same target, means over targets; on digits "
        "and random objects that is the optimum. Elsewhere it is the best that any of these builders, or the search "
        "for bounds, found.\n\n" + markdown_table(head[:-2], _rows(tasks, share, "{:.1%}")),
        "## Milliseconds a target\n\n" + markdown_table(head[:-2], _rows(tasks, lambda _, each: each.ms, "{:.1f}")),
    ]
    write_whole(path, (markdown_parts(parts) + "\n").encode())


def _missing(tasks: Sequence[Measurements]) -> str:
    """Who is left out where."""
    absent = {name: [task.task for task in tasks if name not in task.builders] for name in LABELS}
    absent[f"volume-{MOST_WORK}"] = []  # takes part only where no optimum is proven
    for work in WORKS:  # a digit's image hides nothing
        absent[f"learned-{work}"] = [task for task in absent[f"learned-{work}"] if task not in DIGITS]
    said = [f"{LABELS[name]} on {', '.join(where)}" for name, where in absent.items() if where]
    unmeasured = [name for name in TASKS if name not in {task.task for task in tasks}]
    said += [f"everyone on {', '.join(unmeasured)}"] if unmeasured else []
    return f"Not measured, or not part of the package: {'; '.join(said)}." if said else ""


def _rows(
    tasks: Sequence[Measurements],
    figure: Callable[[Measurements, Measured], float],
    form: str,
    more: Callable[[Measurements], tuple[float, ...]] = lambda _: (),
) -> list[tuple[str, ...]]:
    """A row a task, and the mean of the digits."""
    table = {
        task.task: (
            *(figure(task, task.builders[name]) if name in task.builders else np.nan for name in LABELS),
            *more(task),
        )
        for task in tasks
    }
    digits = [figures for task, figures in table.items() if task in DIGITS]
    if len(digits) > 1:
        table["digits, mean"] = tuple(float(np.mean(column)) for column in zip(*digits, strict=True))
    return [(name, *("" if np.isnan(each) else form.format(each) for each in row)) for name, row in table.items()]


def _claims(tasks: Sequence[Measurements]) -> list[Claim]:
    def having(*names: str) -> list[Measurements]:
        return [task for task in tasks if set(names) <= set(task.builders)]

    rows = []
    if digits := [task for task in having(f"search-{CLAIMED_WORK}") if task.task in DIGITS]:
        rows.append(_digits_by_search(digits))
    if digits := [task for task in having("b3plus", "b3") if task.task in DIGITS]:
        rows += [_digits_by_plus(digits), _plus_above_b3(digits)]
    objects = [task for task in having("b3", SEARCH, TOLD) if task.task not in DIGITS]
    rows += [*map(_gap, objects), *map(_hidden, having(SEARCH, LEARNED, TOLD))]
    if guided := [task for task in tasks if anytime(task, "guided")]:
        rows.append(_guided(guided))
    return [*rows, _monotone(tasks)]


def _digits_by_search(digits: Sequence[Measurements]) -> Claim:
    found = [task.builders[f"search-{CLAIMED_WORK}"] for task in digits]
    shares = [share(task, each) for task, each in zip(digits, found, strict=True)]
    spent, slowest = [each.ms for each in found], max(each.ms_most for each in found)
    return (
        f"digits: search from the image alone reaches {DIGIT_SHARE:.0%} of the optimum, in under {DIGIT_MS:.0f} ms",
        f"{np.mean(shares):.2%}, lowest class {min(shares):.2%}; {np.mean(spent):.1f} ms, slowest class "
        f"{max(spent):.1f} ms, slowest digit {slowest:.1f} ms (work {CLAIMED_WORK:,}, "
        f"{sum(len(each.iou) for each in found):,} digits)",
        min(shares) >= DIGIT_SHARE and max(spent) < DIGIT_MS and all(map(is_proven, digits)),
    )


def _digits_by_plus(digits: Sequence[Measurements]) -> Claim:
    shares = {task.task: share(task, task.builders["b3plus"]) for task in digits}
    lowest = min(shares, key=lambda task: shares[task])
    mean = float(np.mean(list(shares.values())))
    return (
        f"digits: B3+ without search reaches {PLUS_SHARE:.0%} of the optimum",
        f"{mean:.1%}, lowest class {shares[lowest]:.1%} ({lowest}); "
        f"{sum(each >= PLUS_SHARE for each in shares.values())} of {len(shares)} classes alone",
        mean >= PLUS_SHARE,
    )


def _plus_above_b3(digits: Sequence[Measurements]) -> Claim:
    means = [(np.mean(task.builders["b3plus"].iou), np.mean(task.builders["b3"].iou)) for task in digits]
    above = sum(ours > theirs for ours, theirs in means)
    ours, theirs = np.mean(means, axis=0)
    return (
        "digits: B3+ is above B3 on every class",
        f"on {above} of {len(means)}; IoU {ours:.3f} against {theirs:.3f}",
        above == len(means),
    )


def _gap(task: Measurements) -> Claim:
    """How much of the way from B3 to the best known is gone from the views alone."""
    low, high = np.mean(task.builders["b3"].iou), best_known(task).mean()

    def closed(name: str) -> float:
        return float((np.mean(task.builders[name].iou) - low) / (high - low))

    means = {name: np.mean(task.builders[name].iou) for name in (SEARCH, LEARNED, "b3plus") if name in task.builders}
    said = [f"{LABELS[name]} {mean:.3f}, {closed(name):.0%} of the gap" for name, mean in means.items()]
    said.append(f"told the volume it would be {closed(TOLD):.0%}")
    at_best = f"optimum {high:.3f}" if is_proven(task) else f"best known {high:.3f}, bound {np.mean(task.bound):.3f}"
    shares = f"the search reaches {share(task, task.builders[SEARCH]):.1%} of the best known"
    if not is_proven(task):
        shares += f" and {np.mean(np.divide(task.builders[SEARCH].iou, task.bound)):.1%} of the bound"
    return (
        f"{task.task}: from three views, at least half of the gap between B3 and the best known is closed",
        f"B3 {low:.3f}, {at_best}; {'; '.join(said)}; {shares}",
        max(closed(name) for name in means) >= GAP_SHARE,
    )


def _hidden(task: Measurements) -> Claim:
    """How much of what the views hide is known all the same."""
    seeing, learned, told = (float(np.mean(task.builders[name].iou)) for name in (SEARCH, LEARNED, TOLD))
    said = f"search {seeing:.4f}, with the learned volume {learned:.4f}, told the volume {told:.4f}"
    if is_proven(task):  # random objects, which the views tell nearly for certain
        return (f"{task.task}: the learned volume costs nothing", said, learned >= seeing - NOTHING)
    return (
        f"{task.task}: the learned volume closes at least half of the gap between the search from views and the search "
        "told the volume",
        f"{said}: {(learned - seeing) / (told - seeing):.0%} of the gap",
        learned - seeing >= HIDDEN_SHARE * (told - seeing),
    )


def _guided(tasks: Sequence[Measurements]) -> Claim:
    """Guided search beside the best plain search that takes no longer."""
    worse, better = [], []
    for task in tasks:
        plain = anytime(task, "learned") or anytime(task, "search")
        for each in anytime(task, "guided"):
            as_quick = max(np.mean(other.iou) for other in plain if other.ms <= max(each.ms, plain[0].ms))
            ahead = float(np.mean(each.iou) - as_quick)
            worse += [ahead] if ahead < -NOTHING else []
            better += [ahead] if ahead > NOTHING else []
    points = sum(len(anytime(task, "guided")) for task in tasks)
    said = f"of {points} points {len(worse)} lie below the plain search, by at most {-min(worse, default=0.0):.3f}; "
    return (
        "search guided by B3+ is never worse than the plain search in as many milliseconds, and better somewhere",
        said + f"{len(better)} lie above it, by at most {max(better, default=0.0):.3f}",
        bool(better) and not worse,
    )


def _monotone(tasks: Sequence[Measurements]) -> Claim:
    """Told the volume the IoU itself may not fall; from images, what the search believes that a model is worth."""

    def falls(figures: Sequence[Sequence[float] | None]) -> int:
        return int(
            np.count_nonzero(np.any(np.diff([each for each in figures if each is not None], axis=0) < 0, axis=0))
        )

    targets = sum(len(task.best) for task in tasks)
    told = sum(falls([each.iou for each in anytime(task, "volume")]) for task in tasks)
    believed = sum(falls([each.worth for each in anytime(task, kind)]) for task in tasks for kind in SEEING)
    true = sum(falls([each.iou for each in anytime(task, kind)]) for task in tasks for kind in SEEING)
    return (
        "more work never makes a model that is worth less",
        f"told the volume, IoU falls on {told} of {targets:,} targets; from images, what the search believes its "
        f"model is worth falls on {believed}. The true IoU, which it cannot know, falls on {true}",
        told == 0 and believed == 0,
    )
