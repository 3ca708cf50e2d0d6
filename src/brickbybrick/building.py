"""From what a user gives to a model that can be built: read, build, check, repair, colour, pack.

`b3 build` and the studio do the same things through here; many inputs are built in batches, so that memory does not
grow with their number.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickbybrick.cluster import ray_cluster
from brickbybrick.colours import COLOURS, RED
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.check import assembly_order, judge
from brickbybrick.export.kit import Plan, kit_files, plan
from brickbybrick.export.repair import repair
from brickbybrick.files import read_file
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.inventory import ALL_BRICKS, Inventory
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.search.mason import MOST_BRICKS, MasonBuilder
from brickbybrick.search.named import named_builder
from brickbybrick.targets import images, meshes
from brickbybrick.targets.catalog import GENERAL
from brickbybrick.targets.inputs import (
    MOST_NAMED,
    Proportions,
    Wanted,
    parts_of,
    place_of,
    wanted_file,
    wanted_views,
)
from brickbybrick.targets.target import VIEW_SIDE, Target

if TYPE_CHECKING:
    from brickbybrick.search.builder import StepwiseBuilder

BATCH = 64  # inputs built side by side
MOST_CELLS = 96  # of the longest side
MOST_WAITING = 64  # batches on their way in a cluster
Kit = tuple[str, dict[str, bytes] | str, dict[str, Any]]  # name, files or what was wrong, figures of the model


@dataclass(frozen=True, kw_only=True)
class Order:
    """How things are to be built; plain values, so that it can travel to another machine."""

    agent: str = "auto"
    """auto: the mason for other sizes than 14 or with an inventory, else the search; mason, search, guided, b3plus, b3,
    greedy, bo or random; or the file of a trained agent."""
    budget: int | None = None
    """Bricks at most; if not given, as many as the mason needs, and 110 % of the target's volume for others."""
    size: int = VIEW_SIDE
    """Cells of the longest side; agents know 14."""
    inventory: str | None = None
    """The mason's bricks, as in "2x4=100,2x2=50,1x2"; any number of every size if not given. Others have 2x4 alone."""
    hollow: int | None = None
    """How many cells thick the mason's walls are; solid if not given, as long as there are enough bricks."""
    proportions: Proportions = "cubic"
    """For meshes: cubic as agents were trained, real with cells as high as bricks are."""
    colours: tuple[int, ...] = (RED,)
    """LDraw codes, in turn."""
    seed: int = 0
    repair: bool = False
    """Add bricks to a model that would fall."""
    kinds: tuple[str, ...] | None = None
    """What a kit holds; the usual if not given."""

    def __post_init__(self) -> None:
        if not self.colours or not set(self.colours) <= set(COLOURS):
            raise InputError(f"colours {self.colours}: choose among {', '.join(map(str, COLOURS))}")
        if not 4 <= self.size <= MOST_CELLS:
            raise InputError(f"a size of {self.size} cells: choose 4 to {MOST_CELLS}")
        if self.budget is not None and not 1 <= self.budget <= MOST_BRICKS:
            raise InputError(f"a budget of {self.budget} bricks: choose 1 to {MOST_BRICKS}")
        if self.hollow is not None and not 1 <= self.hollow <= self.size:
            raise InputError(f"walls {self.hollow} cells thick: choose 1 to {self.size}")
        if self.inventory is not None:
            Inventory.parse(self.inventory)
        if not self.by_mason and (self.inventory is not None or self.hollow is not None):
            raise InputError(f"{self.agent} builds solid models of {BRICK_2X4} alone: take --agent {MasonBuilder.name}")

    @property
    def by_mason(self) -> bool:
        """Whether the mason builds."""
        if self.agent != "auto":
            return self.agent == MasonBuilder.name
        return self.size != VIEW_SIDE or self.inventory is not None or self.hollow is not None


def inputs_of(path: Path) -> list[Path]:
    """The file itself, or all pictures and meshes of a folder in the order of their names."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    if not path.is_dir():
        return [path]
    found = sorted([*images.image_files(path), *meshes.mesh_files(path)], key=lambda each: each.name)
    if not found:
        raise InputError(f"{path}: no pictures and no meshes in this folder")
    return found


def build_wanted(wanted: Sequence[Wanted], order: Order) -> list[Plan]:
    """Builds what is wanted in one batch of targets of one kind, and judges it."""
    targets = [each.target for each in wanted]
    if order.budget is not None:
        targets = [replace(target, budget=order.budget) for target in targets]
    builder = mason_of(order) if order.by_mason else builder_of(order, len(targets[0].images))
    plans = []
    for each, target, built in zip(wanted, targets, builder.build_all(targets), strict=True):
        built = remarked(_as_built_by_hand(built) if order.by_mason else built, each)
        plans.append(plan(coloured(_repaired(built, target) if order.repair else built, order.colours), target))
    return plans


def mason_of(order: Order) -> MasonBuilder:
    """The mason, with the bricks that an order allows."""
    inventory = ALL_BRICKS if order.inventory is None else Inventory.parse(order.inventory)
    return MasonBuilder(inventory, order.seed, order.budget, order.hollow)


def _as_built_by_hand(built: Construction) -> Construction:
    """A model with its bricks in an order in which a hand can put them on; a mason's own order has no meaning."""
    order = assembly_order(built) or range(len(built.bricks))
    return replace(built, bricks=tuple(replace(built.bricks[brick], step=step) for step, brick in enumerate(order)))


def build_files(paths: Sequence[Path], order: Order) -> Iterator[tuple[Path, Plan | InputError]]:
    """Builds pictures and meshes, a batch at a time; what cannot be read does not stop the rest."""
    for first in range(0, len(paths), BATCH):
        some = paths[first : first + BATCH]
        read: dict[Path, Wanted | InputError] = {}
        for path in some:
            try:
                read[path] = wanted_file(path, order.size, order.proportions)
            except InputError as error:
                read[path] = error
        made: dict[Path, Plan] = {}
        for views in (1, 3):
            kind = {
                path: each
                for path, each in read.items()
                if isinstance(each, Wanted) and len(each.target.images) == views
            }
            if kind:
                made |= dict(zip(kind, build_wanted(list(kind.values()), order), strict=True))
        for path in some:
            each = read[path]
            yield path, each if isinstance(each, InputError) else made[path]


def build_views(paths: Sequence[Path], order: Order) -> Plan:
    """Builds what the front, side and top silhouettes show."""
    return build_wanted([wanted_views(paths[0].name, paths, order.size)], order)[0]


def kits_of(paths: Sequence[Path], order: Order) -> Iterator[Kit]:
    """For each input its name, the files of its kit or what was wrong, and figures of the model."""
    for path, made in build_files(paths, order):
        if isinstance(made, InputError):
            yield path.name, str(made), {}
        else:
            yield path.name, kit_files(made, order.kinds), figures_of(made)


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
        "builder": built.builder,
        **built.verdict,
    }


def offsets_for(views: int) -> OffsetSet:
    """The joints for what is seen in one view, or in three."""
    return offset_set("mnist" if views == 1 else "modelnet")


def builder_of(order: Order, views: int) -> "StepwiseBuilder":
    """The builder that an order names, for targets seen in so many views."""
    offsets = offsets_for(views)
    named = named_builder("search" if order.agent == "auto" else order.agent, offsets, order.seed)
    if named is not None:
        return named
    from brickbybrick.learning.checkpoint import agent_path, load_agent
    from brickbybrick.learning.evaluate import Agent

    path = agent_path(order.agent, GENERAL[views], views)
    saved = load_agent(path)
    if (saved.policy.config.views, saved.policy.config.offsets) != (views, len(offsets)):
        raise InputError(f"{path}: an agent for targets of {saved.policy.config.views} view(s); this one has {views}")
    if order.size != VIEW_SIDE:
        raise InputError(f"a size of {order.size} cells: agents know {VIEW_SIDE}; take --agent mason for others")
    return Agent(saved.policy, offsets, saved.name, seed=order.seed)


def remarked(built: Construction, wanted: Wanted) -> Construction:
    """A model with notes on how the input was understood and on what of it was not reached."""
    return replace(built, notes=(*built.notes, *wanted.notes, *_unbuilt(built, wanted)))


def _unbuilt(built: Construction, wanted: Wanted) -> Iterator[str]:
    """Which parts of an input in several parts no brick has reached."""
    parts = parts_of(wanted.target.volume)
    if len(parts) == 1:
        return
    cells = {cell for brick in built.bricks for cell in brick.cells()}
    missing = [part for part in parts if cells.isdisjoint(map(tuple, part.tolist()))]
    for part in missing[:MOST_NAMED]:
        yield f"the part at {place_of(part)} is not built: no brick could be joined to it within the budget"
    if len(missing) > MOST_NAMED:
        yield f"{len(missing) - MOST_NAMED} more parts are not built"


def _repaired(built: Construction, target: Target) -> Construction:
    """With extra bricks if it would fall, which the budget then allows for."""
    if judge(built).stands is not False:  # or too large to ask
        return built
    mended = repair(built)
    bricks = mended.construction.bricks
    cells = {cell for brick in bricks for cell in brick.cells()}
    wanted = {(int(x), int(y), int(z)) for x, y, z in zip(*target.volume.nonzero(), strict=True)}
    overlap = len(cells & wanted) / len(cells | wanted)
    budget = None if built.budget is None else max(built.budget, len(bricks))
    return replace(built, bricks=bricks, budget=budget, iou=overlap, notes=(*built.notes, mended.sentence))


def coloured(built: Construction, colours: Sequence[int]) -> Construction:
    """A model with its bricks in these colours, in turn."""
    bricks = tuple(replace(brick, colour=colours[index % len(colours)]) for index, brick in enumerate(built.bricks))
    return replace(built, bricks=bricks)
