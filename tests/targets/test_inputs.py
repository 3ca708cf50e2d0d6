"""What a user wants built: pictures, silhouettes and meshes, and what is said of them."""

from pathlib import Path

import numpy as np
import pytest
from conftest import write_box
from PIL import Image, ImageDraw
from targets import drawn_meshes, drawn_pictures

from brickbybrick.errors import InputError
from brickbybrick.geometry.voxels import three_views, visual_hull
from brickbybrick.targets import meshes
from brickbybrick.targets.inputs import (
    agreeing,
    extents,
    parts_of,
    place_of,
    wanted_content,
    wanted_file,
    wanted_mesh,
    wanted_picture,
    wanted_views,
    where_it_lies,
)
from brickbybrick.targets.reading import Reading
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.voxelising import filled_in


def picture(path: Path, *boxes: tuple[int, int, int, int], size: tuple[int, int] = (140, 140)) -> Path:
    image = Image.new("L", size, "white")
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill="black")
    image.save(path)
    return path


def test_a_file_and_its_content_show_the_same(tmp_path: Path) -> None:
    picture(tmp_path / "door.png", (50, 20, 90, 120))
    write_box(tmp_path / "box.off", (4, 3, 2))
    for name in ("door.png", "box.off"):
        from_file, from_content = wanted_file(tmp_path / name), wanted_content(name, (tmp_path / name).read_bytes())
        np.testing.assert_array_equal(from_file.target.images, from_content.target.images)
        assert from_file.notes == from_content.notes == ()
        assert from_file.target.name == from_content.target.name == name


def test_what_is_neither_a_picture_nor_a_mesh_is_told_what_is() -> None:
    for name in ("letter.docx", "noending", ""):
        with pytest.raises(InputError, match=r"neither a picture nor a mesh by its ending; give one of .*png.*stl"):
            wanted_content(name, b"")


def test_a_mesh_has_its_proportions(tmp_path: Path) -> None:
    """4 x 2 x 2: of 12 cells 12, 6 and 6."""
    write_box(tmp_path / "box.off", (4, 2, 2))
    volume = wanted_file(tmp_path / "box.off", Reading(size=12)).target.volume
    assert [int(volume.any(axis=tuple({0, 1, 2} - {axis})).sum()) for axis in range(3)] == [12, 6, 6]
    assert volume.sum() == 12 * 6 * 6


def test_a_large_picture_fills_its_frame(tmp_path: Path) -> None:
    path = picture(tmp_path / "door.png", (50, 20, 89, 119))  # 40 x 100 pixels
    image = wanted_file(path, Reading(size=20)).target.images[0]
    assert image.shape == (20, 20)
    assert image.any(axis=1).sum() == 20
    assert image.any(axis=0).sum() == 8


def test_parts_that_touch_nowhere_are_told_of(tmp_path: Path) -> None:
    (note,) = wanted_file(picture(tmp_path / "two.png", (10, 10, 40, 130), (100, 10, 130, 130))).notes
    assert note.startswith("it is in 2 parts that touch nowhere (columns ")
    volume = np.zeros((9, 9, 9), bool)
    volume[0:2, 3, 0:4] = True
    volume[2, 4, 4] = True  # by a corner: one part
    volume[6, 6, 6] = True
    parts = parts_of(volume)
    assert [len(part) for part in parts] == [9, 1]
    assert [place_of(part) for part in parts] == ["columns 1-3, layers 1-5", "columns 7-7, layers 7-7"]


def test_pixels_that_two_views_leave_no_room_for_are_left_out_and_named() -> None:
    volume = np.zeros((14, 14, 14), bool)
    volume[2:12, 2:12, 0:10] = True
    views = three_views(volume)
    same, notes = agreeing("box", views)
    np.testing.assert_array_equal(same, volume)
    assert notes == ()
    views[0, 0, 3] = True  # the front shows something higher than the side does
    agreed, (note,) = agreeing("box", views)
    assert "1 pixels" in note
    assert "front row 1 column 4" in note
    np.testing.assert_array_equal(agreed, visual_hull(views))
    views[0, 0] = views[0, 1] = views[0, 2] = views[0, 3] = True
    with pytest.raises(InputError, match=r"box: the views contradict each other: .* and \d+ more") as error:
        agreeing("box", views)
    assert "\n" not in str(error.value)


def test_silhouettes_of_a_box_are_the_box(tmp_path: Path) -> None:
    """Twice as wide as deep and as high; each picture at a scale of its own."""
    paths = [
        picture(tmp_path / "front.png", (10, 30, 89, 69)),  # 80 x 40
        picture(tmp_path / "side.png", (50, 50, 69, 69)),  # 20 x 20
        picture(tmp_path / "top.png", (0, 40, 119, 99)),  # 120 x 60
    ]
    target = wanted_views("box", paths).target
    assert target.hull.sum() == 14 * 7 * 7
    assert extents([(40, 80), (20, 20), (60, 120)], 14) == (14, 7, 7)


def test_notes_on_a_mesh_say_what_became_of_it(tmp_path: Path) -> None:
    (tmp_path / "car.off").write_bytes(drawn_meshes.car()[0])
    is_open, is_thin = wanted_file(tmp_path / "car.off", Reading(size=24, proportions="real")).notes
    assert is_open.startswith("the mesh is open, ")
    assert is_open.endswith(" edges have no second face: what it shuts in is filled")
    assert is_thin.startswith("parts of the mesh are thinner than a cell: ")
    for name, content in drawn_meshes.cube_obj(picture="../six.png").items():
        (tmp_path / name).write_bytes(content)
    (note,) = wanted_file(tmp_path / "cube.obj").notes
    assert note == "it is built without a texture: ../six.png: not followed, it leads out of the mesh's folder"
    (note,) = wanted_content("cube.obj", (tmp_path / "cube.obj").read_bytes()).notes
    assert note.startswith("its materials lie in other files, which were not given")


@pytest.mark.parametrize("kind", ["torus", "chair", "ball", "car", "cube_glb", "globe"])
def test_drawn_meshes_can_be_wanted_at_any_size(kind: str) -> None:
    data, ending = getattr(drawn_meshes, kind)()
    mesh = meshes.decoded_mesh(data, ending, kind)
    for side in (4, 7, 14, 33):
        target = wanted_mesh(kind, mesh, Reading(size=side, proportions="real")).target
        assert target.volume.any()
        lengths = [
            int(np.ptp(np.flatnonzero(target.volume.any(axis=tuple({0, 1, 2} - {axis})))) + 1) for axis in range(3)
        ]
        assert side - 1 <= max(lengths) <= side


@pytest.mark.parametrize("mosaic", [False, True])
def test_an_inputs_colours_count_only_where_they_are_asked_for(tmp_path: Path, mosaic: bool) -> None:
    path = picture(tmp_path / "bar.png", (10, 10, 40, 130))
    for colours in (False, True):
        reading = Reading(size=8, proportions="real", colours=colours, mosaic=mosaic)
        assert (wanted_file(path, reading).target.paint is not None) == colours


def test_what_was_chosen_is_told() -> None:
    """The size, the depth and what became of the background; asked for again, they give the same."""
    chosen = wanted_picture("face", drawn_pictures.face(), Reading(size=None, proportions="real", colours=True))
    assert (chosen.reading.size, chosen.reading.depth, chosen.reading.background) == (32, 3, "drop")
    again = wanted_picture("face", drawn_pictures.face(), chosen.reading)
    np.testing.assert_array_equal(again.target.paint, chosen.target.paint)
    landscape = wanted_picture("sea", drawn_pictures.landscape(), Reading(size=16, proportions="real", colours=True))
    assert landscape.reading.background == "keep"
    flat = wanted_picture("face", drawn_pictures.face(), Reading(size=24, colours=True, mosaic=True))
    assert (flat.reading.background, flat.reading.depth) == ("keep", None)
    assert wanted_picture("face", drawn_pictures.face()).reading == Reading(background="drop", depth=4)
    content, ending = drawn_meshes.ball()
    mesh = wanted_content(f"ball{ending}", content, Reading(size=None, proportions="real"))
    assert mesh.reading.size == 32


def test_a_mosaic_is_one_whatever_its_proportions_and_colours() -> None:
    reading = Reading(size=16, proportions="cubic", mosaic=True)
    assert wanted_picture("face", drawn_pictures.face(), reading).target.volume.shape == (16, 16, 2)


@pytest.mark.parametrize("layer", [1, 3])
def test_a_mesh_lies_where_its_target_lies(layer: int) -> None:
    """A ball on a stalk so thin that the lowest layers have cells on one side alone, or none."""
    points, faces = drawn_meshes.icosphere(3)
    low = points[:, 2].argmin()
    points[low] += (0.2, 0.07, -0.4)
    mesh = Mesh(points, faces)
    wanted = wanted_mesh("ball", mesh, Reading(size=13, proportions="real", layer=layer))
    cells = where_it_lies(mesh, wanted) * (1, 1, 1 / layer)
    shape = wanted.target.volume.shape
    np.testing.assert_array_equal(filled_in(mesh, cells, shape).voxels, wanted.target.volume)
