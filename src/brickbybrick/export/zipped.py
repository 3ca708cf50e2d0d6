"""Studio's .io files: a zip around an LDraw model with its sub-models, and a line about it.

Studio 2.23.10 and later write them without a password. Earlier ones were encrypted, and stay closed here: newer
versions of Studio open them and save them in the open.
"""

import json
import zipfile
import zlib
from io import BytesIO

from brickbybrick.errors import InputError
from brickbybrick.export.ldraw_text import MOST_BYTES

MODEL, INFO = "model.ldr", ".INFO"
VERSION = "2.23.10_1"  # of Studio, the first whose files are as ours
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment of zip files, so that equal models are equal files
MOST_FILES = 10_000


def to_io(model: bytes, parts: int) -> bytes:
    """The content of an .io file around that of an .mpd file with so many parts."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in ((MODEL, model), (INFO, json.dumps({"version": VERSION, "total_parts": parts}).encode())):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, inside)
    return content.getvalue()


def from_io(content: bytes) -> bytes:
    """The LDraw model in an .io file."""
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
    if entry.flag_bits & 1:
        raise InputError("encrypted, as Studio did before version 2.23.10: open it in a newer one and save it again")
    if entry.file_size > MOST_BYTES:
        raise InputError(f"a model of more than {MOST_BYTES // 1_000_000} MB in it: give a smaller one")
    with archive.open(entry) as file:
        return file.read(MOST_BYTES + 1)
