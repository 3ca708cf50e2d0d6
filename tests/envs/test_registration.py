"""What the registered ids stand for."""

import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

import brickbybrick
from brickbybrick.errors import InputError


def test_an_id_with_the_module_in_it_needs_no_import() -> None:
    script = """
import gymnasium
env = gymnasium.make("brickbybrick:brickbybrick/Mnist-v0", digit=3)
assert env.unwrapped.sim.targets[0].name.startswith("mnist-3/")
"""
    subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", script], check=True)


def test_missing_modelnet_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ModelNet40\.zip.*B3_DATA") as caught:
        gymnasium.make("brickbybrick/ModelNet-v0", category="monitor", data=str(tmp_path))
    assert "\n" not in str(caught.value)


def test_the_version_is_told() -> None:
    assert brickbybrick.__version__
