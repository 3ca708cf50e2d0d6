"""LeoCAD, a program that many builders use, shows exported files exactly as the model's cells say.

Its camera without perspective shows as many units as its distance times its angle in radians, so at one radian and 600
units away a pixel of 600 is a unit and pictures can be compared with silhouettes pixel by pixel.
"""

import os
import re
import shutil
import subprocess
from math import degrees
from pathlib import Path

import numpy as np
import pytest
from export.silhouettes import UNITS, VIEWS, bounds, iou, silhouette
from PIL import Image

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.geometry.brick import BRICK_2X4, Cell
from brickbybrick.geometry.part import BRICK_HIGH, PARTS
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.random_assembly import assembled_targets

pytestmark = pytest.mark.skipif(
    not (shutil.which("leocad") and shutil.which("xvfb-run")),
    reason="LeoCAD is not installed: apt-get install leocad xvfb",
)
SIDE = 600
SLOPES = ["slope 45 2x1", "slope 33 3x2", "slope 30 1x2", "inverted slope 45 2x2"]
DRAWN = [part for part in PARTS if not part.slopes and str(part) != "tile 2x3"]  # newer than the program
ALIKE = 0.98


def painted(construction: Construction) -> Construction:
    colours = list(COLOURS)
    bricks = [
        PlacedBrick(*(b.part, *b.pose), colours[index % len(colours)], b.step)
        for index, b in enumerate(construction.bricks)
    ]
    return Construction(tuple(bricks))


@pytest.fixture(scope="module")
def models() -> list[Construction]:
    """Ten objects joined at random in both directions, three digits, and heaps of parts that LeoCAD has in place."""
    objects = [Construction.of_poses(BRICK_2X4, one.poses) for one in assembled_targets(10, seed=5)]
    task = load_task("mnist-3")
    digits = GreedyBuilder(task.offsets).build_all(task.test[:3])
    return [painted(model) for model in [*objects, *digits, *map(heap, range(7))]]


def heap(seed: int) -> Construction:
    """Parts anywhere where there is room; not necessarily connected."""
    rng = np.random.default_rng(seed)
    placed: list[PlacedBrick] = []
    filled: set[Cell] = set()
    while len(placed) < 12:
        part = DRAWN[rng.integers(len(DRAWN))]
        d = int(rng.choice(part.directions))
        x, y, z = rng.integers(0, (12, 8, 5 * BRICK_HIGH)).tolist()
        brick = PlacedBrick(str(part), x, y, z, d, step=len(placed))
        if filled.isdisjoint(brick.cells()):
            placed.append(brick)
            filled.update(brick.cells())
    return Construction(tuple(placed))


def photographed(files: list[tuple[bytes, Construction]], folder: Path) -> list[dict[str, np.ndarray]]:
    """LeoCAD's pictures (row, column, RGBA) of files, with the middle of the model in the middle."""
    lens = f"-w {SIDE} -h {SIDE} --orthographic --fov {degrees(1):.6f} --line-width 0"
    commands = []
    for number, (content, model) in enumerate(files):
        (folder / f"{number}.ldr").write_bytes(content)
        x, y, z = bounds(model).sum(axis=0) * UNITS / 2
        front, side, top = (x, -z, y - SIDE), (x + SIDE, -z, y), (x, -z - SIDE, y)
        for view, camera in zip(VIEWS, (front, side, top), strict=True):
            up = (0, 0, 1) if view == "top" else (0, -1, 0)
            commands.append(
                f"leocad -i {number}-{view}.png {lens} "
                f"--camera-position-ldraw {' '.join(map(str, (*camera, x, -z, y, *up)))} {number}.ldr"
            )
    script = ["xvfb-run", "-a", "sh", "-ec", "; ".join(commands)]  # one screen for all
    room = os.environ | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}  # a fresh LeoCAD, whatever one's own is
    subprocess.run(script, cwd=folder, env=room, check=True, capture_output=True, timeout=120)
    return [
        {view: np.asarray(Image.open(folder / f"{number}-{view}.png")) for view in VIEWS}
        for number in range(len(files))
    ]


def test_pictures_show_the_model(models: list[Construction], tmp_path: Path) -> None:
    for model, pictures in zip(models, photographed([(to_ldraw(m), m) for m in models], tmp_path), strict=True):
        for view in VIEWS:
            assert iou(pictures[view][..., 3] > 127, silhouette(model, view)) >= ALIKE


def cropped(image: np.ndarray) -> np.ndarray:
    """What is filled of a picture (row, column), with nothing around it."""
    rows, columns = np.nonzero(image)
    return image[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def test_slopes_fall_where_their_direction_says(tmp_path: Path) -> None:
    """One by one, for the few parts that come with LeoCAD have their origins elsewhere than LDraw's own part files."""
    alone = [Construction((PlacedBrick(part, 0, 0, 0, d),)) for part in SLOPES for d in range(4)]
    for model, pictures in zip(alone, photographed([(to_ldraw(m), m) for m in alone], tmp_path), strict=True):
        for view in VIEWS:
            shown, wanted = cropped(pictures[view][..., 3] > 127), cropped(silhouette(model, view))
            assert shown.shape == wanted.shape, model
            assert iou(shown, wanted) >= ALIKE, model


def mirrored(content: bytes, model: Construction) -> bytes:
    """The file with front and back exchanged about the model's middle, as a wrong sign of Z would have it."""
    low, high = bounds(model)[:, 1] * 20

    def exchanged(line: re.Match[bytes]) -> bytes:
        words = line[0].split()
        return b" ".join([*words[:4], b"%d" % (low + high - int(words[4])), *words[5:]])

    return re.sub(rb"(?m)^1 .*$", exchanged, content)


def test_a_mirrored_model_would_be_noticed(models: list[Construction], tmp_path: Path) -> None:
    """Of a model that differs from its mirror image from above and from the side, these two pictures are wrong."""
    chiral = [
        model
        for model in models
        if iou(silhouette(model, "top"), silhouette(model, "top")[::-1]) < 0.9
        and iou(silhouette(model, "side"), silhouette(model, "side")[:, ::-1]) < 0.9
    ][:3]
    assert len(chiral) == 3
    files = [(mirrored(to_ldraw(model), model), model) for model in chiral]
    for model, pictures in zip(chiral, photographed(files, tmp_path), strict=True):
        alike = {view: iou(pictures[view][..., 3] > 127, silhouette(model, view)) for view in VIEWS}
        assert alike["front"] >= ALIKE
        assert max(alike["top"], alike["side"]) < 0.95


def test_colours_are_ours(tmp_path: Path) -> None:
    """From above a row of bricks shows each colour of the table, as light as the top of a brick is."""
    codes, unknown = list(COLOURS), []
    for first in range(0, len(codes), 12):
        some = codes[first : first + 12]
        row = Construction(tuple(PlacedBrick("2x2", 2 * i, 0, 0, 0, colour) for i, colour in enumerate(some)))
        [pictures] = photographed([(to_ldraw(row), row)], tmp_path)
        for place, code in enumerate(some):
            seen = pictures["top"][SIDE // 2, SIDE // 2 + 40 * place + 20 - 20 * len(row.bricks), :3]
            if np.ptp(seen) == 0 and np.ptp(colour_of(code).rgb) > 40:  # the grey of what LeoCAD does not know
                unknown.append(code)
            else:
                assert np.abs(seen.astype(int) - colour_of(code).rgb).max() < 40, code
    assert len(unknown) <= 5  # newer than the program
