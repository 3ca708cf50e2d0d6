"""Chunks lie beside the model and beside each other until they are put on."""

from dataclasses import replace

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.asides import Aside, asides_of
from brickbybrick.handwork.work import Chunk, Handwork, Step

# Two legs of two bricks, a seat of two that is built upside down, and a brick on top of all.
BRICKS = (
    PlacedBrick("2x2", 0, 0, 0, 0),
    PlacedBrick("2x2", 0, 0, 3, 0),
    PlacedBrick("2x2", 6, 0, 0, 0),
    PlacedBrick("2x2", 6, 0, 3, 0),
    PlacedBrick("plate 2x8", 0, 0, 7, 1),
    PlacedBrick("plate 2x8", 0, 0, 6, 1),
    PlacedBrick("2x2", 3, 0, 8, 0),
)
STOOL = Construction(BRICKS)
WORK = Handwork(
    (
        Chunk((Step((0, 1)),)),
        Chunk((Step((2, 3)),), copy_of=0),
        Chunk((Step((4, 5)),), turned=True),
        Chunk((Step(chunks=(0, 1)), Step((6,), (2,)))),
    )
)


def cells_of(aside: Aside) -> set[tuple[int, int, int]]:
    """The cells that its bricks fill on the table."""
    filled = {cell for brick in aside.bricks for cell in BRICKS[brick].cells()}
    right, back, up = aside.by
    if aside.turned:  # a cell reaches from its corner on by 1, and then back by 1
        return {(x + right, back - y - 1, up - z - 1) for x, y, z in filled}
    return {(x + right, y + back, z + up) for x, y, z in filled}


def test_chunks_stand_on_the_table_beside_all_else() -> None:
    asides = asides_of(STOOL, WORK)
    assert [aside.says for aside in asides] == ["chunk 1 of 4", "chunk 2 of 4", "chunk 3 of 4, upside down"]
    assert [aside.until for aside in asides] == [7, 7, 7]
    model = {cell for brick in BRICKS for cell in brick.cells()}
    there = [model, *map(cells_of, asides)]
    assert sum(map(len, there)) == len(set().union(*there))
    assert all(min(z for *_, z in cells) == 0 for cells in there)
    assert all(min(y for _, y, _ in cells) == 0 for cells in there)


def test_what_was_upper_lies_below_in_what_is_upside_down() -> None:
    seat = asides_of(STOOL, WORK)[2]
    layers = {brick: {z for *_, z in cells_of(seat._replace(bricks=(brick,)))} for brick in seat.bricks}
    assert layers == {4: {0}, 5: {1}}


def test_a_chunk_takes_the_place_of_one_that_was_put_on() -> None:
    """A tower: the first chunk becomes part of the second before the third is begun."""
    bricks = tuple(PlacedBrick("2x2", 0, 0, 3 * z, 0) for z in range(6))
    chunks = (
        Chunk((Step((0,)),)),
        Chunk((Step((1,), (0,)), Step((2,)))),
        Chunk((Step((3, 4)),)),
        Chunk((Step(chunks=(1, 2)), Step((5,)))),
    )
    first, second, third = asides_of(Construction(bricks), Handwork(chunks))
    assert [aside.until for aside in (first, second, third)] == [2, 6, 6]
    assert first.by[0] == third.by[0] < second.by[0]


def test_models_in_the_order_of_an_agent_have_none() -> None:
    assert asides_of(replace(STOOL, bricks=BRICKS[::-1]), replace(WORK, chunks=(Chunk((Step((1, 0)),)),))) == []
