"""Small meshes in colour for who has nothing at hand, made here of boxes and of bodies turned about an upright axis; as
OBJ files, so that they go the way that everybody's meshes go."""

from collections.abc import Callable, Iterable, Sequence
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import COLOURS, colour_code

AROUND = 32  # corners of what is turned
DOWN = 16  # rings of a ball

Place = tuple[float, float, float]


class Part(NamedTuple):
    """A closed surface of one colour."""

    points: npt.NDArray[np.float64]  # (point, 3)
    faces: list[list[int]]  # numbers of points from 0, seen from outside against the clock
    colour: str  # a brick's, by its name


def box(low: Place, high: Place, colour: str) -> Part:
    """A box between two corners."""
    points = np.array([[(low, high)[bit >> axis & 1][axis] for axis in range(3)] for bit in range(8)], np.float64)
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return Part(points, faces, colour)


def turned(at: Place, profile: Sequence[tuple[float, float]], colour: str) -> Part:
    """A body turned about an upright axis: radii and heights from its lowest point to its highest, above a place."""
    turns = np.arange(AROUND) * 2 * pi / AROUND
    rings = [
        np.stack([r * np.cos(turns), r * np.sin(turns), np.full(AROUND, z)], axis=1) for r, z in profile
    ]  # (point, 3) each
    poles = [[0, 0, profile[0][1]], [0, 0, profile[-1][1]]]
    points = np.concatenate([*rings, poles]) + at
    last, ends = (len(rings) - 1) * AROUND, len(rings) * AROUND
    following = [(corner, (corner + 1) % AROUND) for corner in range(AROUND)]
    faces = [
        [AROUND * ring + one, AROUND * ring + other, AROUND * (ring + 1) + other, AROUND * (ring + 1) + one]
        for ring in range(len(rings) - 1)
        for one, other in following
    ]
    faces += [[ends, other, one] for one, other in following]
    faces += [[ends + 1, last + one, last + other] for one, other in following]
    return Part(points, faces, colour)


def ball(at: Place, radius: float, colour: str, height: float = 1.0) -> Part:
    """A ball around a place, so many times as high as it is wide."""
    angles = [pi * step / DOWN for step in range(1, DOWN)]
    return turned(at, [(radius * sin(turn), -radius * height * cos(turn)) for turn in angles], colour)


def _snowman() -> Iterable[Part]:
    yield ball((0, 0, 8), 9, "white")
    yield ball((0, 0, 20), 6.5, "white")
    yield ball((0, 0, 29), 4.8, "white")
    yield turned((0, 0, 32), [(6, 0), (6, 1.2)], "black")
    yield turned((0, 0, 33), [(3.8, 0), (3.8, 5)], "black")
    yield from (ball((x, -4.4, 30), 0.9, "black") for x in (-1.8, 1.8))
    yield box((-0.6, -8, 27.6), (0.6, -4, 28.8), "orange")
    yield from (ball((0, -6.3, z), 1, "black") for z in (18, 21.5))


def _lighthouse() -> Iterable[Part]:
    yield turned((0, 0, 0), [(11, 0), (9, 3)], "dark bluish grey")
    for step in range(5):
        low, high = 7 - 0.6 * step, 7 - 0.6 * (step + 1)
        yield turned((0, 0, 3 + 6 * step), [(low, 0), (high, 6)], ("red", "white")[step % 2])
    yield turned((0, 0, 33), [(6, 0), (6, 1.2)], "black")
    yield turned((0, 0, 34), [(3, 0), (3, 5)], "yellow")
    yield turned((0, 0, 39), [(4.5, 0), (0.5, 5)], "red")


def _castle() -> Iterable[Part]:
    yield box((-12, -12, 0), (12, 12, 12), "light bluish grey")
    yield box((-3, -12.6, 0), (3, -11, 8), "reddish brown")
    for x in (-12, 12):
        for y in (-12, 12):
            yield turned((x, y, 0), [(4.5, 0), (4.5, 20)], "light bluish grey")
            yield turned((x, y, 20), [(5.6, 0), (0.5, 10)], "red")
    for place in range(-6, 7, 4):
        yield box((place - 1, -12, 12), (place + 1, -10, 14.4), "light bluish grey")
        yield box((place - 1, 10, 12), (place + 1, 12, 14.4), "light bluish grey")


def _duck() -> Iterable[Part]:
    yield ball((0, 2, 8), 10, "yellow", 0.8)
    yield ball((0, 11, 11), 4, "yellow")
    yield ball((0, -5, 20), 6.5, "yellow")
    yield box((-2.6, -15, 18.2), (2.6, -10, 20.6), "orange")
    yield from (ball((x, -9.4, 22.4), 1.3, "black") for x in (-3.2, 3.2))


def _toadstool() -> Iterable[Part]:
    yield turned((0, 0, 0), [(5, 0), (3.6, 8), (3.6, 16)], "white")
    yield turned((0, 0, 14), [(12, 0), (11.4, 4), (9, 8), (5, 10.4), (0.5, 11.2)], "red")
    for turn, z, far in ((0.3, 20, 9.8), (1.6, 21, 9.4), (2.9, 20, 9.8), (4.2, 21, 9.4), (5.4, 20, 9.8)):
        yield ball((far * cos(turn), far * sin(turn), z), 2.2, "white")


SOLIDS: dict[str, Callable[[], Iterable[Part]]] = {
    "snowman": _snowman,
    "lighthouse": _lighthouse,
    "castle": _castle,
    "bath duck": _duck,
    "toadstool": _toadstool,
}


def solid(name: str) -> bytes:
    """The mesh of a name of `SOLIDS`, as an OBJ file whose points have colours."""
    lines, count = [f"# {name}"], 1
    for part in SOLIDS[name]():
        rgb = " ".join(f"{value / 255:.4f}" for value in COLOURS[colour_code(part.colour)].rgb)
        lines += [f"v {x:.3f} {y:.3f} {z:.3f} {rgb}" for x, y, z in part.points.tolist()]
        lines += ["f " + " ".join(str(corner + count) for corner in face) for face in part.faces]
        count += len(part.points)
    return ("\n".join(lines) + "\n").encode()
