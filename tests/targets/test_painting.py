"""Cells take the colours that the mesh has where they are."""

import time

import numpy as np
import pytest
from targets.drawn_meshes import ICE, LAND, SEA, SIX, cube_glb, cube_obj, globe, ground, icosphere

from brickbybrick.colours import lab, seen
from brickbybrick.targets.inputs import wanted_mesh
from brickbybrick.targets.meshes import decoded_mesh
from brickbybrick.targets.painting import agreed
from brickbybrick.targets.reading import Proportions, Reading
from brickbybrick.targets.surface import Look, Mesh, Texture, linear
from brickbybrick.targets.target import Target


def seen_in(side: int, proportions: Proportions = "real") -> Reading:
    return Reading(size=side, proportions=proportions, colours=True)


def painted_target(data: bytes, ending: str, side: int, proportions: Proportions = "real") -> Target:
    pytest.importorskip("trimesh")
    return wanted_mesh("a", decoded_mesh(data, ending, "a"), seen_in(side, proportions)).target


@pytest.mark.parametrize(("proportions", "layers"), [("real", 20), ("cubic", 24)])
def test_each_side_of_a_cube_has_its_colour(proportions: Proportions, layers: int) -> None:
    target = painted_target(*cube_glb(), 24, proportions)
    paint, volume = target.paint, target.volume
    assert paint is not None
    assert volume[:, :, :layers].all()
    inner, height = slice(1, 23), slice(1, layers - 1)
    sides = [paint[0, inner, height], paint[23, inner, height], paint[inner, 0, height], paint[inner, 23, height]]
    sides += [paint[inner, inner, 0], paint[inner, inner, layers - 1]]
    for side, colour in zip(sides, SIX, strict=True):
        assert (side == (*colour, 255)).all()
    assert not paint[inner, inner, height].any()  # the inside is free
    outside = {tuple(map(int, colour[:3])) for colour in paint[volume & (paint[..., 3] > 0)]}
    assert outside == set(SIX)  # along the edges, too, no colour that is nowhere


def test_land_and_sea_of_a_globe_are_where_they_should_be() -> None:
    target = painted_target(*globe(), 36)
    assert target.paint is not None
    cells = np.argwhere(target.paint[..., 3] > 0)
    places = (cells + 0.5 - [18, 18, 15]) * [1, 1, 1.2]
    places /= np.linalg.norm(places, axis=1, keepdims=True)
    names = np.array([SEA, LAND, ICE])
    found = target.paint[tuple(cells.T)][:, :3]
    nearest = names[((lab(found)[:, None] - lab(names)[None]) ** 2).sum(axis=2).argmin(axis=1)]
    assert (nearest == ground(places)).all(axis=1).mean() > 0.96  # the rest lie on the coasts
    for place, colour in (((1, 0, 0), LAND), ((-1, 0, 0), SEA), ((0, -1, 0), LAND), ((0, 0, 1), ICE)):
        close = (places * place).sum(axis=1) > 0.97
        assert (found[close] == colour).all()


def test_every_cell_at_the_surface_has_a_colour_and_no_other() -> None:
    target = painted_target(*globe(3), 15)
    assert target.paint is not None
    around = np.pad(target.volume, 1)
    hidden = np.ones_like(target.volume)
    for axis in range(3):
        for step in (-1, 1):
            hidden &= np.roll(around, step, axis)[1:-1, 1:-1, 1:-1]
    np.testing.assert_array_equal(target.paint[..., 3] == 255, target.volume & ~hidden)
    assert set(np.unique(target.paint[..., 3])) == {0, 255}


def test_without_colours_there_is_no_paint() -> None:
    assert painted_target(cube_obj()["cube.obj"], ".obj", 8).paint is None


def test_alike_colours_are_averaged_and_of_unlike_ones_the_most_common_is_taken() -> None:
    levels = np.array([[[200, 0, 0]] * 2 + [[210, 10, 0]] * 2 + [[0, 0, 255]] * 3], np.uint8)
    (colour,) = seen(agreed(linear(levels), np.ones((1, 7))))
    assert 200 <= colour[0] <= 210
    assert 0 <= colour[1] <= 10
    assert colour[2] == 0
    heavy = np.array([[1.0, 1, 1, 1, 2, 2, 2]])
    assert seen(agreed(linear(levels), heavy)).tolist() == [[0, 0, 255]]


def test_a_pattern_finer_than_a_cell_comes_out_even() -> None:
    """Of two close greens, in a pattern of 256 x 256 on each side of a cube."""
    mesh = decoded_mesh(*cube_glb(), "a")
    board = np.indices((256, 256)).sum(axis=0) % 2
    pixels = np.where(board[..., None], (60, 150, 70), (70, 165, 80)).astype(np.uint8)
    assert mesh.look is not None
    look = Look(mesh.look.corners, (Texture(pixels),), mesh.look.texture, mesh.look.places)
    target = wanted_mesh("a", Mesh(mesh.vertices, mesh.faces, look=look), seen_in(12)).target
    assert target.paint is not None
    colours = target.paint[target.paint[..., 3] > 0][:, :3].astype(int)
    assert np.abs(colours - [65, 158, 75]).max() <= 8
    assert np.abs(colours - [65, 158, 75]).mean() <= 2.5


def test_fifty_thousand_faces_with_a_texture_take_a_few_seconds() -> None:
    points, faces = icosphere(6)
    faces = faces[:50_000]  # the rest is a hole
    random = np.random.default_rng(0)
    look = Look(
        np.ones((len(faces), 3, 3), np.float32),
        (Texture(random.integers(0, 256, (512, 512, 3), np.uint8)),),
        np.zeros(len(faces), np.int16),
        points[faces][:, :, :2].astype(np.float32),
    )
    mesh = Mesh(points, faces, look=look)
    wanted_mesh("a", mesh, seen_in(16))  # compiles
    start = time.process_time()
    target = wanted_mesh("a", mesh, seen_in(64)).target
    assert time.process_time() - start < 6
    assert target.paint is not None
