"""The command b3, as a user runs it."""

import subprocess
import sys


def b3(*arguments: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from brickbybrick.cli import main; main()", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == expect, result.stderr
    assert "Traceback" not in result.stderr
    return result
