"""Figures, galleries and the report come from the results alone, and always the same."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brickbybrick.cli import main
from brickbybrick.experiments.figures import draw_figures
from brickbybrick.experiments.gallery import draw_galleries
from brickbybrick.experiments.jobs import Training
from brickbybrick.experiments.limits import draw_limits, limits
from brickbybrick.experiments.paper import SCALES
from brickbybrick.experiments.report import write_report
from brickbybrick.experiments.results import Results, Spread

KEPT = Path(__file__).parents[2] / "results"


@pytest.fixture(scope="module")
def results() -> Results:
    return Results(KEPT / "runs", SCALES["paper"])


def test_the_figures_that_are_kept_are_drawn_again(results: Results, tmp_path: Path) -> None:
    drawn = draw_figures(results, tmp_path)
    assert {path.name for path in drawn} == {path.name for path in (KEPT / "figures").glob("*.png")}
    for path in drawn:
        assert np.array_equal(np.asarray(Image.open(path)), np.asarray(Image.open(KEPT / "figures" / path.name))), path


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


def test_the_report_says_what_the_results_say(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path / "REPORT.md", [], [])
    text = (tmp_path / "REPORT.md").read_text()
    # Digit 0, computed here from the files of the three runs and of BO.
    runs = [results.of(Training(task="mnist-0", seed=seed)) for seed in range(3)]
    means = [np.mean(run["test"]["iou"]) for run in runs if run]
    assert len(means) == 3
    row = next(line for line in text.splitlines() if line.startswith("| mnist-0 |"))
    assert f"{np.mean(means):.3f} ± {np.std(means, ddof=1):.3f}" in row
    claim = next(line for line in text.splitlines() if "digits: B3 is better than BO" in line)
    ours, theirs = (float(figure) for figure in re.findall(r"0\.\d{3}", claim)[:2])
    assert ("| yes |" if ours > theirs else "| no |") in claim


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


def test_a_spread_over_seeds() -> None:
    assert str(Spread((0.5,))) == "0.500"
    assert str(Spread((0.4, 0.5, 0.6))) == "0.500 ± 0.100"


def test_drawing_from_nothing_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "--draw-only", "--out", str(tmp_path)])
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        f"b3: no results in {tmp_path / 'runs'}: run without --draw-only, or name their folder with --out\n"
    )
    assert not list(tmp_path.iterdir())
