"""A real browser in the hands of a test: the system's Chromium, which draws in software here."""

import io
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Download, Locator, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PICTURES = Path(__file__).parents[2] / "out" / "pictures"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
DARK: dict[str, Any] = {**DESKTOP, "color_scheme": "dark"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
REST = 500  # milliseconds until bricks have dropped and the camera rests
PATIENCE = 60_000  # milliseconds, for machines that do other things too

Points = Sequence[tuple[float, float]]
FIVE: Points = [
    (0.7, 0.18),
    (0.34, 0.18),
    (0.32, 0.46),
    (0.55, 0.44),
    (0.7, 0.56),
    (0.68, 0.76),
    (0.5, 0.85),
    (0.3, 0.8),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. No other event loop may run in the thread meanwhile, so it must not outlive a module's tests."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS + root)
        yield browser
        browser.close()


class Visitor:
    """Opens pages, and writes down whatever they complain about."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.complaints: list[str] = []

    def open(self, url: str = "", size: dict[str, Any] = DESKTOP, script: str = "", **more: Any) -> "Visit":
        """Opens a page, the studio if none is named, after a script has run in it."""
        context = self.browser.new_context(**{**size, **more})
        context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(url or f"{self.address}/")
        visit = Visit(page)
        visit.wait_until(lambda: page.evaluate("window.__ready === true"))
        return visit

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not re.search("GPU stall|GL Driver", text):
            self.complaints.append(text)

    def leave(self) -> None:
        for context in self.browser.contexts:
            context.close()


class Visit:
    """What a person does on a page, and sees there."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wait_until(self, happened: Callable[[], bool]) -> None:
        """Waits for what no element tells; the page's policy forbids the browser to wait for a script's value."""
        end = time.monotonic() + PATIENCE / 1e3
        while not happened():
            assert time.monotonic() < end
            self.page.wait_for_timeout(10)

    def choose(self, source: str) -> None:
        """Where the target comes from: one, three, file or gallery."""
        self.page.locator(f"#source label:has(input[value={source}])").click()

    def pick(self, title: str, name: str = "") -> None:
        """Takes something from the gallery; the first of that title, which may have another name."""
        self.choose("gallery")
        self.page.get_by_role("button", name=title, exact=False).first.click()
        self.wait_for_target(name or title)

    def ask_agents(self) -> None:
        """Lets the paper's agents build in the mason's place."""
        self.page.locator("#who label:has(input[value=agents])").click()

    def take(self, *files: Path) -> None:
        """Gives files to the drop zone, one after the other."""
        self.choose("file")
        for file in files:
            self.page.set_input_files("#file-input", file)

    def dip(self, colour: int, within: str = "#pen-colours") -> None:
        """Chooses a colour by its code."""
        self.page.locator(f"{within} input[value='{colour}']").check(force=True)

    def draw(self, points: Points, pad: int = 0) -> None:
        """One stroke of the mouse; points are shares of the paper."""
        mouse = self.page.mouse
        at = self.within(self.page.locator(".pad").nth(pad))
        mouse.move(*at(*points[0]))
        mouse.down()
        for point in points[1:]:
            mouse.move(*at(*point), steps=3)
        mouse.up()

    def wait_for_target(self, name: str) -> None:
        """Until the page shows what will be built, and somebody is there to build it."""
        expect(self.page.locator("#preview .sees")).to_contain_text(name, timeout=PATIENCE)
        expect(self.page.locator("#build")).to_be_enabled(timeout=PATIENCE)

    def build(self) -> str:
        """Builds to the end and shows all bricks; returns what the page says."""
        self.page.click("#build")
        return self.built()

    def built(self) -> str:
        said = self.page.locator("#status")
        expect(said).to_have_text(re.compile("of the shape|broke off|Stopped|server"), timeout=2 * PATIENCE)
        self.page.locator("button[aria-label^='To the end']").click()
        return said.inner_text()

    @property
    def shown(self) -> int:
        return int(self.counter[0])

    @property
    def total(self) -> int:
        return int(self.counter[1])

    @property
    def counter(self) -> list[str]:
        return self.page.locator(".counter").inner_text().split(" / ")

    @property
    def stage(self) -> Locator:
        return self.page.locator(".stage canvas").first

    @property
    def red(self) -> int:
        """How many pixels of the model's picture are red, as bricks are."""
        self.page.wait_for_timeout(REST)
        red, green, _ = np.moveaxis(np.asarray(Image.open(io.BytesIO(self.stage.screenshot())).convert("RGB")), 2, 0)
        return int(np.sum((red > 90) & (green < red / 3)))

    def count(self, colour: tuple[int, int, int]) -> int:
        """How many pixels of the model's picture have a hue: a brick's colour, lit or in the shade."""
        self.page.wait_for_timeout(REST)
        seen = np.asarray(Image.open(io.BytesIO(self.stage.screenshot())).convert("RGB"), float)
        lengths = np.linalg.norm(seen, axis=2)
        alike = seen @ np.array(colour, float) / np.maximum(lengths * np.linalg.norm(colour), 1)
        return int(np.sum((alike > 0.98) & (lengths > 40) & (np.ptp(seen, axis=2) > 40)))

    def within(self, element: Locator) -> Any:
        """A function from shares of an element to points of the window."""
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        assert box is not None
        return lambda x, y: (box["x"] + x * box["width"], box["y"] + y * box["height"])

    def download(self, button: str) -> Download:
        with self.page.expect_download(timeout=PATIENCE) as coming:
            self.page.click(f"text={button}")
        return coming.value

    def picture(self, name: str, whole: bool = False) -> None:
        """Takes a picture for people to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.wait_for_timeout(REST)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)
