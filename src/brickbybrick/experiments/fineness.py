"""What finer parts bring: each mesh is built with one choice of parts after the other, and measured against itself."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np

from brickbybrick.building import build_wanted
from brickbybrick.errors import InputError
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.judging.fidelity import fidelity
from brickbybrick.order import Order, Parts
from brickbybrick.targets import meshes
from brickbybrick.targets.inputs import wanted_mesh, where_it_lies
from brickbybrick.targets.surface import Mesh

AROUND = 96  # corners of what is turned
COARSEST: Parts = "bricks"  # what the others are compared with
HEAD = ("mesh", "parts of", "parts", "distance, mm", "of bricks", "IoU", "joined", "stands", "CPU s", "seconds")


@dataclass(frozen=True)
class Built:
    """One mesh, built with one choice of parts."""

    mesh: str
    kinds: Parts
    parts: int
    distance: float  # millimetres between the surfaces of the model and the mesh
    ratio: float | None  # of that to the distance with bricks alone; None if these were not built
    iou: float  # with the mesh, on a finer grid
    joined: bool
    insertable: bool
    stands: bool | None
    steady: bool | None  # it also stands when touched
    cpu_seconds: float  # from the mesh to the verdict, on all cores together
    seconds: float

    def record(self) -> dict[str, Any]:
        return asdict(self)


def usual_meshes() -> dict[str, Mesh]:
    """A ball, two cones and a torus, for who has no meshes at hand."""
    turns = [2 * pi * step / AROUND for step in range(AROUND)]
    ring = [(2.0 + 0.8 * cos(turn), 0.8 * sin(turn)) for turn in turns]
    half = [(sin(turn / 2), -cos(turn / 2)) for turn in turns[1:]]
    return {
        "ball": _turned([(0.0, -1.0), *half, (0.0, 1.0)], "ball"),
        "cone": _turned([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], "cone"),
        "steep cone": _turned([(0.0, 0.0), (1.0, 0.0), (0.0, 2.0)], "steep cone"),
        "torus": _turned([*ring, ring[0]], "torus"),
    }


def _turned(outline: Sequence[tuple[float, float]], name: str) -> Mesh:
    """A closed body whose outline, radii and heights from below outwards and up, is turned about an upright axis."""
    turns = np.arange(AROUND) * 2 * pi / AROUND
    radii, heights = np.array(outline).T
    up = np.broadcast_to(heights[:, None], (len(heights), AROUND))
    points = np.stack([np.outer(radii, np.cos(turns)), np.outer(radii, np.sin(turns)), up], axis=2)  # (ring, turn, 3)
    a, b = points, np.roll(points, -1, axis=1)
    one, other = np.stack([a[:-1], b[:-1], b[1:]], axis=2), np.stack([a[:-1], b[1:], a[1:]], axis=2)
    triangles = np.concatenate([one, other]).reshape(-1, 3, 3)
    across, along = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    triangles = triangles[np.linalg.norm(np.cross(across, along), axis=1) > 0]  # at the axis one of two has no area
    return Mesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), name)


def named_meshes(paths: Iterable[Path]) -> dict[str, Mesh]:
    """The meshes of files and folders by their names; the usual ones if there are none."""
    found = {}
    for path in paths:
        for file in meshes_of(path):
            found[file.stem if file.stem not in found else str(file)] = meshes.read_mesh(file)
    return found or usual_meshes()


def meshes_of(path: Path) -> list[Path]:
    """A mesh's file itself, or all of a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    some = sorted(file for file in path.iterdir() if file.suffix.lower() in meshes.ENDINGS)
    if not some:
        raise InputError(f"{path}: no meshes in this folder; give one with files of {', '.join(meshes.ENDINGS)}")
    return some


def measured(name: str, mesh: Mesh, order: Order) -> Built:
    """Builds a mesh and measures the model against it."""
    wall, cpu = time.perf_counter(), time.process_time()
    wanted = wanted_mesh(name, mesh, order.reading)
    made = build_wanted([wanted], order)[0]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    built, verdict = made.construction, made.verdict
    found = fidelity(built, mesh, where_it_lies(mesh, wanted))
    return Built(
        mesh=name,
        kinds=order.kinds,
        parts=len(built.bricks),
        distance=found.distance,
        ratio=None,
        iou=found.iou,
        joined=verdict.joined,
        insertable=verdict.insertable,
        stands=verdict.stands,
        steady=verdict.steady,
        cpu_seconds=cpu,
        seconds=wall,
    )


def all_measured(
    found: dict[str, Mesh], orders: Sequence[Order], tell: Callable[[str], None] = lambda _: None
) -> list[Built]:
    """Builds every mesh with every order, bricks alone first where they are among them."""
    orders = sorted(orders, key=lambda order: order.parts != COARSEST)
    tell("a small ball first, so that everything is compiled")
    for order in orders:
        measured("ball", usual_meshes()["ball"], replace(order, size=6))
    rows = []
    for name, mesh in found.items():
        coarsest = None
        for order in orders:
            tell(f"{name} with {order.parts}")
            row = measured(name, mesh, order)
            coarsest = row.distance if order.parts == COARSEST else coarsest
            rows.append(row if coarsest is None else replace(row, ratio=row.distance / coarsest))
    return rows


def as_table(rows: Sequence[Built]) -> str:
    """Measurements as a table of Markdown, with the mean of all meshes below if there are several."""
    return markdown_table(HEAD, [*(_cells(row) for row in rows), *_means(rows)])


def _cells(row: Built) -> list[str]:
    stands = {True: "yes", False: "until touched" if row.stands else "no", None: "not known"}[row.steady]
    return [
        row.mesh,
        row.kinds,
        f"{row.parts:,}",
        f"{row.distance:.2f}",
        "-" if row.ratio is None else f"{100 * row.ratio:.0f} %",
        f"{row.iou:.3f}",
        "yes" if row.joined and row.insertable else "not by hand" if row.joined else "no",
        stands,
        f"{row.cpu_seconds:.1f}",
        f"{row.seconds:.1f}",
    ]


def _means(rows: Sequence[Built]) -> Iterator[list[str]]:
    """A row for each choice of parts: sums of parts and seconds, means of the others, and how many stand."""
    for kinds in dict.fromkeys(row.kinds for row in rows):
        some = [row for row in rows if row.kinds == kinds]
        if len(some) < 2:
            return
        ratios = [row.ratio for row in some if row.ratio is not None]
        yield [
            f"all {len(some)}",
            kinds,
            f"{sum(row.parts for row in some):,}",
            f"{np.mean([row.distance for row in some]):.2f}",
            f"{100 * np.mean(ratios):.0f} %" if ratios else "-",
            f"{np.mean([row.iou for row in some]):.3f}",
            f"{sum(row.joined and row.insertable for row in some)}",
            f"{sum(row.steady is True for row in some)}",
            f"{sum(row.cpu_seconds for row in some):.1f}",
            f"{sum(row.seconds for row in some):.1f}",
        ]
