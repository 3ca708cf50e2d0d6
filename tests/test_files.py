"""Files that a user names are read if they are plain files, and not too large."""

import os
from pathlib import Path

import pytest

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.files import opened, parsed_json, read_file
from brickbybrick.targets.images import read_picture
from brickbybrick.targets.meshes import read_mesh


def test_a_file_is_read_whole_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(bytes(1000))
    assert read_file(path, 1000) == bytes(1000)
    with pytest.raises(InputError, match="a: larger than 999 bytes"):
        read_file(path, 999)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused_at_once(tmp_path: Path) -> None:
    for name in ("a.json", "a.png", "a.off", "a.glb"):
        os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match=r"a\.json: cannot be read: it is a pipe"):
        Construction.load(tmp_path / "a.json")
    with pytest.raises(InputError, match="a pipe"):
        read_picture(tmp_path / "a.png")
    for name in ("a.off", "a.glb"):
        with pytest.raises(InputError, match="a pipe"):
            read_mesh(tmp_path / name)


def test_a_folder_a_device_and_nothing_are_refused(tmp_path: Path) -> None:
    for path, what in ((tmp_path, "a folder"), (Path(os.devnull), "a device"), (tmp_path / "b", "No such file")):
        with pytest.raises(InputError, match=what), opened(path):
            pass


@pytest.mark.parametrize("text", ["", "NaN", "[Infinity]", "[" * 100_000, "1" * 5_000, b"\xff\xff\xff"])
def test_what_is_no_json(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of them
        parsed_json(text)
