"""A file with a model is read as what its name says, and what is wrong with it is told with its name."""

from pathlib import Path

import pytest

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.export.models import read_model
from brickbybrick.geometry.brick import BRICK_2X4

TOWER = Construction.of_poses(BRICK_2X4, [(0, 0, z, z % 2) for z in range(4)], target="tower", builder="me")


@pytest.mark.parametrize("name", ["a.json", "a.JSON", "a.ldr", "a.LDR", "a.mpd", "a.dat", "no ending"])
def test_models_of_each_kind(name: str, tmp_path: Path) -> None:
    content = TOWER.to_json().encode() if "json" in name.lower() or "." not in name else to_ldraw(TOWER)
    (tmp_path / name).write_bytes(content)
    assert read_model(tmp_path / name) == TOWER


@pytest.mark.parametrize("name", ["a.json", "a.ldr", "missing.ldr"])
def test_what_is_wrong_is_told_with_the_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "a.ldr").write_text("hello")
    with pytest.raises(InputError, match=name):
        read_model(tmp_path / name)
