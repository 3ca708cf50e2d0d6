"""What tools for accessibility find on the pages: nothing, by day, by night and on a phone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from studio.browser import CHROMIUM, DARK, DESKTOP, PHONE, Visit, Visitor

from brickbybrick.export.replay import is_built

axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: sudo apt-get install chromium"),
    pytest.mark.skipif(not is_built(), reason="the page was not built: make page"),
]
SCRIPT = (Path(axe.__file__).parent / "axe.min.js").read_text()


def violations(visit: Visit) -> list[str]:
    """What axe-core complains about, each in one line."""
    found = visit.page.evaluate(
        "async () => { const { violations, passes } = await axe.run(); return { violations, passes }; }"
    )
    assert len(found["passes"]) > 20  # rules that had something to look at
    return [f"{each['id']}: {node['html'][:120]}" for each in found["violations"] for node in each["nodes"]]


@pytest.mark.parametrize("size", [DESKTOP, DARK, PHONE], ids=["light", "dark", "phone"])
def test_axe_finds_nothing(visitor: Visitor, size: dict[str, Any]) -> None:
    visit = visitor.open(size=size, bypass_csp=True)  # the studio's policy forbids what axe writes into the page
    page = visit.page
    page.evaluate(SCRIPT)
    assert violations(visit) == []
    for source in ("file", "gallery", "three", "one"):
        visit.choose(source)
        assert violations(visit) == []
    visit.pick("star")
    page.get_by_text("More", exact=True).click()
    assert violations(visit) == []
    visit.build()
    page.click("#by-hand")
    page.locator("#hand-tools").get_by_text("More colours").click()
    assert violations(visit) == []
    visit.ask_agents()
    visit.wait_for_target("bricks at most")
    visit.build()
    page.click("#xray")
    expect(page.locator("#next-about")).to_contain_text("places are possible")
    assert violations(visit) == []
