"""Who can be asked to build."""

from pathlib import Path

import pytest

from brickbybrick.learning import checkpoint
from brickbybrick.studio.agents import registered


def test_every_builder_is_registered_once() -> None:
    entries = registered()
    assert [entry.name for entry in entries.values()] == list(entries)
    for entry in entries.values():
        assert set(entry.views) <= {1, 3}
        assert entry.probabilities == hasattr(entry.builder(entry.views[0], 0), "probabilities")


def test_the_best_come_first_and_agents_for_a_digit_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED_AGENTS", tmp_path)
    assert list(registered()) == ["search", "greedy", "bo", "random"]
    for name in ("mnist-b3plus", "mnist-b3", "mnist-mlp", "objects-b3", "mnist-7-b3", "mnist-2-b3"):
        (tmp_path / f"{name}.safetensors").touch()
    found = registered()
    agents = ["b3plus", "b3", "mlp"]
    assert list(found) == ["search", *agents, "greedy", "bo", "random", "b3-digit-2", "b3-digit-7"]
    assert [found[name].views for name in (*agents, "b3-digit-2")] == [(1,), (1, 3), (1,), (1,)]
