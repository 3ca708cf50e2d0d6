"""The targets of pages: those they are at work on, a bounded number, each for a while, under names that cannot be
guessed; and examples for those who have nothing at hand, unseen digits and objects joined at random."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from threading import Lock

from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.inputs import Wanted

MOST_TARGETS = 512  # a target takes a few KB
SECONDS_KEPT = 6 * 3600.0  # since it was last asked for
DIGITS, OBJECTS = 2, 12  # examples: digits of each class, and objects

_LOCK = Lock()


class Shelf:
    """Keeps targets; the one that was not asked for longest gives way to a new one.

    Only the server's event loop touches it, so there is nothing to lock.
    """

    def __init__(
        self, most: int = MOST_TARGETS, seconds: float = SECONDS_KEPT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.seconds, self.clock = most, seconds, clock
        self._kept: OrderedDict[str, tuple[float, Wanted]] = OrderedDict()  # the longest unused first

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, wanted: Wanted) -> str:
        """Keeps a target and returns the name to ask for it by."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = (self.clock(), wanted)
        self._tidy()
        return name

    def get(self, name: str) -> Wanted | None:
        """The target of that name, unless it was never there or is gone."""
        self._tidy()
        found = self._kept.pop(name, None)
        if found is None:
            return None
        self._kept[name] = (self.clock(), found[1])
        return found[1]

    def _tidy(self) -> None:
        oldest = self.clock() - self.seconds
        while self._kept and (len(self._kept) > self.most or next(iter(self._kept.values()))[0] < oldest):
            self._kept.popitem(last=False)


def examples() -> dict[str, Wanted]:
    """The examples by their names; none of them was trained on."""
    with _LOCK:  # two pages that open at once must not both read all digits
        return _examples()


@cache
def _examples() -> dict[str, Wanted]:
    tasks = [(f"mnist-{digit}", DIGITS) for digit in range(10)] + [("random", OBJECTS)]
    targets = [target for task, count in tasks for target in load_task(task).test.targets[:count]]
    return {target.name: Wanted(target) for target in targets}
