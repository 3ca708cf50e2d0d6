"""OBJ files and the materials and pictures beside them.

They are read here, because small files of them can take without end. A file may name others: these are followed only
to plain files in its own folder or below it, and what cannot be had is left out with a note.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.files import read_file
from brickbybrick.targets import images
from brickbybrick.targets.surface import CLAMP, REPEAT, Look, Mesh, Pictures, linear

CONTINUED = re.compile(rb"\\[ \t\r]*\n")  # a line that goes on in the next
LINE = re.compile(rb"^[ \t]*(v|vt|f|usemtl|mtllib)[ \t]+([^\n#]*)", re.MULTILINE)
MATERIAL_LINE = re.compile(rb"^[ \t]*(newmtl|Kd|map_Kd)[ \t]+([^\n#]*)", re.MULTILINE | re.IGNORECASE)
MOST_LIBRARIES = 16
MOST_LIBRARY_BYTES = 20_000_000
WORDS_OF_OPTIONS = {b"-mm": 2}  # the others have one, but for those of up to three numbers
NUMBERED_OPTIONS = (b"-s", b"-o", b"-t")

Beside = Callable[[str, int], bytes]  # what a file beside the mesh holds, of a name, if it has at most so many bytes


@dataclass
class Material:
    """What a surface is painted with."""

    colour: tuple[float, float, float] | None = None  # in sRGB, 0 to 1
    picture: str = ""  # a file's name
    wraps: tuple[int, int] = (REPEAT, REPEAT)
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass
class Lines:
    """What the lines of an OBJ file say, in arrays, which take a tenth of what lists of numbers do."""

    points: "array[float]" = field(default_factory=lambda: array("d"))  # x, y, z of each
    colours: "array[float]" = field(default_factory=lambda: array("f"))  # red, green, blue of each point, or -1
    places: "array[float]" = field(default_factory=lambda: array("f"))  # in a texture, across and up
    faces: "array[int]" = field(default_factory=lambda: array("q"))  # three points each
    placed: "array[int]" = field(default_factory=lambda: array("q"))  # the same for places, -1 for none
    painted: "array[int]" = field(default_factory=lambda: array("q"))  # the number of each face's material, or -1
    materials: dict[bytes, int] = field(default_factory=dict)  # by name
    libraries: dict[str, None] = field(default_factory=dict)  # in order, each once


def files_beside(path: Path) -> Beside:
    """A reader of plain files in a file's folder and below it, and of no others."""
    folder = path.parent

    def beside(name: str, most: int) -> bytes:
        parts = name.replace("\\", "/").split("/")
        if not name or "\0" in name or ".." in parts or parts[0] == "" or ":" in parts[0]:
            raise InputError(f"{shown(name)}: not followed, it leads out of the mesh's folder")
        there = folder.joinpath(*parts)
        try:
            inside = there.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError):  # links that lead to each other
            inside = False
        if not inside:
            raise InputError(f"{shown(name)}: not followed, it leads out of the mesh's folder")
        try:
            return read_file(there, most)
        except InputError as error:
            raise InputError(f"{shown(name)}: {str(error).removeprefix(f'{there}: ')}") from error

    return beside


def shown(name: str) -> str:
    """A name from a file, fit for one line of a message."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return plain if len(plain) <= 60 else plain[:57] + "..."


def read_obj(data: bytes, beside: Beside | None = None) -> Mesh:
    """The surface that the text of an OBJ file describes; a ValueError if a line of it makes no sense.

    Polygons are cut into fans of triangles. Where a material has a picture, that alone counts: by its side, programs
    write any colour. Materials come before colours of the points.

    Args:
        data: The file.
        beside: How to read files beside it, or None if there are none.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if b"\\" in text:
        text = CONTINUED.sub(b" ", text)
    lines = _lines(text)
    vertices = np.frombuffer(lines.points, np.float64).reshape(-1, 3)
    faces = np.frombuffer(lines.faces, np.int64).reshape(-1, 3)
    pictures, notes = Pictures(), list[str]()
    look = None
    if not faces.size or (faces.min() >= 0 and faces.max() < len(vertices)):  # else the mesh is refused anyway
        look = _look(lines, faces, _materials(lines, beside, notes), beside, pictures)
    return Mesh(vertices, faces, look=look, notes=(*notes, *pictures.notes()))


def _lines(text: bytes) -> Lines:
    lines = Lines()
    material = -1
    for line in LINE.finditer(text):
        kind, rest = line[1], line[2]
        if kind == b"v":
            x, y, z, *more = map(float, rest.split())
            lines.points.extend((x, y, z))
            lines.colours.extend(more[:3] if len(more) in (3, 4) else (-1, -1, -1))
        elif kind == b"vt":
            across, up, *_ = (*map(float, rest.split()), 0.0, 0.0)
            lines.places.extend((across, up))
        elif kind == b"f":
            _add_face(lines, rest.split(), material)
        elif kind == b"usemtl":
            material = lines.materials.setdefault(rest.strip(), len(lines.materials))
        else:
            lines.libraries[rest.strip().decode(errors="replace")] = None
    return lines


def _add_face(lines: Lines, words: list[bytes], material: int) -> None:
    corners, places = [], []
    for word in words:
        point, _, more = word.partition(b"/")
        corners.append(int(point))
        places.append(int(more.partition(b"/")[0] or 0))
    if len(corners) < 3 or 0 in corners:
        raise ValueError("a face of fewer than three corners")
    # They count from 1; those below 0 back from the last so far.
    points, texture_points = len(lines.points) // 3, len(lines.places) // 2
    corners = [corner - 1 if corner > 0 else points + corner for corner in corners]
    places = [place - 1 if place >= 0 else texture_points + place for place in places]
    for (second, third), (place, next_place) in zip(pairwise(corners[1:]), pairwise(places[1:]), strict=True):
        lines.faces.extend((corners[0], second, third))
        lines.placed.extend((places[0], place, next_place))
        lines.painted.append(material)


def _materials(lines: Lines, beside: Beside | None, notes: list[str]) -> list[Material]:
    """The materials in the order of their numbers; those that are nowhere are bare."""
    found: dict[bytes, Material] = {}
    if lines.materials and lines.libraries and beside is None:
        notes.append("its materials lie in other files, which were not given: it is built without them")
    elif beside is not None and lines.materials:
        for name in list(lines.libraries)[:MOST_LIBRARIES]:
            try:
                found.update(parsed_materials(beside(name, MOST_LIBRARY_BYTES)))
            except InputError as error:
                notes.append(f"its materials are left out: {error}")
    return [found.get(name, Material()) for name in lines.materials]


def parsed_materials(data: bytes) -> dict[bytes, Material]:
    """The materials, by name, in the text of an MTL file; lines that make no sense are passed over."""
    materials: dict[bytes, Material] = {}
    current = Material()
    for line in MATERIAL_LINE.finditer(data.replace(b"\r", b"\n")):
        kind, rest = line[1].lower(), line[2].strip()
        if kind == b"newmtl":
            current = materials.setdefault(rest, Material())
        elif kind == b"kd":
            try:
                red, green, blue = map(float, rest.split())
            except ValueError:
                continue  # a spectrum, which few programs know
            current.colour = (red, green, blue)
        else:
            _set_picture(current, rest)
    return materials


def _set_picture(material: Material, text: bytes) -> None:
    """What `map_Kd` says: options, each with its words, and the name of a file, which may have spaces in it."""
    words = text.split()
    while words and words[0].startswith(b"-") and len(words) > 1:
        option, *words = words
        count = WORDS_OF_OPTIONS.get(option, 1)
        if option in NUMBERED_OPTIONS:
            count = next((index for index, word in enumerate(words[:3]) if not _is_number(word)), 3)
            numbers = [float(word) for word in words[:count]]
            if option == b"-s" and len(numbers) > 1:
                material.scale = (numbers[0], numbers[1])
            elif option == b"-o" and len(numbers) > 1:
                material.offset = (numbers[0], numbers[1])
        elif option == b"-clamp" and words[0] == b"on":
            material.wraps = (CLAMP, CLAMP)
        words = words[count:]
    material.picture = b" ".join(words).decode(errors="replace")


def _is_number(word: bytes) -> bool:
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


def _look(
    lines: Lines, faces: npt.NDArray[np.int64], materials: list[Material], beside: Beside | None, pictures: Pictures
) -> Look | None:
    """The colours of the faces, or None if nothing is said about them."""
    of_points = np.frombuffer(lines.colours, np.float32).reshape(-1, 3)
    painted = np.frombuffer(lines.painted, np.int64)  # (face,)
    bare = Material()
    used = set(np.unique(painted).tolist())
    # One more than there are, so that -1 is the last of them: no material.
    all_of_them = [material if number in used else bare for number, material in enumerate(materials)] + [bare]
    picture = _textures(all_of_them, beside, pictures)  # (material,)
    known = np.array([material.colour is not None for material in all_of_them]) | (picture >= 0)
    has_colours = (of_points >= 0).any()
    if not known.any() and not has_colours:
        return None
    colour = np.array([material.colour or (1, 1, 1) for material in all_of_them], np.float32)
    colour = np.where(picture[:, None] >= 0, 1, linear(np.nan_to_num(colour).clip(0, 1) * 255)).astype(np.float32)
    corners = _scaled(np.where(of_points >= 0, of_points, 1))[faces] if has_colours else np.ones((len(faces), 3, 3))
    corners = np.where(known[painted][:, None, None], colour[painted][:, None], corners).astype(np.float32)
    scale = np.array([material.scale for material in all_of_them], np.float32)
    offset = np.array([material.offset for material in all_of_them], np.float32)
    places = _places(lines) * scale[painted][:, None] + offset[painted][:, None]
    places[:, :, 1] = 1 - places[:, :, 1]
    return Look(corners, tuple(pictures.textures), picture[painted], places)


def _scaled(colours: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Colours of points in linear light: programs write them as 0 to 1, some as 0 to 255."""
    most = np.nanmax(colours)
    return linear(np.nan_to_num(colours * (255 if most <= 1 else 1)).clip(0, 255))


def _textures(materials: list[Material], beside: Beside | None, pictures: Pictures) -> npt.NDArray[np.int16]:
    """The numbers of the materials' textures, or -1."""
    numbers: dict[tuple[str, tuple[int, int]], int] = {}
    for material in materials:
        named = (material.picture, material.wraps)
        if named in numbers or not material.picture or beside is None:
            continue
        try:
            data = beside(material.picture, images.MOST_BYTES)
            numbers[named] = pictures.add(data, shown(material.picture), material.wraps)
        except InputError as error:
            numbers[named] = pictures.missing(str(error))
    return np.array([numbers.get((material.picture, material.wraps), -1) for material in materials], np.int16)


def _places(lines: Lines) -> npt.NDArray[np.float32]:
    """Where the corners of the faces lie in their textures, (face, corner, 2) across and up; 0 if nothing is said."""
    places = np.frombuffer(lines.places, np.float32).reshape(-1, 2)
    placed = np.frombuffer(lines.placed, np.int64).reshape(-1, 3)
    there = (placed >= 0) & (placed < len(places))
    found = np.zeros((*placed.shape, 2), np.float32)
    found[there] = places[placed[there]]
    return found
