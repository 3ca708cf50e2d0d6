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

import numpy as np

from brickbybrick.builders import register
from brickbybrick.builders.base import Builder, Tell, tell_nobody
from brickbybrick.builders.colouring import alike, in_turn, main_colour
from brickbybrick.builders.shades import in_colours
from brickbybrick.builders.sharing import Rack
from brickbybrick.cluster import ray_cluster
from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.boxes import price_figures, rest_figures
from brickbybrick.export.kit import Plan, kit_files, plan
from brickbybrick.export.parts import used_in
from brickbybrick.export.sections import chapters_of
from brickbybrick.files import files_ending, read_file
from brickbybrick.geometry.inventory import ALL_BRICKS, SLOPES, TILES, WITH_PLATES, Entry, Inventory
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.prices import Prices
from brickbybrick.handwork.plan import handwork_of
from brickbybrick.judging.check import is_whole, judge
from brickbybrick.judging.likeness import colour_figures, iou_of, losses, shape_figures
from brickbybrick.judging.repair import repair
from brickbybrick.made import MADE
from brickbybrick.order import Kind, Order
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


def kind_of(path: Path) -> Kind:
    """What a file is taken for."""
    return "mesh" if path.suffix.lower() in meshes.ENDINGS else "picture"


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
    for target, built in zip(targets, builder.build_all([_painted(target, order) for target in targets]), strict=True):
        built = _as_built_by_hand(built) if order.by_mason else built
        laid.append(_coloured_for(order, built) if target.paint is None else built)
    return laid


def finish_laid(built: Construction, wanted: Wanted, order: Order) -> Plan:
    """Mends a model that was laid if that was ordered, by bricks after all others; remarks on it, and judges it."""
    target = _within_budget(wanted.target, order)
    if order.repair:
        built = _repaired(built, target, order)
    return plan(remarked(built, wanted, order.price_list), target, order.box, order.price_list, order.paper)


def _within_budget(target: Target, order: Order) -> Target:
    """A target with the budget that was ordered, if one was."""
    return target if order.budget is None else replace(target, budget=order.budget)


def _as_built_by_hand(built: Construction) -> Construction:
    """A model with its bricks in the order in which hands put them on; a mason's own order has no meaning."""
    by_sections = [brick for chapter in chapters_of(built) for brick in chapter.bricks]
    order = by_sections or (handwork_of(built).order if is_whole(built.bricks) else range(len(built.bricks)))
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
                if idle := order.without_effect(kind_of(path)):
                    wanted = replace(wanted, notes=(*wanted.notes, idle))
                kinds[len(wanted.target.images)][path] = wanted
            except InputError as error:
                made[path] = error
        for kind in kinds.values():
            made |= zip(kind, build_wanted(list(kind.values()), order), strict=True)
        yield from ((path, made[path]) for path in some)


def build_views(paths: Sequence[Path], order: Order) -> Plan:
    """Builds what the front, side and top silhouettes show."""
    return build_wanted([as_believed(wanted_views(paths[0].name, paths, order.reading), order)], order)[0]


def as_believed(wanted: Wanted, order: Order) -> Wanted:
    """What silhouettes show, filled as the network that comes with the package believes; as it is where that is not
    ordered, or cannot be asked, and where more than silhouettes is known."""
    if not wanted.by_views or order.hidden == "full" or (belief := register.shipped_belief()) is None:
        return wanted
    from brickbybrick.builders.belief import believed_volume  # it needs PyTorch, which not everyone has

    target = wanted.target
    likely = belief.likely(target.hull, wanted.reading.height)
    target = replace(target, voxels=believed_volume(target.hull, likely), belief=likely)
    room, empty = int(target.hull.sum()), int((target.hull & ~target.volume).sum())
    note = (
        f"of the {room:,} cells that the silhouettes leave room for {empty:,} stay empty, as a network believes "
        "objects to be; the model is compared with the others"
    )
    return replace(wanted, target=target, notes=(*wanted.notes, note))


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
        **({} if made.rest is None else rest_figures(made.rest)),
        **({} if made.prices is None else price_figures(built, made.prices, made.rest)),
        "iou": built.iou,
        **({} if made.target is None else likeness_figures(built, made.target)),
        **({} if made.target is None or made.target.belief is None else {"believed": made.target.filled}),
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
        palette=order.codes,
        tolerance=order.tolerance,
        prices=order.price_list,
    )
    size = order.reading.size
    if builder.cells not in (None, size):
        raise InputError(f"a size of {size} cells: {order.agent} knows {builder.cells}; take --agent mason for others")
    return builder


def inventory_of(order: Order) -> Inventory:
    """The mason's bricks."""
    if order.box is None:
        return _usual_parts(order)
    return order.box.with_parts(_usual_parts(order).parts) if order.allow_missing else order.box


def _usual_parts(order: Order) -> Inventory:
    """The parts of an order that has no box: there is no end of any."""
    usual = ALL_BRICKS if order.kinds == "bricks" else WITH_PLATES
    usual = usual.with_parts(SLOPES) if order.kinds == "all" else usual
    usual = usual.with_parts(TILES) if order.smooth else usual
    made = [part for part in usual.parts if set(order.colours) <= set(MADE[str(part)])]
    return Inventory(tuple(map(Entry, made))) if made and order.colour else usual


def remarked(built: Construction, wanted: Wanted, prices: Prices | None = None) -> Construction:
    """A finished model with notes on how the input was understood, on what of it was lost, and on what it costs."""
    notes = [*built.notes, *wanted.notes, *losses(built, wanted.target)]
    if prices is not None:
        notes.append(f"its parts cost {prices.said(prices.bill(used_in(built.bricks)))}")
    return replace(built, notes=tuple(notes))


def _repaired(built: Construction, target: Target, order: Order) -> Construction:
    """With extra bricks if it would fall, which the budget then allows for: out of what is left in the box."""
    if judge(built).stands is not False:  # or too large to ask
        return built
    stock, codes = stock_of(order, target.paint is not None)
    used = Counter(brick.shape for brick in built.bricks)
    left = {part: None if count is None else count - used[part] for part, count in stock.counts}
    extra, sentence = repair(built, left=left if order.by_mason else None)
    mended = replace(built, bricks=(*built.bricks, *extra), notes=(*built.notes, sentence))
    if target.paint is None and not _of_a_box(order):
        mended = coloured(mended, order.colours)
    else:
        usual = Counter(brick.colour for brick in built.bricks).most_common(1)[0][0]
        colours = alike(extra, usual, Rack(stock.rest(used_in(built.bricks)).left, codes))
        more = (replace(brick, colour=colour) for brick, colour in zip(extra, colours, strict=True))
        mended = replace(mended, bricks=(*built.bricks, *more))
    budget = None if built.budget is None else max(built.budget, len(mended.bricks))
    return replace(mended, budget=budget, iou=iou_of(mended, target))


def stock_of(order: Order, in_paint: bool) -> tuple[Inventory, Sequence[int]]:
    """What of the mason's bricks there is in colours to build with, and these colours, for a target with paint or
    without; an error if there is nothing."""
    box = inventory_of(order)
    if in_paint or box.in_colour:
        return in_colours(box, order.codes)
    return box, tuple(dict.fromkeys((*order.colours, *order.codes)))


def _of_a_box(order: Order) -> bool:
    """Whether more than taste decides on the colours of what wants none: what there is, or what it costs."""
    return _has_colours(order) or (order.by_mason and order.price_list is not None)


def _has_colours(order: Order) -> bool:
    """Whether the box tells of colours."""
    return order.by_mason and order.box is not None and order.box.in_colour


def _painted(target: Target, order: Order) -> Target:
    """A target as the mason gets it: one that wants no colours, and for which none are named, wants the main colour of
    a box that has colours, so that what is seen looks as much alike as it can."""
    if target.paint is not None or order.colour or not _has_colours(order):
        return target
    colour = main_colour(*stock_of(order, False))
    paint = np.zeros((*target.volume.shape, 4), np.uint8)
    paint[target.volume] = (*COLOURS[colour].rgb, 255)
    return replace(target, paint=paint)


def _coloured_for(order: Order, built: Construction) -> Construction:
    """A model that wants no colours with those of an order, in turn, unless it got the main ones of its box."""
    if not order.colour and _has_colours(order):
        return built
    if not _of_a_box(order):
        return coloured(built, order.colours)
    stock, codes = stock_of(order, False)
    turns = [code for code in order.colours if code in codes]
    colours = in_turn(built.bricks, turns, Rack(stock.entries, codes), order.price_list)
    bricks = tuple(replace(brick, colour=colour) for brick, colour in zip(built.bricks, colours, strict=True))
    return replace(built, bricks=bricks)


def coloured(built: Construction, colours: Sequence[int]) -> Construction:
    """A model with its bricks in these colours, in turn."""
    bricks = tuple(replace(brick, colour=colours[index % len(colours)]) for index, brick in enumerate(built.bricks))
    return replace(built, bricks=bricks)
