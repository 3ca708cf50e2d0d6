"""What all commands say while they work: that code is compiled, how far a job is, and figures in two forms."""

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest
from rich.console import Console

from brickbybrick.commands import console
from brickbybrick.errors import InputError
from brickbybrick.experiments.job import Progress
from brickbybrick.experiments.measuring_jobs import Contents


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal shows."""
    shown = io.StringIO()
    monkeypatch.setattr(console, "NOTES", Console(file=shown, force_terminal=True, width=80))
    return shown


def test_the_line_says_that_code_is_compiled(terminal: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert "building" in terminal.getvalue()


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


def test_figures_are_a_table_or_one_flat_object(capsys: pytest.CaptureFixture[str]) -> None:
    figures = {"steps_per_s": 1234567.8, "iou": 0.51249}
    console.print_figures("speed", figures, as_json=True)
    assert json.loads(capsys.readouterr().out) == figures
    console.print_figures("speed", figures, as_json=False)
    shown = capsys.readouterr().out
    assert "1,234,568" in shown
    assert "0.512" in shown


def test_what_a_job_finds_out_stays_on_the_screen(terminal: io.StringIO) -> None:
    with console.job_bar("training") as tell:
        tell(Progress(1, 4, "states", "loss 0.5"))
        tell(Progress(2, 4, "states", "loss 0.4", line="2 states, 9 s: IoU 0.300 train, 0.200 test"))
    assert "2/4 states" in terminal.getvalue()
    assert "2 states, 9 s: IoU 0.300 train, 0.200 test\n" in terminal.getvalue()


def test_after_a_stop_the_bar_goes_on_where_it_was(terminal: io.StringIO) -> None:
    """And what was done before the stop does not count when it says how long the rest will take."""
    with console.job_bar("training") as tell:
        tell(Progress(90_000, 100_000, "steps"))
        assert "90000/100000 steps" in terminal.getvalue()
        for done in (90_100, 90_200):
            time.sleep(0.2)
            tell(Progress(done, 100_000, "steps"))
    minutes, seconds = map(int, re.findall(r"0:(\d\d):(\d\d)", terminal.getvalue())[-1])
    assert 60 * minutes + seconds >= 18  # 9,800 steps, 100 in 0.2 s or more


def test_a_job_says_that_it_compiles(terminal: io.StringIO) -> None:
    with console.job_bar("training"):
        assert numba.njit(lambda a: a + 5)(1) == 6
        assert "None" not in terminal.getvalue()
    assert console.COMPILING.split(",")[0] in terminal.getvalue()


def test_what_becomes_of_each_job_is_told(terminal: io.StringIO) -> None:
    with console.jobs_bar(2) as tell:
        tell(Contents(task="random"), "started")
        tell(Contents(task="random"), "done")
    assert "started: random/contents\n" in terminal.getvalue()
    assert "1/2 jobs" in terminal.getvalue()


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert [console.device_of(name) for name in ("auto", "cpu")] == ["cpu", "cpu"]
    with pytest.raises(InputError, match="take --device cpu"):
        console.device_of("cuda")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert [console.device_of(name) for name in ("auto", "cpu", "cuda")] == ["cuda", "cpu", "cuda"]
