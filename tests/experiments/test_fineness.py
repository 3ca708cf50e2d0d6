"""What finer parts bring, measured on meshes: the bodies that are made here, and the table."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from meshes import box, write_box

from brickbybrick.errors import InputError
from brickbybrick.experiments.fineness import (
    Built,
    all_measured,
    as_table,
    measured,
    named_meshes,
    usual_meshes,
)
from brickbybrick.order import Order
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.voxelising import open_edges

VOLUMES = {"ball": 4 / 3 * np.pi, "cone": np.pi / 3, "steep cone": 2 / 3 * np.pi, "torus": 2 * np.pi**2 * 2 * 0.8**2}


def volume(mesh: Mesh) -> float:
    """By the boxes that faces which look outwards span with the origin."""
    first, second, third = mesh.vertices[mesh.faces].swapaxes(0, 1)
    return float(np.einsum("fa,fa->", first, np.cross(second, third)) / 6)


@pytest.mark.parametrize("name", VOLUMES)
def test_the_usual_meshes_are_closed_and_look_outwards(name: str) -> None:
    mesh = usual_meshes()[name]
    assert open_edges(mesh) == 0
    assert volume(mesh) == pytest.approx(VOLUMES[name], rel=0.01)


def test_a_box_of_whole_bricks_is_built_as_it_is(tmp_path: Path) -> None:
    write_box(tmp_path / "box.off", (8, 4, 4.8))
    ((name, mesh),) = named_meshes([tmp_path]).items()
    row = measured(name, mesh, Order(size=8, parts="bricks"))
    assert (row.mesh, row.kinds, row.ratio) == ("box", "bricks", None)
    assert row.distance < 0.01
    assert row.iou == pytest.approx(1)
    assert all((row.joined, row.insertable, row.stands, row.steady))
    assert row.parts >= 8 * 4 * 4 / 8


def test_a_low_box_takes_plates() -> None:
    """Five plates high, of which bricks make six."""
    low = box((0, 0, 0), (8, 8, 2))
    bricks, plates = all_measured({"low": low}, [Order(size=8, parts="plates"), Order(size=8, parts="bricks")])
    assert (bricks.kinds, plates.kinds) == ("bricks", "plates")
    assert bricks.iou == pytest.approx(5 / 6)
    assert bricks.ratio == 1
    assert (plates.ratio or 1) < 0.01
    assert plates.iou == pytest.approx(1)


ROW = Built("ball", "bricks", 1234, 2.0, 1.0, 0.9, True, True, True, True, 1.0, 2.0)


def test_a_table_ends_with_means() -> None:
    finer = replace(ROW, kinds="plates", distance=1.0, ratio=0.5, stands=None, steady=None)
    cone = replace(ROW, mesh="cone", distance=4.0, stands=False, steady=False, joined=False)
    lines = as_table([ROW, finer, cone, replace(finer, mesh="cone", ratio=0.3)]).splitlines()
    assert lines[2] == "| ball | bricks | 1,234 | 2.00 | 100 % | 0.900 | yes | yes | 1.0 | 2.0 |"
    assert lines[3] == "| ball | plates | 1,234 | 1.00 | 50 % | 0.900 | yes | not known | 1.0 | 2.0 |"
    assert lines[4] == "| cone | bricks | 1,234 | 4.00 | 100 % | 0.900 | no | no | 1.0 | 2.0 |"
    assert lines[6] == "| all 2 | bricks | 2,468 | 3.00 | 100 % | 0.900 | 1 | 1 | 2.0 | 4.0 |"
    assert lines[7] == "| all 2 | plates | 2,468 | 1.00 | 40 % | 0.900 | 2 | 0 | 2.0 | 4.0 |"


def test_a_folder_without_meshes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no meshes in this folder"):
        named_meshes([tmp_path])
