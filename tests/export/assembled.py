"""Models with the handwork to build them by, for tests: chunks within chunks, some of them several times."""

import random
from dataclasses import replace

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.part import PARTS
from brickbybrick.handwork.work import Chunk, Handwork, Step

TABLE_LEGS = ((0, 0), (6, 0), (0, 6), (6, 6))


def table() -> tuple[Construction, Handwork]:
    """Four legs, built once and three times more upside down, and a top of two plates that a brick holds together."""
    legs = [[PlacedBrick("2x2", x, y, 3 * up, 0, (1, 4)[up % 2]) for up in range(4)] for x, y in TABLE_LEGS]
    top = [PlacedBrick("plate 4x8", 0, y, 12, 1, 15) for y in (0, 4)] + [PlacedBrick("2x4", 3, 2, 13, 0, 0)]
    chunks = [
        Chunk((Step((first + 3, first + 2)), Step((first + 1, first))), turned=True, copy_of=0 if first else None)
        for first in range(0, 16, 4)
    ]
    whole = Chunk((Step(chunks=(0, 1, 2, 3)), Step((16, 17), hold=True), Step((18,))))
    bricks = tuple(brick for leg in legs for brick in leg)
    return Construction((*bricks, *top), "a table", "me"), Handwork((*chunks, whole))


def turned(brick: PlacedBrick, quarters: int) -> PlacedBrick:
    """A brick turned about the origin: what was towards +x is then towards +y."""
    for _ in range(quarters % 4):
        along_x, along_y = brick.shape.extent(brick.d)
        d = (brick.d + 1) % 4 if brick.shape.slopes else (brick.d + 1) % len(brick.shape.directions)
        brick = replace(brick, x=-brick.y - along_y, y=brick.x, d=d)
        assert brick.shape.extent(d) == (along_y, along_x)
    return brick


def moved(bricks: list[PlacedBrick], chance: random.Random) -> list[PlacedBrick]:
    quarters, x, y, z = chance.randrange(4), *(chance.randrange(-40, 40) for _ in "xy"), chance.randrange(30)
    there = [turned(brick, quarters) for brick in bricks]
    return [replace(brick, x=brick.x + x, y=brick.y + y, z=brick.z + z) for brick in there]


def some_bricks(chance: random.Random) -> list[PlacedBrick]:
    bricks = []
    for _ in range(chance.randrange(1, 5)):
        part = chance.choice(list(PARTS))
        x, y, z = (chance.randrange(-9, 9) for _ in "xyz")
        bricks.append(
            PlacedBrick(str(part), x, y, abs(z), chance.choice(part.directions), chance.choice([0, 4, 15, 71]))
        )
    return bricks


def random_handwork(chance: random.Random) -> tuple[Construction, Handwork]:
    """Bricks anywhere: what is within what, and what is a copy of what, is as in a model, but nothing holds."""
    placed: list[PlacedBrick] = []
    chunks: list[Chunk] = []

    def put(bricks: list[PlacedBrick]) -> tuple[int, ...]:
        placed.extend(bricks)
        return tuple(range(len(placed) - len(bricks), len(placed)))

    def steps_of(bricks: tuple[int, ...], inside: tuple[int, ...]) -> tuple[Step, ...]:
        cut = chance.randrange(len(bricks) + 1)
        steps = Step(bricks[:cut]), Step((), inside[:1]), Step(bricks[cut:], inside[1:], chance.random() < 0.2)
        return tuple(step for step in steps if step)

    for _ in range(chance.randrange(3)):
        homes: list[int] = []
        small, large = some_bricks(chance), some_bricks(chance)
        nested, upside_down = chance.random() < 0.5, chance.random() < 0.5
        for copy in range(chance.randrange(1, 4)):
            both = [*small, *large] if not copy else moved([*small, *large], chance)
            first = len(chunks)
            if nested:
                chunks.append(Chunk((Step(put(both[: len(small)])),), copy_of=homes[0] - 1 if homes else None))
                steps = steps_of(put(both[len(small) :]), (first,))
            else:
                steps = steps_of(put(both), ())
            homes.append(len(chunks))
            chunks.append(Chunk(steps, upside_down, homes[0] if copy else None))
    inside = {chunk for each in chunks for step in each.steps for chunk in step.chunks}
    outside = tuple(number for number in range(len(chunks)) if number not in inside)
    whole = Chunk(steps_of(put(some_bricks(chance)), outside))
    return Construction(tuple(placed), "anything", "chance"), Handwork((*chunks, whole))
