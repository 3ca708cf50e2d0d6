"""A studio whose one builder gets stuck, and whose patience is short."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import httpx
from studio.listening import listening

from brickbybrick.builders.base import RandomBuilder
from brickbybrick.building import offsets_for
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.studio.agents import offered
from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.server import warm_up
from brickbybrick.studio.workshop import Limits, Workshop

LIMITS = Limits(brick=1.0, build=2.0, answer=2.0)  # seconds


@dataclass
class Trouble:
    """How a builder gets stuck, and how it is freed."""

    after: int | None = None  # bricks
    pause: float = 0.0  # seconds before each brick
    free: threading.Event = field(default_factory=threading.Event)
    stuck: int = 0  # builders that were, so far


class StuckBuilder(RandomBuilder):
    """Builds at random, until it does not come back."""

    def __init__(self, offsets: OffsetSet, trouble: Trouble) -> None:
        super().__init__(offsets)
        self.trouble = trouble

    def steps(self, sim: Simulator) -> Iterator[None]:
        steps = super().steps(sim)
        for count in range(1_000):
            if count == self.trouble.after:
                self.trouble.stuck += 1
                self.trouble.free.wait()
            time.sleep(self.trouble.pause)
            if next(steps, StopIteration) is StopIteration:
                return
            yield


@contextmanager
def stuck_studio(trouble: Trouble) -> Iterator[tuple[httpx.Client, Studio]]:
    """The studio, and somebody who talks to it."""
    mason, random = (offered()[name] for name in ("mason", "random"))
    warm_up(Studio(agents={"random": random}))  # what is compiled or read for the first time may take longer
    stuck = replace(random, name="stuck", make=lambda views, _: StuckBuilder(offsets_for(views), trouble))
    studio = Studio(agents={"mason": mason, "stuck": stuck, "random": random}, workshop=Workshop(limits=LIMITS))
    try:
        with listening(studio) as address, httpx.Client(base_url=address, timeout=60) as client:
            yield client, studio
    finally:
        trouble.free.set()
