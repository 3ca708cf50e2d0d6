"""Small things to build, made by the tests themselves, and a studio that really listens."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
import uvicorn

from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.server import create_app, warm_up
from brickbybrick.targets.target import TargetSet, target_of_image, target_of_voxels


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


@pytest.fixture(scope="session")
def modelnet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder laid out as ModelNet40 is, with boxes for airplanes."""
    folder = tmp_path_factory.mktemp("modelnet")
    for number in range(6):
        split = "train" if number < 4 else "test"
        write_box(folder / "ModelNet40/airplane" / split / f"airplane_{number:04d}.off", (14, 2 + 2 * number, 2))
    return folder


@pytest.fixture(scope="session")
def flat_targets() -> TargetSet:
    """A square, a ring and a diagonal stroke."""
    square = np.zeros((14, 14), bool)
    square[4:10, 4:10] = True
    ring = square.copy()
    ring[6:8, 6:8] = False
    stroke = np.eye(14, dtype=bool) | np.eye(14, k=1, dtype=bool)
    images = {"square": square, "ring": ring, "stroke": stroke}
    return TargetSet(tuple(target_of_image(name, image) for name, image in images.items()))


@pytest.fixture(scope="session")
def solid_targets() -> TargetSet:
    """A slab, a table with four legs and a staircase."""
    slab = np.zeros((14, 14, 14), bool)
    slab[2:10, 3:11, 0:2] = True
    table = np.zeros((14, 14, 14), bool)
    table[1:13, 1:13, 6:8] = True
    for x in (1, 11):
        for y in (1, 11):
            table[x : x + 2, y : y + 2, :6] = True
    stairs = np.zeros((14, 14, 14), bool)
    for step in range(6):
        stairs[2 * step : 2 * step + 2, 3:9, : step + 1] = True
    solids = {"slab": slab, "table": table, "stairs": stairs}
    return TargetSet(tuple(target_of_voxels(name, voxels) for name, voxels in solids.items()))


@pytest.fixture(scope="session")
def studio() -> Studio:
    made = Studio()
    warm_up(made)
    return made


@contextmanager
def listening(studio: Studio) -> Iterator[str]:
    """The address of a server."""
    server = uvicorn.Server(uvicorn.Config(create_app(studio), port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def address(studio: Studio) -> Iterator[str]:
    with listening(studio) as address:
        yield address


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client
