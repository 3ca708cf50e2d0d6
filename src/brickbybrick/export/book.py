"""What a book of building instructions shows, in its order: scenes, one a step, in passages.

A chunk that is built apart is a passage of its own, just before the step that needs it, and is shown once however often
it is built. Where everything stands on the pages is decided elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from string import ascii_uppercase

from brickbybrick.bodies import frame_of
from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.export.parts import Needed, others_among, parts_of
from brickbybrick.export.sections import Chapter
from brickbybrick.export.steps import Arrival, arrivals
from brickbybrick.export.views import glimpses_of
from brickbybrick.geometry.camera import View, in_book
from brickbybrick.handwork.work import Handwork, Step


@dataclass(frozen=True)
class Apart:
    """Something that is built apart, and put on as one."""

    name: str  # a letter
    bricks: tuple[PlacedBrick, ...]  # of the first of its kind, as they are in the model
    times: int  # how many of it are built, or put on
    upside_down: bool  # whether it is built so, or turned over to be put on


@dataclass(frozen=True, eq=False)
class Scene:
    """One step, and what is seen of it."""

    name: str  # "7", or "B2" for the second step of the chunk B
    before: tuple[PlacedBrick, ...]
    new: tuple[PlacedBrick, ...]  # those of chunks first
    chunks: tuple[Apart, ...]  # what is put on as one; copies are one entry
    sizes: tuple[int, ...]  # bricks of each chunk that is put on, copies by themselves, in the order of `new`
    ways: tuple[Arrival, ...]  # how each of the last bricks of `new`, which are put on by themselves, gets there
    shares: tuple[float, ...]  # of what one would see of each of them if nothing were in front of it
    view: View
    turned: bool  # whether the step before was seen from another side
    seen: frozenset[int]  # what others do not hide, by places in `bricks`
    hold: bool
    others: tuple[OtherPart, ...] = ()  # of the new, those that are drawn as boxes

    @property
    def bricks(self) -> tuple[PlacedBrick, ...]:
        return (*self.before, *self.new)

    @cached_property
    def size(self) -> tuple[float, float]:
        """How wide and high its picture is, in stud pitches."""
        low, high = frame_of(self.bricks, self.view)
        return float(high[0] - low[0]), float(high[1] - low[1])

    @property
    def parts(self) -> list[Needed]:
        """What has to be at hand for it, besides chunks."""
        return [*parts_of(brick for brick in self.single if brick.shape.kind != "box"), *others_among(self.others)]

    @property
    def single(self) -> tuple[PlacedBrick, ...]:
        """The new bricks that are put on by themselves."""
        return self.new[len(self.new) - len(self.ways) :]


@dataclass(frozen=True)
class Passage:
    """Scenes of one chunk that follow each other."""

    scenes: tuple[Scene, ...]
    apart: Apart | None = None  # None for steps of the model itself
    begins: bool = True  # whether the first step of the chunk is in it
    chapter: Chapter | None = None  # of a mosaic


def passages_of(construction: Construction, handwork: Handwork, chapters: Sequence[Chapter] = ()) -> list[Passage]:
    """All that is shown of a model, in the order in which it is built; the handwork has its other parts too."""
    last = len(handwork.chunks) - 1
    if chapters:
        return list(_of_chapters(construction, handwork, chapters))
    told: set[int] = set()
    names = chunk_names(handwork)
    alike = Counter(_root(handwork, number) for number in range(len(handwork.chunks)))

    def tell(number: int) -> Iterator[Passage]:
        told.add(number)
        bricks = tuple(construction.drawn.bricks[brick] for brick in handwork.bricks_of(number))
        apart = Apart(names[number], bricks, alike[number], handwork.chunks[number].turned) if number != last else None
        run: list[Scene] = []
        begins = True
        for scene, step in zip(_scenes(construction, handwork, number), handwork.chunks[number].steps, strict=True):
            roots = dict.fromkeys(_root(handwork, chunk) for chunk in step.chunks)
            needed = [root for root in roots if root not in told]
            if needed and run:
                yield Passage(tuple(run), apart, begins)
                run, begins = [], False
            for root in needed:
                yield from tell(root)
            run.append(scene)
        yield Passage(tuple(run), apart, begins)

    return list(tell(last))


def step_names(handwork: Handwork) -> list[str]:
    """What the book calls each of the handwork's steps; those of copies are called as those they repeat."""
    last, names = len(handwork.chunks) - 1, chunk_names(handwork)
    return [
        f"{'' if number == last else names[number]}{place}"
        for number, chunk in enumerate(handwork.chunks)
        for place in range(1, len(chunk.steps) + 1)
    ]


def chunk_names(handwork: Handwork) -> list[str]:
    """A letter for each chunk, the same for copies, in the order in which the book tells of them."""
    names: dict[int, str] = {}
    last = len(handwork.chunks) - 1

    def name(number: int) -> None:
        for step in handwork.chunks[number].steps:
            for chunk in step.chunks:
                if (root := _root(handwork, chunk)) not in names:
                    name(root)
            if number != last and number not in names:
                names[number] = _letters(len(names))

    name(last)
    return [names.get(_root(handwork, number), "") for number in range(len(handwork.chunks))]


def _letters(number: int) -> str:
    """A to Z, then AA, AB and so on."""
    before, last = divmod(number, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]


def _root(handwork: Handwork, number: int) -> int:
    """The first of all chunks that are alike."""
    copied = handwork.chunks[number].copy_of
    return number if copied is None else _root(handwork, copied)


def _scenes(construction: Construction, handwork: Handwork, number: int) -> list[Scene]:
    chunk, whole = handwork.chunks[number], number == len(handwork.chunks) - 1
    names = chunk_names(handwork)
    scenes: list[Scene] = []
    known, others = len(construction.bricks), construction.others
    construction = construction.drawn
    glimpses = glimpses_of(construction, handwork, number)
    lying = [as_it_lies(construction.bricks[brick], chunk.turned) for brick in handwork.bricks_of(number)]
    ways = list(arrivals(range(len(lying)), Construction(tuple(lying))))
    for place, (step, there, new) in enumerate(handwork.so_far(number), start=1):
        glimpse, bricks = glimpses[place - 1], construction.bricks
        count = len(there) + len(new)
        scenes.append(
            Scene(
                name=f"{'' if whole else names[number]}{place}",
                before=tuple(bricks[brick] for brick in there),
                new=tuple(bricks[brick] for brick in new),
                chunks=tuple(_put_on(construction, handwork, step, chunk.turned)),
                sizes=tuple(len(handwork.bricks_of(number)) for number in step.chunks),
                ways=tuple(ways[count - len(step.bricks) : count]),
                shares=glimpse.shares,
                view=in_book(glimpse.quarters, chunk.turned),
                turned=bool(scenes) and scenes[-1].view.quarters != glimpse.quarters,
                seen=glimpse.seen,
                hold=step.hold,
                others=tuple(others[brick - known] for brick in step.bricks if brick >= known),
            )
        )
    return scenes


def _put_on(construction: Construction, handwork: Handwork, step: Step, upside_down: bool) -> Iterator[Apart]:
    """What a step puts on as one, on something that lies upside down or not."""
    names = chunk_names(handwork)
    alike: dict[int, list[int]] = {}
    for chunk in step.chunks:
        alike.setdefault(_root(handwork, chunk), []).append(chunk)
    for root, numbers in alike.items():
        bricks = tuple(construction.bricks[brick] for brick in handwork.bricks_of(numbers[0]))
        yield Apart(names[root], bricks, len(numbers), handwork.chunks[root].turned != upside_down)


def as_it_lies(brick: PlacedBrick, upside_down: bool) -> PlacedBrick:
    """A brick where it is after the model was turned over about the axis along x; its box alone counts."""
    if not upside_down:
        return brick
    return replace(brick, y=-brick.y - brick.shape.extent(brick.d)[1], z=-brick.top)


def _of_chapters(construction: Construction, handwork: Handwork, chapters: Sequence[Chapter]) -> Iterator[Passage]:
    """The steps of each section of a mosaic, which shows what lies in it alone."""
    chapter_of = {brick: number for number, chapter in enumerate(chapters) for brick in chapter.bricks}
    last = len(handwork.chunks) - 1
    scenes = _scenes(construction, handwork, last)
    order = handwork.bricks_of(last)
    pairs = zip(handwork.whole.steps, scenes, strict=True)
    for number, some in groupby(pairs, key=lambda pair: chapter_of[pair[0].bricks[0]]):
        shown = set(chapters[number].shown)
        own = tuple(_within(scene, [brick in shown for brick in order[: len(scene.bricks)]]) for _, scene in some)
        yield Passage(own, begins=number == 0, chapter=chapters[number])


def _within(scene: Scene, kept: Sequence[bool]) -> Scene:
    """A scene of some of its bricks, the new ones among them."""
    before = tuple(brick for brick, keep in zip(scene.before, kept, strict=False) if keep)
    return replace(
        scene, before=before, view=in_book(0), turned=False, seen=frozenset(range(len(before) + len(scene.new)))
    )
