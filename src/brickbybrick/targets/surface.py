"""A mesh: triangles, and what their surface looks like.

Colours are kept in linear light, where they can be multiplied and averaged; files and users have them in sRGB.
"""

from dataclasses import dataclass, replace
from io import BytesIO
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import LIGHT, light_of, seen
from brickbybrick.errors import InputError
from brickbybrick.targets import images

MOST_FACES = 5_000_000  # half a gigabyte of corners while they are laid into the grid
MOST_TEXTURE_PIXELS = 100_000_000  # of all pictures of a mesh
MOST_TEXTURES = 1000
LARGEST_TEXTURE = 2048  # pixels of a side that are kept; a grid has far fewer cells
REPEAT, CLAMP, MIRROR = 0, 1, 2  # what is beyond the borders of a texture

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture on a surface."""

    pixels: npt.NDArray[np.uint8]  # (row, column, 3) in sRGB
    wraps: tuple[int, int] = (REPEAT, REPEAT)  # across and down


@dataclass(frozen=True, eq=False)
class Look:
    """The colours of a surface: those of the corners, times those of a texture where there is one."""

    corners: npt.NDArray[np.float32]  # (face, corner, 3) in linear light
    textures: tuple[Texture, ...] = ()
    texture: npt.NDArray[np.int16] | None = None  # (face,) number of its texture, or -1
    places: npt.NDArray[np.float32] | None = None  # (face, corner, 2) in the texture: 0 to 1 across and down


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of triangles, z up."""

    vertices: npt.NDArray[np.float64]  # (vertex, 3)
    faces: npt.NDArray[np.int64]  # (face, 3) numbers of vertices
    name: str = "the mesh"  # for messages
    look: Look | None = None  # if the file says something about colours
    notes: tuple[str, ...] = ()  # what a user should know about how the file was read


def checked(mesh: Mesh, faces: npt.NDArray[np.generic] | None = None) -> Mesh:
    """The mesh, with these faces, if it is sound."""
    given = mesh.faces if faces is None else faces
    if len(given) > MOST_FACES:
        raise InputError(f"{mesh.name}: has more than {MOST_FACES} triangles; give a simpler mesh")
    if not np.isfinite(mesh.vertices).all():
        damaged(mesh.name, "a point that is not a number or infinite")
    with np.errstate(invalid="ignore"):  # what does not fit becomes negative
        whole = given.astype(np.int64)
    if whole.size and (whole.min() < 0 or whole.max() >= len(mesh.vertices) or (whole != given).any()):
        damaged(mesh.name, f"a face with a corner that is none of its {len(mesh.vertices)} points")
    return replace(mesh, faces=whole)


def damaged(name: str, what: str) -> NoReturn:
    raise InputError(f"{name}: has {what}; fetch or export it again")


def colours_at(mesh: Mesh, faces: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The colours (point, 3) in sRGB of points of a mesh that has a look.

    Args:
        mesh: The mesh.
        faces: The face (point,) on which each lies.
        shares: How much of each of its corners (point, corner) is in it.
    """
    if mesh.look is None:
        raise InputError(f"{mesh.name}: has no colours")
    return seen(linear_at(mesh.look, faces, shares))


def linear_at(look: Look, faces: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> Floats:
    """The same in linear light, 0 to 1."""
    shares = shares.astype(np.float32)
    colours = np.einsum("pc,pca->pa", shares, look.corners[faces])
    if look.texture is not None and look.places is not None:
        kinds = look.texture[faces]
        for number, texture in enumerate(look.textures):
            here = np.flatnonzero(kinds == number)
            places = np.einsum("pc,pca->pa", shares[here], look.places[faces[here]])
            colours[here] *= _texels(texture, places)
    return np.asarray(colours.clip(0, 1), dtype=np.float32)


def _texels(texture: Texture, places: Floats) -> Floats:
    """What a texture shows at places (point, 2) of it, in linear light."""
    rows, columns = texture.pixels.shape[:2]
    across = _texel(places[:, 0], columns, texture.wraps[0])
    down = _texel(places[:, 1], rows, texture.wraps[1])
    return linear(texture.pixels[down, across])


def _texel(place: Floats, count: int, wrap: int) -> npt.NDArray[np.int64]:
    """The numbers of the pixels, of a row or column of so many, at places of which 0 to 1 lie in the picture."""
    place = np.nan_to_num(place.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    if wrap == CLAMP:
        place = place.clip(0, 1)
    elif wrap == MIRROR:
        place = 1 - np.abs(1 - place % 2)
    else:
        place = place % 1
    return np.minimum((place * count).astype(np.int64), count - 1)


def linear(colours: npt.NDArray[np.generic]) -> Floats:
    """Colours in sRGB, 0 to 255, in linear light, 0 to 1."""
    return np.asarray(LIGHT[colours] if colours.dtype == np.uint8 else light_of(colours), dtype=np.float32)


class Pictures:
    """The textures of one mesh, decoded within a limit for all of them; what cannot be had is noted."""

    def __init__(self) -> None:
        self.textures: list[Texture] = []
        self._missing: dict[str, None] = {}  # why, in order, each once
        self._pixels = 0

    def add(self, data: bytes, name: str, wraps: tuple[int, int] = (REPEAT, REPEAT)) -> int:
        """The number of the texture that a picture's bytes hold, or -1."""
        if self._pixels > MOST_TEXTURE_PIXELS or len(self.textures) >= MOST_TEXTURES:
            return self.missing(f"{name}: one texture too many; export the mesh with fewer or smaller ones")
        try:
            picture = images.decoded_picture(BytesIO(data), name)
        except InputError as error:
            return self.missing(str(error))
        self._pixels += picture.width * picture.height
        picture.thumbnail((LARGEST_TEXTURE, LARGEST_TEXTURE))
        self.textures.append(Texture(np.asarray(images.eight_bits(picture).convert("RGB")), wraps))
        return len(self.textures) - 1

    def missing(self, why: str) -> int:
        """Notes why there is no texture: -1."""
        self._missing.setdefault(why)
        return -1

    def notes(self) -> tuple[str, ...]:
        """One sentence on all that is missing."""
        if not self._missing:
            return ()
        first, *others = self._missing
        more = f" (and {len(others)} more)" if others else ""
        return (f"it is built without a texture: {first}{more}",)
