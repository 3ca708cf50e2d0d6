"""A kit holds all that can be made of a model, and its folder is there whole or not at all."""

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.building import build_files
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import EXPORTS, Plan, checked_kinds, kit_files, plan, write_folder
from brickbybrick.export.ldraw import from_ldraw, read_ldraw
from brickbybrick.export.zipped import from_io
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.handwork.work import Chunk, Handwork, Step
from brickbybrick.order import Order
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import target_of_voxels
from brickbybrick.targets.voxelising import voxelise_real

STAIRS = Construction.of_poses(BRICK_2X4, [(2 * step, 0, step, 1) for step in range(4)])
BEGINNINGS = {  # of files, by which programs know them
    "glb": b"glTF",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "gif": b"GIF89a",
    "webp": b"RIFF",
    "svg": b"<svg",
    "json": b"{",
    "xml": b"<INVENTORY>",
    "csv": b"Part,Color,Quantity",
    "ldr": b"0 ",
}


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_every_file_is_of_its_kind(kind: str) -> None:
    files = kit_files(plan(STAIRS), [kind])
    assert list(files) == [EXPORTS[kind][0]]
    assert next(iter(files.values())).lstrip().startswith(BEGINNINGS[kind])


def test_a_hand_is_asked_for_where_the_model_would_fall() -> None:
    """Stairs of 2x4 bricks two studs apart: with the third their middle is right over the first one's edge."""
    made = plan(STAIRS)
    assert not made.verdict.stands
    assert made.handwork.whole.steps[-1].hold
    last = len(made.handwork.whole.steps)
    assert any(re.search(rf"hold what is there after steps? .*\b{last}\.", sentence) for sentence in made.sentences)
    assert "It falls even when it is finished." in made.sentences


def test_steps_to_hold_are_called_as_in_the_book() -> None:
    """A chunk that is built twice, and then the whole: eight steps, of which the book shows six."""
    held = Chunk((Step((0,)), Step((1,), hold=True), Step((2,), hold=True)))
    again = replace(held, steps=(Step((3,)), Step((4,), hold=True), Step((5,), hold=True)), copy_of=0)
    whole = Chunk((Step(chunks=(0, 1), hold=True), Step((6,)), Step((7,), hold=True)))
    made = plan(Construction(tuple(PlacedBrick("2x2", 0, 0, 3 * up, 0) for up in range(8))))
    made.__dict__["handwork"] = Handwork((held, again, whole), judged=True)  # in place of what would be found
    assert made.sentences[-1] == "While you build, hold what is there after steps A2-A3, 1, 3."


@pytest.mark.parametrize("name", ["torus", "table"])
def test_a_kits_ldraw_file_gets_the_verdict_of_its_model(tmp_path: Path, name: str) -> None:
    """Its bricks are in the order of the instructions, in which many stand on the ground before others join them."""
    feet = [(x, y) for x in (-1.8, 1.8) for y in (-1.3, 1.3)]
    legs = [trimesh.creation.box((0.4, 0.4, 2), trimesh.transformations.translation_matrix([*xy, -1])) for xy in feet]
    table = trimesh.util.concatenate([trimesh.creation.box((4, 3, 0.4)), *legs])
    {"torus": trimesh.creation.torus(2, 0.6), "table": table}[name].export(tmp_path / "a.stl")
    ((_, made),) = build_files([tmp_path / "a.stl"], Order(agent="mason", size=20))
    assert isinstance(made, Plan)
    assert made.verdict.insertable_as_placed
    files = kit_files(made, ["json", "ldr"])
    for again in (Construction.from_json(files["model.json"]), from_ldraw(files["model.ldr"])):
        assert plan(again).verdict.flat() == pytest.approx(made.verdict.flat())
    assert plan(from_ldraw(files["model.ldr"])).sentences == made.sentences


def test_kinds_that_nobody_knows() -> None:
    with pytest.raises(InputError, match="no export named 'doc': choose among json, ldr"):
        checked_kinds(["json", "doc"])


def test_a_folder_that_is_no_kit_is_left_alone(tmp_path: Path) -> None:
    files = {"model.json": b"{}"}
    write_folder(tmp_path / "kit", files)
    write_folder(tmp_path / "kit", {"model.json": b"[]"})
    assert (tmp_path / "kit/model.json").read_bytes() == b"[]"
    (tmp_path / "kit/diary.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other things than a kit"):
        write_folder(tmp_path / "kit", files)
    assert (tmp_path / "kit/diary.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


def test_a_kit_of_sixty_bricks_takes_less_than_three_seconds() -> None:
    ball = voxelise_real(_ball(), 10)
    built = GreedyBuilder(offset_set("modelnet")).build(target_of_voxels("ball", ball, budget=60))
    assert len(built.bricks) == 60
    start = time.process_time()
    files = kit_files(plan(built))
    assert time.process_time() - start < 3
    assert len(files["instructions.pdf"]) < 1_000_000


def _ball() -> Mesh:
    made = trimesh.creation.icosphere(3)
    return Mesh(np.asarray(made.vertices), np.asarray(made.faces), "ball")


def test_the_plain_model_and_the_one_with_chunks_can_both_be_followed() -> None:
    """A gate whose lintel hangs full of bricks: built apart and put on as one, or brick by brick in another order."""
    pillars = [PlacedBrick("2x2", x, 0, 3 * up, 0) for x in (0, 6) for up in range(3)]
    gate = Construction((*pillars, PlacedBrick("2x8", 0, 0, 9, 1), PlacedBrick("2x2", 3, 0, 6, 0)))
    lintel = Chunk((Step((7,)), Step((6,))))
    work = Handwork((lintel, Chunk((Step((0, 1, 2, 3, 4, 5)), Step(chunks=(0,))))))
    made = plan(gate)
    made.__dict__["handwork"] = work  # in place of what would be found
    for kind in ("ldr", "mpd", "io"):
        content = EXPORTS[kind][1](made)
        model, filed = read_ldraw(from_io(content) if kind == "io" else content)
        assert plan(model, filed=filed).verdict.insertable_as_placed
        assert len(filed.chunks) == (1 if kind == "ldr" else 2)
