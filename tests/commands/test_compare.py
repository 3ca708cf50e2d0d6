"""b3 compare, as a user runs it, on the results that were kept."""

import json
from pathlib import Path

import pytest
from command_line import b3, refusal
from PIL import Image

RUNS = Path(__file__).parents[2] / "results" / "runs" / "mnist-3"


def test_runs_are_compared(tmp_path: Path) -> None:
    runs = [str(RUNS / f"{agent}-{seed}") for agent in ("b3", "mlp") for seed in range(3)]
    picture = tmp_path / "curves.png"
    found = json.loads(b3("compare", *runs, "--figure", "test_return", "--out", str(picture), "--json").stdout)
    assert [(kind["name"], kind["runs"]) for kind in found["kinds"]] == [("b3", 3), ("mlp", 3)]
    assert all(kind["low"] <= kind["middle"] <= kind["high"] for kind in found["kinds"])
    with Image.open(picture) as drawn:
        assert drawn.width > 500
    shown = b3("compare", *runs, "--against", "seconds", "--out", str(picture)).stdout
    assert f"picture: {picture}" in shown
    assert "IoU on unseen targets, at the last test" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "nothing to compare"),
        (["nowhere"], "nowhere: holds no run"),
        ([str(RUNS / "b3-0"), "--figure", "beauty"], "no"),
        ([str(RUNS / "b3-0"), "--out", "curves.pdf"], "ends with .png"),
    ],
)
def test_mistakes_end_in_one_line(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint in refusal("compare", *arguments)
