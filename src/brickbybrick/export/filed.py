"""The handwork that a file holds: its sub-models as chunks, each with the steps that the file gives it."""

from collections.abc import Mapping

from brickbybrick.export.ldraw_expanding import Assembly
from brickbybrick.handwork.work import Chunk, Handwork, Step


def handwork_of(whole: Assembly, bricks: Mapping[int, int]) -> Handwork:
    """How a file puts its model together.

    Args:
        whole: What is in which step of which sub-model.
        bricks: Of the parts in the order in which they were found, those that are bricks of the model: which ones.
    """
    chunks: list[Chunk] = []
    first: dict[int, int] = {}  # the chunk of the first use of each sub-model

    def add(assembly: Assembly) -> int | None:
        """The number of a sub-model's chunk; None if it holds no brick."""
        steps = []
        for inside in assembly.steps.values():
            put_on = [add(each) for each in inside if isinstance(each, Assembly)]
            placed = tuple(bricks[part] for part in inside if isinstance(part, int) and part in bricks)
            steps.append(Step(placed, tuple(number for number in put_on if number is not None)))
        steps = [step for step in steps if step]
        if not steps:
            return None
        original = first.setdefault(id(assembly.section), len(chunks))
        chunk = Chunk(tuple(steps), assembly.section.turned)
        if original < len(chunks) and _shape(chunks[original]) == _shape(chunk):
            chunk = Chunk(chunk.steps, chunk.turned, original)
        chunks.append(chunk)
        return len(chunks) - 1

    add(whole)
    return Handwork(tuple(chunks))


def _shape(chunk: Chunk) -> list[tuple[int, int]]:
    """How much each step adds: a copy of which some parts are no bricks is none."""
    return [(len(step.bricks), len(step.chunks)) for step in chunk.steps]
