"""Which handwork a hand can follow."""

from brickbybrick.construction import PlacedBrick
from brickbybrick.handwork.followed import followed
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go
from brickbybrick.judging.check import as_placed

# Two pillars and a lintel over them, from which a brick hangs.
PILLARS = [PlacedBrick("2x2", x, 0, 3 * up, 0) for x in (0, 6) for up in range(3)]
LINTEL = PlacedBrick("2x8", 0, 0, 9, 1)
HANGING = PlacedBrick("2x2", 3, 0, 6, 0)
GATE = [*PILLARS, LINTEL, HANGING]


def test_an_order_of_single_bricks_is_judged_as_ever() -> None:
    for order in (
        [0, 1, 2, 3, 4, 5, 6, 7],
        [7, 6, 0, 1, 2, 3, 4, 5],
        [0, 1, 2, 7, 3, 4, 5, 6],
        [6, 7, 2, 1, 0, 5, 4, 3],
    ):
        steps = in_one_go([[brick] for brick in order])
        assert followed(GATE, steps) == as_placed([GATE[brick] for brick in order]), order


def gate(top: Chunk, *steps: Step) -> Handwork:
    return Handwork((top, Chunk(steps)))


def test_a_chunk_is_put_on_as_one() -> None:
    """The lintel with what hangs from it is built apart, in either way, and put onto both pillars."""
    for top in (Chunk((Step((7,)), Step((6,)))), Chunk((Step((6, 7)),), turned=True)):
        assert followed(GATE, gate(top, Step((0, 1, 2, 3, 4, 5)), Step(chunks=(0,))))
    # Not between the halves of a pillar that is there already.
    assert not followed(
        GATE, gate(Chunk((Step((0, 1)),)), Step((2, 6)), Step(chunks=(0,)), Step((3,)), Step((4, 5, 7)))
    )


def test_what_stands_on_nothing_cannot_be_put_on() -> None:
    apart = Chunk((Step((7,)),))
    assert not followed(GATE, gate(apart, Step((0, 1, 2)), Step(chunks=(0,)), Step((3, 4, 5, 6))))
    assert followed(GATE, gate(apart, Step((0, 1, 2, 3, 4, 5, 6)), Step(chunks=(0,))))


def test_a_chunk_that_is_turned_stands_on_its_top() -> None:
    """Two bricks of the same height stand side by side on a table, also upside down, until one joins them."""
    bricks = [PlacedBrick("2x2", 0, 0, 3, 0), PlacedBrick("2x2", 2, 0, 0, 0), PlacedBrick("2x2", 2, 0, 3, 0)]
    joined = PlacedBrick("2x4", 0, 0, 6, 1)
    level = [PlacedBrick("2x2", 0, 0, 0, 0), PlacedBrick("2x2", 2, 0, 0, 0), PlacedBrick("2x4", 0, 0, 3, 1)]
    assert followed(level, Handwork((Chunk((Step((0, 1)), Step((2,)))),)))
    assert not followed(level, Handwork((Chunk((Step((0, 1)), Step((2,))), turned=True),)))
    below = [PlacedBrick("2x4", 0, 0, 0, 1), PlacedBrick("2x2", 0, 0, 3, 0), PlacedBrick("2x2", 2, 0, 3, 0)]
    assert followed(below, Handwork((Chunk((Step((1, 2)), Step((0,))), turned=True),)))
    assert not followed(below, Handwork((Chunk((Step((1, 2)), Step((0,)))),)))
    assert followed([*bricks, joined], in_one_go([[1, 2, 3, 0]]))
