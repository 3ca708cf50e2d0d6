"""The replay shows chunks where they are built: beside the model, upside down if need be, until they are put on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from export.test_asides import STOOL, WORK, cells_of
from playwright.sync_api import expect
from studio.browser import CHROMIUM, Visitor
from studio.test_browser_parts import DRAWN, GAP, WATCH, in_scene

from brickbybrick.colours import COLOURS
from brickbybrick.export.asides import asides_of
from brickbybrick.export.replay import is_built, replay_html

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: sudo apt-get install chromium"),
    pytest.mark.skipif(not is_built(), reason="the page was not built: make page"),
]


def test_chunks_are_built_beside_the_model_and_put_on(visitor: Visitor, tmp_path: Path) -> None:
    codes = list(COLOURS)
    bricks = tuple(replace(brick, colour=codes[index]) for index, brick in enumerate(STOOL.bricks))
    model = replace(STOOL, bricks=bricks)
    path = tmp_path / "stool.html"
    path.write_text(replay_html([model], handworks=[WORK]))
    visit = visitor.open(path.as_uri(), script=WATCH, offline=True, reduced_motion="reduce")

    def drawn_bricks() -> dict[int, np.ndarray]:
        """The corners of all that is drawn of each brick, studs too, by its index."""
        corners: dict[str, list[list[float]]] = {}
        for thing in visit.page.evaluate(DRAWN):
            corners.setdefault(thing["colour"], []).extend(thing["points"])
        hexes = {f"#{COLOURS[brick.colour].hex.lower()}": index for index, brick in enumerate(bricks)}
        return {hexes[colour]: np.array(points) for colour, points in corners.items()}

    visit.page.get_by_label("Bricks shown").fill("6")
    expect(visit.page.locator(".chip").first).to_have_text("6 of 7 bricks: chunk 3 of 4, upside down")
    visit.picture("replay-chunks")
    found = drawn_bricks()
    assert set(found) == set(range(6))
    for aside in asides_of(model, WORK):
        for brick in aside.bricks:
            cells = np.array(list(cells_of(aside._replace(bricks=(brick,)))))
            low, high = in_scene([cells.min(axis=0), cells.max(axis=0) + 1])
            level = found[brick][:, [0, 2]]
            assert level.min(axis=0) == pytest.approx([low[0], high[2]], abs=GAP)
            assert level.max(axis=0) == pytest.approx([high[0], low[2]], abs=GAP)
            up = found[brick][:, 1]  # studs reach 0.2 farther: up, or down where it is turned over
            expected = (low[1] - 0.2, high[1]) if aside.turned else (low[1], high[1] + 0.2)
            assert (up.min(), up.max()) == pytest.approx(expected, abs=GAP)
    visit.page.get_by_label("Bricks shown").fill("7")
    expect(visit.page.locator(".chip").first).to_have_text("7 of 7 bricks")
    assert min(points[:, 0].min() for points in drawn_bricks().values()) == pytest.approx(0, abs=GAP)
    assert max(points[:, 0].max() for points in drawn_bricks().values()) == pytest.approx(8, abs=GAP)
    assert visitor.complaints == []
