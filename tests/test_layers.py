"""The layers of the package: each imports only from those before it, and the core needs little."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import brickbybrick

ROOT = Path(brickbybrick.__file__).parent
LAYERS = [
    "errors",
    "files",
    "colours",
    "geometry",
    "construction",
    "picture",
    "targets",
    "envs",
    "policies",
    "learning",
    "search",
    "bench",
    "export",
    "cluster",
    "building",
    "experiments",
    "studio",
    "demo",
    "commands",
    "cli",
]


def imported(path: Path) -> set[str]:
    """The layers that a module imports from, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("brickbybrick.")}
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_upwards(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if layer == "__init__":
        assert not imported(path)
        return
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    assert imported(path) <= set(allowed)


def test_the_core_imports_with_numpy_and_numba_alone() -> None:
    """Training must run on a bare machine: no Gymnasium, no Pillow, no mesh or command line packages."""
    absent = ["gymnasium", "PIL", "trimesh", "mlxtend", "tyro", "rich", "matplotlib", "pandas", "sklearn", "torch"]
    script = f"""
import sys
for name in {absent!r}:
    sys.modules[name] = None
import brickbybrick.geometry.packed
import brickbybrick.targets.catalog
import brickbybrick.envs.simulator
import brickbybrick.builders.greedy
"""
    subprocess.run([sys.executable, "-c", script], check=True)
