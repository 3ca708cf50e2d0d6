"""A second, very small reader of files with sub-models, to check the first one and what it is given to read."""

from collections import Counter

import numpy as np
from scipy.sparse.csgraph import connected_components

from brickbybrick.geometry.part import PARTS

Placed = tuple[str, int, tuple[float, ...]]  # file, colour, and where it is: origin, turn


def replayed(content: bytes) -> Counter[Placed]:
    """All parts that a file shows, by matrices of four rows."""
    models = _models(content)
    return _shown(models, next(iter(models)))


def _models(content: bytes) -> dict[str, list[list[str]]]:
    """The lines of type 1 of each model, word by word."""
    models: dict[str, list[list[str]]] = {}
    for line in content.decode().splitlines():
        words = line.split()
        if words[:2] == ["0", "FILE"]:
            models[" ".join(words[2:])] = []
        elif words[:1] == ["1"]:
            if not models:
                models[""] = []
            models[list(models)[-1]].append(words[1:])
    return models


def _shown(models: dict[str, list[list[str]]], whole: str) -> Counter[Placed]:
    """All parts of one of the models."""
    found: Counter[Placed] = Counter()

    def show(name: str, outer: np.ndarray, colour: int) -> None:
        for words in models[name]:
            move = np.eye(4)
            move[:3, 3] = [float(word) for word in words[1:4]]
            move[:3, :3] = np.reshape([float(word) for word in words[4:13]], (3, 3))
            own = colour if words[0] == "16" else int(words[0])
            inside = " ".join(words[13:])
            if inside in models:
                show(inside, outer @ move, own)
            else:
                found[inside, own, tuple((outer @ move).round(3).ravel()[:12] + 0.0)] += 1

    show(whole, np.eye(4), 16)
    return found


def alike(found: Counter[Placed]) -> Counter[Placed]:
    """The same, but with parts that look the same after half a turn turned one way: all but slopes."""
    made: Counter[Placed] = Counter()
    for (name, colour, place), count in found.items():
        matrix = np.reshape(place, (3, 4)).copy()
        first = next(value for value in matrix[:, 0] if value)
        if name not in SLOPES and first < 0:
            matrix[:, (0, 2)] *= -1
        if name in SQUARE:
            matrix[:, :3] = np.eye(3)
        made[name, colour, tuple(matrix.ravel() + 0.0)] += count
    return made


def in_pieces(content: bytes) -> list[str]:
    """The models of a file, sub-models too, whose parts do not all hang together by their studs when they are done.

    For bricks and plates, whose origin is in the middle of their top and whose long side lies along X.
    """
    models = {name: lines for name, lines in _models(content).items() if lines}
    return [name for name in models if _pieces([_box(placed) for placed in _shown(models, name).elements()]) > 1]


def _box(placed: Placed) -> np.ndarray:
    """The corners (2, 3) of a part, in LDraw's units."""
    name, _, place = placed
    part = BY_NUMBER[name]
    matrix = np.reshape(place, (3, 4))
    ends = np.array([[-10 * part.length, 0, -10 * part.width], [10 * part.length, 8 * part.height, 10 * part.width]])
    corners = ends @ matrix[:, :3].T + matrix[:, 3]
    return np.stack([corners.min(axis=0), corners.max(axis=0)])


def _pieces(boxes: list[np.ndarray]) -> int:
    """How many there are of boxes that stand on each other: one's bottom, where Y is most, on the top of another."""
    low, high = np.array([box[0] for box in boxes]), np.array([box[1] for box in boxes])
    over = ((low[:, None, ::2] < high[None, :, ::2]) & (low[None, :, ::2] < high[:, None, ::2])).all(axis=2)
    joined = over & (np.abs(high[:, None, 1] - low[None, :, 1]) < 0.01)
    return int(connected_components(joined, directed=False)[0])


BY_NUMBER = {f"{known.number}.dat": part for part, known in PARTS.items()}
SLOPES = {f"{known.number}.dat" for part, known in PARTS.items() if part.slopes}
SQUARE = {f"{known.number}.dat" for part, known in PARTS.items() if len(part.directions) == 1}
