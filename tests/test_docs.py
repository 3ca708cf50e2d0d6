"""The README and the docs: their Python runs, and b3 knows the commands and options that they name."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from brickbybrick.cli import command_of

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def python_of(page: Path) -> str:
    """All Python of a page as one program, each block on its own lines, so that errors name the page's."""
    lines, inside, kept = page.read_text().splitlines(), False, []
    for line in lines:
        fence = line.startswith("```")
        kept.append(line if inside and not fence else "")
        inside = line == "```python" or (inside and not fence)
    return "\n".join(kept)


def files_of(page: Path) -> dict[str, str]:
    """The files that a page gives whole, by their names: blocks with a title."""
    blocks = re.findall(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', page.read_text(), re.MULTILINE | re.DOTALL)
    return dict(blocks)


def quoted_commands(page: Path) -> Iterator[str]:
    """What stands between backticks and begins with b3."""
    for quoted in re.findall(r"(?<!`)`(b3 [^`]+)`", page.read_text()):
        yield " ".join(quoted.split())


def command_lines(page: Path) -> Iterator[str]:
    """Lines to be typed: those of a block that begin with b3, without what explains them."""
    for line in re.findall(r"^    (b3 .*)$", page.read_text(), re.MULTILINE):
        yield line.partition("#")[0].strip()


@pytest.mark.parametrize(
    "page", [page for page in PAGES if python_of(page).strip()], ids=lambda page: str(page.relative_to(ROOT))
)
def test_python_runs_as_it_stands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = Path(sys.executable).parent  # where b3 is, which some of it starts
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    exec(compile(python_of(page), page, "exec"), {"__name__": "__main__"})


def test_the_quick_start_is_short_and_shows_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = python_of(ROOT / "README.md")
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert re.search(r"\d+ bricks, IoU 0\.\d+", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("page", "line"),
    [("own-task", "data castles"), ("own-agent", "evaluate mnist-3 --agent upwards --targets 2")],
)
def test_a_package_that_a_page_gives_whole_installs_and_is_known(page: str, line: str, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    pytest.importorskip("pip")
    source, installed = tmp_path / "source", tmp_path / "installed"
    source.mkdir()
    for name, content in files_of(ROOT / f"docs/tutorials/{page}.md").items():
        (source / name).write_text(content)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(installed), str(source)], check=True, capture_output=True)
    command = [sys.executable, "-c", "from brickbybrick.cli import main; main()", *line.split(), "--json"]
    found = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT / "src")])}
    done = subprocess.run(command, env=found, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)


@pytest.mark.parametrize(
    "line", sorted({line for page in PAGES for line in command_lines(page)}), ids=lambda line: line
)
def test_a_line_to_type_is_a_command(line: str) -> None:
    assert command_of(shlex.split(line)[1:])


@cache
def help_of(*words: str) -> str:
    """What --help shows of a command."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), pytest.raises(SystemExit):
        command_of([*words, "--help"])
    return shown.getvalue()


@pytest.mark.parametrize(
    "quoted", sorted({line for page in PAGES for line in quoted_commands(page)}), ids=lambda line: line
)
def test_a_quoted_command_has_the_options_that_b3_has(quoted: str) -> None:
    """Quoted commands may leave out what they are not about, so that only names are looked up."""
    path: list[str] = []
    for word in shlex.split(quoted)[1:]:
        if word.startswith("-"):
            assert re.search(rf"^\W*(-h, )?{word}\b", help_of(*path), re.MULTILINE)
        elif "subcommands" in help_of(*path):
            assert f" {word} " in help_of(*path)
            path.append(word)
