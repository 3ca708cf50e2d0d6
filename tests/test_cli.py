"""The command line: what is typed wrong is explained, and what a user can get wrong ends in one line."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import b3

from brickbybrick import cli
from brickbybrick.errors import InputError

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def test_a_typo_is_explained() -> None:
    assert "demo" in b3("dmeo", expect=2, apart=True).stderr


def test_the_readmes_tree_has_every_room_and_no_other() -> None:
    """Packages with a slash and modules without their ending, some of them side by side."""
    tree = README.read_text().partition("src/brickbybrick/\n")[2]
    lines = itertools.takewhile(lambda line: line.startswith("  "), tree.splitlines())
    listed = {name for line in lines for name in line.strip().partition("  ")[0].split()}
    source = ROOT / "src/brickbybrick"
    there = {path.stem for path in source.glob("*.py")}
    there |= {f"{path.name}/" for path in source.iterdir() if path.is_dir()}
    assert listed == there - {"__init__", "__pycache__/"}


class Ending:
    """A command that ends in some way."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def run(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InputError("no bricks left: buy some"), 2, "b3: no bricks left: buy some\n"),
        (ModuleNotFoundError(name="ray.util"), 2, "b3: this needs ray: pip install 'brickbybrick[ray]'\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_how_a_command_ends(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "command_of", lambda _: Ending(error))
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert (end.value.code, capsys.readouterr().err) == (code, said)


def test_a_mistake_of_ours_is_not_passed_off_as_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (ZeroDivisionError(), ModuleNotFoundError(name="brickbybrick.nothing")):
        monkeypatch.setattr(cli, "command_of", lambda _, error=error: Ending(error))
        with pytest.raises(type(error)):
            cli.main([])


def test_a_reader_who_has_seen_enough_may_leave() -> None:
    """As `head` does: no traceback, and no word on standard error."""
    reader, writer = os.pipe()
    os.close(reader)
    program = "from brickbybrick.cli import main; main(['data', 'mnist-1', '--json'])"
    done = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


WITHOUT_TORCH = """
import sys

class Hide:
    def find_spec(self, name, *_):
        if name == "torch":
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Hide())
from brickbybrick.cli import main
main()
"""


def test_a_package_that_is_missing_is_named_in_one_line(tmp_path: Path) -> None:
    for arguments in (["demo", "--out", str(tmp_path)], ["train", "mnist-0"], ["evaluate", "mnist-0", "--agent", "b3"]):
        result = subprocess.run(
            [sys.executable, "-c", WITHOUT_TORCH, *arguments], capture_output=True, text=True, timeout=60
        )
        assert (result.returncode, result.stderr) == (2, "b3: this needs torch: pip install 'brickbybrick[learn]'\n")
    needless = ["evaluate", "mnist-0", "--agent", "greedy", "--targets", "3"]
    subprocess.run([sys.executable, "-c", WITHOUT_TORCH, *needless], capture_output=True, check=True, timeout=60)
