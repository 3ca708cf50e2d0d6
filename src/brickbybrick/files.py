"""Files: written whole or not at all; those that a user names are read up to a limit, and only if they are plain ones.

A named pipe would be waited for without end, and a device may never end. What the bytes mean is left to the reader of
each kind of file; `parsed_json` is here because four kinds hold JSON.
"""

import contextlib
import json
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

from brickbybrick.errors import InputError

# Opening a pipe must not wait for its other end; Windows has no such pipes, but reads text unless told otherwise.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A plain file, open for reading; whatever is wrong with it, then or later, is one line that names it."""
    try:
        descriptor = os.open(path, FLAGS)
        kind = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(kind):
            os.close(descriptor)
            what = "a folder" if stat.S_ISDIR(kind) else "a pipe or a device"
            raise InputError(f"{path}: cannot be read: it is {what}; give a plain file")
        with open(descriptor, "rb") as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def read_file(path: Path, most: int) -> bytes:
    """What a plain file holds, if that is no more than `most` bytes."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            limit = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most} bytes"
            raise InputError(f"{path}: larger than {limit}; give a smaller file")
        return file.read(size)


def files_ending(folder: Path, endings: Collection[str]) -> list[Path]:
    """The files of a folder with such endings, in the order of their names; none if it holds none."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    # Names that begin with a dot are a system's own notes about the files.
    paths = [path for path in folder.iterdir() if path.suffix.lower() in endings and not path.name.startswith(".")]
    return sorted(paths, key=lambda path: path.name)


def parsed_json(text: str | bytes) -> object:
    """What JSON text says; a ValueError for all that is none, nests too deep or holds numbers without end."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
