"""Files of Studio: zips around a model, closed ones and broken ones told in one line."""

import json
import random
import zipfile
from io import BytesIO

import pytest

from brickbybrick.errors import InputError
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
        assert archive.namelist() == ["model.ldr", ".INFO"]
        assert json.loads(archive.read(".INFO"))["total_parts"] == 1


def test_the_model_among_what_studio_writes() -> None:
    assert from_io(zipped(thumbnail_png=b"PNG", Model_LDR=CONTENT, modelv2_ldr=b"", errorPartList_err=b"")) == CONTENT


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
