"""The paper's figures come from the results alone, and always the same."""

from pathlib import Path

import numpy as np
from experiments.kept import KEPT
from PIL import Image

from brickbybrick.experiments.figures import draw_figures
from brickbybrick.experiments.paper import SCALES
from brickbybrick.experiments.results import Results


def test_the_figures_that_are_kept_are_drawn_again(tmp_path: Path) -> None:
    drawn = draw_figures(Results(KEPT / "runs", SCALES["paper"]), tmp_path)
    assert {path.name for path in drawn} == {path.name for path in (KEPT / "figures").glob("*.png")}
    for path in drawn:
        assert np.array_equal(np.asarray(Image.open(path)), np.asarray(Image.open(KEPT / "figures" / path.name))), path


def test_from_no_results_nothing_is_drawn(tmp_path: Path) -> None:
    assert draw_figures(Results(tmp_path, SCALES["paper"]), tmp_path / "figures") == []
    assert not list(tmp_path.iterdir())
