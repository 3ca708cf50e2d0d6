"""Handwork: the chunks that a model is built in, and the steps of each.

A chunk is built by itself on a table, upright or upside down. Whatever a step adds comes from above: single bricks, and
chunks that were built before and are put on as one. A chunk that was built upside down is turned over when it is done.
The last chunk is the whole model. Which bricks are where is the model's to know; here they are named by their indices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from brickbybrick.errors import InputError


@dataclass(frozen=True)
class Step:
    """What is put on before one looks at the next picture."""

    bricks: tuple[int, ...] = ()  # in the order in which they are put on
    chunks: tuple[int, ...] = ()  # built before, by their numbers; put on before the bricks
    hold: bool = False  # whether a hand must hold what is there when the step is done

    def __bool__(self) -> bool:
        return bool(self.bricks or self.chunks)


@dataclass(frozen=True)
class Chunk:
    """Something that is built by itself."""

    steps: tuple[Step, ...]
    turned: bool = False  # built upside down: what is below in the model then comes from above
    copy_of: int | None = None  # the chunk whose steps it repeats, brick by brick, elsewhere in the model


@dataclass(frozen=True)
class Handwork:
    """All chunks of a model, each after those that it is made of and after the one that it is a copy of."""

    chunks: tuple[Chunk, ...]
    reasons: tuple[str, ...] = field(default=())  # why there are steps to hold, one sentence each
    judged: bool = False  # whether it was worked out which steps are to be held

    @property
    def whole(self) -> Chunk:
        return self.chunks[-1]

    @property
    def steps(self) -> list[tuple[int, Step]]:
        """All steps in the order in which they are done, each with its chunk's number."""
        return [(number, step) for number, chunk in enumerate(self.chunks) for step in chunk.steps]

    @property
    def order(self) -> list[int]:
        """All bricks in the order in which they are touched first."""
        return [brick for _, step in self.steps for brick in step.bricks]

    @property
    def to_hold(self) -> list[int] | None:
        """The numbers, from 0, of the steps after which a hand must hold what is there; None if that is not known."""
        return [number for number, (_, step) in enumerate(self.steps) if step.hold] if self.judged else None

    def bricks_of(self, number: int) -> list[int]:
        """All bricks of a chunk, those of the chunks in it too, in the order in which they become part of it."""
        return [brick for step in self.chunks[number].steps for brick in self.added(step)]

    def added(self, step: Step) -> list[int]:
        """All bricks that a step adds, those of chunks too."""
        return [*(brick for chunk in step.chunks for brick in self.bricks_of(chunk)), *step.bricks]

    def so_far(self, number: int) -> Iterator[tuple[Step, list[int], list[int]]]:
        """The steps of a chunk, each with the bricks that are there before it and those that it adds."""
        there: list[int] = []
        for step in self.chunks[number].steps:
            new = self.added(step)
            yield step, list(there), new
            there += new

    def check(self, bricks: int) -> None:
        """Raises an error unless a model of so many bricks comes out, each put on once, and each chunk once."""
        if not self.chunks or not all(step for _, step in self.steps):
            raise InputError("handwork without steps, or a step that adds nothing: leave it out")
        if sorted(self.order) != list(range(bricks)):
            raise InputError(f"steps that place {len(self.order)} bricks of a model of {bricks}: name every brick once")
        used = [chunk for _, step in self.steps for chunk in step.chunks]
        if sorted(used) != list(range(len(self.chunks) - 1)):
            raise InputError("chunks that are put on twice or never: name each but the last in one step")
        if any(chunk >= number for number, step in self.steps for chunk in step.chunks):
            raise InputError("a chunk that is put on before it is built: order them")


def in_one_go(steps: Sequence[Sequence[int]]) -> Handwork:
    """Handwork without chunks, of steps that name their bricks."""
    return Handwork((Chunk(tuple(Step(tuple(step)) for step in steps)),))
