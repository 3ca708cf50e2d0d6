"""Models of different kinds as other programs get them: put together again from their sub-assemblies, by a reader that
knows nothing of bricks but their sizes, they are what was built."""

from functools import cache

import numpy as np
import pytest
from export.replayed import alike, in_pieces, replayed

from brickbybrick.building import build_wanted
from brickbybrick.export.kit import EXPORTS, Plan, plan
from brickbybrick.export.ldraw import from_ldraw, read_ldraw, to_ldraw
from brickbybrick.export.zipped import from_io
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.order import Order, Parts
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import target_of_voxels

LAYERS = {"bricks": 3, "plates": 1}


def volume_of(name: str) -> Voxels:
    """Things that cannot be built brick by brick on a table, or hardly; layers as high as bricks."""
    solid = np.zeros((14, 8, 9), bool)
    if name == "table":
        solid[:, :, 6] = solid[:2, :2, :7] = solid[-2:, :2, :7] = solid[:2, -2:, :7] = solid[-2:, -2:, :7] = True
    elif name == "chair":
        solid[:8, :, 3] = solid[:2, :, 3:] = solid[:2, :2, :4] = solid[:2, -2:, :4] = solid[6:8, :2, :4] = True
        solid[6:8, -2:, :4] = True
    elif name == "arch":
        solid[:3, 2:6] = solid[-3:, 2:6] = solid[:, 2:6, 6:] = True
    elif name == "T":
        solid[6:8, 3:5] = solid[:, 3:5, 7:] = True
    elif name == "lamp":
        solid[4:10, 1:7, 0] = solid[6:8, 3:5] = solid[3:11, :, 5:7] = True
    elif name == "chandelier":
        solid[:2, 3:5] = solid[-2:, 3:5] = solid[:, 3:5, 8] = solid[6:8, 3:5, 4:] = solid[4:10, 2:6, 3:5] = True
    elif name == "mushroom":
        solid[5:9, 2:6, :5] = solid[2:12, :, 5] = solid[3:11, 1:7, 6] = solid[5:9, 2:6, 7] = True
    elif name == "bridge":
        for first in (0, 6, 12):
            solid[first : first + 2, 2:6, :4] = True
        solid[:, 2:6, 4:6] = True
    return solid


@cache
def made_of(name: str, parts: Parts) -> Plan:
    layer = LAYERS[parts]
    volume = volume_of(name).repeat(3 // layer, axis=2)
    (made,) = build_wanted([Wanted(target_of_voxels(name, volume, side=14, layer=layer))], Order(parts=parts))
    return made


NAMES = ("table", "chair", "arch", "T", "lamp", "chandelier", "mushroom", "bridge")
MODELS = [(name, "bricks") for name in NAMES] + [("table", "plates"), ("chandelier", "plates")]


@pytest.mark.parametrize(("name", "parts"), MODELS)
def test_sub_assemblies_become_exactly_the_model(name: str, parts: Parts) -> None:
    made = made_of(name, parts)
    assert made.verdict.joined
    content = EXPORTS["mpd"][1](made)
    assert content.count(b"0 FILE") > 1
    assert in_pieces(content) == []
    assert alike(replayed(content)) == alike(replayed(to_ldraw(made.construction)))
    assert from_io(EXPORTS["io"][1](made)) == content


@pytest.mark.parametrize(("name", "parts"), MODELS)
def test_a_file_is_judged_as_the_model_is(name: str, parts: Parts) -> None:
    """The order of the steps is one that a hand can follow, in both kinds of files; and nothing else is lost."""
    made = made_of(name, parts)
    for kind in ("ldr", "mpd"):
        model, filed = read_ldraw(EXPORTS[kind][1](made))
        again = plan(model, filed=filed)
        assert again.verdict.insertable_as_placed
        assert again.verdict.flat() == pytest.approx(made.verdict.flat())
        assert {brick.pose for brick in model.bricks} == {brick.pose for brick in made.construction.bricks}


def test_pieces_are_told() -> None:
    """Two bricks beside each other, and a sub-model of two that only touch: the second reader sees it."""
    turn = "1 0 0 0 1 0 0 0 1"
    apart = f"0 FILE a.ldr\n1 4 0 0 0 {turn} 3001.dat\n1 4 80 0 0 {turn} 3001.dat\n1 16 0 -24 0 {turn} b.ldr\n"
    apart += f"0 FILE b.ldr\n1 4 40 0 0 {turn} 3001.dat\n1 4 40 0 40 {turn} 3001.dat\n"
    assert in_pieces(apart.encode()) == ["a.ldr", "b.ldr"]
    assert in_pieces(apart.replace("1 4 40 0 40", "1 4 40 -24 0").encode()) == []
    assert len(from_ldraw(apart).bricks) == 4
