"""Files that a user names are read if they are plain files and not too large; ours are written whole or not at all."""

import os
from pathlib import Path

import pytest

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.files import files_ending, opened, parsed_json, read_file, write_whole
from brickbybrick.targets import meshes
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


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    write_whole(path, b"old")

    def full_disk(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:1])
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(InputError, match="no space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_folders_on_the_way_to_a_file_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "new" / "folder" / "a", b"content")
    assert (tmp_path / "new" / "folder" / "a").read_bytes() == b"content"
    with pytest.raises(InputError, match="b: cannot be written"):
        write_whole(tmp_path / "new" / "folder" / "a" / "b", b"a file is no folder")


def test_a_folder_is_listed_by_name(tmp_path: Path) -> None:
    for name in ("b.OFF", "a.stl", "c.glb", "._a.stl", "notes.txt", "d.ply", "e.obj"):
        (tmp_path / name).touch()
    assert [path.name for path in files_ending(tmp_path, meshes.ENDINGS)] == [
        "a.stl",
        "b.OFF",
        "c.glb",
        "d.ply",
        "e.obj",
    ]
    (tmp_path / "empty").mkdir()
    assert files_ending(tmp_path / "empty", meshes.ENDINGS) == []
    with pytest.raises(InputError, match="no such folder"):
        files_ending(tmp_path / "absent", meshes.ENDINGS)
