"""The pictures of the docs are what their script draws now."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

PICTURES = Path(__file__).parent.parent / "docs/pictures"
DRAWN = runpy.run_path(str(PICTURES / "draw.py"))["PICTURES"]
MOST_BYTES = 100_000


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_shows_what_is_drawn_now(name: str) -> None:
    drawn = np.asarray(DRAWN[name]().convert("RGB")).astype(int)
    kept = np.asarray(Image.open(PICTURES / name).convert("RGB")).astype(int)
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 1  # letters differ a little between releases of Pillow


def test_pictures_are_small_and_all_of_them_are_drawn_here() -> None:
    kept = {path.name: path for path in PICTURES.iterdir() if path.suffix in (".png", ".gif", ".svg")}
    assert set(kept) == {*DRAWN, "brick.svg", "digit.gif", "heart.gif"}
    assert max(path.stat().st_size for path in kept.values()) < MOST_BYTES
