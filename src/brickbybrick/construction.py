"""A finished model: the bricks in the order they were placed, and what is known about them.

Every builder returns a `Construction` and every picture, check and export takes one. On disk it is
JSON with a schema number; a file is written whole or not at all.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from brickbybrick.colours import RED
from brickbybrick.errors import InputError, whole_number
from brickbybrick.files import write_whole
from brickbybrick.geometry.brick import Cell, Pose, Size

SCHEMA = 1
MOST = 100_000  # cells that a brick can be from the origin


@dataclass(frozen=True)
class PlacedBrick:
    """One brick of a model."""

    part: str  # the size, as in "2x4"
    x: int
    y: int
    z: int
    d: int
    colour: int = RED  # LDraw's code, see `colours.COLOURS`
    step: int = 0  # when it was placed, from 0

    @property
    def size(self) -> Size:
        return Size.parse(self.part)

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.z, self.d)

    def cells(self) -> Iterable[Cell]:
        return self.size.cells(self.pose)

    def check(self) -> None:
        """Raises an error unless every figure makes sense; for bricks that come from a file."""
        if not isinstance(self.part, str) or self.d not in self.size.directions:
            raise InputError(f"not a construction: a brick {self.part!r} of direction {self.d!r}")
        for name in ("x", "y", "z"):
            whole_number(getattr(self, name), f"a brick's {name}", -MOST, MOST)
        for name in ("colour", "step"):
            whole_number(getattr(self, name), f"a brick's {name}", 0)


@dataclass(frozen=True)
class Construction:
    """The ordered bricks, for which target, by whom, with which score."""

    bricks: tuple[PlacedBrick, ...]
    target: str = ""
    builder: str = ""
    budget: int | None = None
    iou: float | None = None  # IoU of the finished model with the target's voxels
    episode_return: float | None = None  # sum of rewards; not the same as the IoU
    notes: tuple[str, ...] = ()  # what a reader should know, one sentence each
    verdict: dict[str, bool | float | None] = field(default_factory=dict)

    @classmethod
    def of_poses(cls, size: Size, poses: Iterable[Iterable[int]], **about: object) -> "Construction":
        """A model of bricks of one size, in the order of `poses` (rows of x, y, z, d)."""
        bricks = []
        for step, pose in enumerate(poses):
            x, y, z, d = (int(value) for value in pose)
            bricks.append(PlacedBrick(str(size), x, y, z, d, step=step))
        return cls(tuple(bricks), **about)  # type: ignore[arg-type]

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Construction":
        try:
            record = json.loads(text)
            schema = record.pop("schema")
            if schema != SCHEMA:
                raise InputError(f"a construction of schema {schema}; this version reads schema {SCHEMA}")
            bricks = tuple(PlacedBrick(**brick) for brick in record.pop("bricks"))
            for brick in bricks:
                brick.check()
            return cls(bricks, notes=tuple(record.pop("notes", ())), **record)
        except json.JSONDecodeError as error:
            raise InputError("not a construction: not JSON") from error
        except KeyError as error:
            raise InputError(f"not a construction: it has no {error}") from error
        except (TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"not a construction: {error}") from error

    def save(self, path: Path) -> None:
        write_whole(path, self.to_json().encode())

    @classmethod
    def load(cls, path: Path) -> "Construction":
        try:
            return cls.from_json(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not a construction: not JSON") from error
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
