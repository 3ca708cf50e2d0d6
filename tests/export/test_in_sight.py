"""No step of a book asks for a brick that its picture does not show, and what is hard to see has an arrow."""

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image, ImageDraw

from brickbybrick.building import build_files
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export import panel as module
from brickbybrick.export.book import Scene, passages_of
from brickbybrick.export.in_sight import fewest_in_sight, in_sight
from brickbybrick.export.kit import Plan, plan
from brickbybrick.export.panel import draw_scene
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.export.views import ENOUGH
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go
from brickbybrick.order import Order
from brickbybrick.picture import Drawing, Point, draw

PANEL = Box(40, 40, 500, 600)
FINE = 14  # pixels a stud pitch
HARD = 0.2  # of a brick, as painted with its studs, of which less needs an arrow


def boxed(x: int, y: int, z: int, wide: int, deep: int, high: int, part: str = "2x2") -> list[PlacedBrick]:
    """A block of equal parts."""
    size = PlacedBrick(part, 0, 0, 0, 0)
    along, away = size.shape.extent(0)
    return [
        PlacedBrick(part, x + along * i, y + away * j, z + size.shape.height * k, 0)
        for k in range(high)
        for j in range(deep)
        for i in range(wide)
    ]


def bonded(wide: int, layers: int, part: str = "2x4") -> list[PlacedBrick]:
    """A wall whose joints are not above each other."""
    high = PlacedBrick(part, 0, 0, 0, 0).shape.height
    return [PlacedBrick(part, 4 * x + 2 * (z % 2), 0, high * z, 1) for z in range(layers) for x in range(wide)]


def crossed(layers: int) -> list[PlacedBrick]:
    """A solid block of plates, crosswise."""
    return [
        PlacedBrick("plate 2x8", *((0, 2 * place) if z % 2 else (2 * place, 0)), z, z % 2)
        for z in range(layers)
        for place in range(4)
    ]


FLOOR = [PlacedBrick("plate 4x8", x, y, 0, 1) for x in (0, 8) for y in (0, 4)]
FLOOR += [PlacedBrick("plate 4x8", x, 0, 1, 0) for x in (2, 6, 10)]
LEGS = [leg for x in (0, 6) for y in (0, 6) for leg in boxed(x, y, 0, 1, 1, 3)]
SEAT = [PlacedBrick("plate 4x8", x, 0, 9, 0) for x in (0, 4)] + [PlacedBrick("plate 4x8", 0, y, 10, 1) for y in (0, 4)]
BACK = [PlacedBrick("1x8", 0, 7, 11 + 3 * z, 1) for z in range(4)]
MODELS = {
    "wall": bonded(4, 6),
    "plates": crossed(7),
    "thin wall of plates": bonded(3, 9, "plate 2x4"),
    "table": LEGS + SEAT,
    "chair": LEGS + SEAT + BACK,
    "T": [*boxed(0, 0, 0, 1, 1, 4), PlacedBrick("2x8", -3, 0, 12, 1)],
    "arch": [*boxed(0, 0, 0, 1, 1, 3), *boxed(6, 0, 0, 1, 1, 3), PlacedBrick("2x8", 0, 0, 9, 1)],
    "gallows": [
        *boxed(0, 0, 0, 1, 1, 4),
        *(PlacedBrick("2x8", 0, 0, z, 1) for z in (12, 15)),
        *boxed(6, 0, 6, 1, 1, 2),
    ],
    "roof": [
        *(PlacedBrick("2x4", x, 0, 0, 0) for x in (1, 3, 5)),
        *(PlacedBrick("slope 45 2x4", 4 * x, y, 3, d) for x in range(2) for y, d in ((0, 3), (2, 1))),
    ],
    "tiled floor": [*FLOOR, *(PlacedBrick("tile 2x2", x, y, 2, 0) for x in range(2, 14, 2) for y in range(0, 8, 2))],
    "pit": [
        *FLOOR,
        *(PlacedBrick("1x8", x, 0, z, 0) for z in (2, 5, 8) for x in (2, 12)),
        *(PlacedBrick("1x8", 3, y, z, 1) for z in (2, 5, 8) for y in (0, 7)),
        *(PlacedBrick("1x1", x, y, 2, 0) for x in (5, 9) for y in (1, 6)),
    ],
}
MESHES = {
    "torus": (trimesh.creation.torus(2, 0.8), Order(size=16)),
    "ball": (trimesh.creation.icosphere(3), Order(size=12, smooth=True)),
    "cone": (trimesh.creation.cone(2, 4), Order(size=14, parts="all")),
}


def painted(drawing: Drawing, frame: Drawing) -> np.ndarray:
    """How many pixels of a picture show nothing, and each brick."""
    canvas = Image.new("I", (int(FINE * frame.width) + 2, int(FINE * frame.height) + 2))
    pen = ImageDraw.Draw(canvas)
    left, top = drawing.origin[0] - frame.origin[0], drawing.origin[1] - frame.origin[1]
    for shape in drawing.shapes:
        pen.polygon([(FINE * (left + x), FINE * (top + y)) for x, y in shape.points], fill=shape.brick + 1)
    return np.bincount(np.asarray(canvas).ravel(), minlength=1)


def shares_of(scene: Scene) -> list[float]:
    """Of each brick that a step puts on by itself: pixels in the step's picture, by those that it has alone."""
    frame = draw(Construction(scene.bricks), view=scene.view)
    seen = np.append(painted(frame, frame), np.zeros(len(scene.bricks) + 1))
    shares = []
    for place, brick in enumerate(scene.single, start=len(scene.bricks) - len(scene.single)):
        alone = painted(draw(Construction((brick,)), view=scene.view), frame)[1]
        shares.append(float(seen[place + 1] / alone))
    return shares


@pytest.mark.parametrize("name", [*MODELS, *MESHES])
def test_every_new_brick_is_seen_and_has_an_arrow_where_little_of_it_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the painter, which knows nothing of how the book looks for what is hidden."""
    if name in MODELS:
        made = plan(Construction(tuple(MODELS[name])))
    else:
        mesh, order = MESHES[name]
        mesh.export(tmp_path / "a.stl")
        ((_, built),) = build_files([tmp_path / "a.stl"], order)
        assert isinstance(built, Plan)
        made = built
    assert made.verdict.insertable
    tips: list[Point] = []
    monkeypatch.setattr(module, "draw_arrow", lambda _pages, tip, _length: tips.append(tip))
    for passage in passages_of(made.construction, made.handwork):
        for scene in passage.scenes:
            tips.clear()
            draw_scene(Pages("a4", name), PANEL, scene, ())
            shares = shares_of(scene)
            assert min(shares, default=1.0) > 0.1
            assert len(tips) >= sum(share < HARD for share in shares)


def block(x: int = 0) -> list[PlacedBrick]:
    """Two layers of nine plates each, of which the middle one of the lower layer is hidden on all sides."""
    return [PlacedBrick("plate 4x4", x + 4 * i, 4 * j, z, 0) for z in range(2) for i in range(3) for j in range(3)]


def test_a_step_that_hides_its_own_bricks_is_cut() -> None:
    model = Construction(tuple(block()))
    (chunk,) = in_sight(model, in_one_go([range(18)])).chunks
    assert len(chunk.steps) == 2
    assert [brick for step in chunk.steps for brick in step.bricks] == list(range(18))
    (passage,) = passages_of(model, Handwork((chunk,)))
    assert min(share for scene in passage.scenes for share in shares_of(scene)) > 0.1


def test_a_step_is_not_cut_where_it_would_fall_in_between() -> None:
    """A foot, and on it a bar whose far end is held down by nothing until the last plate is on."""
    foot = PlacedBrick("2x2", 0, 0, 0, 0)
    bars = [PlacedBrick("plate 2x8", 0, 0, 3, 1), PlacedBrick("plate 2x8", -6, 0, 4, 1)]
    model = Construction((foot, *bars))
    handwork = Handwork((Chunk((Step((0,)), Step((1, 2)))),), judged=True)
    assert in_sight(model, handwork) == handwork


def test_copies_are_cut_as_what_they_repeat() -> None:
    model = Construction((*block(), *block(20)))
    one, other = Chunk((Step(tuple(range(18))),)), Chunk((Step(tuple(range(18, 36))),), copy_of=0)
    cut = in_sight(model, Handwork((one, other, Chunk((Step(chunks=(0, 1)),)))))
    first, second = ([step.bricks for step in chunk.steps] for chunk in cut.chunks[:2])
    assert len(first) == 2
    assert second == [tuple(brick + 18 for brick in bricks) for bricks in first]
    assert cut.whole.steps == (Step(chunks=(0, 1)),)


@pytest.mark.parametrize("seed", range(20))
def test_there_are_as_few_runs_as_can_be(seed: int) -> None:
    """All ways to cut six bricks are tried."""
    rng = np.random.default_rng(seed)
    shares = [np.where(rng.random((4, count)) < 0.5, 0.0, rng.random((4, count))) for count in range(1, 7)]
    for seen in shares:
        seen[0, -1] = 0.5  # each is seen when it is put there

    def shows(start: int, end: int) -> bool:
        return max(min(side[start:end]) for side in shares[end - 1]) >= ENOUGH

    ways = [
        [*cuts, 6]
        for count in range(6)
        for cuts in combinations(range(1, 6), count)
        if all(shows(start, end) for start, end in pairwise([0, *cuts, 6]))
    ]
    found = fewest_in_sight(shares)
    assert found in ways
    assert len(found) == min(map(len, ways))
