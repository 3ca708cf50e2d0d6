"""Where ModelNet is, for all environments."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _data(modelnet_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("B3_DATA", str(modelnet_folder))
