"""What comes with the package: networks at half the precision, and a card that says what their records say."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from drawings import draw_strokes
from experiments.kept import KEPT

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.experiments import ship
from brickbybrick.experiments.job import Job, to_record
from brickbybrick.experiments.learning_jobs import Teaching, Training, Validity
from brickbybrick.experiments.paper import SCALES, jobs_of
from brickbybrick.experiments.ship import Ship, card, halve, is_shipped, shipped_file
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import load_agent, save_agent

SHIPPED = [job for job in jobs_of(SCALES["paper"]) if is_shipped(job)]


def write_result(runs: Path, job: Job, **result: Any) -> Path:
    folder = runs / job.name
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps({"job": to_record(job), **result}))
    return folder


def scores(train: float, test: float) -> dict[str, Any]:
    return {"train": {"iou": [train - 0.1, train + 0.1]}, "test": {"iou": [test - 0.2, test + 0.2]}}


def rows_of(text: str) -> list[list[str]]:
    """The rows of all tables, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if row[0] != "agent"]


def test_a_card_says_what_the_records_say_and_nothing_else(tmp_path: Path) -> None:
    trained, taught, untrained = Training(task="mnist-7"), Teaching(task="mnist"), Training(task="mnist-8")
    write_result(tmp_path, trained, seconds=61.7, steps=12_345, **scores(0.512, 0.487))
    write_result(tmp_path, taught, seconds=99.2, weights=678, states=9_000, **scores(0.7, 0.6))
    figures = {f"{head}_share_valid": share for head, share in (("pivot", 0.97), ("offset", 0.25))}
    figures |= {
        f"{head}_{figure}_{positive}": value
        for head, values in (("pivot", (0.1111, 0.2222, 0.3333, 0.4444)), ("offset", (0.5, 0.6, 0.7, 0.8)))
        for (figure, positive), value in zip(
            [(figure, positive) for positive in ("valid", "invalid") for figure in ("precision", "recall")],
            values,
            strict=True,
        )
    }
    write_result(tmp_path, Validity(episodes=1_234, epochs=7), test={"figures": figures})
    text = card([trained, taught, untrained, Validity()], tmp_path)
    assert rows_of(text) == [
        ["mnist-7-b3", "12,345", "62", "0.512", "0.487"],
        ["mnist-b3plus", "678", "9,000", "99", "0.700", "0.600"],
    ]
    assert "(7 epochs) on all stages of 1,234 random assemblies" in text
    assert "pivot 0.1111 / 0.2222 (valid, 97% of them), pivot 0.3333 / 0.4444 (invalid, 3% of them)" in text
    assert "offset 0.5000 / 0.6000 (valid, 25% of them), offset 0.7000 / 0.8000 (invalid, 75% of them)" in text


def test_the_card_that_comes_along_is_that_of_the_records_that_are_kept() -> None:
    assert (WEIGHTS.parent / "README.md").read_text() == card(SHIPPED, KEPT / "runs")


def test_every_agent_that_comes_along_is_on_its_card() -> None:
    shipped = {path.stem for path in WEIGHTS.glob("*.safetensors")}
    assert {row[0] for row in rows_of((WEIGHTS.parent / "README.md").read_text())} == shipped
    assert {shipped_file(job).stem for job in SHIPPED if not isinstance(job, Validity)} == shipped


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent that has learned nothing, at full precision."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("agent") / "agent.safetensors"
    save_agent(path, "b3", ActorCritic(ModelConfig(views=1, offsets=6, width=16)), {"task": "strokes"}, 5)
    return path


def test_weights_are_halved_where_that_changes_nothing(
    agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = str(draw_strokes(tmp_path / "strokes"))
    halve(agent, tmp_path / "half.safetensors", task, None)
    assert (tmp_path / "half.safetensors").stat().st_size < 0.6 * agent.stat().st_size
    whole, half = (load_agent(path) for path in (agent, tmp_path / "half.safetensors"))
    assert (half.name, half.steps, half.training) == (whole.name, whole.steps, whole.training)
    monkeypatch.setattr(ship, "TOLERANCE", -1.0)  # nothing is near enough
    with pytest.raises(InputError, match=r"agent\.safetensors: IoU 0\.\d{4} becomes 0\.\d{4} at half the precision"):
        halve(agent, tmp_path / "other.safetensors", task, None)
    assert not (tmp_path / "other.safetensors").exists()


def test_what_is_there_of_a_grid_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One agent with its weights, one of which only the record was kept: that one's file stays as it is."""
    monkeypatch.setattr(ship, "WEIGHTS", tmp_path / "weights/agents")
    monkeypatch.setattr(ship, "TESTED", 3)
    runs = tmp_path / "results/runs"
    folder = write_result(runs, Training(task="mnist-7"), seconds=61.7, steps=12_345, **scores(0.5, 0.4))
    (folder / "agent.safetensors").write_bytes((WEIGHTS / "mnist-7-b3.safetensors").read_bytes())
    write_result(runs, Training(task="mnist-8"), seconds=1.0, steps=1, **scores(0.3, 0.2))
    Ship(results=tmp_path / "results").run()
    assert re.fullmatch(r"mnist-7/b3-0: \d\.\d MB\n", capsys.readouterr().out)
    assert [path.name for path in (tmp_path / "weights/agents").iterdir()] == ["mnist-7-b3.safetensors"]
    assert {row[0] for row in rows_of((tmp_path / "weights/README.md").read_text())} == {"mnist-7-b3", "mnist-8-b3"}
