"""What search finds, and how long it takes: alone, beside greedy, and guided by an agent, beside that agent."""

from collections.abc import Callable, Sequence

from brickbybrick.builders.base import Builder, EpisodeBuilder
from brickbybrick.builders.beam.planner import PlanningBuilder, SearchBuilder, from_views, from_volume
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

WORKS = (10_000, 100_000, 500_000)


def bench_search(
    targets: Sequence[Target],
    offsets: OffsetSet,
    works: Sequence[int] = WORKS,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Mean IoU with the targets' volumes and milliseconds of one core a target, for some amounts of work.

    Args:
        targets: What is built.
        offsets: The joints an action may choose from.
        works: Bricks to look at for one target, for each row of figures.
        progress: Told what is measured.
    """
    if not targets or not works or min(works) < 0:
        raise InputError(f"{len(targets)} targets, work {tuple(works)}: give at least one target and work of 0 or more")
    figures: dict[str, float] = {"targets": float(len(targets))}
    progress("greedy")
    figures |= _figures("greedy", GreedyBuilder(offsets), targets)
    for name, estimate in (("images", from_views), ("volume", from_volume)):
        for work in works:
            progress(f"search, told the {name}, work {work:,}")
            builder = SearchBuilder(offsets, work=work, estimate=estimate)
            figures |= _figures(f"search_{name}_{work}", builder, targets)
    return figures


def bench_guided(
    targets: Sequence[Target],
    agent: EpisodeBuilder,
    works: Sequence[int],
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Mean IoU and milliseconds of one core a target: an agent alone, the search that it guides, and the plain search
    from the images for as long.

    Args:
        targets: What is built.
        agent: Who builds, and proposes.
        works: States that the agent looks at for one target, for each row of figures.
        progress: Told what is measured.
    """
    from brickbybrick.builders.guided import GuidedBuilder  # it needs PyTorch, the others do not

    if not targets or not works or min(works) < 0:
        raise InputError(f"{len(targets)} targets, work {tuple(works)}: give at least one target and work of 0 or more")
    figures: dict[str, float] = {"targets": float(len(targets))}
    progress("the agent alone")
    figures |= _figures("agent", agent, targets)
    for work in works:
        progress(f"guided, {work:,} states")
        figures |= _figures(f"guided_{work}", GuidedBuilder(agent, work=work), targets)
        progress("the plain search for as long")
        seconds = figures[f"guided_{work}_ms"] / 1e3
        figures |= _figures(f"search_{work}", SearchBuilder(agent.offsets, work=None, seconds=seconds), targets)
    return figures


def _figures(name: str, builder: Builder, targets: Sequence[Target]) -> dict[str, float]:
    builder.build(targets[0])  # compiles
    # A plan takes one core, and its time is one target's; others build their targets side by side.
    scores = evaluate(builder, targets, alone=isinstance(builder, PlanningBuilder))
    return {f"{name}_iou": float(scores.iou.mean()), f"{name}_ms": float(scores.ms.mean())}
