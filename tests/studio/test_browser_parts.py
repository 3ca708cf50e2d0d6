"""Plates, tiles and slopes on the pages: what the browser draws against the package's own faces, and what people do
with them."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import expect
from studio.browser import CHROMIUM, Visit, Visitor

from brickbybrick.colours import COLOURS
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.replay import is_built, replay_html
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.part import PARTS

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: sudo apt-get install chromium"),
    pytest.mark.skipif(not is_built(), reason="the page was not built: make page"),
]
GAP = 0.02  # studs that the page leaves between parts so that they can be told apart
STUD_HEIGHT = 0.2  # studs

# three.js tells whoever debugs of every scene that is made.
WATCH = """
    window.__scenes = [];
    window.__THREE_DEVTOOLS__ = new EventTarget();
    window.__THREE_DEVTOOLS__.addEventListener("observe", ({ detail }) => {
        if (detail.isScene) window.__scenes.push(detail);
    });
"""
# All corners of everything that bricks are drawn of, with their colours.
DRAWN = """() => window.__scenes.flatMap((scene) => {
    const drawn = [];
    scene.updateMatrixWorld(true);
    scene.traverse((mesh) => {
        if (!mesh.isInstancedMesh || !mesh.instanceColor || !mesh.visible) return;
        const matrix = mesh.matrixWorld.clone();
        const point = scene.position.clone();
        const colour = scene.children.find((each) => each.isGroup).children[0].color.clone();
        const position = mesh.geometry.getAttribute("position");
        for (let instance = 0; instance < mesh.count; instance++) {
            mesh.getMatrixAt(instance, matrix);
            mesh.getColorAt(instance, colour);
            const points = [];
            for (let vertex = 0; vertex < position.count; vertex++) {
                points.push(point.fromBufferAttribute(position, vertex).applyMatrix4(matrix).toArray());
            }
            drawn.push({ colour: `#${colour.getHexString()}`, points });
        }
    });
    return drawn;
})"""

Points = npt.NDArray[np.float64]  # (point, 3) of the scene


class Drawn(NamedTuple):
    """What the page draws of a brick."""

    body: Points
    studs: Points | None


def in_scene(points: npt.ArrayLike) -> Points:
    """Points (point, 3) in studs and plates, as the page's scene has them: y goes up, and low z is behind."""
    x, y, z = np.asarray(points, float).T
    return np.stack([x, z * PLATE, -y], axis=1)


def in_own_colours(bricks: list[tuple[str, int, int, int, int]]) -> Construction:
    """Bricks of part, x, y, z and d, each in a colour of its own to be known by."""
    codes = list(COLOURS)
    placed = [PlacedBrick(*brick, colour=codes[step], step=step) for step, brick in enumerate(bricks)]
    return Construction(tuple(placed), target="parts", builder="hand")


def drawn_in(visitor: Visitor, model: Construction, path: Path) -> list[Drawn]:
    """What the replay draws of each brick."""
    path.write_text(replay_html([model]))
    visit = visitor.open(path.as_uri(), script=WATCH, offline=True, reduced_motion="reduce")
    found: dict[str, list[Points]] = {}
    for thing in visit.page.evaluate(DRAWN):
        found.setdefault(thing["colour"], []).append(np.array(thing["points"]))
    visit.picture(path.stem)
    things = [found[f"#{COLOURS[brick.colour].hex.lower()}"] for brick in model.bricks]
    return [Drawn(body, *studs) if studs else Drawn(body, None) for body, *studs in things]


def farthest(points: Points, others: Points) -> float:
    """How far any of some points is from the nearest of others."""
    return float(np.linalg.norm(points[:, None] - others, axis=2).min(axis=1).max())


def check_drawn(model: Construction, drawn: list[Drawn]) -> None:
    for brick, seen in zip(model.bricks, drawn, strict=True):
        corner = np.array(brick.pose[:3])
        corners = in_scene(np.concatenate([corner + face.corners for face in faces_of(brick.shape, brick.d)]))
        assert max(farthest(corners, seen.body), farthest(seen.body, corners)) < GAP, brick
        studs = [(x + 0.5, y + 0.5, brick.top) for x, y in brick.shape.studs(brick.pose)]
        assert (seen.studs is None) == (not studs), brick
        if seen.studs is not None:
            lids = in_scene(studs) + np.array([0, STUD_HEIGHT, 0])
            top = seen.studs[seen.studs[:, 1] > seen.studs[:, 1].max() - 1e-6]
            assert farthest(lids, top) < 1e-4, brick  # the middle of each is a corner
            assert farthest(top, lids) == pytest.approx(0.3, abs=1e-4), brick  # and the rim is around it
            assert seen.studs[:, 1].min() == pytest.approx(brick.top * PLATE, abs=1e-4)


def test_a_plate_a_brick_a_tile_and_slopes_are_as_high_as_they_are(visitor: Visitor, tmp_path: Path) -> None:
    model = in_own_colours(
        [
            ("plate 4x8", 0, 0, 0, 1),
            ("2x4", 0, 0, 1, 0),
            ("plate 2x4", 0, 0, 4, 0),
            ("tile 1x2", 0, 0, 5, 1),
            ("slope 45 2x1", 2, 0, 1, 0),
            ("inverted slope 45 2x2", 0, 2, 5, 0),
            ("slope 30 1x2", 4, 3, 1, 3),
        ]
    )
    drawn = drawn_in(visitor, model, tmp_path / "heights.html")
    tops = [float(each.body[:, 1].max()) for each in drawn]
    assert tops == pytest.approx([0.4, 1.6, 2.0, 2.4, 1.6, 3.2, 1.2], abs=GAP)
    check_drawn(model, drawn)


def test_slopes_fall_in_all_four_directions_and_all_parts_are_drawn(visitor: Visitor, tmp_path: Path) -> None:
    all_ways = [(str(part), d) for part in PARTS for d in part.directions]
    for first in range(0, len(all_ways), 60):  # as many as there are colours
        some = all_ways[first : first + 60]
        rows = [(part, 11 * (index % 8), 11 * (index // 8), index % 5, d) for index, (part, d) in enumerate(some)]
        model = in_own_colours(rows)
        check_drawn(model, drawn_in(visitor, model, tmp_path / f"all-parts-{first}.html"))


def choose_parts(visit: Visit, choice: str) -> None:
    visit.page.locator(f"#parts label:has(input[value={choice}])").click()


def saved(visit: Visit) -> dict:
    project: dict = json.loads(Path(visit.download("Project (.b3.json)").path()).read_text())
    return project


def test_what_it_is_built_of_can_be_chosen(visitor: Visitor) -> None:
    visit = visitor.open()
    page = visit.page
    words = page.locator("#preview .sees")
    assert page.locator("#parts input").count() >= 2
    choose_parts(visit, "bricks")
    visit.pick("castle")
    expect(words).not_to_contain_text("plate")
    page.get_by_label("Size", exact=True).fill("16")
    expect(words).to_contain_text("bricks high")
    choose_parts(visit, "plates")
    expect(words).to_contain_text("plate")
    visit.picture("plates-previewed")
    visit.build()
    visit.picture("plates-built")
    project = saved(visit)
    assert project["settings"]["parts"] == "plates"
    built = Construction.from_json(json.dumps({name: project["model"][name] for name in ("schema", "bricks")}))
    assert {brick.shape.kind for brick in built.bricks} == {"brick", "plate"}
    expect(page.locator(".badges")).to_contain_text("can be built by hand")
    page.get_by_text("More", exact=True).click()
    page.select_option("#proportions", "cubic")  # of which plates are none
    expect(page.locator("#parts input[value=bricks]")).to_be_checked()
    expect(page.locator("#parts input[value=plates]")).to_be_disabled()
    expect(words).not_to_contain_text("plate")


def by_hand(visitor: Visitor, folder: Path, first: PlacedBrick) -> Visit:
    """A page with a model of one part, to which others are put by hand."""
    (folder / "first.json").write_text(Construction((first,), target="first").to_json())
    visit = visitor.open(reduced_motion="reduce")
    visit.take(folder / "first.json")
    expect(visit.page.locator("#status")).to_contain_text("1 bricks")
    visit.page.click("#by-hand")
    return visit


def test_the_pointer_puts_parts_onto_studs_and_not_onto_tiles(visitor: Visitor, tmp_path: Path) -> None:
    visit = by_hand(visitor, tmp_path, PlacedBrick("plate 4x8", 0, 0, 0, 1))
    page = visit.page
    page.select_option("#hand-part", "tile 2x4")
    page.mouse.click(*visit.within(visit.stage)(0.5, 0.42))
    expect(page.locator("#status")).to_contain_text("Brick 2 is placed")
    page.select_option("#hand-part", "1x1")
    page.mouse.click(*visit.within(visit.stage)(0.5, 0.42))
    expect(page.locator("#status")).to_contain_text("no stud would join it")
    visit.picture("tile-by-hand")
    _, tile = saved(visit)["model"]["bricks"]
    assert (tile["part"], tile["z"]) == ("tile 2x4", 1)


def test_parts_are_placed_by_hand_in_layers_of_plates(visitor: Visitor, tmp_path: Path) -> None:
    visit = by_hand(visitor, tmp_path, PlacedBrick("2x4", 0, 0, 0, 1))
    page = visit.page
    assert page.input_value("#hand-part") == "2x4"

    def place(part: str, *keys: str) -> str:
        page.select_option("#hand-part", part)
        page.focus(".stage canvas")
        for key in keys:
            page.keyboard.press(key)
        said = page.locator("#status").inner_text()
        before = visit.total
        page.keyboard.press("Enter")
        visit.wait_until(lambda: visit.total == before + 1)
        return said

    # From its place at the beginning, column 7 and depth 2, to the left end of the brick, and onto it.
    left = ["ArrowLeft"] * 6 + ["ArrowDown"]
    assert "layer 2: free" in place("2x2", *left, "PageUp")  # layers are as high as bricks as long as all are
    assert "layer 7: free" in place("plate 1x1", "PageUp", "PageUp", "PageUp")
    assert "layer 4: free" in place("slope 45 2x1", "ArrowRight", "ArrowRight", *["PageDown"] * 3, "r", "r")
    placed = [(b["part"], b["x"], b["y"], b["z"], b["d"]) for b in saved(visit)["model"]["bricks"]]
    assert placed == [
        ("2x4", 0, 0, 0, 1),
        ("2x2", 0, 0, 3, 0),
        ("plate 1x1", 0, 0, 6, 0),
        ("slope 45 2x1", 2, 0, 3, 2),  # turned twice, it falls towards the 2x2
    ]
    expect(page.locator(".badges")).to_contain_text("all joined")
    visit.picture("parts-by-hand")
