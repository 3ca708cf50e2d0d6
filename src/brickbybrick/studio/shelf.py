"""The targets of pages: those they are at work on, a bounded number and size of them, each for a while, under names
that cannot be guessed. Beside each lies what was sent, so that it can be read again in another way."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from brickbybrick.order import Order
from brickbybrick.studio.sent import Sent
from brickbybrick.targets.inputs import Wanted

MOST_TARGETS = 512
MOST_ROOM = 500_000_000  # bytes; the largest file and the largest target take 25 million
SECONDS_KEPT = 6 * 3600.0  # since it was last asked for


@dataclass(frozen=True, eq=False)
class Kept:
    """A target, and what it was read from by which order."""

    wanted: Wanted
    sent: Sent
    order: Order

    @property
    def for_agents(self) -> bool:
        """Whether it is as all agents see things, not the mason alone."""
        return not self.order.by_mason or self.sent.fixed is not None

    @property
    def room(self) -> int:
        """Bytes that the target takes."""
        target = self.wanted.target
        arrays = (target.images, target.hull, target.voxels, target.paint, target.belief)
        return sum(array.nbytes for array in arrays if array is not None)


class Shelf:
    """Keeps targets; the one that was not asked for longest gives way to a new one.

    Only the server's event loop touches it, so there is nothing to lock.
    """

    def __init__(
        self,
        most: int = MOST_TARGETS,
        seconds: float = SECONDS_KEPT,
        clock: Callable[[], float] = time.monotonic,
        room: int = MOST_ROOM,
    ) -> None:
        self.most, self.seconds, self.clock, self.room = most, seconds, clock, room
        self._kept: OrderedDict[str, tuple[float, Kept]] = OrderedDict()  # the longest unused first

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, kept: Kept) -> str:
        """Keeps a target and returns the name to ask for it by."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = (self.clock(), kept)
        self._tidy()
        return name

    def get(self, name: str) -> Kept | None:
        """The target of that name, unless it was never there or is gone."""
        self._tidy()
        found = self._kept.pop(name, None)
        if found is None:
            return None
        self._kept[name] = (self.clock(), found[1])
        return found[1]

    def taken(self) -> int:
        """Bytes that all targets take; what several were read from counts once."""
        kept = [each for _, each in self._kept.values()]
        sent = {id(each.sent): each.sent.room for each in kept}
        return sum(sent.values()) + sum(each.room for each in kept)

    def _tidy(self) -> None:
        oldest = self.clock() - self.seconds
        while self._kept and (len(self._kept) > self.most or next(iter(self._kept.values()))[0] < oldest):
            self._kept.popitem(last=False)
        while len(self._kept) > 1 and self.taken() > self.room:
            self._kept.popitem(last=False)
