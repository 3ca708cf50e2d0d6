"""Files of Studio: zips around a model, closed ones and broken ones told in one line."""

import json
import random
import zipfile
from io import BytesIO

import pytest

from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import from_ldraw
from brickbybrick.export.ldraw_text import MOST_BYTES
from brickbybrick.export.zipped import from_io, to_io

CONTENT = b"0 Model\r\n1 4 40 -24 20 1 0 0 0 1 0 0 0 1 3001.dat\r\n"


def zipped(**files: bytes) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in files.items():
            archive.writestr(name.replace("_", "."), inside)
    return content.getvalue()


def encrypted(content: bytes) -> bytes:
    """The same with the mark of a password at every file, before it and in the table at the end."""
    made = bytearray(content)
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = made.find(sign)
        while at >= 0:
            made[at + flags] |= 1
            at = made.find(sign, at + 1)
    return bytes(made)


def test_a_model_comes_back() -> None:
    content = to_io(CONTENT, 1)
    assert from_io(content) == CONTENT
    assert to_io(CONTENT, 1) == content  # whenever it is written
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["model.ldr", ".info", "errorPartList.err"]
        assert json.loads(archive.read(".info"))["total_parts"] == 1


def test_the_model_among_what_studio_writes() -> None:
    assert from_io(zipped(thumbnail_png=b"PNG", Model_LDR=CONTENT, modelv2_ldr=b"", errorPartList_err=b"")) == CONTENT


def test_a_model_as_studio_writes_it() -> None:
    """Sub-models whose names have no ending and are written in other letters, and a part that its owner drew."""
    turn = "1.000000 0.000000 0.000000 0.000000 1.000000 0.000000 0.000000 0.000000 1.000000"
    model = (
        "0 FILE castle.io\r\n0 Untitled Model\r\n0 Name:  castle\r\n0 Author:  \r\n0 CustomBrick\r\n"
        f"0 NumOfBricks:  4\r\n1 4 40.000000 -24.000000 20.000000 {turn} 3001.dat\r\n"
        f"1 1 40.000000 -24.000000 20.000000 {turn} own.dat\r\n"
        f"1 2 0.000000 -24.000000 0.000000 {turn} submodel group 1\r\n0 STEP\r\n0 NOFILE\r\n"
        f"0 FILE SubModel Group 1\r\n0 SubModel Group 1\r\n1 14 20.000000 -8.000000 10.000000 {turn} 3023.dat\r\n"
        f"1 16 60.000000 -8.000000 10.000000 {turn} 3023.dat\r\n0 NOFILE\r\n"
    ).encode()
    own = b"0 Own part\r\n4 16 -30 0 -10 30 0 -10 30 -24 10 -30 -24 10\r\n"
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("model.ldr", model)
        archive.writestr("CustomParts/own.dat", own)
        archive.writestr("CustomParts/connectivity/own.conn", b"<Connectivity/>")
    read = from_ldraw(from_io(content.getvalue()))
    assert read.target == "Untitled Model"
    assert [(brick.part, brick.x, brick.z, brick.colour) for brick in read.bricks] == [
        ("2x4", 0, 0, 4),
        ("plate 1x2", 0, 3, 14),
        ("plate 1x2", 2, 3, 2),
    ]
    assert [(other.name, other.size) for other in read.others] == [("own.dat", (3, 1, 3))]
    assert read.notes == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no file of Studio"),
        (CONTENT, "no file of Studio"),
        (zipped(other_ldr=CONTENT), "no model.ldr in it"),
        (encrypted(to_io(CONTENT, 1)), "encrypted, as Studio did before version 2.23.10: open it in a newer one"),
        (zipped(model_ldr=b" " * (MOST_BYTES + 1)), "more than 10 MB"),
        (to_io(CONTENT, 1)[:-30], "no file of Studio"),
    ],
)
def test_what_cannot_be_opened(content: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        from_io(content)


def test_damaged_files_are_read_or_refused() -> None:
    chance, content = random.Random(0), to_io(CONTENT * 50, 50)
    problems = set()
    for _ in range(2000):
        damaged = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            from_io(bytes(damaged))
        except InputError as error:
            problems.add(str(error))
    assert 1 < len(problems) < 6  # each of them a sentence of ours
