"""Meshes made by the tests themselves."""

from pathlib import Path


def write_box(path: Path, sides: tuple[float, float, float]) -> None:
    """An OFF mesh of a box, made of twelve triangles."""
    corners = [(x * sides[0], y * sides[1], z * sides[2]) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [(a, b, c) for a, b, c, _ in squares] + [(a, c, d) for a, _, c, d in squares]
    lines = ["OFF", f"{len(corners)} {len(triangles)} 0"]
    lines += [" ".join(map(str, corner)) for corner in corners]
    lines += [f"3 {a} {b} {c}" for a, b, c in triangles]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
