"""What search finds, and how long it takes: alone, beside greedy, and guided by an agent, beside that agent."""

from collections.abc import Callable, Sequence

from brickbybrick.builders import register
from brickbybrick.builders.base import Builder, EpisodeBuilder
from brickbybrick.builders.beam.planner import PlanningBuilder, SearchBuilder, from_views, from_volume
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target


def bench_search(
    targets: Sequence[Target],
    offsets: OffsetSet,
    works: Sequence[int],
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Mean IoU with the targets' volumes and milliseconds of one core a target, for some amounts of work: bricks to
    look at for one target."""
    progress("greedy")
    figures = _beginning("greedy", GreedyBuilder(offsets), targets, works)
    estimates = {"images": from_views, "learned": register.usual_estimate(offsets), "volume": from_volume}
    for name, estimate in estimates.items():
        if name == "learned" and estimate is from_views:  # nothing was, of one view or without PyTorch
            continue
        for work in works:
            progress(f"search by the {name}{' volume' if name == 'learned' else ''}, work {work:,}")
            builder = SearchBuilder(offsets, work=work, estimate=estimate)
            figures |= _figures(f"search_{name}_{work}", builder, targets)
    return figures


def bench_guided(
    targets: Sequence[Target],
    agent: EpisodeBuilder,
    works: Sequence[int],
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Mean IoU and milliseconds of one core a target: an agent alone, the search that it guides for some amounts of
    work, states that the agent looks at for one target, and the plain search for as long; both by what is usually
    believed of the images."""
    from brickbybrick.builders.guided import GuidedBuilder  # it needs PyTorch, the others do not

    progress("the agent alone")
    figures = _beginning("agent", agent, targets, works)
    estimate = register.usual_estimate(agent.offsets)
    for work in works:
        progress(f"guided, {work:,} states")
        figures |= _figures(f"guided_{work}", GuidedBuilder(agent, work=work, estimate=estimate), targets)
        progress("the plain search for as long")
        seconds = figures[f"guided_{work}_ms"] / 1e3
        plain = SearchBuilder(agent.offsets, work=None, seconds=seconds, estimate=estimate)
        figures |= _figures(f"search_{work}", plain, targets)
    return figures


def _beginning(name: str, builder: Builder, targets: Sequence[Target], works: Sequence[int]) -> dict[str, float]:
    """The figures of whom search is compared with, if there is something to measure."""
    if not targets or not works or min(works) < 0:
        raise InputError(f"{len(targets)} targets, work {tuple(works)}: give at least one target and work of 0 or more")
    return {"targets": float(len(targets)), **_figures(name, builder, targets)}


def _figures(name: str, builder: Builder, targets: Sequence[Target]) -> dict[str, float]:
    builder.build(targets[0])  # compiles
    # A plan takes one core, and its time is one target's; others build their targets side by side.
    scores = evaluate(builder, targets, alone=isinstance(builder, PlanningBuilder))
    return {f"{name}_iou": float(scores.iou.mean()), f"{name}_ms": float(scores.ms.mean())}
