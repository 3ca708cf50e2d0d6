"""Small models that are hard to put together: parts of them hang, span, lean out, or stand only with their likes.

Each is in one piece and stands on a table when it is done. Places are in studs and in layers of bricks.
"""

from collections.abc import Callable, Iterator

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.part import BRICK_HIGH

Bricks = list[PlacedBrick]


def along_x(part: str, x: int, y: int, up: float) -> PlacedBrick:
    """A part whose long side lies along x."""
    width, length = map(int, part.split()[-1].split("x"))
    return PlacedBrick(part, x, y, round(BRICK_HIGH * up), int(width != length))


def along_y(part: str, x: int, y: int, up: float) -> PlacedBrick:
    return PlacedBrick(part, x, y, round(BRICK_HIGH * up), 0)


def tower(x: int, y: int, high: int, up: float = 0, part: str = "2x2") -> Bricks:
    """Bricks right above each other."""
    return [along_x(part, x, y, up + layer) for layer in range(high)]


def floor(x: int, y: int, up: float) -> Bricks:
    """Eight by eight studs, one layer along x and one along y."""
    return [
        *(along_x("2x8", x, y + row, up) for row in range(0, 8, 2)),
        *(along_y("2x8", x + row, y, up + 1) for row in range(0, 8, 2)),
    ]


def arch() -> Bricks:
    """Two pillars that lean towards each other; the keystone hangs from the lintel."""
    stones = [
        *(along_x("2x3", 0, 0, 5), along_x("2x3", 9, 0, 5)),
        *(along_x("2x4", 1, 0, 6), along_x("2x4", 7, 0, 6)),
        along_x("2x2", 5, 0, 7),
        *(along_x("2x3", 2, 0, 7), along_x("2x3", 7, 0, 7)),
        *(along_x("2x6", 0, 0, 8), along_x("2x6", 6, 0, 8)),
        along_x("2x8", 2, 0, 9),
    ]
    return [*tower(0, 0, 5), *tower(10, 0, 5), *stones]


def table() -> Bricks:
    """The middle of its top hangs from the layer above."""
    return [*(brick for x in (0, 6) for y in (0, 6) for brick in tower(x, y, 6)), *floor(0, 0, 6)]


def lamp() -> Bricks:
    """A foot, a thin stem, and a shade whose rim hangs."""
    rim = [
        brick
        for up in (7, 8)
        for brick in (
            *(along_x("1x8", 0, 0, up), along_x("1x8", 0, 7, up)),
            *(along_y("1x6", 0, 1, up), along_y("1x6", 7, 1, up)),
        )
    ]
    return [*floor(0, 0, 0), *tower(3, 3, 7, up=2), *rim, *floor(0, 0, 9)]


def letter_t() -> Bricks:
    """Each arm is held by one row of studs until the layer above ties them together."""
    arms = [along_x("2x8", 0, 0, 6), along_x("2x8", 8, 0, 6)]
    return [along_x("2x8", 4, 0, 0), *tower(7, 0, 5, up=1), *arms, along_x("2x8", 4, 0, 7)]


def frame() -> Bricks:
    """Two posts and a beam."""
    return [*tower(0, 0, 8), *tower(14, 0, 8), *beam(8)]


def beam(up: float) -> Bricks:
    """Sixteen studs."""
    first = [along_x("2x4", 0, 0, up), along_x("2x8", 4, 0, up), along_x("2x4", 12, 0, up)]
    return [*first, along_x("2x8", 0, 0, up + 1), along_x("2x8", 8, 0, up + 1)]


def chandelier() -> Bricks:
    """It hangs from a frame by a chain, and candles stand on it."""
    arms = [along_x("2x6", 5, 0, 4), along_y("2x8", 7, -3, 3)]
    candles = [along_x("1x1", x, y, 5) for x in (5, 10) for y in (0, 1)]
    ends = [along_x("2x2", 7, y, 4) for y in (-3, 3)]
    return [*frame(), *tower(7, 0, 3, up=5), *arms, *candles, *ends]


def bridge() -> Bricks:
    """Its deck is three bricks long, two of them between the piers."""
    deck = [along_x("2x8", x, 0, 5) for x in (0, 8, 16)]
    ties = [along_x("2x8", x, 0, 6) for x in (4, 12)]
    ends = [along_x("2x4", x, 0, 6) for x in (0, 20)]
    return [*tower(0, 0, 5), *tower(22, 0, 5), *tower(11, 0, 5, part="2x2"), *deck, *ties, *ends]


def mushroom() -> Bricks:
    """A rim hangs from a wide cap."""
    cap = floor(0, 0, 6)
    rim = [along_x("2x8", 0, 0, 5), along_x("2x8", 0, 6, 5)]
    return [*(along_x("2x4", 2, y, 0) for y in (2, 4)), *tower(3, 3, 5, up=1), *rim, *cap]


def upside_down_pyramid() -> Bricks:
    """Every layer is wider than the one below."""
    layers = [
        [along_x("2x4", 2, y, 4) for y in (2, 4)],
        [along_y("2x6", x, 1, 5) for x in (1, 3, 5)],
        [along_x("2x8", 0, y, 6) for y in (0, 2, 4, 6)],
        [along_y("2x8", x, 0, 7) for x in (0, 2, 4, 6)],
    ]
    return [*(along_x("2x4", 2, y, 0) for y in (2, 4)), *tower(3, 3, 3, up=1), *(b for row in layers for b in row)]


def chair() -> Bricks:
    """A back of two posts and two rails, which hang between them."""
    legs = [brick for x in (0, 6) for y in (0, 6) for brick in tower(x, y, 5)]
    posts = [brick for x in (0, 6) for brick in tower(x, 6, 3, up=7)]
    rails = [along_x("2x4", 2, 6, 9), along_x("2x8", 0, 6, 10)]
    return [*legs, *floor(0, 0, 5), *posts, *rails]


def stairs() -> Bricks:
    """Steps that bear each other, over a foot that is long enough."""
    foot = [along_x("2x8", 0, 0, 0), along_x("2x8", 8, 0, 0), along_x("2x8", 4, 0, 1)]
    return [*foot, along_x("2x4", 0, 0, 1), *(along_x("2x4", 2 * step, 0, 2 + step) for step in range(6))]


def gallows() -> Bricks:
    """A rope hangs from the free end of a beam."""
    beams = [along_x("2x8", 0, 0, 9), along_x("2x8", 0, 0, 10)]
    return [*floor(0, -3, 0), *tower(0, 0, 7, up=2), *beams, *tower(7, 0, 4, up=5, part="1x1")]


def ring() -> Bricks:
    """A ring on its edge: halves that only stand together."""
    left = [(3, 3), (1, 3), (0, 3), (0, 2), (0, 3), (1, 3)]  # where each brick begins, and its length
    sides = [
        along_x(f"2x{length}", x, 0, up)
        for up, (begin, length) in enumerate(left, start=1)
        for x in (begin, 12 - begin - length)
    ]
    return [along_x("2x4", 4, 0, 0), *sides, along_x("2x6", 3, 0, 7)]


def tree() -> Bricks:
    """Leaves lie on branches and hang from them."""
    branches = [along_x("2x8", -3, 0, 7), along_y("2x8", 0, -3, 8)]
    below = [along_x("2x2", x, 0, 6) for x in (-3, 3)]
    beside = [along_x("2x2", 0, y, 7) for y in (-3, 3)]
    above = [along_x("2x2", x, 0, 8) for x in (-3, 3)] + [along_x("2x2", 0, y, 9) for y in (-3, 0, 3)]
    return [*floor(-3, -3, 0), *tower(0, 0, 5, up=2), *branches, *below, *beside, *above]


def two_storeys() -> Bricks:
    """Floors on pillars, one over the other."""
    pillars = [b for up in (0, 6) for x in (0, 6) for y in (0, 6) for b in tower(x, y, 4, up=up)]
    return [*pillars, *floor(0, 0, 4), *floor(0, 0, 10)]


def bracket() -> Bricks:
    """A post whose long arm needs the weight on the other side."""
    weight = [*tower(0, 0, 3, up=6), *tower(2, 0, 3, up=6)]
    arms = [along_x("2x8", 0, 0, 5), along_x("2x8", 8, 0, 5), along_x("2x8", 4, 0, 6)]
    return [along_x("2x4", 4, 0, 0), *tower(5, 0, 4, up=1), *arms, *weight]


def hook() -> Bricks:
    """What hangs from an arm has an arm of its own, on which something stands."""
    arms = [along_x("2x8", 0, 0, 9), along_x("2x8", 0, 0, 10), along_x("2x6", 4, 0, 4)]
    return [*floor(0, -3, 0), *tower(0, 0, 7, up=2), *arms, *tower(6, 0, 4, up=5), along_x("2x2", 8, 0, 5)]


def swing() -> Bricks:
    """A seat on two chains."""
    chains = [along_y("1x2", x, 0, up) for x in (4, 10) for up in range(4, 8)]
    return [*frame(), *chains, along_x("2x8", 4, 0, 3)]


def bell() -> Bricks:
    """It hangs in a tower that is closed above."""
    walls = [brick for x in (0, 6) for y in (0, 6) for brick in tower(x, y, 7)]
    return [*walls, *floor(0, 0, 7), *tower(3, 3, 2, up=5), along_x("2x4", 2, 2, 4), along_x("2x4", 2, 4, 4)]


def umbrella() -> Bricks:
    """Plates around a stem, with a rim below them."""
    canopy = [along_x("plate 4x8", 0, y, 6) for y in (0, 4)]
    ties = [along_y("plate 4x8", x, 0, 6 + 1 / 3) for x in (0, 4)]
    rim = [along_x("2x8", 0, 0, 5), along_x("2x8", 0, 6, 5)]
    return [*floor(0, 0, 0), *tower(3, 3, 4, up=2), *canopy, *ties, *rim]


def scales() -> Bricks:
    """A post with a beam, from both ends of which a pan hangs."""
    pans = [brick for x in (0, 14) for brick in (*tower(x, 0, 3, up=5), along_y("2x4", x, -1, 4))]
    return [*floor(4, -3, 0), *tower(7, 0, 6, up=2), *beam(8), *pans]


def cage() -> Bricks:
    """Thin bars, which stand side by side between a floor and a roof."""
    bars = [(x, y) for x in (0, 3, 7) for y in (0, 3, 7) if (x, y) != (3, 3)]
    return [*floor(0, 0, 0), *(b for x, y in bars for b in tower(x, y, 5, up=2, part="1x1")), *floor(0, 0, 7)]


def shelf() -> Bricks:
    """Boards that are held at one end by a wall."""
    wall = [along_y("2x8", 0, 0, up) for up in (2, 3, 4, 5, 7, 8, 9, 11)]
    boards = [along_x("2x6", 0, y, up) for up in (6, 10) for y in (0, 2, 4, 6)]
    return [*floor(0, 0, 0), *wall, *boards]


MODELS: tuple[Callable[[], Bricks], ...] = (
    arch, table, lamp, letter_t, chandelier, bridge, mushroom, upside_down_pyramid, chair, stairs, gallows, ring, tree,
    two_storeys, bracket, hook, swing, bell, umbrella, scales, cage, shelf,
)  # fmt: skip


def hard_models() -> Iterator[tuple[str, Construction]]:
    """All of them by their names."""
    for make in MODELS:
        yield make.__name__, Construction(tuple(make()))
