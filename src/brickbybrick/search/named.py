"""Builders by their names."""

from pathlib import Path

from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.search.builder import RandomBuilder, SimulatedBuilder
from brickbybrick.search.greedy import GreedyBuilder
from brickbybrick.search.planner import SearchBuilder


def named_builder(name: str, offsets: OffsetSet, seed: int = 0) -> SimulatedBuilder | None:
    """The builder of a name (search, greedy, random, bo, b3plus, guided) or of a B3+'s file; None for other agents."""
    for make in (SearchBuilder, GreedyBuilder, RandomBuilder):
        if name == make.name:
            return make(offsets, seed)
    if name == "bo":
        from brickbybrick.search.bayes import BayesBuilder  # it needs PyTorch, the others do not

        return BayesBuilder(offsets, seed)
    if name == "guided":
        from brickbybrick.search.apprentice import load_apprentice, shipped_apprentice
        from brickbybrick.search.guided import GuidedBuilder

        return GuidedBuilder(load_apprentice(shipped_apprentice(offsets), offsets, seed), seed)
    if name == "b3plus" or Path(name).is_file():
        from brickbybrick.policies.spatial import is_spatial
        from brickbybrick.search.apprentice import load_apprentice, shipped_apprentice

        file = shipped_apprentice(offsets) if name == "b3plus" else Path(name)
        if is_spatial(file):
            return load_apprentice(file, offsets, seed)
    return None
