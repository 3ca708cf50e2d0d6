"""How what a user brings is to be understood. Plain values: nothing heavy is imported here."""

from dataclasses import dataclass
from typing import Literal

from brickbybrick.errors import InputError
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.targets.target import VIEW_SIDE

Proportions = Literal["cubic", "real"]
Keeping = Literal["auto", "keep", "drop"]  # of a background

CELL_HEIGHT = 1.2  # of a brick, in stud pitches
LEAST_CELLS, MOST_CELLS = 4, 96  # of the longest side
MOST_DEPTH = 16
CONTRASTS = (0.25, 4.0)


def check_size(size: int | None) -> None:
    """Raises an error if nothing is built so many studs long."""
    if size is not None and not LEAST_CELLS <= size <= MOST_CELLS:
        raise InputError(f"a size of {size} cells: choose {LEAST_CELLS} to {MOST_CELLS}")


def check_contrast(contrast: float) -> None:
    """Raises an error if so much or so little contrast leaves nothing of a picture."""
    if not CONTRASTS[0] <= contrast <= CONTRASTS[1]:
        raise InputError(f"a contrast of {contrast}: choose {CONTRASTS[0]} to {CONTRASTS[1]}; 1 changes nothing")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How pictures, silhouettes and meshes become cells. By default as the paper's agents were trained."""

    size: int | None = VIEW_SIDE  # studs of the longest side; by what the input holds if not given
    proportions: Proportions = "cubic"  # whether cells are as high as wide, or as high as bricks are
    colours: bool = False  # whether the input's colours count, or its outline alone
    background: Keeping = "auto"  # of a picture: found and dropped where it is one, kept, or dropped in any case
    contrast: float = 1.0  # of a picture's colours
    depth: int | None = None  # of a picture, in studs; by its height if not given
    mosaic: bool = False  # whether a picture lies flat, studs up
    layer: int = BRICK_HIGH  # plates that a cell of real proportions is high: as many as a brick, or one
    grains: bool = False  # whether it must be known what of each cell of a mesh is inside, for parts that slope
    mixed: tuple[int, ...] = ()  # LDraw's codes of the colours that a mosaic's are mixed of; none if not given

    def __post_init__(self) -> None:
        check_size(self.size)
        check_contrast(self.contrast)
        if self.depth is not None and not 1 <= self.depth <= MOST_DEPTH:
            raise InputError(f"a depth of {self.depth} studs: choose 1 to {MOST_DEPTH}")
        if self.layer not in (1, BRICK_HIGH) or (self.layer < BRICK_HIGH and self.proportions == "cubic"):
            raise InputError(
                f"cells {self.layer} plates high: choose 1 or {BRICK_HIGH}, and {BRICK_HIGH} for cubic ones"
            )
        if self.grains and self.layer > 1:
            raise InputError("parts that slope need layers of plates: build with all parts, or with bricks alone")
        if self.mosaic and self.depth is not None:
            raise InputError("a mosaic lies flat: leave the depth out")

    @property
    def height(self) -> float:
        """How many times as high as wide cells are."""
        return CELL_HEIGHT * self.layer / BRICK_HIGH if self.proportions == "real" else 1.0

    @property
    def finer(self) -> int:
        """How many cells are as high as a brick."""
        return BRICK_HIGH // self.layer


AS_TRAINED = Reading()
