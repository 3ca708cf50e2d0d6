"""Draws the pictures of the docs with the package's own painter, into this folder.

python docs/pictures/draw.py [FOLDER]

The animations come from the commands that their pages name. `tests/test_docs_pictures.py` holds what is committed to
what this draws.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from brickbybrick.cli import main
from brickbybrick.colours import RED
from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.files import write_whole
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import relations, unpack_mask
from brickbybrick.picture import INK, WHITE, draw, mix, paint, svg, to_png, visible
from brickbybrick.sheets import captioned, contact_sheet
from brickbybrick.targets.catalog import load_task

HERE = Path(__file__).parent
BLUE, YELLOW, GREEN, GREY, ORANGE = 1, 14, 2, 71, 25  # LDraw's
PIVOT, OBSTACLE = Pose(0, 0, 1), Pose(2, 0, 2)  # of the pictures of joints
SIZE = (150, 140)  # pixels of a small picture
BIT = 14  # pixels of a bit, and of a place in a table
FREE, TAKEN = (0x3A, 0x9D, 0x5D), (0xD9, 0x3A, 0x2B)


def model(poses: Sequence[Pose], colours: Sequence[int]) -> Construction:
    """2x4 bricks in colours."""
    built = Construction.of_poses(BRICK_2X4, poses)
    painted = [replace(brick, colour=colour) for brick, colour in zip(built.bricks, colours, strict=True)]
    return replace(built, bricks=tuple(painted))


def joints_sheet(obstacles: Sequence[Pose]) -> Image.Image:
    """Each joint of digits at a pivot, told whether the rules allow it beside some obstacles."""
    offsets = offset_set("mnist")
    assembly = Assembly(offsets=offsets)
    for pose in (PIVOT, *obstacles):
        assembly.put(pose)
    pictures: list[Image.Image | None] = []
    for number in range(len(offsets)):
        free = assembly.is_valid(0, number)
        new = offsets.place(PIVOT, number)
        # A brick that has no room is shown in front of what is in its way.
        shown = new if free else new._replace(y=new.y - 4)
        bricks = [PIVOT, *obstacles, shown]
        painted = draw(model(bricks, [BLUE, *[YELLOW] * len(obstacles), GREEN if free else RED]))
        pictures.append(captioned(paint(painted, SIZE), f"offset {number}: {'free' if free else 'no room'}"))
    return contact_sheet([pictures[:3], pictures[3:]], ["above", "below"], gap=4)


def bits_row(flags: Sequence[bool]) -> Image.Image:
    """Flags as small squares, ten by ten a little apart."""
    image = Image.new("RGB", (BIT * len(flags) + 4 * (len(flags) // 10) + 1, BIT + 1), WHITE)
    pen = ImageDraw.Draw(image)
    for place, flag in enumerate(flags):
        left = BIT * place + 4 * (place // 10)
        pen.rectangle((left, 0, left + BIT - 3, BIT - 3), fill=FREE if flag else WHITE, outline=FREE if flag else TAKEN)
    return image


def anded() -> Image.Image:
    """What one obstacle does to a brick's mask: one AND with one entry of the table."""
    offsets = offset_set("all")
    rel = relations(offsets, ground=False)
    dx, dy = OBSTACLE.x - PIVOT.x, OBSTACLE.y - PIVOT.y
    above = [k for k, offset in enumerate(offsets.offsets) if offset.dz == 1]
    spared = rel.spared[0, 0, rel.reach + dx, rel.reach + dy]
    everything = np.concatenate([spared, rel.every[len(spared) :]])  # the other layer is as it was
    before, entry = (unpack_mask(words, rel)[above] for words in (rel.every, everything))
    rows = [[bits_row(flags.tolist())] for flags in (before, entry, before & entry)]
    return contact_sheet(rows, ["joints before", "AND the table's entry", "joints left"], gap=8)


def table_of_joints() -> Image.Image:
    """How many of the 46 joints in a layer an obstacle leaves, by where its corner lies from the pivot's."""
    offsets = offset_set("all")
    rel = relations(offsets, ground=False)
    sheets: list[Image.Image | None] = []
    for turned in (0, 1):
        side = rel.spared.shape[2]
        image = Image.new("RGB", (2 * BIT * side + 1, 2 * BIT * side + 1), WHITE)
        pen = ImageDraw.Draw(image)
        for across, along in np.ndindex(side, side):
            left = int(sum(int(word).bit_count() for word in rel.spared[0, turned, across, along]))
            x, y = 2 * BIT * across, 2 * BIT * (side - 1 - along)
            share = left / 46
            pen.rectangle((x, y, x + 2 * BIT, y + 2 * BIT), fill=mix(TAKEN, WHITE, share), outline=mix(WHITE, INK, 0.2))
            if left < 46:
                pen.text((x + BIT, y + BIT), str(left), INK, anchor="mm")
        middle = 2 * BIT * rel.reach
        pen.rectangle((middle, middle, middle + 2 * BIT, middle + 2 * BIT), outline=INK, width=3)
        sheets.append(image)
    return contact_sheet([sheets], column_labels=["an obstacle that lies as the pivot does", "one that lies across"])


def within_reach() -> Image.Image:
    """A random model, a new brick, and the only bricks that placing it has to look at."""
    offsets = offset_set("all")
    sim = Simulator(load_task("random").train, offsets, num_envs=50, max_bricks=60, budget=60)
    sim.reset(seed=0)
    actions = np.zeros((50, 2), np.int64)
    while not sim.state.done.all():
        sim.random_actions(actions)
        sim.step(actions)
    models = (sim.construction(env).poses for env in range(50))
    built = next(poses for poses in models if all(pose.z < poses[-1].z for pose in poses[:-1]))  # the last one on top
    reach, new = relations(offsets).reach, built[-1]
    near = [
        abs(each.z - new.z) == 1 and abs(each.x - new.x) < reach and abs(each.y - new.y) < reach for each in built[:-1]
    ]
    colours = [ORANGE if close else GREY for close in near] + [RED]
    return captioned(
        paint(draw(model(built, colours)), (520, 380)),
        f"{sum(near)} of {len(built) - 1} bricks matter to the red one",
    )


def heart() -> Image.Image:
    """A heart to build, of two discs and a wedge."""
    image = Image.new("RGB", (240, 240), WHITE)
    pen = ImageDraw.Draw(image)
    for left in (30, 110):
        pen.ellipse((left, 40, left + 100, 140), fill=(201, 26, 9))
    pen.polygon([(37, 117), (203, 117), (120, 215)], fill=(201, 26, 9))
    return image


def animated(folder: Path, name: str, *build: str) -> None:
    """A model that grows, by the commands that people would type."""
    with tempfile.TemporaryDirectory() as work:
        kit = Path(work) / "kit"
        main(["build", *build, "--out", str(kit), "--kit", "json"])
        main(["export", str(kit / "model.json"), "--to", str(folder / name)])


def digit() -> Image.Image:
    """A digit that no agent was trained on."""
    image = load_task("mnist-3").test[7].images[0]
    return Image.fromarray(np.where(image, 0, 255).astype(np.uint8)).resize((140, 140), Image.Resampling.NEAREST)


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "joints.png": lambda: joints_sheet([]),
    "obstacle.png": lambda: joints_sheet([OBSTACLE]),
    "and.png": anded,
    "table.png": table_of_joints,
    "reach.png": within_reach,
    "heart.png": heart,
    "digit.png": digit,
}


def draw_all(folder: Path) -> None:
    """Every picture of the docs."""
    for name, drawn in PICTURES.items():
        write_whole(folder / name, to_png(drawn(), small=True))
    write_whole(folder / "brick.svg", svg(visible(draw(model([Pose(0, 0, 0, 1)], [RED])))).encode())
    animated(folder, "digit.gif", str(folder / "digit.png"), "--agent", "b3plus")
    animated(folder, "heart.gif", str(folder / "heart.png"), "--size", "16", "--parts", "bricks")


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if sys.argv[1:] else HERE)
