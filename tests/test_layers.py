"""The layers of the package: each imports only from those before it, the core needs little, nothing grows too large,
and every module has tests."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import brickbybrick

ROOT = Path(brickbybrick.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
MOST_OF_A_MODULE, MOST_OF_A_FUNCTION = 400, 60  # lines
COMPILED = {"compiled", "inlined"}  # what compiled code is decorated with: calls between its parts are not free there
LAYERS = [
    "errors",
    "made",
    "colours",
    "files",
    "jit",
    "geometry",
    "construction",
    "bodies",
    "bands",
    "picture",
    "sheets",
    "targets",
    "order",
    "envs",
    "policies",
    "builders",
    "learning",
    "bounds",
    "evaluation",
    "bench",
    "judging",
    "handwork",
    "export",
    "cluster",
    "building",
    "experiments",
    "studio",
    "assistants",
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


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
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


def name_of(decorator: ast.expr) -> str:
    """Of a decorator, with or without arguments."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_every_layer_is_there_and_has_its_place() -> None:
    there = {path.name.removesuffix(".py") for path in ROOT.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    assert there - {"__init__"} == set(LAYERS)


def test_modules_can_be_read_in_one_go() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: number for name, number in lines.items() if number > MOST_OF_A_MODULE} == {}


def test_functions_can_be_seen_whole() -> None:
    """Except for compiled ones."""
    long = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > MOST_OF_A_FUNCTION and not COMPILED & set(map(name_of, node.decorator_list)):
                    long[f"{path.relative_to(ROOT)}: {node.name}"] = lines
    assert long == {}


def test_every_module_has_tests_of_its_own() -> None:
    """geometry/brick.py has geometry/test_brick.py, and so on."""
    modules = [path.relative_to(ROOT) for path in MODULES if path.name != "__init__.py" and path.parent != ROOT]
    tests = {module: module.with_name(f"test_{module.name}") for module in modules}
    assert [str(module) for module, test in tests.items() if not (TESTS / test).exists()] == []
