"""The command b3, as a user runs it."""

import contextlib
import io
import os
import subprocess
import sys

from brickbybrick.cli import main


def b3(*arguments: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    """What a command comes to, in a process of its own."""
    command = [sys.executable, "-c", "from brickbybrick.cli import main; main()", *arguments]
    one = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads wait for each other where other work holds the processors
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=one)
    assert result.returncode == expect, result.stderr
    assert "Traceback" not in result.stderr
    return result


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
