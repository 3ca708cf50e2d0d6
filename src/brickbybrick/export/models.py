"""Models in files: ours, LDraw's and Studio's, told apart by the endings of their names.

Whoever is given a file with a model reads it here, so that all of the program takes the same kinds of files.
"""

from pathlib import Path

from brickbybrick.construction import MOST_BYTES as MOST_BYTES_OF_OURS
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import MOST_BYTES, from_ldraw
from brickbybrick.export.zipped import from_io
from brickbybrick.files import read_file

LDRAW = (".ldr", ".mpd", ".dat")
STUDIO = ".io"
OURS = ".json"
ENDINGS = (*LDRAW, STUDIO, OURS)


def read_model(path: Path) -> Construction:
    """The model in a file; whatever is wrong with it is one line that names the file."""
    most = MOST_BYTES if _ending(path.name) in LDRAW else MOST_BYTES_OF_OURS
    return model_in(str(path), read_file(path, most))


def model_in(name: str, content: bytes) -> Construction:
    """The model that a file of that name holds; what has no ending of a model is taken for one of ours."""
    try:
        if _ending(name) in LDRAW:
            return from_ldraw(content)
        if _ending(name) == STUDIO:
            return from_ldraw(from_io(content))
        return Construction.from_json(content)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def _ending(name: str) -> str:
    return Path(name).suffix.lower()
