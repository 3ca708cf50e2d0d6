"""The builders that need no training, by their names."""

from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.search.builder import RandomBuilder, SimulatedBuilder
from brickbybrick.search.greedy import GreedyBuilder
from brickbybrick.search.planner import SearchBuilder


def named_builder(name: str, offsets: OffsetSet, seed: int = 0) -> SimulatedBuilder | None:
    """The builder of a name: search, greedy, random or bo; None for others, which are agents."""
    for make in (SearchBuilder, GreedyBuilder, RandomBuilder):
        if name == make.name:
            return make(offsets, seed)
    if name == "bo":
        from brickbybrick.search.bayes import BayesBuilder  # it needs PyTorch, the others do not

        return BayesBuilder(offsets, seed)
    return None
