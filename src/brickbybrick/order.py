"""An order: how things are to be built. Plain values, so that it can be read from a command line or a request, and
travel to another machine. Nothing heavy is imported here, because `b3 --help` shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from brickbybrick.colours import RED, colour_code, palette_of
from brickbybrick.errors import InputError, whole_number
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.part import BRICK_HIGH, Part
from brickbybrick.geometry.prices import Prices
from brickbybrick.targets.reading import MOST_CELLS, Keeping, Proportions, Reading
from brickbybrick.targets.target import VIEW_SIDE

MOST_BRICKS = 20_000
MASON = "mason"
Parts = Literal["bricks", "plates", "all"]
Paper = Literal["a4", "letter"]
Hidden = Literal["believed", "full"]
Kind = Literal["picture", "mesh", "silhouettes"]
TOLERANCE = 5.0  # how unlike what it wants a cell may look before that costs as much as the cell is worth, by CIEDE2000
TOLERANCES = (0.1, 1000.0)
# What the mason alone heeds.
MASONS_OWN = (
    "parts",
    "smooth",
    "inventory",
    "allow_missing",
    "prices",
    "hollow",
    "mosaic",
    "dither",
    "depth",
    "background",
    "contrast",
    "palette",
    "tolerance",
)
# What nothing but one picture heeds.
PICTURES_OWN = ("mosaic", "dither", "depth", "background", "contrast")
SILHOUETTES_OWN = ("hidden",)


@dataclass(frozen=True, kw_only=True)
class Order:
    """How things are to be built."""

    agent: str = MASON
    """mason: any size, with bricks of many sizes, in colour. The others build with 2x4 bricks at 14 cells, as in the
    paper: search, guided, b3plus, b3 (the paper's network, trained on anything), greedy, bo, random; or a trained
    agent's file."""
    size: int | None = None
    """Studs of the longest side, up to 96; by what the input holds if not given."""
    parts: Parts | None = None
    """What the mason builds with. bricks: layers as high as bricks. plates: plates too, which are a third as high. all:
    slopes as well, where they follow the surface of a mesh better than steps do. If not given, what is in the
    inventory, or plates; bricks where cells are cubes."""
    smooth: bool = False
    """Cover tops by tiles, which have no studs."""
    proportions: Proportions | None = None
    """real: cells as high as bricks are, so that a ball is a ball. cubic: cells as high as wide, as in the paper. The
    mason's are real if not given."""
    background: Keeping = "auto"
    """Of a picture. auto: found and dropped where there is one. keep: built too. drop: dropped, or an error."""
    contrast: float = 1.0
    """Of a picture's colours; above 1 for more, below for less."""
    depth: int | None = None
    """Studs from a picture's front to its back; 2 to 4 by its height if not given."""
    mosaic: bool = False
    """Lay a picture flat, studs up, on a base."""
    dither: bool = False
    """Mix a mosaic's colours of those of the palette."""
    hidden: Hidden = "believed"
    """What three silhouettes leave open. believed: filled where a network believes that objects are, if PyTorch is
    there. full: filled all."""
    palette: str = "all"
    """Colours to build with: all, common (those that every size was made in), or names with commas between them."""
    tolerance: float = TOLERANCE
    """Fewer bricks or truer colours: how unlike what is wanted a brick may look (CIEDE2000) before it is split."""
    colour: tuple[str, ...] = ()
    """Names or LDraw codes of colours, taken in turn, whatever the input's are; red for what has no colours."""
    inventory: str | None = None
    """The mason's parts, as in 2x4=100,red 2x4=20,plate 1x2=50,slope 45 2x1: in any colour or in one, with how many
    there are, or without for any number. All that --parts names if not given; of bricks alone 2x4, 2x3, 2x2, 1x4, 1x2,
    1x1."""
    allow_missing: bool = False
    """Build as if there were no end of any part, and say which are missing in the inventory."""
    prices: str | None = None
    """What parts cost, as in EUR,2x4=0.15,red 2x4=0.12: bricks that nobody sees then take the cheapest colour."""
    hollow: int | None = None
    """Cells of the mason's walls; solid if not given, as long as there are enough bricks."""
    budget: int | None = None
    """Bricks at most; if not given, as many as the mason needs, and 110 % of the target's volume for others."""
    repair: bool = False
    """Add bricks to a model that would fall."""
    kit: tuple[str, ...] | None = None
    """What to write: json, ldr, glb, png, pdf, xml, csv, html (a replay), gif, webp, svg; all but the last three if not
    given."""
    paper: Paper = "a4"
    """Of the building instructions."""
    seed: int = 0
    """Random seed."""

    def __post_init__(self) -> None:
        whole_number(self.seed, "seed", 0)
        if self.budget is not None and not 1 <= self.budget <= MOST_BRICKS:
            raise InputError(f"a budget of {self.budget} bricks: choose 1 to {MOST_BRICKS}")
        if self.hollow is not None and not 1 <= self.hollow <= (self.size or MOST_CELLS):
            raise InputError(f"walls {self.hollow} cells thick: choose 1 to {self.size or MOST_CELLS}")
        if not TOLERANCES[0] <= self.tolerance <= TOLERANCES[1]:
            raise InputError(f"a tolerance of {self.tolerance}: choose {TOLERANCES[0]} to {TOLERANCES[1]:.0f}")
        if self.box is not None:
            self._check_inventory(self.box)
        elif self.allow_missing:
            raise InputError("--allow-missing says what an inventory lacks: add --inventory, or leave it out")
        self.price_list  # noqa: B018 - an error where it is none
        if self.smooth and self.kinds == "bricks":
            raise InputError("--smooth covers tops by tiles, which are as high as plates: add --parts plates or all")
        palette_of(self.palette)
        self.colours  # noqa: B018 - an error where one is none
        changed = self._changed(MASONS_OWN)
        if changed and not self.by_mason:
            raise InputError(
                f"{self.agent} builds as in the paper, solid and of {BRICK_2X4} alone: leave --{changed[0]} out"
            )
        self.reading  # noqa: B018 - an error where it makes no sense

    def _check_inventory(self, inventory: Inventory) -> None:
        """Raises an error if there are parts in an inventory that would not be used."""
        for part in inventory.parts:
            if advice := self.no_use_for(part):
                raise InputError(f"{part} in the inventory: {advice}, or leave it out")
        plates = self.allow_missing or any(part.kind == "plate" for part in inventory.parts)
        if self.kinds != "bricks" and not plates:
            raise InputError("no plates in the inventory: add some, or take --parts bricks, which need none")

    def no_use_for(self, part: Part) -> str | None:
        """What to add so that a part would be used; None if it is."""
        if part.slopes and self.kinds != "all":
            return "add --parts all"
        if part.kind == "tile" and not self.smooth:
            return "add --smooth"
        return "add --parts plates or all" if part.kind == "plate" and self.kinds == "bricks" else None

    def _changed(self, names: Sequence[str]) -> list[str]:
        """Those of some options that are not left as they are."""
        return [name for name in names if getattr(self, name) != Order.__dataclass_fields__[name].default]

    def without_effect(self, kind: Kind) -> str | None:
        """A line on options that change nothing of what is made of one kind of input; None if all do."""
        if kind != "silhouettes" and self._changed(SILHOUETTES_OWN):
            return "--hidden: for three silhouettes alone, which hide something; leave it out"
        if kind == "picture":
            idle = self.dither and not self.mosaic
            return "--dither mixes the colours of mosaics: add --mosaic, or leave it out" if idle else None
        if not (changed := self._changed(PICTURES_OWN)):
            return None
        named, them = ", ".join(f"--{name}" for name in changed), "it" if len(changed) == 1 else "them"
        return f"{named}: for one picture alone, not for meshes and silhouettes; leave {them} out"

    @property
    def by_mason(self) -> bool:
        """Whether the mason builds."""
        return self.agent == MASON

    @property
    def kinds(self) -> Parts:
        """The parts to build with."""
        if self.parts is not None:
            return self.parts
        if not self.by_mason or self.proportions == "cubic":
            return "bricks"
        if self.box is None:
            return "plates"
        if any(part.slopes for part in self.box.parts):
            return "all"
        return "plates" if any(part.height < BRICK_HIGH for part in self.box.parts) else "bricks"

    @cached_property
    def box(self) -> Inventory | None:
        """The inventory, if one is given."""
        return None if self.inventory is None else Inventory.parse(self.inventory)

    @cached_property
    def price_list(self) -> Prices | None:
        """The prices, if any are given."""
        return None if self.prices is None else Prices.parse(self.prices)

    @property
    def reading(self) -> Reading:
        """How inputs are to be understood."""
        return Reading(
            size=self.size if self.by_mason else self.size or VIEW_SIDE,
            proportions=self.proportions or ("real" if self.by_mason else "cubic"),
            colours=self.by_mason and not self.colour,
            background=self.background,
            contrast=self.contrast,
            depth=self.depth,
            mosaic=self.mosaic,
            layer=BRICK_HIGH if self.kinds == "bricks" else 1,
            grains=self.kinds == "all",
            mixed=self.codes if self.dither else (),
        )

    @property
    def colours(self) -> tuple[int, ...]:
        """The LDraw codes of the colours that bricks have in turn where the input's do not count."""
        return tuple(colour_code(name) for name in self.colour) or (RED,)

    @property
    def codes(self) -> tuple[int, ...]:
        """The LDraw codes of the colours to build with: those of the palette that are in the box, or those that were
        named."""
        codes = self.colours if self.colour else palette_of(self.palette)
        if self.box is None or self.allow_missing or any(entry.colour is None for entry in self.box.entries):
            return codes
        return tuple(
            code for code in codes if code in {entry.colour for entry in self.box.entries if entry.amount != 0}
        )
