"""An order: how things are to be built. Plain values, so that it can be read from a command line or a request, and
travel to another machine. Nothing heavy is imported here, because `b3 --help` shows it."""

from dataclasses import dataclass
from typing import Literal

from brickbybrick.colours import colour_code
from brickbybrick.errors import InputError, whole_number
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.targets.target import VIEW_SIDE

MOST_BRICKS = 20_000
MOST_CELLS = 96  # of the longest side
MASON = "mason"


@dataclass(frozen=True, kw_only=True)
class Order:
    """How things are to be built."""

    agent: str = "auto"
    """auto: the mason where --size is not 14 or where --inventory or --hollow is given, else the search; mason, search,
    guided, b3plus, b3 (the paper's network, trained on anything), greedy, bo, random; or a trained agent's file."""
    budget: int | None = None
    """Bricks at most; if not given, as many as the mason needs, and 110 % of the target's volume for others."""
    size: int = VIEW_SIDE
    """Cells of the longest side, up to 96; the paper's agents know 14. The mason fits any size best."""
    inventory: str | None = None
    """The mason's bricks, as in 2x4=100,2x2=50,1x2: sizes with how many there are, or without for any number. All of
    2x4, 2x3, 2x2, 1x4, 1x2, 1x1 if not given. Others than the mason build with 2x4 alone."""
    hollow: int | None = None
    """Cells of the mason's walls; solid if not given, as long as there are enough bricks."""
    proportions: Literal["cubic", "real"] = "cubic"
    """Of meshes: cubic as agents were trained, real with cells as high as bricks are."""
    colour: tuple[str, ...] = ("red",)
    """Names or LDraw codes of colours, taken in turn."""
    repair: bool = False
    """Add bricks to a model that would fall."""
    kit: tuple[str, ...] | None = None
    """What to write: json, ldr, glb, png, pdf, xml, csv, html (a replay), gif, webp, svg; all but the last three if not
    given."""
    seed: int = 0
    """Random seed."""

    def __post_init__(self) -> None:
        if not self.colours:
            raise InputError("no colour is given: give at least one")
        whole_number(self.seed, "seed", 0)
        if not 4 <= self.size <= MOST_CELLS:
            raise InputError(f"a size of {self.size} cells: choose 4 to {MOST_CELLS}")
        if self.budget is not None and not 1 <= self.budget <= MOST_BRICKS:
            raise InputError(f"a budget of {self.budget} bricks: choose 1 to {MOST_BRICKS}")
        if self.hollow is not None and not 1 <= self.hollow <= self.size:
            raise InputError(f"walls {self.hollow} cells thick: choose 1 to {self.size}")
        if self.inventory is not None:
            Inventory.parse(self.inventory)
        if not self.by_mason and (self.inventory is not None or self.hollow is not None):
            raise InputError(f"{self.agent} builds solid models of {BRICK_2X4} alone: take --agent {MASON}")

    @property
    def by_mason(self) -> bool:
        """Whether the mason builds."""
        if self.agent != "auto":
            return self.agent == MASON
        return self.size != VIEW_SIDE or self.inventory is not None or self.hollow is not None

    @property
    def colours(self) -> tuple[int, ...]:
        """The LDraw codes of the colours."""
        return tuple(colour_code(name) for name in self.colour)
