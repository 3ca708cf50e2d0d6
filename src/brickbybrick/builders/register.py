"""The one way from a name, a file or a task to a builder, and the one list of names, that everything else reads.

Another package adds a builder through the entry point group `brickbybrick.builders`: a name there stands for an
`Entry`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from brickbybrick.builders.base import Builder, EpisodeBuilder, RandomBuilder, Sees
from brickbybrick.builders.beam.planner import Estimate, SearchBuilder, from_views
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.builders.mason import MasonBuilder
from brickbybrick.colours import COLOURS
from brickbybrick.errors import InputError
from brickbybrick.geometry.inventory import ALL_BRICKS, Inventory
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.prices import Prices
from brickbybrick.order import TOLERANCE
from brickbybrick.targets.catalog import GENERAL
from brickbybrick.targets.target import Target

if TYPE_CHECKING:
    from brickbybrick.builders.belief import Belief
    from brickbybrick.policies.files import SavedAgent
    from brickbybrick.policies.scenes import Wanted

GROUP = "brickbybrick.builders"
WEIGHTS = Path(__file__).parent.parent / "weights" / "agents"  # networks that come with the package
VOLUME = WEIGHTS / "shapes-volume.safetensors"  # what is believed about the volume behind three views


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a builder is asked for; each heeds what concerns it."""

    offsets: OffsetSet
    """The joints to build with, and so whether targets are seen in one view or in three."""
    task: str = ""
    """What is to be built; agents that were trained for it come first, then those for anything."""
    seed: int = 0
    """Random seed."""
    sampled: bool = False
    """Draw a network's actions instead of taking the likeliest."""
    inventory: Inventory = ALL_BRICKS
    """The mason's bricks."""
    budget: int | None = None
    """Bricks at most for the mason, who does not heed a target's."""
    hollow: int | None = None
    """Cells of the mason's walls."""
    palette: tuple[int, ...] = tuple(COLOURS)
    """The mason's colours, where a target has some."""
    tolerance: float = TOLERANCE
    """How far its bricks may be off them."""
    prices: Prices | None = None
    """What parts cost, if that is known, so that those that nobody sees are cheap."""
    pool: int | None = None
    """Placements that bo-kim chooses among; its usual number if not given."""

    @property
    def views(self) -> int:
        return 1 if self.offsets.flat else 3


@dataclass(frozen=True)
class Entry:
    """A builder that can be asked for by its name."""

    name: str
    label: str  # for people
    about: str  # in a few words
    sees: Sees
    make: Callable[[Call], Builder]
    needs: tuple[str, ...] = ()  # packages that it cannot do without
    by_steps: bool = True  # places one brick after the other, so that it can be watched and go on from others' bricks
    weighs: bool = False  # says how likely each next brick is
    network: str = ""  # whose network it needs, which comes with the package for some tasks, not for all

    @property
    def ready(self) -> bool:
        """Whether what it needs is installed."""
        return all(find_spec(name) for name in self.needs)

    def builds(self, views: int) -> bool:
        """Whether it builds whatever is seen in so many views."""
        return self.ready and (not self.network or network_file(self.network, GENERAL[views], views) is not None)


def _made(kind: type[EpisodeBuilder]) -> Callable[[Call], Builder]:
    """How those are made who need to know nothing but the joints."""
    return lambda call: kind(call.offsets, call.seed)


def _mason(call: Call) -> Builder:
    return MasonBuilder(call.inventory, call.seed, call.budget, call.hollow, call.palette, call.tolerance, call.prices)


def _bayes(call: Call) -> Builder:
    from brickbybrick.builders.bayes import BayesBuilder  # it needs PyTorch, which not everyone has

    return BayesBuilder(call.offsets, call.seed)


def _kim(call: Call) -> Builder:
    from brickbybrick.builders.bayes import POOL, KimBuilder

    return KimBuilder(call.offsets, call.seed, pool=POOL if call.pool is None else call.pool)


def _search(call: Call) -> Builder:
    return SearchBuilder(call.offsets, call.seed, estimate=usual_estimate(call.offsets))


def _guided(call: Call) -> Builder:
    from brickbybrick.builders.guided import GuidedBuilder

    return GuidedBuilder(_shipped("b3plus", call), call.seed, estimate=usual_estimate(call.offsets))


def usual_estimate(offsets: OffsetSet) -> Callable[[Target], Estimate]:
    """What to search by with these joints: what the network believes that comes with the package, where it can be asked
    and has something to say, else the rule of the hull."""
    known = None if offsets.flat else shipped_belief()
    return from_views if known is None else known.unless_explained(offsets)


def shipped_belief() -> "Belief | None":
    """What the network that comes with the package believes of three views; None where PyTorch is missing."""
    return belief_of_file(VOLUME) if VOLUME.exists() and all(map(find_spec, NETWORK)) else None


def belief_of_file(path: Path) -> "Belief":
    """What the volume network of a file believes."""
    if not path.exists():
        raise InputError(f"{path}: no such file; b3 train shapes --agent volume makes one")
    return _belief(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _belief(path: Path, written: int) -> "Belief":
    """One for all who ask, so that what was believed last need not be worked out again."""
    from brickbybrick.builders.belief import Belief
    from brickbybrick.policies.volume import VolumeNetwork

    network = _saved(path, written).policy
    if not isinstance(network, VolumeNetwork):
        raise InputError(f"{path}: holds no volume network: give one that b3 train --agent volume made")
    return Belief(network)


def wanted_by(volume: Path, views: int) -> "Wanted":
    """What B3+ is to believe of targets of so many views: what the volume network of a file does of three."""
    from brickbybrick.policies.scenes import from_hull

    return belief_of_file(volume).cells if views == 3 else from_hull


def _shipped(name: str, call: Call) -> EpisodeBuilder:
    """A network that comes with the package."""
    file = network_file(name, call.task, call.views)
    if file is None:
        known = ", ".join(sorted(path.stem for path in WEIGHTS.glob(f"*-{name}.safetensors"))) or "none"
        wanted = call.task or f"{call.views} view(s)"
        raise InputError(f"no {name} for {wanted} comes with the package, but {known}; or give an agent's file")
    return agent_of_file(file, call)


def _network(name: str, label: str, about: str) -> Entry:
    return Entry(name, label, about, "images", partial(_shipped, name), NETWORK, weighs=True, network=name)


NETWORK = ("torch", "safetensors")
OWN = (
    Entry("search", "Search", "beam search over sets of bricks", "images", _search),
    _network("b3plus", "B3+", "a network that looks at space, taught by the search"),
    _network("b3", "B3", "the paper's network"),
    _network("mlp", "MLP", "the same without messages between bricks"),
    Entry("guided", "Guided search", "beams over what B3+ proposes", "images", _guided, NETWORK, network="b3plus"),
    Entry("greedy", "Greedy", "the best next brick", "volume", _made(GreedyBuilder)),
    Entry("bo", "Bayesian optimisation", "the paper's baseline", "volume", _bayes, NETWORK[:1]),
    Entry("bo-kim", "BO of Kim et al.", "all joints, a few placements drawn at random", "volume", _kim, NETWORK[:1]),
    Entry("random", "Random", "any next brick", "images", _made(RandomBuilder)),
    Entry("mason", "Mason", "any size, with bricks of many sizes", "volume", _mason, by_steps=False),
)


@cache
def entries() -> dict[str, Entry]:
    """Everyone who can be asked to build, by their names: ours, and those of other packages."""
    found = {entry.name: entry for entry in OWN}
    for point in entry_points(group=GROUP):
        if point.name in found:
            raise InputError(f"{point.value}: adds a builder {point.name}, which there is already: name it otherwise")
        entry = point.load()
        if not isinstance(entry, Entry) or entry.name != point.name:
            raise InputError(f"{point.value}: is no Entry of the name {point.name}; see ARCHITECTURE.md")
        found[entry.name] = entry
    return found


def builder(name: str, offsets: OffsetSet, **call: object) -> Builder:
    """The builder of a name, or the agent of a file.

    Args:
        name: One of `entries`, or the path of an agent's file.
        offsets: The joints to build with.
        call: What else is asked for, as `Call` has it.
    """
    asked = Call(offsets=offsets, **call)  # type: ignore[arg-type]
    entry = entries().get(name)
    if entry is not None:
        return entry.make(asked)
    if not Path(name).is_file():
        known = ", ".join(entries())
        raise InputError(f"no agent named {name!r}, and no file of that name: choose {known} or an agent's file")
    return agent_of_file(Path(name), asked)


def network_file(name: str, task: str, views: int) -> Path | None:
    """The file of a network that comes with the package: the task's own, or the one for anything in as many views."""
    return next((_file(name, known) for known in (task, GENERAL[views]) if is_shipped(name, known)), None)


def is_shipped(name: str, task: str) -> bool:
    """Whether a network for this very task comes with the package."""
    return _file(name, task).exists()


def _file(name: str, task: str) -> Path:
    return WEIGHTS / f"{task}-{name}.safetensors"


def agent_of_file(path: Path, call: Call) -> EpisodeBuilder:
    """The agent whose network is in a file; a volume network's is the search by what it believes, and a B3+ for three
    views looks from several sides."""
    from brickbybrick.builders.agent import GraphAgent, SpatialAgent
    from brickbybrick.builders.sides import ManySidedBuilder
    from brickbybrick.policies.actor_critic import ActorCritic
    from brickbybrick.policies.volume import VolumeNetwork

    saved = _saved(path, path.stat().st_mtime_ns)
    if isinstance(saved.policy, VolumeNetwork):
        return belief_of_file(path).searching(call.offsets, call.seed)
    try:
        if isinstance(saved.policy, ActorCritic):
            return GraphAgent(saved.policy, call.offsets, saved.name, sampled=call.sampled, seed=call.seed)
        agent = SpatialAgent(saved.policy, call.offsets, call.seed, wanted_by(VOLUME, call.views))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    # What one image shows is seen well enough at one look.
    return agent if call.views == 1 else ManySidedBuilder(agent, call.seed, estimate=usual_estimate(call.offsets))


@lru_cache(maxsize=32)
def _saved(path: Path, written: int) -> "SavedAgent":  # noqa: ARG001 - a file written anew is another one
    """An agent, read once; builds only look at it, so that all can share it."""
    from brickbybrick.policies.files import load_agent

    return load_agent(path)
