"""How far from the optimum a builder is, and the optima that come with the package, so that this takes no time.

An optimum is kept under a hash of all that it depends on: the volume, the first brick, the budget and the offsets. What
is kept for one target is never taken for another.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from brickbybrick.bounds.optimum import Optimum, iou_of, optimum
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, shown
from brickbybrick.files import parsed_json, read_file, write_whole
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

SHIPPED = Path(__file__).with_name("optima.json")
SCHEMA = 1
MOST_BYTES = 100_000_000  # of a file of optima
SECONDS = 20.0  # after which the search for an optimum ends with a bound

# By a target's key: the cells of it that the best known construction fills, and those that none fills more than.
Known = dict[str, tuple[int, int]]


def key_of(target: Target, offsets: OffsetSet) -> str:
    """A hash of everything that a target's optimum depends on."""
    record = [
        str(offsets.brick),
        offsets.shifts.tolist(),
        np.argwhere(target.volume).tolist(),
        list(target.start),
        target.budget,
    ]
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()[:24]


@lru_cache(maxsize=4)
def load_known(path: Path = SHIPPED) -> Known:
    """The optima in a file, by the keys of their targets."""
    content = read_file(path, MOST_BYTES)
    try:
        record: Any = parsed_json(content)
        if record["schema"] != SCHEMA:
            raise InputError(f"optima of schema {shown(record['schema'])}; this version reads schema {SCHEMA}")
        return {key: (int(best), int(bound)) for key, (best, bound) in record["optima"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: not a file of optima: {error}") from error


def save_known(known: Known, path: Path) -> None:
    lines = ",\n".join(f'"{key}": [{best}, {bound}]' for key, (best, bound) in sorted(known.items()))
    write_whole(path, f'{{"schema": {SCHEMA}, "optima": {{\n{lines}\n}}}}\n'.encode())


def as_known(found: Optimum, target: Target, offsets: OffsetSet) -> tuple[int, int]:
    """The cells behind the two figures of an optimum."""
    whole = int(target.volume.sum()) + offsets.brick.studs * target.budget
    # IoU = o / (whole - o) for an overlap of o cells.
    return round(whole * found.iou / (1 + found.iou)), round(whole * found.bound / (1 + found.bound))


def look_up(target: Target, offsets: OffsetSet, known: Known) -> Optimum | None:
    """The optimum of a target if it is known."""
    cells = known.get(key_of(target, offsets))
    if cells is None:
        return None
    best, bound = (iou_of(overlap, target, offsets) for overlap in cells)
    return Optimum(best, bound, None, 0.0)


def best_of(
    target: Target,
    offsets: OffsetSet,
    hints: Sequence[Construction] = (),
    seconds: float = SECONDS,
    anew: bool = False,
) -> Optimum:
    """The optimum of a target: the one that comes with the package, or found by search, `anew` always."""
    found = None if anew else look_up(target, offsets, load_known())
    return optimum(target, offsets, hints, seconds) if found is None else found
