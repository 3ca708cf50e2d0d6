"""b3 check and b3 export of what other programs wrote."""

import json
from pathlib import Path

from command_line import b3, refusal
from export import assembled

from brickbybrick.export.models import read_model
from brickbybrick.export.mpd import to_mpd
from brickbybrick.export.zipped import to_io


def test_files_of_other_programs_are_judged_as_far_as_they_are_known(tmp_path: Path) -> None:
    """A table whose legs are built apart, with a cone on it: by its sub-models, and exported as everything."""
    model, work = assembled.table()
    content = to_mpd(model, work).replace(b"0 NOFILE", b"1 47 80 -152 80 1 0 0 0 1 0 0 0 1 4589.dat\r\n0 NOFILE", 1)
    (tmp_path / "table.mpd").write_bytes(content)
    (tmp_path / "table.io").write_bytes(to_io(content, 20))
    for name in ("table.mpd", "table.io"):
        said = b3("check", str(tmp_path / name)).stdout
        assert "1 part is not judged, and all else as if there were no such parts: 4589." in said
        assert "not in the order" not in said
        told = json.loads(b3("check", str(tmp_path / name), "--json").stdout)
        assert (told["bricks"], told["insertable_as_placed"], told["not_judged"]) == (19, True, {"4589": 1})
    kinds = ("mpd", "io", "ldr", "json", "png", "glb", "svg", "csv", "xml")
    written = tuple(tmp_path / f"again.{kind}" for kind in kinds)
    b3("export", str(tmp_path / "table.io"), "--to", *map(str, written))
    places = [
        sorted((brick.part, brick.pose, brick.colour) for brick in read_model(path).bricks) for path in written[:4]
    ]
    assert all(found == places[0] for found in places)
    assert [len(read_model(path).others) for path in written[:4]] == [1] * 4


def test_an_encrypted_file_of_studio_is_told_in_one_line(tmp_path: Path) -> None:
    closed = bytearray(to_io(b"", 0))
    closed[6] |= 1
    closed[closed.find(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "old.io").write_bytes(closed)
    assert "old.io: encrypted, as Studio did before version 2.23.10" in refusal("check", str(tmp_path / "old.io"))
