"""What somebody sent to be built: a file, drawings or the name of an example, kept as it came, so that it can be read
again in another way."""

import base64
import binascii
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import Literal

import numpy as np
from PIL import Image, ImageOps

from brickbybrick.errors import InputError, whole_number
from brickbybrick.order import Order
from brickbybrick.picture import to_png
from brickbybrick.targets import images, meshes
from brickbybrick.targets.inputs import VIEWS, Wanted, wanted_content, wanted_picture, wanted_silhouettes

Kind = Literal["picture", "mesh", "silhouettes", "drawing"]

MOST_SIDE = 1_024  # pixels of a drawing
MOST_SHOWN = 320  # pixels of a side of what is sent back of a picture
RIM = 0.01  # of a drawing's side; so much that is transparent is put around it, and is seen to be background


@dataclass(frozen=True, eq=False)
class Sent:
    """Something to be built, as it came."""

    kind: Kind
    name: str
    files: tuple[tuple[str, bytes], ...] = ()  # names and contents: of a file, or of each drawing
    coloured: bool = True  # whether its colours count
    on_nothing: bool = False  # whether it was drawn on nothing, so that agents see its outline, whatever its colours
    fixed: Wanted | None = None  # for what is the same however it is read

    @property
    def room(self) -> int:
        """Bytes that it takes."""
        return sum(len(content) for _, content in self.files)

    def read(self, order: Order) -> Wanted:
        """What it is to be, by an order."""
        if self.fixed is not None:
            return self.fixed
        reading = order.reading if self.coloured else replace(order.reading, colours=False)
        if self.kind == "drawing":
            reading = replace(reading, background="drop")  # paper is not built, whatever is asked for
        if self.kind == "silhouettes":
            inks = [(view, _ink(_decoded(content, view))) for view, content in self.files]
            return wanted_silhouettes(self.name, inks, reading)
        ((name, content),) = self.files
        if self.on_nothing:
            drawn = _decoded(content, name)
            return wanted_picture(self.name, _rimmed(drawn) if order.by_mason else _ink(drawn), reading)
        wanted = wanted_content(name, content, reading)
        return replace(wanted, target=replace(wanted.target, name=self.name))

    @cached_property
    def source(self) -> bytes | None:
        """A small picture (PNG) of a picture that was sent; of anything else there is none."""
        if self.kind != "picture" or self.fixed is not None:
            return None
        ((name, content),) = self.files
        picture = images.eight_bits(_decoded(content, name))
        picture.thumbnail((MOST_SHOWN, MOST_SHOWN))
        return to_png(picture.convert("RGBA" if picture.has_transparency_data else "RGB"), small=True)


def sent_file(name: str, content: bytes) -> Sent:
    """A picture or a mesh, by its name's ending; the reading refuses what is neither."""
    ending = "." + name.lower().rpartition(".")[2]
    return Sent("mesh" if ending in meshes.ENDINGS else "picture", name, ((name, content),))


def sent_drawings(value: object) -> Sent:
    """One drawing, or drawings of the front, the side and the top."""
    if not isinstance(value, list) or len(value) not in (1, 3):
        raise InputError("drawings are a list of one, or of three: front, side and top")
    pictures = [drawing_of(drawing) for drawing in value]
    contents = [to_png(picture) for picture in pictures]
    if len(pictures) == 3:
        return Sent("silhouettes", "drawings", tuple(zip(VIEWS, contents, strict=True)), coloured=False)
    drawn = (("drawing", contents[0]),)
    return Sent("drawing", "drawing", drawn, coloured="colours" in value[0], on_nothing=True)


def drawing_of(value: object) -> Image.Image:
    """A drawing in red, green, blue and how much of it is ink; black where no colours came with it."""
    if not isinstance(value, dict):
        raise InputError("a drawing is an object of width, height and pixels, or colours in place of pixels")
    width, height = (whole_number(value.get(side), f"a drawing's {side}", 1, MOST_SIDE) for side in ("width", "height"))
    field, each = ("colours", 4) if "colours" in value else ("pixels", 1)
    given = value.get(field)
    try:
        content = base64.b64decode(given, validate=True) if isinstance(given, str) else b""
    except (binascii.Error, ValueError) as error:
        raise InputError(f"a drawing's {field} are not base64: encode its bytes") from error
    if len(content) != width * height * each:
        what = "one each, 255 for ink" if each == 1 else "four each: red, green, blue and 255 for ink"
        raise InputError(f"a drawing of {width} x {height} pixels has {len(content)} bytes: give {what}")
    pixels = np.frombuffer(content, np.uint8).reshape(height, width, each)
    if not pixels[..., -1].any():
        raise InputError("a drawing is empty: draw something")
    if each == 1:
        pixels = np.concatenate([np.zeros((height, width, 3), np.uint8), pixels], axis=2)
    return Image.fromarray(pixels)


def _decoded(content: bytes, name: str) -> Image.Image:
    return images.decoded_picture(BytesIO(content), name)


def _ink(drawn: Image.Image) -> Image.Image:
    """A drawing as agents see it, ink white on black."""
    ink = np.asarray(drawn.getchannel("A"))
    border = np.concatenate([ink[0], ink[-1], ink[1:-1, 0], ink[1:-1, -1]])
    if np.median(border):  # whoever draws up to the border on most sides would have the paper taken for the ink
        ink = np.pad(ink, 1)
    return Image.fromarray(ink)


def _rimmed(drawn: Image.Image) -> Image.Image:
    """A drawing with paper all around, however far it goes."""
    return ImageOps.expand(drawn, border=max(2, round(RIM * max(drawn.size))), fill=(0, 0, 0, 0))
