"""How much may be tried, counted and not timed, so that a plan is the same everywhere."""

EFFORT, EFFORT_A_BRICK = 200_000.0, 500.0  # some ten seconds for small models, half a minute for a thousand bricks


class Effort:
    """How much may still be tried, counted in bricks whose forces are worked out."""

    def __init__(self, bricks: int, times: float = 1.0) -> None:
        """For a model of so many bricks, so many times as much as is usual."""
        self.left = times * (EFFORT + EFFORT_A_BRICK * bricks)

    def spend(self, bricks: float) -> None:
        self.left -= bricks

    @property
    def is_spent(self) -> bool:
        return self.left < 0
