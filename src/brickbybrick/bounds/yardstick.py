"""How far from the optimum a builder is, and the optima that come with the package, so that this takes no time.

An optimum is kept under a hash of all that it depends on: the volume, the first brick, the budget and the offsets. What
is kept for one target is never taken for another.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from brickbybrick.bounds.optimum import Method, Optimum, iou_of, optimum, relaxed
from brickbybrick.bounds.relaxation import most_by_volume
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, shown
from brickbybrick.files import parsed_json, read_file, write_whole
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

SHIPPED = Path(__file__).with_name("optima.json")
SCHEMA = 2
MOST_BYTES = 100_000_000  # of a file of optima
SECONDS = 20.0  # after which the search for an optimum ends with a bound


class Cells(NamedTuple):
    """How many cells of a target can be filled."""

    best: int  # by the best known construction
    bound: int  # proven: none fills more
    method: Method  # what proved it


Known = dict[str, Cells]  # by a target's key


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
        return {key: _cells(*each) for key, each in record["optima"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: not a file of optima: {error}") from error


def _cells(best: int, bound: int, method: Method) -> Cells:
    if int(best) > int(bound) or method not in get_args(Method):
        raise ValueError(f"{shown([best, bound, method])} is no best, bound and method")
    return Cells(int(best), int(bound), method)


def save_known(known: Known, path: Path) -> None:
    lines = ",\n".join(f'"{key}": {json.dumps(cells)}' for key, cells in sorted(known.items()))
    write_whole(path, f'{{"schema": {SCHEMA}, "optima": {{\n{lines}\n}}}}\n'.encode())


def as_known(found: Optimum, target: Target, offsets: OffsetSet) -> Cells:
    """The cells behind the two figures of an optimum."""
    whole = int(target.volume.sum()) + offsets.brick.studs * target.budget
    # IoU = o / (whole - o) for an overlap of o cells.
    best, bound = (round(whole * iou / (1 + iou)) for iou in (found.iou, found.bound))
    return Cells(best, bound, found.method)


def keep(found: Optimum, target: Target, offsets: OffsetSet, known: Known) -> None:
    """Adds an optimum to those that are known; the better construction and the better bound stay."""
    key, cells = key_of(target, offsets), as_known(found, target, offsets)
    before = known.get(key, cells)
    best, tighter = max(before.best, cells.best), min(before, cells, key=lambda each: each.bound)
    if best > tighter.bound:
        raise InputError(f"{target.name}: {best} cells can be filled where at most {tighter.bound} were said to be")
    known[key] = tighter._replace(best=best)


def look_up(target: Target, offsets: OffsetSet, known: Known) -> Optimum | None:
    """The optimum of a target if it is known."""
    cells = known.get(key_of(target, offsets))
    if cells is None:
        return None
    best, bound = (iou_of(overlap, target, offsets) for overlap in (cells.best, cells.bound))
    return Optimum(best, bound, cells.method, construction=None, seconds=0.0)


def most_known(target: Target, offsets: OffsetSet, known: Known | None = None) -> int:
    """Cells of a target that no construction fills more than, as far as that takes no time to know: by the bound that
    comes with the package, if nothing else is given, or by the volume. A search that is told so stops once it is
    there."""
    cells = (load_known() if known is None else known).get(key_of(target, offsets))
    return most_by_volume(target, offsets) if cells is None else cells.bound


def tightened(found: Optimum, target: Target, offsets: OffsetSet, seconds: float = SECONDS) -> Optimum:
    """An optimum with the bound that the linear program proves, where that is tighter."""
    if found.proven:
        return found
    begin = time.perf_counter()
    overlap, method = relaxed(target, offsets, as_known(found, target, offsets).best, seconds)
    bound = iou_of(overlap, target, offsets)
    if bound < found.bound:
        found = replace(found, bound=bound, method=method)
    return replace(found, seconds=time.perf_counter() - begin)


def best_of(
    target: Target,
    offsets: OffsetSet,
    hints: Sequence[Construction] = (),
    seconds: float = SECONDS,
    known: Known | None = None,
) -> Optimum:
    """The optimum of a target: the one that is known, by the package if nothing else is given, or found by search."""
    found = look_up(target, offsets, load_known() if known is None else known)
    return optimum(target, offsets, hints, seconds) if found is None else found
