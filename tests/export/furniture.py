"""Furniture that is put together from chunks, for tests of books."""

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.handwork.work import Chunk, Handwork, Step

LEGS = [(0, 0), (14, 0), (0, 6), (14, 6)]


def table() -> tuple[Construction, Handwork]:
    """A top of two layers of plates, built upside down, on which four legs are put, each built apart; a lamp, built
    apart too, is put on when it stands."""
    bricks = [PlacedBrick("2x2", x, y, 3 * z, 0, 70) for x, y in LEGS for z in range(4)]
    bricks += [PlacedBrick("plate 4x8", x, 0, 12, 0, 19) for x in (0, 4, 8, 12)]
    bricks += [PlacedBrick("plate 4x8", x, y, 13, 1, 19) for x in (0, 8) for y in (0, 4)]
    bricks += [PlacedBrick("2x2", 12, 5, 14, 0, 0), PlacedBrick("1x1", 12, 5, 17, 0, 14)]
    bricks += [PlacedBrick("plate 2x4", 11, 5, 20, 1, 15), PlacedBrick("slope 45 2x2", 13, 5, 21, 0, 15)]
    bricks += [PlacedBrick("1x2", 4, 2, 14, 0, 1)]
    legs = [Chunk((Step(tuple(range(4 * leg, 4 * leg + 4))),), copy_of=0 if leg else None) for leg in range(4)]
    top = Chunk((Step((20, 21, 22, 23)), Step((16, 17, 18, 19)), Step(chunks=(0, 1, 2, 3))), turned=True)
    lamp = Chunk((Step((24, 25)), Step((26, 27), hold=True)))
    whole = Chunk((Step(chunks=(4,)), Step((28,)), Step(chunks=(5,))))
    return Construction(tuple(bricks), target="A table"), Handwork((*legs, top, lamp, whole))


TABLE, BY_HAND = table()
