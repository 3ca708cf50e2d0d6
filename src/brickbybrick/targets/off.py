"""OFF files, ModelNet's own format: read here, because its files have defects that other readers refuse and because
thousands of them must be read fast."""

import re
from array import array
from io import BytesIO
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.targets.surface import Look, Mesh, checked, damaged, linear

HEADER = re.compile(rb"\s*(C?)OFF\s*(\d{1,12})[ \t]+(\d{1,12})(?:[ \t]+-?\d{1,12})?[ \t]*(?:\n|$)", re.IGNORECASE)
GREY = (204.0, 204.0, 204.0)  # of faces without a colour among coloured ones


def parse_off(data: bytes, name: str) -> Mesh:
    """A mesh from the text of an OFF file, which messages call `name`.

    The counts may be glued to the header, as in `OFF700 664 0`. Polygons are cut into fans of triangles. Colours are
    read after a face's corners, and after a point in files that begin with COFF: three numbers, 0 to 255 or, where any
    has a decimal point, 0 to 1; a fourth for opacity is passed over.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if b"#" in text:
        text = re.sub(rb"#[^\n]*", b"", text)
    header = HEADER.match(text)
    if header is None:
        raise InputError(f"{name}: not an OFF file; it must begin with OFF and the numbers of points and faces")
    points, polygons = int(header[2]), int(header[3])
    text = text[header.end() :]
    try:
        numbers = np.fromstring(text, sep=" ")
    except ValueError:
        numbers = np.empty(0)  # the reading by lines finds out where
    rows = numbers[3 * points :]
    if not header[1] and len(numbers) == 3 * points + 4 * polygons and (rows[::4] == 3).all():
        faces = rows.reshape(-1, 4)[:, 1:]
        return checked(Mesh(numbers[: 3 * points].reshape(-1, 3), np.empty((0, 3), np.int64), name), faces)
    return _parse_lines(text, points, polygons, bool(header[1]), name)


def _parse_lines(text: bytes, points: int, polygons: int, coloured: bool, name: str) -> Mesh:
    """The same for polygons, colours and mistakes: one point or face a line."""
    lines = sum(not line.isspace() for line in BytesIO(text))
    if lines != points + polygons:
        raise InputError(
            f"{name}: announces {points} points and {polygons} faces but has {lines} lines of them; "
            "it was cut short or damaged: fetch it again"
        )
    vertices, faces = array("d"), array("d")  # a tenth of what lists of numbers take
    of_points, of_faces = array("f"), array("f")
    some = False
    try:
        for number, line in enumerate(line for line in BytesIO(text) if not line.isspace()):
            if number < points:
                words = line.split()
                x, y, z = map(float, words[:3] if coloured else words)
                vertices.extend((x, y, z))
                if coloured:
                    of_points.extend(_colour(words[3:]) or GREY)
            else:
                count, *words = line.split()
                corners = [float(corner) for corner in words[: int(count)]]
                if not 3 <= int(count) == len(corners):
                    raise ValueError
                colour = _colour(words[int(count) :])
                some = some or colour is not None
                for pair in pairwise(corners[1:]):
                    faces.extend((corners[0], *pair))
                    of_faces.extend(colour or GREY)
    except ValueError:
        damaged(name, "a line that is neither a point of three numbers nor a face of three or more corners")
    bare = Mesh(np.array(vertices).reshape(-1, 3), np.empty((0, 3), np.int64), name)
    mesh = checked(bare, np.array(faces).reshape(-1, 3))
    if not some and not coloured:
        return mesh
    corners_of = (
        np.repeat(np.array(of_faces, np.float32).reshape(-1, 1, 3), 3, axis=1)
        if some
        else np.array(of_points, np.float32).reshape(-1, 3)[mesh.faces]
    )
    return Mesh(mesh.vertices, mesh.faces, name, Look(_in_range(corners_of)))


def _colour(words: list[bytes]) -> tuple[float, float, float] | None:
    """The colour that the words after a point or a face give, if it is one, in sRGB, 0 to 255."""
    if len(words) not in (3, 4):
        return None  # none, or the number of a colour in a table that is not there
    try:
        red, green, blue = (float(word) for word in words[:3])
    except ValueError:
        return None
    scale = 255.0 if any(b"." in word for word in words) and max(red, green, blue) <= 1 else 1.0
    return red * scale, green * scale, blue * scale


def _in_range(colours: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return linear(np.nan_to_num(colours).clip(0, 255))
