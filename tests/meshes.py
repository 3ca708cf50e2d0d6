"""Meshes made by the tests themselves."""

from pathlib import Path

import numpy as np

from brickbybrick.targets.surface import Mesh

SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def write_box(path: Path, sides: tuple[float, float, float]) -> None:
    """An OFF mesh of a box, made of twelve triangles."""
    corners = [(x * sides[0], y * sides[1], z * sides[2]) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    triangles = [(a, b, c) for a, b, c, _ in SQUARES] + [(a, c, d) for a, _, c, d in SQUARES]
    lines = ["OFF", f"{len(corners)} {len(triangles)} 0"]
    lines += [" ".join(map(str, corner)) for corner in corners]
    lines += [f"3 {a} {b} {c}" for a, b, c in triangles]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def box(low: tuple[float, float, float], high: tuple[float, float, float], squares: int = 6) -> Mesh:
    """A box from corner to corner, or the first squares of it."""
    corners = np.array(
        [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )
    faces = [triangle for a, b, c, d in SQUARES[:squares] for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners.astype(float), np.array(faces))
