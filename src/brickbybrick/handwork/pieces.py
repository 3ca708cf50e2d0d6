"""The pieces that stand on a table while something is built, and which of them would topple.

Bricks that hang together by studs are a piece, and studs hold so much more than bricks weigh that a piece is mostly as
good as one solid thing: it stands where its centre of mass is over its feet. This is known in no time; the forces have
the last word on what passes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, inf

from brickbybrick.geometry.stability import ROUNDING
from brickbybrick.geometry.statics import rim_of
from brickbybrick.handwork.pile import Pile

Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Piece:
    """Bricks that hang together by studs."""

    bricks: frozenset[int]
    weight: float
    moment: Place  # weights by where they are
    feet: tuple[Place, ...]  # the corners of the outline around all that stands on the table, anticlockwise

    @cached_property
    def room(self) -> float:
        """Studs that its centre of mass may move before it topples; below 0 where it does."""
        x, y = self.moment[0] / self.weight, self.moment[1] / self.weight
        sides = zip(self.feet, (*self.feet[1:], *self.feet[:1]), strict=True)
        return min((_left_of(one, other, (x, y)) / dist(one, other) for one, other in sides), default=-inf)


class Pieces:
    """All pieces that are there."""

    def __init__(self, pile: Pile, turned: bool, floor: int) -> None:
        self.pile, self.turned, self.side, self.floor = pile, turned, pile.side(turned), floor
        self.of: dict[int, Piece] = {}  # the piece that a brick is part of
        self.toppling: frozenset[int] = frozenset()  # bricks of pieces that are held

    def after(self, bricks: Collection[int]) -> list[Piece]:
        """The pieces that some bricks become part of when they are put on."""
        left = dict.fromkeys(bricks)
        near: dict[int, list[Piece]] = {brick: [] for brick in left}  # what is there that it is joined to
        joined: dict[Piece, list[int]] = {}  # the bricks that are joined to what is there
        for brick in left:
            for other in self.side.beside[brick]:
                if other in self.of:
                    near[brick].append(self.of[other])
                    joined.setdefault(self.of[other], []).append(brick)
        found = []
        while left:
            waiting = [left.popitem()[0]]
            parts: dict[Piece, None] = {}
            for brick in waiting:
                parts[self._alone(brick)] = None
                parts |= dict.fromkeys(near[brick])
                for other in (*self.side.beside[brick], *(other for piece in near[brick] for other in joined[piece])):
                    if other in left:
                        del left[other]
                        waiting.append(other)
            found.append(_joined(list(parts)))
        return found

    def stand(self, bricks: Collection[int]) -> bool:
        """Whether all pieces stand when some bricks are put on."""
        pieces = self.after(bricks)
        joined = frozenset().union(*(piece.bricks for piece in pieces)) if self.toppling else frozenset()
        return self.toppling <= joined and all(piece.room >= -ROUNDING for piece in pieces)

    def room(self, bricks: Collection[int]) -> float:
        """The least room of the pieces that some bricks become part of."""
        return min((piece.room for piece in self.after(bricks)), default=inf)

    def add(self, bricks: Collection[int]) -> None:
        for piece in self.after(bricks):
            self.of |= dict.fromkeys(piece.bricks, piece)
            self.toppling -= piece.bricks
            if piece.room < -ROUNDING:
                self.toppling |= piece.bricks

    def _alone(self, brick: int) -> Piece:
        stands = self.side.begins[brick] == self.floor and self.side.can_stand[brick]
        weight, moment = self.pile.weights[brick]
        feet = rim_of(self.pile.bricks[brick].shape, self.pile.bricks[brick].pose, self.turned) if stands else ()
        return Piece(frozenset([brick]), weight, moment, _outline(feet))


def _joined(parts: Sequence[Piece]) -> Piece:
    return Piece(
        frozenset().union(*(part.bricks for part in parts)),
        sum(part.weight for part in parts),
        (sum(part.moment[0] for part in parts), sum(part.moment[1] for part in parts)),
        _outline([foot for part in parts for foot in part.feet]),
    )


def _outline(places: Collection[Place]) -> tuple[Place, ...]:
    """The corners of the convex outline around places: its lower side from left to right, and its upper one back."""
    every = sorted(set(places))
    corners: list[Place] = []
    for way in (every, every[::-1]):
        first = len(corners)
        for place in way:
            while len(corners) - first >= 2 and _left_of(corners[-2], corners[-1], place) <= 0:
                corners.pop()
            corners.append(place)
        corners[-1:] = []  # the next side begins with it
    return tuple(corners)


def _left_of(one: Place, other: Place, place: Place) -> float:
    """Above 0 for a place to the left of the way from one to another, in proportion to its distance."""
    return (other[0] - one[0]) * (place[1] - one[1]) - (other[1] - one[1]) * (place[0] - one[0])
