"""The report says what the results say."""

import json
import re
from pathlib import Path

import numpy as np
from experiments.kept import KEPT

from brickbybrick.experiments.learning_jobs import Training
from brickbybrick.experiments.paper import SCALES
from brickbybrick.experiments.report import write_report
from brickbybrick.experiments.results import Results


def test_the_report_says_what_the_results_say(tmp_path: Path) -> None:
    results = Results(KEPT / "runs", SCALES["paper"])
    write_report(results, tmp_path / "REPORT.md", [], [])
    text = (tmp_path / "REPORT.md").read_text()
    # Digit 0, computed here from the files of the three runs and of BO.
    runs = [results.of(Training(task="mnist-0", seed=seed)) for seed in range(3)]
    means = [np.mean(run["test"]["iou"]) for run in runs if run]
    assert len(means) == 3
    row = next(line for line in text.splitlines() if line.startswith("| mnist-0 |"))
    assert f"{np.mean(means):.3f} ± {np.std(means, ddof=1):.3f}" in row
    assert "| pivot head | linear 128-1 | 129 | linear 384-1 | 385 |" in text
    tried = json.loads((KEPT / "tried.json").read_text())
    assert all(f"| {run['what']} | {run['minibatches']} |" in text for run in tried)
    # BO as the text averages it: over 400 training digits and 100 unseen ones.
    bo = results.evaluated("mnist-0", "bo")[0]
    both = (400 * np.mean(bo["train"]["return"]) + 100 * np.mean(bo["test"]["return"])) / 500
    assert f"| mnist-0 | {both:.3f} | {np.mean(bo['test']['return']):.3f} |" in text


def test_a_report_of_what_is_not_done_says_so(tmp_path: Path) -> None:
    write_report(Results(tmp_path / "none", SCALES["smoke"]), tmp_path / "REPORT.md", [], [])
    assert re.search(r"\*\*0 of \d+ jobs are done\*\*", (tmp_path / "REPORT.md").read_text())


def test_the_report_that_is_kept_is_written_again(tmp_path: Path) -> None:
    """With the pictures that lie beside it; they are drawn again elsewhere."""
    results = Results(KEPT / "runs", SCALES["paper"])
    figures = [tmp_path / f"figures/{path.name}" for path in (KEPT / "figures").glob("*.png")]
    figures.append(tmp_path / "galleries/offsets.png")
    galleries = [tmp_path / f"galleries/{task}.png" for task in results.scale.tasks]
    write_report(results, tmp_path / "REPORT.md", figures, galleries, tmp_path / "galleries/limits.png")
    assert (tmp_path / "REPORT.md").read_text() == (KEPT / "REPORT.md").read_text()
