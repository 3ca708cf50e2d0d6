"""A model that the mason builds as a whole, on a thread of its own, while a page is told how far it is."""

from collections.abc import Iterator, Sequence
from typing import Any

from brickbybrick.building import finish_laid, lay_wanted, stock_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.kit import Plan
from brickbybrick.order import Order
from brickbybrick.studio.verdicts import told_at_the_end
from brickbybrick.targets.inputs import Wanted

PORTION = 100  # bricks that a page is told of at a time
LAID = 0.7  # share of all the work that is done when bricks are laid; the rest is to judge them

Portion = list[dict[str, Any]]  # bricks


class LeftError(Exception):
    """Nobody waits for the model any more."""


class Progress:
    """How far a build is: told by the thread that builds, read by the one that answers."""

    def __init__(self) -> None:
        self.doing, self.share = "waiting", 0.0
        self.left = False  # whether nobody waits for it any more

    def tell(self, doing: str, share: float) -> None:
        """Takes down how far it is; the share never falls, also where bricks are laid again after others."""
        if self.left:
            raise LeftError
        self.doing, self.share = doing, max(self.share, LAID * share)

    def told(self) -> dict[str, Any]:
        """What the page is told."""
        return {"share": round(self.share, 3), "doing": self.doing}


class LaidModel:
    """A model from its order to its verdict; an order that could not be carried out is refused at once."""

    def __init__(self, wanted: Wanted, order: Order) -> None:
        stock_of(order, wanted.target.paint is not None)
        self.wanted, self.order, self.progress = wanted, order, Progress()
        self._laid: Construction | None = None

    def lay(self) -> tuple[PlacedBrick, ...]:
        """All bricks in the order in which a hand builds."""
        (self._laid,) = lay_wanted([self.wanted], self.order, self.progress.tell)
        self.progress.tell("checking", 1.0)
        return self._laid.bricks

    def judged(self) -> Plan:
        """The model that was laid, mended if that was ordered, with its verdict."""
        assert self._laid is not None
        return finish_laid(self._laid, self.wanted, self.order)

    def finish(self) -> tuple[tuple[PlacedBrick, ...], dict[str, Any]]:
        """The bricks that mending has added to those that were laid, and the last thing that the page is told."""
        assert self._laid is not None
        made = self.judged()
        return made.construction.bricks[len(self._laid.bricks) :], told_at_the_end(made)


def portions(bricks: Sequence[PlacedBrick]) -> Iterator[Portion]:
    """Bricks as a page is told of them, some at a time."""
    for first in range(0, len(bricks), PORTION):
        yield [brick.record() for brick in bricks[first : first + PORTION]]
