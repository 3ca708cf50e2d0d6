"""OBJ files, of which only points and faces are read: groups, materials and other files make no difference."""

import re
from array import array
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Surface = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]  # points (vertex, 3) and triangles (face, 3)

CONTINUED = re.compile(rb"\\[ \t\r]*\n")  # a line that goes on in the next
LINE = re.compile(rb"^[ \t]*(v|f)[ \t]+([^\n#]*)", re.MULTILINE)


def read_obj(data: bytes) -> Surface:
    """The surface that the text of an OBJ file describes; a ValueError if a line of it makes no sense.

    Polygons are cut into fans of triangles.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if b"\\" in text:
        text = CONTINUED.sub(b" ", text)
    points, faces = array("d"), array("q")  # a tenth of what lists of numbers take
    for line in LINE.finditer(text):
        words = line[2].split()
        if line[1] == b"v":
            x, y, z, *_ = map(float, words)
            points.extend((x, y, z))
        else:
            count = len(points) // 3
            corners = [int(word.partition(b"/")[0]) for word in words]
            if len(corners) < 3 or 0 in corners:
                raise ValueError("a face of fewer than three corners")
            # They count from 1; those below 0 back from the last point so far.
            corners = [corner - 1 if corner > 0 else count + corner for corner in corners]
            for pair in pairwise(corners[1:]):
                faces.extend((corners[0], *pair))
    vertices = np.frombuffer(points, np.float64).reshape(-1, 3)
    return vertices, np.frombuffer(faces, np.int64).reshape(-1, 3)
