"""From what a user gives to a model that can be built: read, build, check, repair, colour, pack.

`b3 build` and the studio do the same things through here; many inputs are built in batches, so that memory does not
grow with their number.
"""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from brickbybrick.builders import register
from brickbybrick.builders.base import Builder, Tell, tell_nobody
from brickbybrick.cluster import ray_cluster
from brickbybrick.colours import palette_of
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.kit import Plan, kit_files, plan
from brickbybrick.export.sections import chapters_of
from brickbybrick.files import files_ending, read_file
from brickbybrick.geometry.inventory import ALL_BRICKS, SLOPES, TILES, WITH_PLATES, Inventory
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.judging.check import assembly_order, judge
from brickbybrick.judging.likeness import colour_figures, iou_of, losses, shape_figures
from brickbybrick.judging.repair import repair
from brickbybrick.made import MADE
from brickbybrick.order import Order
from brickbybrick.targets import images, meshes
from brickbybrick.targets.inputs import Wanted, wanted_file, wanted_views
from brickbybrick.targets.target import Target

BATCH = 64  # inputs built side by side
MOST_WAITING = 64  # batches on their way in a cluster
Kit = tuple[str, dict[str, bytes] | str, dict[str, Any]]  # name, files or what was wrong, figures of the model


def inputs_of(path: Path) -> list[Path]:
    """The file itself, or all pictures and meshes of a folder in the order of their names."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    if not path.is_dir():
        return [path]
    found = files_ending(path, (*images.ENDINGS, *meshes.ENDINGS))
    if not found:
        raise InputError(f"{path}: no pictures and no meshes in this folder")
    return found


def is_picture(path: Path) -> bool:
    """Whether a file is taken for a picture; else it is a mesh."""
    return path.suffix.lower() not in meshes.ENDINGS


def build_wanted(wanted: Sequence[Wanted], order: Order) -> list[Plan]:
    """Builds what is wanted in one batch of targets of one kind, and judges it."""
    laid = lay_wanted(wanted, order)
    return [finish_laid(built, each, order) for built, each in zip(laid, wanted, strict=True)]


def lay_wanted(wanted: Sequence[Wanted], order: Order, tell: Tell = tell_nobody) -> list[Construction]:
    """Builds what is wanted in one batch of targets of one kind: every brick in its place, turn and colour.

    Args:
        wanted: What is to be built.
        order: How.
        tell: Whom the mason tells how far it is; an error that this raises stops it.
    """
    targets = [_within_budget(each.target, order) for each in wanted]
    builder = builder_of(order, len(targets[0].images))
    builder.tell = tell
    laid = []
    for target, built in zip(targets, builder.build_all(targets), strict=True):
        built = _as_built_by_hand(built) if order.by_mason else built
        laid.append(coloured(built, order.colours) if target.paint is None else built)
    return laid


def finish_laid(built: Construction, wanted: Wanted, order: Order) -> Plan:
    """Mends a model that was laid if that was ordered, by bricks after all others; remarks on it, and judges it."""
    target = _within_budget(wanted.target, order)
    if order.repair:
        built = _repaired(built, target)
        built = coloured(built, order.colours) if target.paint is None else built
    return plan(remarked(built, wanted), target, order.paper)


def _within_budget(target: Target, order: Order) -> Target:
    """A target with the budget that was ordered, if one was."""
    return target if order.budget is None else replace(target, budget=order.budget)


def _as_built_by_hand(built: Construction) -> Construction:
    """A model with its bricks in an order in which a hand can put them on; a mason's own order has no meaning."""
    by_sections = [brick for chapter in chapters_of(built) for brick in chapter.bricks]
    order = by_sections or assembly_order(built) or range(len(built.bricks))
    return replace(built, bricks=tuple(replace(built.bricks[brick], step=step) for step, brick in enumerate(order)))


def build_files(paths: Sequence[Path], order: Order) -> Iterator[tuple[Path, Plan | InputError]]:
    """Builds pictures and meshes, a batch at a time; what cannot be read does not stop the rest."""
    for first in range(0, len(paths), BATCH):
        some = paths[first : first + BATCH]
        made: dict[Path, Plan | InputError] = {}
        kinds: dict[int, dict[Path, Wanted]] = defaultdict(dict)  # by the number of their views
        for path in some:
            try:
                wanted = wanted_file(path, order.reading)
                if idle := order.without_effect(is_picture(path)):
                    wanted = replace(wanted, notes=(*wanted.notes, idle))
                kinds[len(wanted.target.images)][path] = wanted
            except InputError as error:
                made[path] = error
        for kind in kinds.values():
            made |= zip(kind, build_wanted(list(kind.values()), order), strict=True)
        yield from ((path, made[path]) for path in some)


def build_views(paths: Sequence[Path], order: Order) -> Plan:
    """Builds what the front, side and top silhouettes show."""
    return build_wanted([wanted_views(paths[0].name, paths, order.reading)], order)[0]


def kits_of(paths: Sequence[Path], order: Order) -> Iterator[Kit]:
    """For each input its name, the files of its kit or what was wrong, and figures of the model."""
    for path, made in build_files(paths, order):
        if isinstance(made, InputError):
            yield path.name, str(made), {}
        else:
            yield path.name, kit_files(made, order.kit), figures_of(made)


def kits_on_cluster(paths: Sequence[Path], order: Order, address: str | None = None) -> Iterator[Kit]:
    """The same on a Ray cluster, as it gets done: a batch of inputs is a task, which takes and returns bytes."""
    with ray_cluster(address) as ray:
        task = ray.remote(_kits_of_bytes)
        waiting: list[Any] = []
        for first in range(0, len(paths), BATCH):
            batch = {}
            for path in paths[first : first + BATCH]:
                try:
                    batch[path.name] = read_file(path, meshes.MOST_BYTES)
                except InputError as error:
                    yield path.name, str(error), {}
            waiting.append(task.remote(batch, asdict(order)))
            if len(waiting) >= MOST_WAITING:  # so that memory does not grow with the number of inputs
                (done,), waiting = ray.wait(waiting, num_returns=1)
                yield from ray.get(done)
        for done in waiting:
            yield from ray.get(done)


def _kits_of_bytes(batch: dict[str, bytes], order: dict[str, Any]) -> list[Kit]:
    with tempfile.TemporaryDirectory(prefix="brickbybrick-") as folder:
        paths = [Path(folder) / name for name in batch]
        for path in paths:
            path.write_bytes(batch[path.name])
        return list(kits_of(paths, Order(**order)))


def figures_of(made: Plan) -> dict[str, Any]:
    """What `b3 build --json` says of a model."""
    built = made.construction
    return {
        "bricks": len(built.bricks),
        "budget": built.budget,
        "parts": dict(sorted(Counter(brick.part for brick in built.bricks).items(), reverse=True)),
        "iou": built.iou,
        **({} if made.target is None else likeness_figures(built, made.target)),
        "builder": built.builder,
        **built.verdict,
    }


def likeness_figures(built: Construction, target: Target) -> dict[str, float | None]:
    """How like its target a model is besides the IoU; in colour where the target has colours."""
    return {**shape_figures(built, target), **({} if target.paint is None else colour_figures(built, target))}


def offsets_for(views: int) -> OffsetSet:
    """The joints for what is seen in one view, or in three."""
    return offset_set("mnist" if views == 1 else "modelnet")


def builder_of(order: Order, views: int) -> Builder:
    """The builder that an order names, for targets seen in so many views."""
    builder = register.builder(
        order.agent,
        offsets_for(views),
        seed=order.seed,
        inventory=inventory_of(order),
        budget=order.budget,
        hollow=order.hollow,
        palette=palette_of(order.palette),
        tolerance=order.tolerance,
    )
    size = order.reading.size
    if builder.cells not in (None, size):
        raise InputError(f"a size of {size} cells: {order.agent} knows {builder.cells}; take --agent mason for others")
    return builder


def inventory_of(order: Order) -> Inventory:
    """The mason's bricks."""
    if order.inventory is not None:
        return Inventory.parse(order.inventory)
    usual = ALL_BRICKS if order.kinds == "bricks" else WITH_PLATES
    usual = usual.with_parts(SLOPES) if order.kinds == "all" else usual
    usual = usual.with_parts(TILES) if order.smooth else usual
    made = [part for part, _ in usual.counts if set(order.colours) <= set(MADE[str(part)])]
    return Inventory(tuple((part, None) for part in made)) if made and order.colour else usual


def remarked(built: Construction, wanted: Wanted) -> Construction:
    """A finished model with notes on how the input was understood and on what of it was lost."""
    return replace(built, notes=(*built.notes, *wanted.notes, *losses(built, wanted.target)))


def _repaired(built: Construction, target: Target) -> Construction:
    """With extra bricks if it would fall, which the budget then allows for."""
    if judge(built).stands is not False:  # or too large to ask
        return built
    extra, sentence = repair(built)
    usual = Counter(brick.colour for brick in built.bricks).most_common(1)[0][0]
    more = (replace(brick, colour=usual) for brick in extra)
    mended = replace(built, bricks=(*built.bricks, *more), notes=(*built.notes, sentence))
    budget = None if built.budget is None else max(built.budget, len(mended.bricks))
    return replace(mended, budget=budget, iou=iou_of(mended, target))


def coloured(built: Construction, colours: Sequence[int]) -> Construction:
    """A model with its bricks in these colours, in turn."""
    bricks = tuple(replace(brick, colour=colours[index % len(colours)]) for index, brick in enumerate(built.bricks))
    return replace(built, bricks=bricks)
