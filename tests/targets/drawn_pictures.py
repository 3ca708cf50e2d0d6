"""Pictures drawn by code: what people bring, from a heart to a noisy photo, always the same.

Tests and documents take them from here, so that nobody's picture has to be kept with the code.
"""

from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

SKIN, HAIR, IRIS, PUPIL, LIPS = (242, 194, 154), (92, 51, 23), (255, 255, 255), (20, 20, 30), (200, 40, 50)
RED, BLUE, YELLOW = (200, 20, 30), (20, 80, 180), (250, 200, 20)
FINER = 4  # pictures are drawn so many times larger and reduced: soft edges, as every program draws them


def _reduced(large: Image.Image) -> Image.Image:
    return large.reduce(FINER)


def _scaled(*numbers: float) -> list[float]:
    return [number * FINER for number in numbers]


def heart(side: int = 300) -> Image.Image:
    """A red heart on white."""
    angle = np.linspace(0, 2 * np.pi, 400)
    across = 16 * np.sin(angle) ** 3
    up = 13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle) - np.cos(4 * angle)
    points = np.stack([17 + across, 15 - up], axis=1) * (side * FINER / 34)
    picture = Image.new("RGB", (side * FINER, side * FINER), "white")
    ImageDraw.Draw(picture).polygon([(float(x), float(y)) for x, y in points], fill=RED)
    return _reduced(picture)


def circle(side: int = 300) -> Image.Image:
    """A blue disc on white, four fifths of the picture across."""
    picture = Image.new("RGB", (side * FINER, side * FINER), "white")
    ImageDraw.Draw(picture).ellipse(_scaled(0.1 * side, 0.1 * side, 0.9 * side, 0.9 * side), fill=BLUE)
    return _reduced(picture)


def face() -> Image.Image:
    """A drawn face of 400 x 400 on white: skin, brown hair, eyes with white and pupils, a nose, a mouth."""
    picture = Image.new("RGB", (400 * FINER, 400 * FINER), "white")
    pen = ImageDraw.Draw(picture)
    pen.ellipse(_scaled(55, 25, 345, 330), fill=HAIR)
    pen.rectangle(_scaled(55, 170, 345, 260), fill=HAIR)
    pen.ellipse(_scaled(80, 75, 320, 375), fill=SKIN)
    pen.pieslice(_scaled(80, 35, 320, 235), 180, 360, fill=HAIR)
    for left in (120, 220):
        pen.ellipse(_scaled(left, 170, left + 60, 216), fill=IRIS)
        pen.ellipse(_scaled(left + 20, 178, left + 44, 206), fill=PUPIL)
    pen.line(_scaled(200, 220, 190, 265, 206, 268), fill=(214, 150, 110), width=6 * FINER)
    pen.chord(_scaled(145, 265, 255, 335), 15, 165, fill=LIPS)
    return _reduced(picture)


def landscape(width: int = 1200, height: int = 800, noise: float = 8.0, quality: int = 80) -> Image.Image:
    """A photo: a sky that pales towards the horizon, the sun, two ranges of hills, a lake; noise, and JPEG's traces."""
    x, y = np.meshgrid(np.linspace(0, 1.5, width, dtype=np.float32), np.linspace(0, 1, height, dtype=np.float32))
    sky = np.array([60, 120, 200]) + (np.array([225, 225, 215]) - [60, 120, 200]) * (y / 0.6).clip(0, 1)[..., None]
    picture = np.where((np.hypot(x - 1.1, y - 0.2) < 0.09)[..., None], [255, 240, 170], sky)
    far = 0.48 + 0.05 * np.sin(5 * x) + 0.03 * np.sin(13 * x + 1)
    near = 0.60 + 0.07 * np.sin(3 * x + 2) + 0.015 * np.sin(17 * x)
    picture = np.where((y > far)[..., None], [110, 135, 140], picture)
    lake = np.array([70, 110, 150]) + 25 * np.sin(90 * y + 4 * np.sin(6 * x))[..., None] * (y - 0.55)[..., None]
    picture = np.where((y > 0.72)[..., None], lake, picture)
    meadow = np.array([60, 110, 45]) + 20 * np.sin(23 * x + 31 * y)[..., None]
    picture = np.where(((y > near) & (y < 0.72 + 0.02 * np.sin(4 * x)))[..., None], meadow, picture)
    picture = picture + np.random.default_rng(7).normal(0, noise, picture.shape)
    return as_jpeg(Image.fromarray(picture.round().clip(0, 255).astype(np.uint8)), quality)


def logo() -> Image.Image:
    """A ring in blue with a bar in yellow below it, 320 x 400, on nothing."""
    picture = Image.new("RGBA", (320 * FINER, 400 * FINER), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    pen.ellipse(_scaled(30, 20, 290, 280), outline=BLUE, width=60 * FINER)
    pen.rectangle(_scaled(30, 270, 290, 360), fill=YELLOW)
    return _reduced(picture)


def letter_i() -> Image.Image:
    """A black i on white, its dot apart."""
    picture = Image.new("L", (200 * FINER, 300 * FINER), 255)
    pen = ImageDraw.Draw(picture)
    pen.ellipse(_scaled(75, 20, 125, 70), fill=0)
    pen.rectangle(_scaled(78, 100, 122, 280), fill=0)
    return _reduced(picture)


def letter_o(side: int = 300) -> Image.Image:
    """A black O on white."""
    picture = Image.new("L", (side * FINER, side * FINER), 255)
    pen = ImageDraw.Draw(picture)
    pen.ellipse(_scaled(0.15 * side, 0.05 * side, 0.85 * side, 0.95 * side), fill=0)
    pen.ellipse(_scaled(0.35 * side, 0.2 * side, 0.65 * side, 0.8 * side), fill=255)
    return _reduced(picture)


def ring(side: int = 300) -> Image.Image:
    """A ring on white, its left half red and its right half blue."""
    picture = Image.new("RGB", (side * FINER, side * FINER), "white")
    pen = ImageDraw.Draw(picture)
    box = _scaled(0.1 * side, 0.1 * side, 0.9 * side, 0.9 * side)
    pen.pieslice(box, 90, 270, fill=RED)
    pen.pieslice(box, -90, 90, fill=BLUE)
    pen.ellipse(_scaled(0.28 * side, 0.28 * side, 0.72 * side, 0.72 * side), fill="white")
    return _reduced(picture)


def lit_from_a_side(picture: Image.Image, darkest: float = 0.75, noise: float = 3.0) -> Image.Image:
    """A photo of a drawing: the light falls off across the sheet, the camera adds noise, JPEG its traces."""
    colours = np.asarray(picture.convert("RGB")).astype(np.float32)
    height, width = colours.shape[:2]
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    light = 0.95 - (0.95 - darkest) * (0.7 * x + 0.3 * y**2)
    lit = colours * light[..., None] + np.random.default_rng(5).normal(0, noise, colours.shape)
    return as_jpeg(Image.fromarray(lit.round().clip(0, 255).astype(np.uint8)), 75)


def as_jpeg(picture: Image.Image, quality: int) -> Image.Image:
    """What is left of a picture after JPEG's compression."""
    file = BytesIO()
    picture.convert("RGB").save(file, "JPEG", quality=quality)
    opened = Image.open(file)
    opened.load()
    return opened
