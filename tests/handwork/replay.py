"""A second opinion on handwork: it is done again, cell by cell, and everything that no hand could do is told.

Nothing here knows how handwork is found. A part is a box of cells with studs on top and sockets below; a chunk that is
built upside down is turned over cell by cell, half a turn about a line along x. The forces are the program's own, but
worked out for each step afresh.
"""

from collections.abc import Iterator, Sequence

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.stability import steps_that_stand
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.work import Handwork

Cell = tuple[int, int, int]


class Thing:
    """A brick as it lies on the table: its cells, and where it can be joined from above and from below."""

    def __init__(self, brick: PlacedBrick, turned: bool) -> None:
        cells = set(brick.cells())
        studs = {(x, y, brick.top) for x, y in brick.shape.studs(brick.pose)}  # the places of what is above
        sockets = {(x, y, brick.z) for x, y in brick.shape.sockets(brick.pose)}
        if turned:
            self.cells = {(x, -y, -z) for x, y, z in cells}
            # What was the place above a stud is now the layer below it; what had sockets is open upwards.
            self.upwards = {(x, -y, -z + 1) for x, y, z in sockets}
            self.downwards = {(x, -y, -z + 1) for x, y, z in studs}
        else:
            self.cells, self.upwards, self.downwards = cells, studs, sockets
        self.low = min(z for _, _, z in self.cells)


def wrongs(bricks: Sequence[PlacedBrick], handwork: Handwork, forces: bool = True) -> list[str]:
    """All that is wrong with handwork: nothing, if a hand can do it and whatever is there always stands."""
    handwork.check(len(bricks))
    found = []
    for number in range(len(handwork.chunks)):
        found += [f"chunk {number}: {what}" for what in _in_chunk(bricks, handwork, number)]
        if forces:
            found += [f"chunk {number}: {what}" for what in _falls(bricks, handwork, number)]
    if handwork.whole.turned:
        found.append("the model ends upside down")
    return found


def _in_chunk(bricks: Sequence[PlacedBrick], handwork: Handwork, number: int) -> Iterator[str]:
    chunk = handwork.chunks[number]
    own = {brick: Thing(bricks[brick], chunk.turned) for brick in handwork.bricks_of(number)}
    table = min(thing.low for thing in own.values())
    there: set[Cell] = set()
    highest: dict[tuple[int, int], int] = {}  # cell in each column
    open_upwards: set[Cell] = set()
    for place, step in enumerate(chunk.steps):
        items = [*(handwork.bricks_of(inner) for inner in step.chunks), *([brick] for brick in step.bricks)]
        for item in items:
            things = [own[brick] for brick in item]
            cells = {cell for thing in things for cell in thing.cells}
            if cells & there:
                yield f"step {place}: something is in the way of {item}"
            if any(highest.get((x, y), z) > z for x, y, z in cells):
                yield f"step {place}: {item} cannot come from above"
            joined = any(thing.downwards & open_upwards for thing in things)
            lies = any(thing.low == table and thing.downwards for thing in things)
            if not joined and not lies:
                yield f"step {place}: nothing bears {item}"
            there |= cells
            for x, y, z in cells:
                highest[x, y] = max(z, highest.get((x, y), z))
            open_upwards |= {opening for thing in things for opening in thing.upwards}
    if number < len(handwork.chunks) - 1 and not _in_one_piece(list(own.values())):
        yield "it is put on as one, but falls apart"


def _in_one_piece(things: Sequence[Thing]) -> bool:
    reached, waiting = {0}, [0]
    while waiting:
        one = things[waiting.pop()]
        for other, thing in enumerate(things):
            if other not in reached and (one.upwards & thing.downwards or thing.upwards & one.downwards):
                reached.add(other)
                waiting.append(other)
    return len(reached) == len(things)


def _falls(bricks: Sequence[PlacedBrick], handwork: Handwork, number: int) -> Iterator[str]:
    chunk = handwork.chunks[number]
    everything = [bricks[brick] for brick in handwork.bricks_of(number)]
    table = min(-brick.top if chunk.turned else brick.z for brick in everything)
    for place, (step, before, new) in enumerate(handwork.so_far(number)):
        model = [(bricks[brick].shape, bricks[brick].pose) for brick in [*before, *new]]
        (stands,) = steps_that_stand(model, [len(model)], Ground.TABLE, table, chunk.turned)
        if stands == step.hold:
            yield f"step {place}: it {'need not be held' if step.hold else 'falls'}"
