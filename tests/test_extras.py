"""Without the extras: what needs none of them works, and what needs one says in one line which to install."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from PIL import Image

from brickbybrick.errors import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {
    "pillow": "PIL",
    "python-multipart": "python_multipart",
    "sb3-contrib": "sb3_contrib",
}  # where it is not the package's name

# Runs several commands in one process, in which no extra is installed; prints code, output and notes of each.
RUN = """
import contextlib, io, json, sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, *rest):
        return None if name.partition(".")[0] in {hidden!r} else self.finder.find_spec(name, *rest)

sys.meta_path = [Without(finder) for finder in sys.meta_path]
from brickbybrick.cli import main
results = []
for arguments in {commands!r}:
    code, out, err = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
    results.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(results))
"""


def packages(requirements: list[str]) -> set[str]:
    """What requirements are imported as."""
    names = [re.match(r"[\w-]+", requirement)[0] for requirement in requirements]
    return {IMPORTED_AS.get(name, name) for name in names}


def b3_without_extras(folder: Path, *commands: list[str], hidden: Iterable[str] = EXTRAS) -> list[tuple[int, str, str]]:
    script = RUN.format(hidden=sorted(hidden), commands=commands)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=folder, timeout=300
    )
    return [tuple(result) for result in json.loads(done.stdout)]


def draw_bar(path: Path) -> None:
    picture = Image.new("L", (30, 30), 255)
    picture.paste(0, (10, 5, 20, 25))
    picture.save(path)


def test_every_extra_is_known() -> None:
    of_the_package = PROJECT["optional-dependencies"].keys() - {"dev", "docs"}  # which the package does not import
    optional = {extra: packages(PROJECT["optional-dependencies"][extra]) for extra in of_the_package}
    assert {package: extra for extra, names in optional.items() for package in names} == EXTRAS


def test_every_package_that_is_imported_is_installed_or_an_extra() -> None:
    known = {*packages(PROJECT["dependencies"]), *EXTRAS, *sys.stdlib_module_names, "brickbybrick"}
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            assert {name.partition(".")[0] for name in names} <= known, path


def test_a_kit_holds_what_the_extras_cover_and_the_rest_is_named(tmp_path: Path) -> None:
    draw_bar(tmp_path / "bar.png")
    model = "kit/model.json"
    built, checked, exported, asked = b3_without_extras(
        tmp_path,
        ["build", "bar.png", "--out", "kit"],
        ["check", model],
        ["export", model, "--to", "model.pdf"],
        ["build", "bar.png", "--out", "other", "--kit", "pdf"],
    )
    line = "no instructions.pdf: building instructions need reportlab: pip install 'brickbybrick[kit]'"
    assert built[0] == 0, built
    assert line in built[2].splitlines()
    written = {path.name for path in (tmp_path / "kit").iterdir()}
    assert written >= {"model.json", "model.ldr", "model.glb", "model.png", "bricklink.xml", "rebrickable.csv"}
    assert "instructions.pdf" not in written
    assert (checked[0], checked[2]) == (0, "")
    assert exported == asked == (2, "", f"b3: {line}\n")
    assert not (tmp_path / "other").exists()


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What each command of the test below comes to, where nothing but the package itself is installed."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "box.stl").write_text("solid box\nendsolid\n")
    (folder / "pictures").mkdir()
    draw_bar(folder / "pictures/bar.png")
    commands = [line for line, _ in NEEDS]
    return dict(zip(commands, b3_without_extras(folder, *(line.split() for line in commands)), strict=True))


NEEDS = [
    ("build box.stl", "meshes"),
    ("build pictures --engine ray", "ray"),
    ("build pictures/bar.png --agent b3plus", "learn"),
    ("evaluate mnist-0 --agent bo --targets 1", "learn"),
    ("evaluate mnist-0 --agent guided --targets 1", "learn"),
    ("demo", "learn"),
    ("train mnist-0", "learn"),
    ("optimum mnist-0 --anew --targets 1", "search"),
    ("reproduce --draw-only", "learn"),
    ("beyond --draw-only", "learn"),
    ("studio", "studio"),
    ("bench peers", "peers"),
]


@pytest.mark.parametrize(("line", "extra"), NEEDS)
def test_what_needs_an_extra_names_it_in_one_line(
    line: str, extra: str, refusals: dict[str, tuple[int, str, str]]
) -> None:
    code, _, notes = refusals[line]
    assert code == 2
    assert len(notes.splitlines()) == 1
    assert f"pip install 'brickbybrick[{extra}]'" in notes


def test_who_can_run_networks_and_not_draw_is_told_what_draws(tmp_path: Path) -> None:
    for command in ("reproduce", "beyond"):
        (told,) = b3_without_extras(tmp_path, [command, "--draw-only"], hidden=["matplotlib"])
        assert told == (2, "", "b3: this needs matplotlib: pip install 'brickbybrick[report]'\n")
