"""Compiling takes up to a minute on a new machine: the set-up does it."""

import json
import subprocess
import sys
from pathlib import Path

from PIL import Image

from brickbybrick.commands.prepare import BOX, POT

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


def test_the_set_up_compiles_what_b3_build_needs(tmp_path: Path) -> None:
    picture = Image.new("L", (60, 60), 255)
    picture.paste(0, (10, 10, 20, 50))
    picture.paste(0, (10, 40, 50, 50))
    picture.save(tmp_path / "letter.png")
    (tmp_path / "box.off").write_text(BOX)
    (tmp_path / "pot.off").write_text(POT)
    builds = (
        ["letter.png", "--out", "a"],
        ["box.off", "--out", "b", "--repair"],
        ["box.off", "--out", "c", "--size", "20", "--inventory", "2x4=40,1x2"],
        ["letter.png", "--out", "d", "--agent", "search"],
        ["letter.png", "--out", "e", "--mosaic", "--dither"],
        ["pot.off", "--out", "f", "--size", "18"],
    )
    every = "for order in ORDERS: build_small(order)"
    prepared = loaded_by(f"from brickbybrick.commands.prepare import ORDERS, build_small\n{every}", tmp_path)
    built = loaded_by(f"from brickbybrick.cli import main\nfor line in {builds}: main(['build', *line])", tmp_path)
    assert len(built) > 10
    assert built <= prepared
