"""The builders that need no training, by their names."""

from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.search.builder import RandomBuilder, SimulatedBuilder
from brickbybrick.search.greedy import GreedyBuilder


def named_builder(name: str, offsets: OffsetSet, seed: int = 0) -> SimulatedBuilder | None:
    """The builder of a name: greedy, random or bo; None for others, which are agents."""
    for make in (GreedyBuilder, RandomBuilder):
        if name == make.name:
            return make(offsets, seed)
    if name == "bo":
        from brickbybrick.search.bayes import BayesBuilder  # it needs PyTorch, the others do not

        return BayesBuilder(offsets, seed)
    return None
