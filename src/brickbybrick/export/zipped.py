"""Studio's .io files: a zip around an LDraw model with its sub-models, parts that its owner drew, and a line about it.

Studio 2.23.10 and later write them without a password. Earlier ones were encrypted, and stay closed here: newer
versions of Studio open them and save them in the open.
"""

import json
import zipfile
import zlib
from io import BytesIO

from brickbybrick.errors import InputError
from brickbybrick.export.ldraw_text import MOST_BYTES

MODEL, OWN_PARTS = "model.ldr", "customparts/"
VERSION = "2.23.10_1"  # of Studio, the first whose files are as ours
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment of zip files, so that equal models are equal files
MOST_FILES = 10_000


def to_io(model: bytes, parts: int) -> bytes:
    """The content of an .io file around that of an .mpd file with so many parts."""
    about = json.dumps({"version": VERSION, "total_parts": parts}).encode()
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in ((MODEL, model), (".info", about), ("errorPartList.err", b"[]")):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, inside)
    return content.getvalue()


def from_io(content: bytes) -> bytes:
    """The LDraw model in an .io file, with the parts that its owner drew behind it."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return _model(archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("no file of Studio, or a damaged one: save the model again") from error


def _model(archive: zipfile.ZipFile) -> bytes:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise InputError(f"more than {MOST_FILES} files in it: save the model again")
    entry = next((each for each in entries if each.filename.lower() == MODEL), None)
    if entry is None:
        raise InputError(f"no {MODEL} in it: is it a file of Studio?")
    drawn = [each for each in entries if each.filename.lower().startswith(OWN_PARTS) and each.filename.endswith(".dat")]
    if sum(each.file_size for each in (entry, *drawn)) > MOST_BYTES:
        raise InputError(f"a model of more than {MOST_BYTES // 1_000_000} MB in it: give a smaller one")
    parts = [_named(_read(archive, each), each.filename) for each in drawn]
    return b"\r\n".join([_read(archive, entry), *parts])


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.flag_bits & 1:
        raise InputError("encrypted, as Studio did before version 2.23.10: open it in a newer one and save it again")
    with archive.open(entry) as file:
        return file.read(MOST_BYTES + 1)


def _named(part: bytes, path: str) -> bytes:
    """A part as one of several in a file."""
    name = path.rpartition("/")[2].encode(errors="replace")
    return part if part.lstrip().startswith(b"0 FILE") else b"0 FILE " + name + b"\r\n" + part
