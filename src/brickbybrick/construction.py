"""A finished model: the bricks in the order they were placed, and what is known about them.

Every builder returns a `Construction` and every picture, check and export takes one. On disk it is
JSON with a schema number; a file is written whole or not at all.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell, Pose, Size

SCHEMA = 1
RED = 4  # LDraw's colour codes; other colours are named in `picture.PALETTE`


@dataclass(frozen=True)
class PlacedBrick:
    """One brick of a model."""

    part: str  # the size, as in "2x4"
    x: int
    y: int
    z: int
    d: int
    colour: int = RED  # LDraw colour code
    step: int = 0  # when it was placed, from 0

    @property
    def size(self) -> Size:
        return Size.parse(self.part)

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.z, self.d)

    def cells(self) -> Iterable[Cell]:
        return self.size.cells(self.pose)


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
            return cls(bricks, notes=tuple(record.pop("notes", ())), **record)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"not a construction: {error}") from error

    def save(self, path: Path) -> None:
        write_whole(path, self.to_json().encode())

    @classmethod
    def load(cls, path: Path) -> "Construction":
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read the construction {path}: {error}") from error
        return cls.from_json(text)


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
