"""What the method cannot do, by examples that stay the same."""

from pathlib import Path

import numpy as np
from experiments.kept import KEPT
from PIL import Image

from brickbybrick.experiments.limits import draw_limits, limits


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
