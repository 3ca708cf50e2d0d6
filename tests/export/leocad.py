"""What LeoCAD makes of files, for tests: its pictures, and the parts that it counts."""

import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image


def run(commands: list[str], folder: Path) -> None:
    """Runs LeoCAD in a folder, with one screen for all commands."""
    script = ["xvfb-run", "-a", "sh", "-ec", "; ".join(commands)]
    room = os.environ | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}  # a fresh LeoCAD, whatever one's own is
    subprocess.run(script, cwd=folder, env=room, check=True, capture_output=True, timeout=120)


def pictures(files: dict[str, bytes], folder: Path, options: str = "") -> dict[str, np.ndarray]:
    """A picture (row, column, RGBA) of each file, from the front, the right and above."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    lens = f"-w 400 -h 400 --camera-angles 30 30 {options}"
    run([f"leocad -i {name}.png {lens} {name}" for name in files], folder)
    return {name: np.asarray(Image.open(folder / f"{name}.png").convert("RGBA")) for name in files}


def placed(files: dict[str, bytes], folder: Path) -> dict[str, Counter[tuple[str, tuple[float, ...]]]]:
    """The parts of each file, by LeoCAD's own count when it saves them for other programs, and where they are."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    run([f"leocad -dae {name}.dae {name}" for name in files], folder)
    found = {}
    for name in files:
        text = (folder / f"{name}.dae").read_text()
        nodes = re.findall(r'<matrix>(.*?)</matrix>\s*<instance_geometry url="#(.*?)"', text, re.DOTALL)
        found[name] = Counter(
            (part, tuple(round(float(word), 2) + 0.0 for word in matrix.split())) for matrix, part in nodes
        )
    return found
