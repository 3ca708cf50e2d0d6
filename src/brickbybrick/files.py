"""Files: written whole or not at all."""

import contextlib
import os
from pathlib import Path

from brickbybrick.errors import InputError


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
