"""Results read back: scores and curves over seeds."""

import json
from pathlib import Path

import numpy as np
import pytest

from brickbybrick.experiments.learning_jobs import Training
from brickbybrick.experiments.paper import SCALES
from brickbybrick.experiments.results import Curve, Results, Spread


def test_a_spread_over_seeds() -> None:
    assert str(Spread((0.5,))) == "0.500"
    assert str(Spread((0.4, 0.5, 0.6))) == "0.500 ± 0.100"


def test_curves_and_scores_are_of_the_seeds_that_are_done(tmp_path: Path) -> None:
    """Of three seeds two are done and one is under way."""
    for seed in range(3):
        folder = tmp_path / Training(task="mnist-0", seed=seed).name
        folder.mkdir(parents=True)
        rows = [{"steps": 100 * step, "test_iou": 0.1 * step + seed} for step in (1, 2)]
        (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        if seed < 2:
            (folder / "result.json").write_text(json.dumps({"test": {"iou": [0.2 + seed, 0.4 + seed]}}))
    results = Results(tmp_path, SCALES["paper"])
    curve = results.curve("mnist-0", "test_iou")
    assert curve is not None
    assert curve.steps.tolist() == [100, 200]
    assert curve.values.tolist() == [[0.1, 0.2], [1.1, 1.2]]
    last = results.last("mnist-0", "test_iou")
    assert last is not None
    assert last.mean == pytest.approx(0.7)
    score = results.score(results.trained("mnist-0"))
    assert score is not None
    assert score.values == pytest.approx((0.3, 1.3))
    assert results.curve("mnist-0", "test_iou", agent="mlp") is None


def test_a_curve_is_of_the_tests_that_all_runs_have() -> None:
    """One was tested before it had learned anything, which has no loss, and one is not done yet."""
    first = [{"steps": 0, "test_iou": 0.1}, *({"steps": step, "test_iou": 0.3, "loss": 1.0} for step in (10, 20, 30))]
    second = [{"steps": step, "test_iou": 0.2, "loss": 2.0} for step in (10, 20)]
    curve = Curve.of([first, second], "test_iou")
    assert curve.steps.tolist() == [10, 20]
    assert curve.values.tolist() == [[0.3, 0.3], [0.2, 0.2]]
    assert Curve.of([first], "test_iou").steps.tolist() == [0, 10, 20, 30]
    assert Curve.of([first], "loss").steps.tolist() == [10, 20, 30]


def test_a_curve_levels_off_and_passes_what_it_ends_above() -> None:
    rising = Curve(np.arange(1.0, 9.0), np.array([[0.1, 0.5, 0.7, 0.99, 0.9, 1.0, 1.01, 0.99]] * 2))
    assert rising.level == pytest.approx(1.0)  # of the last two
    assert rising.levels_off == 4
    assert rising.passes(0.6) == 3
    assert rising.passes(1.005) is None  # once above it, and below it in the end
