"""Small things to build, made by the tests themselves."""

from pathlib import Path

import numpy as np
import pytest
from meshes import write_box

from brickbybrick.targets.target import TargetSet, target_of_image, target_of_voxels


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several processes share the tests, one of them has all of a file, unless tests say whom they go with."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))


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
