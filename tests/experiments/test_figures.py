"""The paper's figures come from the results alone, and always the same."""

import shutil
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


def test_an_agent_tuned_within_the_text_has_curves_beside_both_kinds_of_bo(tmp_path: Path) -> None:
    """Drawn from other runs here, put where its own would be: the same runs, the same picture; others, another."""
    task = tmp_path / "runs" / "mnist-3"
    shutil.copytree(KEPT / "runs" / "mnist-3", task, ignore=shutil.ignore_patterns("*-tuned-*"))
    results = Results(tmp_path / "runs", SCALES["paper"])
    assert "tuned" not in {path.stem for path in draw_figures(results, tmp_path / "none")}
    pictures = []
    for like in ("b3-image", "b3-image", "mlp"):
        for seed in range(3):
            shutil.copytree(task / f"{like}-{seed}", task / f"b3-image-tuned-600k-{seed}", dirs_exist_ok=True)
        drawn = draw_figures(Results(tmp_path / "runs", SCALES["paper"]), tmp_path / f"figures {len(pictures)}")
        pictures.append(next(path for path in drawn if path.stem == "tuned").read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]
