"""The docs as a site: it is built without a warning, no link of it is broken, it is searched and read on a phone."""

import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page
from studio.browser import CHROMIUM, PATIENCE, PHONE, chromium

for package in ("material", "mkdocs", "mkdocstrings", "nbformat"):
    pytest.importorskip(package)

ROOT = Path(__file__).parent.parent
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: sudo apt-get install chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


class Links(HTMLParser):
    """What a page links to, what it shows and runs, and the places in it that can be linked to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        self.places |= {about[name] for name in ("id", "name") if name in about}
        if tag == "a" and "href" in about:
            self.links.append(about["href"])
        elif tag == "link" and about.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(about["href"])
        elif tag in ("img", "script") and "src" in about:
            self.loaded.append(about["src"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    # The page for what is not found is shown at any address, and so has links of its own kind.
    return {path: Links(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_all_that_there_is_to_read_is_on_it(pages: dict[Path, Links], site: Path) -> None:
    names = {str(path.relative_to(site).parent) for path in pages}
    written = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    assert {str(name.parent) if name.name == "index" else str(name) for name in written} <= names
    assert {"ARCHITECTURE", "results/REPORT", "notebooks/digits"} <= names


def test_no_link_is_broken(pages: dict[Path, Links], site: Path) -> None:
    broken, followed = [], 0
    for path, links in pages.items():
        for link in [*links.links, *links.loaded]:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            followed += 1
            wanted = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            wanted = wanted / "index.html" if wanted.is_dir() else wanted
            there = wanted.is_file() and wanted.is_relative_to(site.resolve())
            place = unquote(parts.fragment)
            if not there or (place and place not in pages[wanted].places):
                broken.append((str(path.relative_to(site)), link))
    assert broken == []
    assert followed > 1000


def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Links]) -> None:
    loaded = {link for links in pages.values() for link in links.loaded}
    assert {urlsplit(link).scheme for link in loaded} <= {"", "data"}


def test_the_search_knows_pages_names_and_notebooks(site: Path) -> None:
    found = json.loads((site / "search/search_index.json").read_text())["docs"]
    where = {each["location"] for each in found}
    assert any(place.startswith("building/#your-own-box") for place in where)
    assert any(place.endswith("brickbybrick.envs.construction_env.ConstructionEnv") for place in where)
    assert any(place.startswith("notebooks/search") for place in where)


def test_hosted_pages_are_built_by_the_same_command() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text())
    steps = workflow["jobs"]["build"]["steps"]
    assert "make docs" in [step.get("run") for step in steps]
    (uploaded,) = [step["with"]["path"] for step in steps if "upload-pages" in step.get("uses", "")]
    assert uploaded == "out/site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    page = browser.new_context(**PHONE).new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.context.close()


@needs_chromium
def test_no_page_is_wider_than_a_phone(phone: Page, address: str, pages: dict[Path, Links], site: Path) -> None:
    wide = []
    for path in pages:
        name = path.relative_to(site).parent.as_posix()
        phone.goto(f"{address}/{name}/")
        if (width := phone.evaluate("document.documentElement.scrollWidth")) > PHONE["viewport"]["width"]:
            wide.append((name, width))
    assert wide == []


@needs_chromium
def test_the_search_finds_what_is_typed(phone: Page, address: str) -> None:
    phone.goto(address)
    phone.locator("label.md-header__button[for=__search]").tap()
    phone.locator("input.md-search__input").press_sequentially("inventory")
    phone.locator(".md-search-result__link[href*='building/']").first.tap()
    phone.wait_for_url("**/building/**")
