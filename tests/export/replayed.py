"""A second, very small reader of files with sub-models, to check the first one and what it is given to read."""

from collections import Counter

import numpy as np

from brickbybrick.geometry.part import PARTS

Placed = tuple[str, int, tuple[float, ...]]  # file, colour, and where it is: origin, turn


def replayed(content: bytes) -> Counter[Placed]:
    """All parts that a file shows, by matrices of four rows."""
    models: dict[str, list[list[str]]] = {}
    for line in content.decode().splitlines():
        words = line.split()
        if words[:2] == ["0", "FILE"]:
            models[" ".join(words[2:])] = []
        elif words[:1] == ["1"]:
            if not models:
                models[""] = []
            models[list(models)[-1]].append(words[1:])
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

    show(next(iter(models)), np.eye(4), 16)
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


SLOPES = {f"{known.number}.dat" for part, known in PARTS.items() if part.slopes}
SQUARE = {f"{known.number}.dat" for part, known in PARTS.items() if len(part.directions) == 1}
