"""The files of the page, and nothing else."""

import gzip
from pathlib import Path

import pytest

from brickbybrick.studio.web_files import FOLDER, WebFiles

BUILT = {"index.html": b"<script src=/assets/a.js></script>", "assets/a.js": b"1", "icon.svg": b"<svg/>"}


@pytest.fixture
def page(tmp_path: Path) -> WebFiles:
    for name, content in BUILT.items():
        (tmp_path / "page" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "page" / name).write_bytes(content)
    (tmp_path / "secret").write_text("secret")
    return WebFiles(tmp_path / "page")


def test_the_page_is_served_from_a_list(page: WebFiles) -> None:
    for name, content in BUILT.items():
        assert page.answer(name).body == content
    assert page.answer("").body == BUILT["index.html"]
    assert page.answer("").headers["content-type"] == "text/html; charset=utf-8"
    assert page.answer("assets/a.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in page.answer("assets/a.js").headers["cache-control"]
    for name in ("../secret", "assets/../../secret", "/etc/passwd", "assets", "assets/", "index.html/", "\0"):
        assert page.answer(name).status_code == 404


def test_a_page_that_was_not_built_says_how_to(tmp_path: Path) -> None:
    page = WebFiles(tmp_path / "page")
    assert not page.is_built
    assert page.answer("").status_code == 503
    assert b"make page" in bytes(page.answer("").body)
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("hello")
    assert page.answer("").body == b"hello"  # without a restart
    assert page.is_built


@pytest.mark.skipif(not WebFiles().is_built, reason="the page was not built: make page")
def test_what_the_page_starts_with_is_small() -> None:
    files = [path for path in FOLDER.rglob("*") if path.is_file() and path.name != "replay.html"]
    size = sum(len(gzip.compress(path.read_bytes())) for path in files)
    print(f"{size / 1e3:.0f} KB gzipped")
    assert size < 250_000
