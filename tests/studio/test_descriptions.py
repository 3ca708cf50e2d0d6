"""What pages are told before anything is built."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from meshes import write_box
from studio.conversation import drawing as ink_sent
from studio.conversation import picture_of

from brickbybrick.building import as_believed
from brickbybrick.colours import COLOURS
from brickbybrick.geometry.part import PARTS
from brickbybrick.order import Order, Parts
from brickbybrick.picture import to_png
from brickbybrick.studio.descriptions import described, palette, parts, views_of
from brickbybrick.studio.gallery import examples
from brickbybrick.studio.sent import Sent, sent_drawings, sent_file
from brickbybrick.studio.shelf import Kept
from brickbybrick.targets.things import drawing


def told(sent: Sent, order: Order) -> dict:
    return described(Kept(sent.read(order), sent, order))


def test_a_picture_is_described_as_it_will_be_built() -> None:
    about = told(sent_file("house.png", to_png(drawing("house"))), Order(palette="common"))
    assert (about["kind"], about["name"], about["budget"]) == ("picture", "house.png", None)
    wide, deep, high = about["size"]
    assert (wide, deep, high) == (24, 2, 56)
    assert about["layer"] == 1
    assert about["millimetres"] == [192.0, 16.0, 179.2]
    assert about["cells"] == deep * "".join(about["views"][0]["rows"]).count("1")
    assert about["settings"] == {
        "agent": "mason",
        "size": 24,
        "parts": "plates",
        "proportions": "real",
        "background": "drop",
        "contrast": 1.0,
        "depth": 2,
        "mosaic": False,
        "dither": False,
        "palette": "common",
    }
    assert picture_of(about["preview"]).width == 24 * 13
    assert picture_of(about["source"]).size == (320, 320)
    assert "hull" not in about
    assert about["belief"] is None
    assert about["coloured"]


def test_the_hull_and_the_budget_are_for_agents() -> None:
    castle = examples()["castle"]
    for_mason, for_agents = told(castle, Order()), told(castle, Order(agent="search"))
    assert (for_mason["budget"], "hull" in for_mason, for_mason["settings"]["size"]) == (None, False, 32)
    assert for_agents["budget"] > 0
    assert (for_mason["coloured"], for_agents["coloured"]) == (True, False)
    assert len(for_agents["hull"]) >= for_agents["cells"]
    assert max(for_agents["size"]) <= 14
    assert for_agents["settings"]["background"] is for_agents["settings"]["depth"] is for_agents["source"] is None
    example = examples()["random/0800"]
    assert told(example, Order())["hull"] == told(example, Order(agent="search"))["hull"]


@pytest.mark.parametrize("agent", ["mason", "search"])
def test_what_is_believed_of_silhouettes_is_a_picture(agent: str) -> None:
    order = Order(agent=agent, size=14)
    sent = sent_drawings([ink_sent(np.full((60, 60), 255)) for _ in range(3)])
    full = Kept(sent.read(order), sent, order)
    kept = Kept(as_believed(full.wanted, order), sent, order)
    assert picture_of(described(kept)["belief"]).width > 200
    assert kept.room > full.room
    assert described(full)["belief"] is None


def test_views_are_rows_from_the_top() -> None:
    image = np.array([[[True, False], [False, False]]])
    assert views_of(image) == [{"rows": ["10", "00"]}]


def test_the_palette_is_the_packages_table() -> None:
    told = {colour["code"]: colour for colour in palette()}
    assert list(told) == list(COLOURS)
    assert told[4] == {"code": 4, "name": "red", "hex": "#B40000", "common": True}
    assert not told[151]["common"]
    assert not told[462]["name"].startswith("#")


def test_parts_are_told_with_their_shapes_and_colours() -> None:
    told = parts()
    assert (told["choices"], told["usual"]) == (list(get_args(Parts)), Order().kinds)
    by_name = {part["name"]: part for part in told["parts"]}
    assert list(by_name) == list(map(str, PARTS))
    slope = by_name["slope 45 2x1"]
    assert (slope["width"], slope["length"], slope["height"], slope["directions"]) == (2, 1, 3, 4)
    assert (slope["studs"], slope["sockets"]) == ([(0, 0)], [(0, 0), (1, 0)])
    assert by_name["tile 1x2"]["studs"] == []
    assert {name for name, part in by_name.items() if 4 not in part["colours"]} == set()  # all were made in red
    assert 151 in by_name["1x2"]["colours"]
    assert 151 not in by_name["2x4"]["colours"]


def test_a_cube_is_as_high_as_wide_in_plates_and_nearly_so_in_bricks(tmp_path: Path) -> None:
    """16 studs are 128 mm: 40 plates, or 13 bricks of 9.6 mm and a third."""
    write_box(tmp_path / "cube.off", (1, 1, 1))
    cube = sent_file("cube.off", (tmp_path / "cube.off").read_bytes())
    bricks, plates = (told(cube, Order(size=16, parts=choice)) for choice in get_args(Parts)[:2])
    assert (bricks["layer"], bricks["size"], bricks["millimetres"]) == (3, [16, 16, 13], [128, 128, 124.8])
    assert (plates["layer"], plates["size"], plates["millimetres"]) == (1, [16, 16, 40], [128, 128, 128])
    assert (bricks["settings"]["parts"], plates["settings"]["parts"]) == ("bricks", "plates")
    seen = [picture_of(about["preview"]).size for about in (bricks, plates)]
    assert seen[0] == pytest.approx(seen[1], rel=0.03)
