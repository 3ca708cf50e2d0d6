"""Pictures made by the tests themselves."""

from pathlib import Path

from PIL import Image, ImageDraw


def draw_boxes(path: Path, *boxes: tuple[int, int, int, int], size: int = 300) -> Path:
    """A picture of black boxes on white."""
    image = Image.new("L", (size, size), 255)
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill=0)
    image.save(path)
    return path


def draw_strokes(folder: Path, number: int = 5) -> Path:
    """A folder of pictures, a slanting stroke each."""
    folder.mkdir(parents=True, exist_ok=True)
    for slant in range(number):
        picture = Image.new("L", (60, 80), 255)
        ImageDraw.Draw(picture).line((10, 10, 30 + 5 * slant, 70), fill=0, width=8)
        picture.save(folder / f"{slant}.png")
    return folder
