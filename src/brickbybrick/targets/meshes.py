"""Mesh files: OFF, OBJ and GLB are read by modules of their own, because small files of them can claim or take without
end; STL and PLY are left to trimesh."""

import logging
import re
import warnings
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np

from brickbybrick.errors import InputError, how_to_install
from brickbybrick.files import read_file
from brickbybrick.targets.glb import read_glb
from brickbybrick.targets.obj import Beside, files_beside, read_obj
from brickbybrick.targets.off import parse_off
from brickbybrick.targets.surface import MOST_FACES, Look, Mesh, checked, linear

ENDINGS = (".off", ".stl", ".obj", ".ply", ".glb")
MOST_BYTES = 500_000_000  # of one file

SOLID = re.compile(rb"^[ \t]*(?:end)?solid\b[^\n]*", re.MULTILINE | re.IGNORECASE)
PLY_COUNT = re.compile(rb"^[ \t]*element[ \t]+\S+[ \t]+(\d{1,18})", re.MULTILINE)
PLY_EDGES = re.compile(rb"\belement[ \t]+edge\b")  # trimesh would make a path of them

# What it remarks on damaged files is not for users.
logging.getLogger("trimesh").addHandler(logging.NullHandler())


def read_mesh(path: Path) -> Mesh:
    """A mesh from an OFF, STL, OBJ, PLY or GLB file, with the materials and pictures that lie beside an OBJ.

    GLB files have y up by their standard and are turned; the others are taken as they are, with z up.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{path}: not a mesh; give an OFF, STL, OBJ, PLY or GLB file")
    return decoded_mesh(read_file(path, MOST_BYTES), ending, str(path), files_beside(path))


def decoded_mesh(data: bytes, ending: str, name: str, beside: Beside | None = None) -> Mesh:
    """The mesh that a file holds.

    Args:
        data: The file.
        ending: The kind of it, one of `ENDINGS`.
        name: What messages call it.
        beside: How to read the files beside it, or None if there are none.
    """
    if ending == ".off":
        return parse_off(data, name)
    kind = ending[1:].upper()
    try:
        # What is no number after all is found among the points, and warnings about it are not for users.
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if ending == ".glb":
                mesh = read_glb(data, MOST_FACES)
                mesh = replace(mesh, vertices=mesh.vertices[:, [0, 2, 1]] * [1, -1, 1])
            elif ending == ".obj":
                mesh = read_obj(data, beside)
            else:
                mesh = _read_with_trimesh(data, ending[1:])
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    except Exception as error:  # damaged files make readers raise many kinds
        raise InputError(f"{name}: not a whole {kind} mesh; export it again") from error
    return checked(replace(mesh, name=name))


def _read_with_trimesh(data: bytes, kind: str) -> Mesh:
    try:
        import trimesh
    except ImportError as error:
        raise InputError(f"{kind.upper()} files need trimesh: {how_to_install('trimesh')}") from error
    plain = plain_stl(data) if kind == "stl" else plain_ply(data)
    # Without a path, so that a file cannot make it read others.
    mesh = trimesh.load_scene(BytesIO(plain), file_type=kind, process=False).to_mesh()
    vertices, faces = np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)
    look = None
    if kind == "ply" and mesh.visual.kind == "vertex" and len(mesh.visual.vertex_colors) == len(vertices):
        look = Look(linear(np.asarray(mesh.visual.vertex_colors, np.uint8)[:, :3])[faces])
    elif kind == "ply" and mesh.visual.kind == "face" and len(mesh.visual.face_colors) == len(faces):
        colours = linear(np.asarray(mesh.visual.face_colors, np.uint8)[:, :3])
        look = Look(np.repeat(colours[:, None], 3, axis=1))
    return Mesh(vertices, faces, look=look)


def plain_stl(data: bytes) -> bytes:
    """An STL file as one solid: each of thousands would become a mesh of its own, which takes minutes."""
    faces = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * faces:
        return data  # binary, where there is but one
    if not SOLID.search(data):
        raise ValueError("neither text nor as long as announced")
    return b"solid\n" + SOLID.sub(b"", data) + b"\nendsolid\n"


def plain_ply(data: bytes) -> bytes:
    """A PLY file whose header claims no more rows than it has bytes, without what is neither points nor faces."""
    header, end, body = data.partition(b"end_header")
    if not end or sum(int(count) for count in PLY_COUNT.findall(header)) > len(body):
        raise ValueError("more is announced than there is")
    return PLY_EDGES.sub(b"element other", header) + end + body
