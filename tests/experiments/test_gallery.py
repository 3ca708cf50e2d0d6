"""Galleries: drawn again from the agents that come along, and kept where there is nothing to draw from; and examples
of what the method cannot do, which stay the same.
"""

from pathlib import Path

import numpy as np
from experiments.kept import KEPT
from PIL import Image

from brickbybrick.experiments.gallery import draw_galleries, draw_limits, draw_offsets, limits


def test_a_gallery_that_is_kept_is_drawn_again(tmp_path: Path) -> None:
    """By the agents that come with the package."""
    (drawn,) = draw_galleries(["mnist-3"], tmp_path / "no runs", tmp_path, None)
    ours, kept = (np.asarray(Image.open(path).convert("RGB")) for path in (drawn, KEPT / "galleries/mnist-3.png"))
    assert np.array_equal(ours, kept)


def test_a_gallery_without_data_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "modelnet-table.png").write_bytes(b"drawn before")
    drawn = draw_galleries(["modelnet-table", "modelnet-chair"], tmp_path, tmp_path, str(tmp_path / "nowhere"))
    assert drawn == [tmp_path / "modelnet-table.png"]
    assert drawn[0].read_bytes() == b"drawn before"


def test_offsets_are_drawn_as_they_are_kept(tmp_path: Path) -> None:
    drawn, kept = (
        np.asarray(Image.open(path).convert("RGB")).astype(int)
        for path in (draw_offsets(tmp_path / "offsets.png"), KEPT / "galleries/offsets.png")
    )
    assert drawn.shape == kept.shape
    assert abs(drawn - kept).max() < 16  # rounding may move an outline by a part of a pixel


def test_the_examples_of_what_is_out_of_reach(tmp_path: Path) -> None:
    views, thin, apart = limits()
    assert "IoU of 0.70 with each other" in views.says  # 112 cells of 160
    assert "IoU 0.19" in thin.says
    assert "no cells of the upper dot" in apart.says
    drawn, kept = (
        np.asarray(Image.open(path).convert("RGB"))
        for path in (draw_limits(tmp_path / "limits.png"), KEPT / "galleries/limits.png")
    )
    assert np.array_equal(drawn, kept)
