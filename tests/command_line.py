"""The command b3, as a user runs it."""

import contextlib
import io
import os
import subprocess
import sys

import torch

from brickbybrick.cli import main


def b3(*arguments: str, expect: int = 0, apart: bool = False) -> subprocess.CompletedProcess[str]:
    """What a command comes to: in this process, where PyTorch and compiled code are there already, or in one apart."""
    result = _apart(arguments) if apart else _here(arguments)
    assert result.returncode == expect, result.stderr
    assert "Traceback" not in result.stderr
    return result


def _apart(arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from brickbybrick.cli import main; main()", *arguments]
    one = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads wait for each other where other work holds the processors
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=one)


def _here(arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    out, said, code = io.StringIO(), io.StringIO(), 0
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            main(list(arguments))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        torch.set_num_threads(threads)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), said.getvalue())


def refusal(*arguments: str) -> str:
    """The one line that a mistake ends in, with exit code 2; in this process, which is sooner."""
    said = io.StringIO()
    code: object = None
    with contextlib.redirect_stderr(said):
        try:
            main(list(arguments))
        except SystemExit as end:
            code = end.code
    assert code == 2, said.getvalue()
    (line,) = said.getvalue().splitlines()
    return line
