"""What the demo shows: an unseen digit of each class, by builders that see the image alone."""

import json
from pathlib import Path

import pytest

from brickbybrick.builders.register import entries
from brickbybrick.demo import KIT_OF, LABELS, run_demo
from brickbybrick.errors import InputError
from brickbybrick.export.kit import usual_kit
from brickbybrick.targets.catalog import load_task


def test_everything_that_is_shown_is_of_digits_that_no_agent_has_seen(tmp_path: Path) -> None:
    figures = run_demo(tmp_path, seed=3)
    unseen = {target.name for target in load_task("mnist").test}
    for name in LABELS:
        assert entries()[name].sees == "images"
        models = [json.loads(path.read_text()) for path in sorted((tmp_path / name).glob("*.json"))]
        assert {model["target"] for model in models} <= unseen
        assert [model["target"].partition("/")[0] for model in models] == [f"mnist-{digit}" for digit in range(10)]
        assert figures[f"{name}_iou_mean"] == pytest.approx(sum(model["iou"] for model in models) / 10)
    assert len(list((tmp_path / "kit").iterdir())) == len(usual_kit()) + 1  # and the target
    assert json.loads((tmp_path / "kit/model.json").read_text())["target"].startswith(f"mnist-{KIT_OF}/")


def test_a_seed_that_is_none() -> None:
    with pytest.raises(InputError, match="seed is -1"):
        run_demo(Path("nowhere"), -1)
