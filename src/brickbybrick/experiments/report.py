"""`results/REPORT.md`: each claim of the paper, our figure, and whether it holds, written from the results alone."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from torch import nn

from brickbybrick.bench.validity import BRICKS
from brickbybrick.experiments.claims import candidates_said, claims_table, part_of
from brickbybrick.experiments.engine import missing
from brickbybrick.experiments.gallery import limits
from brickbybrick.experiments.job import Result
from brickbybrick.experiments.learned_tables import believed_table, rewarded_table
from brickbybrick.experiments.markdown import markdown_parts, markdown_picture, markdown_table
from brickbybrick.experiments.measuring_jobs import Contents, Timing
from brickbybrick.experiments.paper import SIGHTED, WAYS, jobs_of
from brickbybrick.experiments.results import NEARLY, Results, Spread
from brickbybrick.files import write_whole
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import number_of_weights
from brickbybrick.policies.graph_network import SplitLinear

# The paper's table, precision and recall on the test set with valid as the positive class: pivot, offset.
PAPER_VALIDITY = {
    "mlp": (".9557 / 1.0000", ".5130 / .1398"),
    "no-node": (".9804 / .9869", ".7931 / .7344"),
    "no-edge": (".9850 / .9948", ".8897 / .9672"),
    "one-pass": (".9809 / .9982", ".8674 / .9467"),
    "b3": (".9909 / .9944", ".9125 / .9661"),
}
VALIDITY_NAMES = {
    "mlp": "MLP",
    "no-node": "no node features",
    "no-edge": "no edge features",
    "one-pass": "jointly trained (one pass)",
    "b3": "pretrained",
    "near": "pretrained, near bricks are edges too (ours)",
}


def write_report(
    results: Results, path: Path, figures: Iterable[Path], galleries: Iterable[Path], examples: Path | None = None
) -> None:
    """Writes the report beside the figures, with the examples of `draw_limits` where they are drawn."""
    drawn = {file.stem: markdown_picture(file, path) for file in figures}
    parts = [
        "# The reproduction\n\nWritten by `b3 reproduce` from the files in `runs/`; every figure is drawn from them. "
        "IoU and return are on unseen targets, "
        f"means over targets, ± is the deviation between {results.scale.seeds} seeds. "
        "Agents learned from 256 environments of 16 steps an iteration, where the paper has 8 of 512. "
        "Actions are the likeliest ones, masks exact unless it says otherwise. The return leaves out what the gate "
        "of the reward drops, so it is not the IoU.",
        _progress(results),
        claims_table(results),
        "## Main table\n\n" + _main_table(results),
        *(_section(results, drawn, name) for name in SECTIONS),
        "## Galleries\n\nUnseen targets picked at random, not the best; the same picks for all builders.\n\n"
        + "\n\n".join(markdown_picture(file, path) for file in galleries),
        _limits(markdown_picture(examples, path)) if examples else "",
    ]
    write_whole(path, (markdown_parts(parts) + "\n").encode())


def _progress(results: Results) -> str:
    jobs = jobs_of(results.scale)
    left = missing(jobs, results.root)
    if not left:
        return f"All {len(jobs)} jobs of the grid are done."
    names = sorted({job.name.split("/")[0] for job in left})
    return f"**{len(jobs) - len(left)} of {len(jobs)} jobs are done**; missing are some of {', '.join(names)}."


def _main_table(results: Results) -> str:
    """IoU / return of every builder on every task."""
    rows = []
    general, shared = (results.done(jobs_of(results.scale, (name,))) for name in ("general", "shared"))
    found: dict[str, list[Result]] = {}
    for task in results.scale.tasks:
        found = {
            "random": results.evaluated(task, "random"),
            "greedy": results.evaluated(task, "greedy"),
            "BO": results.evaluated(task, "bo"),
            "MLP": results.trained(task, agent="mlp"),
            "B3": results.trained(task),
            "B3, image frame": results.trained(task, frame="image"),
            "B3, tuned": results.trained(task, **results.scale.tuned(task)),
            "B3, sighted": results.trained(task, **SIGHTED),
            "one B3 for all": [part for each in general if (part := part_of(each, task))],
            "one B3 for all, tuned": [part for each in shared if (part := part_of(each, task))],
        }
        rows.append((task, *(_both(results, each) for each in found.values())))
    note = (
        "\n\nIoU / return. `greedy` and `BO` are told the exact volume; the agents see the images. With the 6 offsets "
        f"of digits {candidates_said(results)}, so BO, which may look at 15, is nearly greedy there. One B3 for all: "
        "one agent for all digits and one for all objects, in the image's frame, with more samples (one seed); tuned, "
        f"{results.scale.long:,} of them (three seeds). B3, tuned, has {results.scale.twice:,} samples of each digit."
    )
    there = [column for column, _ in enumerate(("task", *found)) if any(row[column] for row in rows)]
    head = ("task", *found)
    return markdown_table([head[each] for each in there], [[row[each] for each in there] for row in rows]) + note


def _both(results: Results, found: list[Result]) -> str:
    iou, gained = results.score(found), results.score(found, figure="return")
    return f"{iou} / {gained.mean:.3f}" if iou and gained else ""


def _section(results: Results, drawn: dict[str, str], name: str) -> str:
    """A figure with what belongs to it."""
    title, about, table = SECTIONS[name]
    shown = [table(results) if table else "", drawn.get(name, "")]
    return markdown_parts([f"## {title}", about, *shown]) if any(shown) else ""


def _validity_table(results: Results) -> str:
    rows = []
    for variant, job in results.scale.validities.items():
        if result := results.of(job):
            paper = PAPER_VALIDITY.get(variant, ("", ""))
            test, train = result["test"]["figures"], result["train"]["figures"]
            cells = [
                precision_recall(figures, head, "valid") for head in ("pivot", "offset") for figures in (train, test)
            ]
            rare = [precision_recall(test, head, "invalid") for head in ("pivot", "offset")]
            rows.append((VALIDITY_NAMES[variant], *cells, *rare, *paper))
    head = ["", "pivot train", "pivot test", "offset train", "offset test", "pivot invalid, test"]
    head += ["offset invalid, test", "paper: pivot test", "paper: offset test"]
    note = "\n\nPrecision / recall at 0.5; valid is the positive class unless it says invalid."
    return markdown_table(head, rows) + note if rows else ""


def precision_recall(figures: dict[str, float], head: str, positive: str) -> str:
    return f"{figures[f'{head}_precision_{positive}']:.4f} / {figures[f'{head}_recall_{positive}']:.4f}"


WAY_FIGURES = {  # columns of the logs, and of the table
    "test_iou": "IoU",
    "test_return": "return",
    "test_bricks": "bricks",
    "test_invalid": "end early",
    "rollout_episode_return": "drawn: return",
    "rollout_bricks": "drawn: bricks",
    "rollout_invalid": "drawn: end early",
}


def _validation_table(results: Results) -> str:
    timing = results.of(Timing())
    rows = []
    for task in dict.fromkeys((*results.scale.pretrained, *results.scale.validated)):
        for way in ("exact", *WAYS):
            ends = {key: results.last(task, key, validation=way) for key in WAY_FIGURES}
            cells = [f"{end.mean:.1f}" if end and "bricks" in key else _cell(end) for key, end in ends.items()]
            if any(cells):
                spent = f"{timing['ms_per_step'][way]:.1f}" if timing and task == "mnist-0" else ""
                rows.append((task, way, *cells, spent))
    return markdown_table(("task", "masks", *WAY_FIGURES.values(), "ms a step on a CPU"), rows) if rows else ""


def _time_table(results: Results) -> str:
    timing = results.of(Timing())
    if not timing:
        return ""
    rows = []
    for bricks in BRICKS:
        names = [f"{key}_us_{bricks}" for key in ("incremental", "full_mask", "pairwise")]
        noise = [1.96 * timing.get("deviations", {}).get(name, 0.0) for name in names]
        spent = [timing["figures"][name] for name in names]
        rows.append((str(bricks), *(f"{each:.2f} ± {more:.2f}" for each, more in zip(spent, noise, strict=True))))
    head = ("bricks", "place one, masks stay exact (µs)", "whole mask (µs)", "pairwise, as the paper (µs)")
    return markdown_table(head, rows)


def _tasks_table(results: Results) -> str:
    rows = []
    for task in results.scale.tasks:
        if found := results.of(Contents(task=task)):
            figures = (found[key] for key in ("train", "test", "offsets"))
            bricks = f"{found['budget_min']} to {found['budget_max']}, {found['budget_mean']}"
            rows.append((task, *map(str, figures), bricks, "; ".join(found["notes"])))
    head = ("task", "training targets", "unseen targets", "offsets", "bricks allowed, mean", "left out")
    return markdown_table(head, rows) if rows else ""


def _architecture_table(_results: Results) -> str:
    """The network, layer by layer, as it is made for digits and for ModelNet."""
    flat, solid = (
        ActorCritic(ModelConfig(views=views, offsets=offsets, width=width))
        for views, offsets, width in ((1, 6, 64), (3, 32, 192))
    )
    rows = []
    for (name, small), (_, large) in zip(flat.named_children(), solid.named_children(), strict=True):
        cells = [(_layers(part), f"{number_of_weights(part):,}") for part in (small, large)]
        rows.append((name.replace("_", " "), cells[0][0], cells[0][1], cells[1][0], cells[1][1]))
    return markdown_table(("part", "digits", "weights", "ModelNet", "weights"), rows)


def _layers(part: nn.Module) -> str:
    """What a part of a network consists of, inputs and outputs of each layer."""
    said = []
    for layer in part.modules():
        if isinstance(layer, nn.Conv2d):
            said.append(f"conv {layer.in_channels}-{layer.out_channels}")
        elif isinstance(layer, nn.MaxPool2d):
            said.append("pool")
        elif isinstance(layer, nn.Linear):
            said.append(f"linear {layer.in_features}-{layer.out_features}")
        elif isinstance(layer, SplitLinear):
            said.append(f"linear {'+'.join(str(each.shape[1]) for each in layer.weights)}-{len(layer.bias)}")
    return ", ".join(said)


def _tried_table(results: Results) -> str:
    """Single runs of variants that are not part of the code, from the record that was kept of them."""
    file = results.root.parent / "tried.json"
    if not file.exists():
        return ""
    rows = []
    for run in json.loads(file.read_text(encoding="utf-8")):
        last = run["curve"][-1]
        cells = (f"{last['steps']:,}", f"{last['train_return']:.3f}", f"{last['test_return']:.3f}")
        rows.append((run["task"], run["what"], str(run["minibatches"]), *cells))
    head = ("task", "what was tried", "minibatches", "samples", "return on training targets", "on unseen targets")
    return markdown_table(head, rows)


def _pools_table(results: Results) -> str:
    """BO over training and unseen targets, as the text averages it, and Kim et al.'s by the size of the pool."""
    rows = []
    for task in results.scale.tasks:
        found = {"BO": results.evaluated(task, "bo"), "B3": results.trained(task)}
        found |= {f"pool of {size}": results.done([job]) for size, job in results.scale.pooled(task).items()}
        contents = results.of(Contents(task=task))
        if any(each for name, each in found.items() if name.startswith("pool")) and contents:
            cells = [_cell(results.score(each, figure="return")) for each in found.values()]
            seen, unseen = (results.score(found["BO"], split, "return") for split in ("train", "test"))
            if seen and unseen:
                train, test = contents["train"], contents["test"]
                cells.insert(0, f"{(train * seen.mean + test * unseen.mean) / (train + test):.3f}")
            rows.append((task, *cells))
    head = ("task", "BO, training and unseen", "BO", "B3", *(f"pool of {size}" for size in results.scale.pools))
    return markdown_table(head, rows) if rows else ""


def _levels_table(results: Results) -> str:
    """Where each task's longest curve levels off, and where it passes BO."""
    rows = []
    for task in results.scale.tasks:
        bo = results.score(results.evaluated(task, "bo"), figure="return")
        cells: list[str] = []
        for readings in ((results.scale.longest, results.scale.tuned(task)), (SIGHTED,)):
            curves = [results.curve(task, "test_return", **options) for options in readings]
            curve = next((each for each in curves if each is not None), None)
            if curve is None or bo is None:
                cells += [""] * 3
                continue
            passed = curve.passes(bo.mean)
            cells += [f"{curve.level:.3f}", f"{curve.levels_off:,.0f} of {curve.steps[-1]:,.0f}"]
            cells.append("not" if passed is None else f"{passed:,.0f}")
        rows.append((task, f"{bo.mean:.3f}" if bo else "", *cells))
    head = ["", "BO", "tuned", "levels off after", "passes BO after", "sighted", "levels off after", "passes BO after"]
    note = (
        f"\n\nReturn on unseen targets over the last quarter of a curve, and samples: to {NEARLY:.0%} of that, and to "
        "more than BO has. Tests are as far apart as a twentieth of a curve."
    )
    return markdown_table(head, rows) + note if any(cell for row in rows for cell in row[2:]) else ""


def _rollouts_table(results: Results) -> str:
    """As many samples from few environments and from many."""
    rows = []
    for task in results.scale.rolled:
        few, many = (results.trained(task, preset=preset) for preset in ("paper", "fast"))
        if few and many:
            rows.append((task, _both(results, few), _both(results, many)))
    head = ("task", "8 environments of 512 steps", "256 environments of 16 steps")
    return markdown_table(head, rows) + "\n\nIoU / return on unseen targets." if rows else ""


def _supervised_table(results: Results) -> str:
    compared = results.supervised()
    if longer := results.done(results.scale.longer_imitations):
        compared = {f"SL, {results.scale.converged} epochs": longer} | compared
    rows = [
        (name, *(_cell(results.score(found, split)) for split in ("train", "test")))
        for name, found in compared.items()
        if found
    ]
    return markdown_table(("", "IoU on training objects", "IoU on unseen objects"), rows) if rows else ""


def _cell(score: Spread | None) -> str:
    return str(score) if score else ""


# By the name of its figure: the title, what is said before, and the table, if there is one.
SECTIONS: dict[str, tuple[str, str, Callable[[Results], str] | None]] = {
    "tasks": ("Tasks", "", _tasks_table),
    "offsets": ("Offsets", "Where a new brick (red) may lie relative to its pivot (blue).", None),
    "architecture": (
        "The network",
        "The paper's table has two widths of the encoder; ours is the narrower one. Each view goes through the encoder "
        "by itself.",
        _architecture_table,
    ),
    "mnist": ("Digits", "Return as training goes; the band spans the seeds.", None),
    "random": ("Randomly assembled objects", "", None),
    "modelnet": ("ModelNet", "Real shapes at 14 x 14 x 14, from their three silhouettes.", None),
    "supervised": ("Supervised against reinforcement learning", "", _supervised_table),
    "ablation": ("Parts of the graph network", "", None),
    "validity": ("Validity networks", "", _validity_table),
    "validation": (
        "Ways to keep invalid actions out",
        "An invalid action ends an episode early. On 100 unseen targets with the likeliest actions; and with drawn "
        "ones on training targets, as in the last iteration of training. Sampling draws up to 15 times until an action "
        "is valid: nothing teaches it to make its first choice a valid one, and the likeliest is tried once.",
        _validation_table,
    ),
    "time": (
        "Exact validity",
        "The paper reports more than 20 s for 100 bricks. Means of 10 repeats, ± 1.96 deviations.",
        _time_table,
    ),
    "frames": (
        "Where the agent counts from",
        "The paper's text has builds always begin at the bottom centre (line 383), so that its agent would know where "
        "the first brick is; its released code begins where the lowest layer is densest, much like ours. There the "
        "agent counts poses from the first brick and has to find out where that is. With poses counted from the corner "
        "of the image it need not.",
        None,
    ),
    "pools": (
        "What BO chooses among",
        "The text names no offsets for BO. Ours looks at all valid placements of the task's offsets and so is nearly "
        "greedy. Kim et al.'s own code joins bricks in any way and chooses among those placements that it drew within "
        "about a second: how many these are decides who wins. Return on unseen targets; the text averages BO over "
        "training and unseen ones.",
        _pools_table,
    ),
    "rollouts": (
        "Few environments and many",
        "As many samples an iteration, from 8 environments as in the paper and from 256 as in all other runs.",
        _rollouts_table,
    ),
    "tuned": (
        "B3 at its best within the text",
        "Poses counted from the image, minibatches of 32 samples; the longest curves are of one seed.",
        _levels_table,
    ),
    "rewarded": (
        "The network or the way of learning?",
        "B3+'s network, which looks at space instead of a graph, trained by PPO from the same rewards and never shown "
        "what is right, beside B3 as it learns most within the text. The band spans the seeds.",
        rewarded_table,
    ),
    "believed": (
        "What three views hide",
        "A network learned from ModelNet's training shapes and from random objects which cells are filled behind three "
        "views. Of shapes that were kept aside: what it believes of the cells that the views leave open, in tenths, "
        "and how many of those are filled; points are as large as they have cells.",
        believed_table,
    ),
    "tried": (
        "What was tried",
        "One run each, poses counted from the image. The parts of the paper's released code do not help; being told "
        "what the images show around each brick does, so the agent `sighted` is part of the package.",
        _tried_table,
    ),
}


def _limits(picture: str) -> str:
    told = "\n".join(f"- **{limit.title.capitalize()}**: {limit.says}" for limit in limits())
    return markdown_parts(["## What the method cannot do", told, picture])
