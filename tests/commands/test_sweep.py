"""b3 sweep, as a user runs it."""

import json
import shlex
from pathlib import Path

import pytest
from command_line import b3, refusal
from drawings import draw_strokes

from brickbybrick.cli import command_of
from brickbybrick.commands.learn import Train


@pytest.mark.slow
def test_settings_are_tried_on_targets_kept_aside(tmp_path: Path) -> None:
    """Two trials, then a third of the same sweep; and the line that it ends with is a command."""
    pytest.importorskip("optuna", reason="Optuna is not installed")
    strokes, out = str(draw_strokes(tmp_path / "strokes")), tmp_path / "sweep"
    line = ["sweep", strokes, "--steps", "2048", "--threads", "1", "--out", str(out), "--over", "gamma=0..1"]
    said = b3(*line, "--trials", "2").stdout
    assert said.count(": done, IoU ") == 2
    again = b3(*line, "--trials", "3").stdout
    assert again.startswith("trial-002: gamma=")
    scores = {}
    for number in range(3):
        folder = out / f"trial-00{number}-0"
        result = json.loads((folder / "result.json").read_text())
        assert result["job"]["aside"]
        # Four strokes to learn from, of which one is kept aside.
        assert (len(result["train"]["iou"]), len(result["test"]["iou"])) == (3, 1)
        scores[result["test"]["iou"][0]] = result["job"]["settings"], result["job"]["seed"]
        gamma = float(result["job"]["settings"].removeprefix("gamma="))
        assert json.loads((folder / "config.json").read_text())["gamma"] == gamma
    (last,) = [each for each in again.splitlines() if each.startswith("to train with it: ")]
    train = command_of(shlex.split(last.removeprefix("to train with it: "))[1:])
    assert isinstance(train, Train)
    assert (*train.settings, train.steps) == (scores[max(scores)][0], 2048)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["mnist-3", "--trials", "0"], "trials is 0"),
        (["mnist-3", "--over", "beauty=1..2"], "no setting named 'beauty'"),
        (["mnist-3", "--over", "gamma=0..1", "--set", "gamma=0.5"], "gamma is given twice"),
        (["random", "--agent", "sl"], "sl is taught"),
    ],
)
def test_mistakes_end_in_one_line(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint in refusal("sweep", *arguments)
    assert not (tmp_path / "out").exists()
