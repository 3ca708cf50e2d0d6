"""Compiling takes up to a minute on a new machine: it is said, and the set-up does it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from PIL import Image
from rich.console import Console

from brickbybrick.commands import console
from brickbybrick.commands.prepare import BOX

# The functions that were compiled, or loaded from the cache, in this process.
LOADED = """
import gc, json
from numba.core.dispatcher import Dispatcher
found = [each for each in gc.get_objects() if isinstance(each, Dispatcher)]
names = {f"{each.py_func.__qualname__}{signature}" for each in found for signature in each.signatures}
print(json.dumps(sorted(names)))
"""


def loaded_by(script: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", script + LOADED], capture_output=True, text=True, check=True, cwd=folder, timeout=600
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_line_says_that_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(console, "NOTES", Console(file=shown, force_terminal=True, width=80))
    said = []
    with console.working("building") as line:
        update = line.update
        monkeypatch.setattr(line, "update", lambda text: (said.append(text), update(text)))
        inner = numba.njit(lambda a: a + 1)
        outer = numba.njit(lambda a: inner(a) + 1)
        assert outer(1) == 3
        assert said == [console.COMPILING, "building"]
        assert outer(2) == 4
    assert numba.njit(lambda a: a + 2)(1) == 3  # nobody listens any more
    assert said == [console.COMPILING, "building"]
    assert "building" in shown.getvalue()


def test_code_in_the_cache_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cached.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef twice(a):\n    return 2 * a\n", encoding="utf-8"
    )
    script = """
from brickbybrick.commands.console import told_of_compiling
from cached import twice
said = []
with told_of_compiling(said.append):
    twice(3)
print(said)
"""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
        for _ in range(2)
    ]
    assert runs == ["[True, False]\n", "[]\n"]


def test_the_set_up_compiles_what_b3_build_needs(tmp_path: Path) -> None:
    picture = Image.new("L", (60, 60), 255)
    picture.paste(0, (10, 10, 20, 50))
    picture.paste(0, (10, 40, 50, 50))
    picture.save(tmp_path / "letter.png")
    (tmp_path / "box.off").write_text(BOX)
    builds = (
        ["letter.png", "--out", "a"],
        ["box.off", "--out", "b", "--repair"],
        ["box.off", "--out", "c", "--size", "20", "--inventory", "2x4=40,1x2"],
    )
    every = "for order in ORDERS: build_small(order)"
    prepared = loaded_by(f"from brickbybrick.commands.prepare import ORDERS, build_small\n{every}", tmp_path)
    built = loaded_by(f"from brickbybrick.cli import main\nfor line in {builds}: main(['build', *line])", tmp_path)
    assert len(built) > 10
    assert built <= prepared
