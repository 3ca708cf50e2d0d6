"""Pictures side by side: target views as pixels, and labelled sheets of them and of models."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from brickbybrick.errors import InputError
from brickbybrick.picture import INK, WHITE, checked_size, mix

LABEL, CAPTION = 16, 13  # height of text in pixels


def image_of_view(view: npt.NDArray[np.bool_], size: tuple[int, int] = (400, 400)) -> Image.Image:
    """Paints what is filled in a view (row, column), the top row first, as square pixels with faint lines between them.

    The picture is `size` pixels wide and high.
    """
    rows, columns = view.shape
    image = Image.new("RGB", checked_size(size), WHITE)
    if not view.size:
        return image
    cell = min((image.width - 1) // columns, (image.height - 1) // rows)  # the last line needs a pixel of its own
    if cell < 1:
        raise InputError(f"a view of {columns}x{rows} does not fit into {size[0]}x{size[1]} pixels: ask for more")
    left, top = (image.width - cell * columns - 1) // 2, (image.height - cell * rows - 1) // 2
    line = mix(WHITE, INK, 0.15) if cell >= 4 else None
    pen = ImageDraw.Draw(image)
    for row, column in np.ndindex(rows, columns):
        x, y = left + column * cell, top + row * cell
        pen.rectangle((x, y, x + cell, y + cell), fill=INK if view[row, column] else WHITE, outline=line)
    return image


def contact_sheet(
    rows: Sequence[Sequence[Image.Image | None]],
    row_labels: Sequence[str] = (),
    column_labels: Sequence[str] = (),
    gap: int = 12,
) -> Image.Image:
    """Lays pictures out in a grid with labels to the left of the rows and above the columns.

    Args:
        rows: The pictures, row by row; None leaves a cell empty, and rows may differ in length.
        row_labels: One text per row, or none at all; a text may have several lines.
        column_labels: One text per column, or none at all.
        gap: Pixels between pictures and around the sheet.
    """
    columns = max((len(row) for row in rows), default=0)
    for labels, wanted, what in ((row_labels, len(rows), "rows"), (column_labels, columns, "columns")):
        if labels and len(labels) != wanted:
            raise InputError(f"{len(labels)} labels for {wanted} {what} of pictures: give one for each or none")
    cells: list[list[Image.Image | None]] = [[*row, *[None] * (columns - len(row))] for row in rows]
    if column_labels:
        cells.insert(0, [_text(label, LABEL) for label in column_labels])
    if row_labels:
        heads = [None] * (len(cells) - len(rows)) + [_text(label, LABEL) for label in row_labels]
        cells = [[head, *row] for head, row in zip(heads, cells, strict=True)]

    heights = [max((image.height for image in row if image), default=0) for row in cells]
    widths = [max((image.width for image in column if image), default=0) for column in zip(*cells, strict=True)]
    tops = gap + np.cumsum([0, *(height + gap for height in heights)])
    lefts = gap + np.cumsum([0, *(width + gap for width in widths)])
    sheet = Image.new("RGB", (int(lefts[-1]), int(tops[-1])), WHITE)
    for top, height, row in zip(tops.tolist(), heights, cells, strict=False):
        for left, width, image in zip(lefts.tolist(), widths, row, strict=False):
            if image:
                sheet.paste(image, (left + (width - image.width) // 2, top + (height - image.height) // 2))
    return sheet


def captioned(image: Image.Image, text: str) -> Image.Image:
    """The picture with a line of text below it."""
    return contact_sheet([[image], [_text(text, CAPTION)]], gap=0)


def _text(text: str, size: int) -> Image.Image:
    font = ImageFont.load_default(size)
    bounds = ImageDraw.Draw(Image.new("RGB", (1, 1))).multiline_textbbox((0, 0), text, font)
    image = Image.new("RGB", (max(1, round(bounds[2])), round(1.3 * size) * (1 + text.count("\n"))), WHITE)
    centre = image.width / 2, image.height / 2
    ImageDraw.Draw(image).multiline_text(centre, text, INK, font, anchor="mm", align="center")
    return image
