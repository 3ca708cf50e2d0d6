"""A newcomer who has nothing but the wheel and docs/quickstart.md, and types its lines; `make test-dist` runs this."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/quickstart.md"
WHEELS = os.environ.get("B3_WHEELS")
ASIDE = ("PYTHON", "VIRTUAL_ENV", "B3_", "NUMBA_")  # variables of whoever runs the tests, which a newcomer has not


def lines_to_type() -> list[str]:
    return re.findall(r"^    (.*)$", PAGE.read_text(), re.MULTILINE)


def test_the_page_takes_one_from_nothing_to_a_kit() -> None:
    lines = lines_to_type()
    assert [line.split()[0] for line in lines[:3]] == ["python3", ".", "pip"]
    assert lines.count("b3 train mnist-0") == 1  # with the preset quick, which is the usual one


@pytest.mark.slow
@pytest.mark.skipif(WHEELS is None, reason="make test-dist makes the wheel, installs it and follows the page")
def test_a_newcomer_gets_from_nothing_to_an_agent_and_a_kit(tmp_path: Path) -> None:
    """Line by line as they stand, but that training is cut short; versions are those that were tested."""
    assert WHEELS is not None
    words = " ".join([os.environ.get("PIP_FIND_LINKS", ""), str((ROOT / WHEELS).resolve())]).strip()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ASIDE)}
    environment |= {"PIP_FIND_LINKS": words, "PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_QUIET": "1"}
    short = [f"{line} --steps 4000" if line == "b3 train mnist-0" else line for line in lines_to_type()]
    script = "\n".join(["set -e", *short])
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    for name in ("agent.safetensors", "result.json"):
        assert (tmp_path / "out/mnist-0-b3-0" / name).stat().st_size
    kit = {path.name for path in (tmp_path / "kit").iterdir() if path.stat().st_size}
    named = set(re.findall(r"`(\w+\.(?:pdf|html|ldr|xml|csv))`", PAGE.read_text()))
    assert named | {"model.json"} <= kit  # the replay is there because the page is inside the wheel
    (package,) = (tmp_path / "bricks").glob("lib/python*/site-packages/brickbybrick")
    assert (package / "studio/page/index.html").is_file()
