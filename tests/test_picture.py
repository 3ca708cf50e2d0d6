"""Pictures show the model: the right brick at every point, studs where nothing covers them, x to the right. SVG files
are valid XML and hold what the painter drew, shape by shape."""

import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageChops
from scipy.spatial.transform import Rotation

from brickbybrick.bodies import STUD_HEIGHT, STUD_RADIUS
from brickbybrick.colours import light_of
from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Cell
from brickbybrick.geometry.camera import FRONT, View, in_book
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.part import PARTS, Part
from brickbybrick.picture import (
    BAND,
    BRIGHT,
    FAULT,
    PALETTE,
    PITCH_MM,
    RGB,
    Drawing,
    draw,
    paint,
    svg,
    tones,
    visible,
)

Floats = npt.NDArray[np.float64]
Parts = Sequence[Part]

BRICKS = [Part.parse(text) for text in ("2x4", "2x4", "1x3", "1x6", "2x2", "1x1")]
EVERY = list(PARTS)
MOST_FACES = 7  # of an inverted slope, or of one behind studs

VIEWS = [FRONT, *(in_book(quarters, over) for over in (False, True) for quarters in range(4))]

NAMESPACE = {"svg": "http://www.w3.org/2000/svg"}
STAIR = Construction.of_poses(BRICK_2X4, [(step, 0, step, step % 2) for step in range(12)])


def random_model(seed: int, bricks: int = 40, span: int = 9, layers: int = 3, parts: Parts = BRICKS) -> Construction:
    """Parts of several sizes and all directions, anywhere where there is room; not necessarily connected.

    They begin in so many layers, which are as high as the lowest part.
    """
    rng = random.Random(seed)
    placed: list[PlacedBrick] = []
    filled: set[Cell] = set()
    high = min(part.height for part in parts)
    for _ in range(20 * bricks):
        part = rng.choice(parts)
        corner = rng.randrange(span), rng.randrange(span), high * rng.randrange(layers)
        brick = PlacedBrick(str(part), *corner, rng.choice(part.directions), rng.choice(list(PALETTE)))
        if filled.isdisjoint(brick.cells()) and len(placed) < bricks:
            placed.append(brick)
            filled.update(brick.cells())
    return Construction(tuple(placed))


class Camera(NamedTuple):
    """A view once more, written as directions in space instead of a projection."""

    right: Floats
    up: Floats
    to_viewer: Floats

    @classmethod
    def of(cls, view: View) -> "Camera":
        """The model is turned over, then turned; seen from it, the viewer goes the other way round."""
        turn = Rotation.from_euler("z", pi / 2 * view.quarters) * Rotation.from_euler("x", pi * view.upside_down)
        right = np.array([cos(view.yaw), sin(view.yaw), 0.0])
        away = np.array([sin(view.yaw), -cos(view.yaw), 0.0])
        to_viewer = cos(view.pitch) * away + sin(view.pitch) * np.array([0.0, 0.0, 1.0])
        back = turn.inv()
        return cls(back.apply(right), back.apply(np.cross(to_viewer, right)), back.apply(to_viewer))


class Solids(NamedTuple):
    """Bodies as what lies behind all of their faces, in stud pitches; faces that a body lacks hold everything."""

    normals: Floats  # (bricks, face, 3)
    limits: Floats  # (bricks, face) how far along its normal each face is
    corners: Floats  # (corner, 3) of all of them


def solids_of(construction: Construction) -> Solids:
    normals, limits, corners = [], [], []
    for brick in construction.bricks:
        foot = np.array([brick.x, brick.y, brick.z])
        faces = faces_of(brick.shape, brick.d)
        outlines = [(foot + face.corners) * (1, 1, PLATE) for face in faces]
        more = MOST_FACES - len(faces)
        normals.append([face.normal for face in faces] + [np.zeros(3)] * more)
        limits.append([outline[0] @ face.normal for face, outline in zip(faces, outlines, strict=True)] + [1.0] * more)
        corners += outlines
    return Solids(np.array(normals), np.array(limits), np.concatenate(corners))


def cast(origins: Floats, solids: Solids, feet: Floats, view: View = FRONT) -> npt.NDArray[np.int64]:
    """Which solid each line of sight meets first: a body, or a stud numbered after the bodies, or -1 for none."""
    to_viewer = Camera.of(view).to_viewer
    with np.errstate(invalid="ignore", divide="ignore"):
        slant = solids.normals @ to_viewer  # (bricks, face)
        far = (solids.limits - np.einsum("bfi,ri->rbf", solids.normals, origins)) / slant  # (rays, bricks, face)
        enter = np.where(slant < -1e-9, far, -np.inf).max(axis=2)
        leave = np.where(slant > 1e-9, far, np.inf).min(axis=2)
        depth = [np.where(enter < leave, leave, -np.inf)]
        if len(feet):
            offset = (origins[:, None] - feet)[..., :2]  # (rays, studs, 2)
            a = to_viewer[:2] @ to_viewer[:2]
            b = offset @ to_viewer[:2]
            root = np.sqrt(b**2 - a * ((offset**2).sum(axis=2) - STUD_RADIUS**2))  # nan where the line passes by
            floor = (feet[:, 2] - origins[:, None, 2]) / to_viewer[2]
            floor, ceiling = sorted((floor, floor + STUD_HEIGHT / to_viewer[2]), key=np.min)
            enter, leave = np.maximum((-b - root) / a, floor), np.minimum((root - b) / a, ceiling)
            depth.append(np.where(enter < leave, leave, -np.inf))
    nearest = np.concatenate(depth, axis=1)
    return np.where(np.isinf(nearest.max(axis=1)), -1, nearest.argmax(axis=1))


def painted(drawing: Drawing, points: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The brick whose shape is painted last over each point, -1 for none, and whether that shape is a stud's."""
    brick, stud = np.full(len(points), -1), np.zeros(len(points), dtype=bool)
    for shape in drawing.shapes:
        corners = np.array(shape.points)
        along, across = np.roll(corners, -1, axis=0) - corners, points[:, None] - corners
        turn = along[:, 0] * across[..., 1] - along[:, 1] * across[..., 0]
        inside = (turn > 0).all(axis=1) | (turn < 0).all(axis=1)  # every shape is convex
        brick[inside], stud[inside] = shape.brick, shape.face.startswith("stud")
    return brick, stud


def lines_of_sight(
    drawing: Drawing, solids: Solids, count: int, seed: int, view: View = FRONT
) -> tuple[Floats, Floats]:
    """Random points of the picture and where their lines of sight pass, found from the leftmost and lowest corner."""
    points = np.random.default_rng(seed).uniform((0, 0), (drawing.width, drawing.height), (count, 2))
    bodies = np.concatenate([shape.points for shape in drawing.shapes if not shape.face.startswith("stud")])
    camera = Camera.of(view)
    across = points[:, 0] - bodies[:, 0].min() + (solids.corners @ camera.right).min()
    up = bodies[:, 1].max() - points[:, 1] + (solids.corners @ camera.up).min()
    return points, across[:, None] * camera.right + up[:, None] * camera.up


@pytest.mark.parametrize("parts", [BRICKS, EVERY], ids=["bricks", "all parts"])
@pytest.mark.parametrize(("span", "layers"), [(9, 1), (9, 3), (5, 6), (16, 2)])
@pytest.mark.parametrize("seed", range(5))
def test_every_point_shows_the_part_that_a_ray_meets_first(seed: int, span: int, layers: int, parts: Parts) -> None:
    model = random_model(seed, span=span, layers=layers, parts=parts)
    drawing, solids = draw(model, studs=False), solids_of(model)
    points, origins = lines_of_sight(drawing, solids, 1500, seed)
    expected = cast(origins, solids, np.empty((0, 3)))
    assert (expected >= 0).mean() > 0.3
    wrong = painted(drawing, points)[0] != expected
    assert not wrong.any()


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_so_it_does_from_all_sides(view: View) -> None:
    model = random_model(view.quarters, span=6, layers=5, parts=EVERY)
    drawing, solids = draw(model, view=view), solids_of(model)
    filled = {cell for brick in model.bricks for cell in brick.cells()}
    tops = [(x, y, b.top) for b in model.bricks for x, y in b.shape.studs(b.pose)]
    feet = np.array([(x + 0.5, y + 0.5, PLATE * z) for x, y, z in tops if (x, y, z) not in filled])
    plain = draw(model, view=view, studs=False)
    points, origins = lines_of_sight(plain, solids, 1500, 3, view)
    assert (painted(plain, points)[0] == cast(origins, solids, np.empty((0, 3)), view)).all()
    solid = cast(origins, solids, feet, view)
    is_stud = painted(drawing, points)[1]
    assert (is_stud != (solid >= len(model.bricks))).mean() < 0.005  # a stud is drawn with corners


def test_from_below_a_part_is_hollow_and_has_a_tube_between_each_four_studs() -> None:
    def looks(part: str) -> Counter[str]:
        shapes = draw(Construction((PlacedBrick(part, 3, -2, 5, 0),)), view=in_book(0, True)).shapes
        return Counter(shape.face for shape in shapes)

    assert looks("2x4")["tube"] == 3
    assert looks("plate 4x8")["tube"] == 21
    assert looks("1x4")["pin"] == 3
    assert looks("1x1")["hollow"] == looks("tile 1x2")["hollow"] == 1
    assert looks("inverted slope 45 2x2")["pin"] == 1  # a stud fits under its foot alone
    assert draw(Construction((PlacedBrick("2x4", 0, 0, 0, 0),))).shapes[0].face != "hollow"


@pytest.mark.parametrize("parts", [BRICKS, EVERY], ids=["bricks", "all parts"])
@pytest.mark.parametrize("seed", range(5))
def test_studs_hide_and_are_hidden_as_round_cylinders_are(seed: int, parts: Parts) -> None:
    model = random_model(seed, parts=parts)
    drawing, solids = draw(model), solids_of(model)
    filled = {cell for brick in model.bricks for cell in brick.cells()}
    tops = [(index, x, y, b.top) for index, b in enumerate(model.bricks) for x, y in b.shape.studs(b.pose)]
    studs = [(index, *cell) for index, *cell in tops if tuple(cell) not in filled]
    feet = np.array([(x + 0.5, y + 0.5, PLATE * z) for _, x, y, z in studs])
    points, origins = lines_of_sight(drawing, solids, 3000, seed)
    solid = cast(origins, solids, feet)
    owner = np.array([*range(len(model.bricks)), *(stud[0] for stud in studs), -1])
    brick, stud = painted(drawing, points)
    assert stud.sum() > 100
    wrong = (brick != owner[solid]) | (stud != (solid >= len(model.bricks)))
    assert wrong.mean() < 0.003  # a stud is drawn with corners, a cylinder has none


def test_a_stud_under_a_brick_is_not_drawn() -> None:
    def bricks_with_studs(*poses: tuple[int, int, int, int]) -> list[int]:
        shapes = draw(Construction.of_poses(BRICK_2X4, poses)).shapes
        return sorted(shape.brick for shape in shapes if shape.face == "stud top")

    assert bricks_with_studs((0, 0, 0, 0)) == [0] * 8
    assert bricks_with_studs((0, 0, 0, 0), (0, 0, 1, 0)) == [1] * 8
    assert bricks_with_studs((0, 0, 0, 0), (1, 0, 1, 0)) == [0] * 4 + [1] * 8
    assert bricks_with_studs((0, 0, 0, 0), (0, 0, 2, 0)) == [0] * 8 + [1] * 8


def where(image: Image.Image, colour: int) -> npt.NDArray[np.int64]:
    """(pixels, 2) row and column of the pixels in the plain colour, which is that of front faces."""
    return np.argwhere((np.asarray(image) == PALETTE[colour]).all(axis=2))


def test_x_grows_to_the_right_z_upwards_and_low_y_is_in_front() -> None:
    def pair(x: int, y: int, z: int) -> Image.Image:
        return paint(draw(Construction((PlacedBrick("2x2", 0, 0, 0, 0, 1), PlacedBrick("2x2", x, y, z, 0, 14)))))

    beside, above, behind = pair(2, 0, 0), pair(0, 0, 3), pair(0, 2, 0)
    assert where(beside, 1)[:, 1].max() < where(beside, 14)[:, 1].min()
    assert where(above, 14)[:, 0].mean() < where(above, 1)[:, 0].mean() - 30
    assert len(where(behind, 1)) > 0 == len(where(behind, 14))


def test_the_front_of_a_cell_looks_larger_than_its_side() -> None:
    shapes = draw(Construction((PlacedBrick("1x1", 0, 0, 0, 0),)), studs=False).shapes
    area = {}
    for shape in shapes:
        x, y = np.array(shape.points).T
        area[shape.face] = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
    assert area["front"] > 2 * area["side"]
    assert area["front"] > 2 * area["top"]


def test_light_comes_from_above_and_in_front() -> None:
    for colour in PALETTE:
        shapes = draw(Construction((PlacedBrick("2x4", 0, 0, 0, 0, colour),))).shapes
        light = {shape.face: sum(shape.fill) for shape in shapes}
        assert light["top"] > light["front"] > light["side"]
        assert all(abs(sum(shape.outline) - light[shape.face]) > 60 for shape in shapes)  # outlines show


@pytest.mark.parametrize("size", [(400, 400), (200, 90), (90, 200), (801, 640), (2000, 30), (1, 1)])
def test_pictures_have_the_size_asked_for_and_an_empty_border(size: tuple[int, int]) -> None:
    image = paint(draw(random_model(1)), size, background=(1, 2, 3))
    assert image.size == size
    pixels = np.asarray(image)
    if min(size) >= 30:
        rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
        assert (rim == (1, 2, 3)).all()
        rows, columns = np.nonzero((pixels != (1, 2, 3)).any(axis=2))
        assert max(np.ptp(rows) / size[1], np.ptp(columns) / size[0]) > 0.85


def test_an_empty_model_is_an_empty_picture() -> None:
    nothing = Construction(())
    assert draw(nothing).shapes == ()
    assert paint(draw(nothing), (30, 20)).getcolors() == [(600, (255, 255, 255))]
    assert paint(draw(nothing, colours="steps", within=random_model(0)), (30, 20)).size == (30, 20)


def test_the_same_model_gives_the_same_picture() -> None:
    first, second = (paint(draw(random_model(4), colours="steps")) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_bricks_that_overlap_are_drawn_all_the_same() -> None:
    rng = random.Random(0)
    poses = [(rng.randrange(6), rng.randrange(6), 0, rng.randrange(2)) for _ in range(40)]
    assert len({shape.brick for shape in draw(Construction.of_poses(BRICK_2X4, poses)).shapes}) > 1


def test_new_bricks_are_outlined_and_all_keep_their_colours() -> None:
    model = random_model(2)
    plain, marked = draw(model).shapes, draw(model, new=[[3], [5]]).shapes
    bands = [shape for shape in marked if shape.stroke > 1]
    assert {shape.brick for shape in bands} == {3, 5}
    assert [shape for shape in marked if shape.stroke == 1] == list(plain)


def test_the_outline_of_a_brick_alone_goes_around_it_once() -> None:
    """A box is seen as a hexagon, whichever way it is turned."""
    for view in VIEWS:
        shapes = draw(Construction((PlacedBrick("2x4", 0, 0, 0, 0),)), view=view, new=[[0]]).shapes
        bands = [shape for shape in shapes if shape.fill == BAND]
        assert len(bands) == 6
        ends = Counter(tuple(np.round(point, 6)) for shape in bands for point in shape.points)
        assert set(ends.values()) == {2}


def test_edges_and_outlines_show_on_every_colour() -> None:
    """By the contrast of WCAG, in which black on white is 21, and the least that one sees of a line some 1.5."""

    def contrast(one: RGB, other: RGB) -> float:
        light = sorted(float(light_of(rgb) @ (0.2126, 0.7152, 0.0722)) + 0.05 for rgb in (one, other))
        return light[1] / light[0]

    for colour in PALETTE.values():
        shades = tones(colour)
        for face in ("top", "front", "side"):
            assert contrast(shades[face], shades["line"]) > 1.5
            assert max(contrast(shades[face], band) for band in (BAND, BRIGHT)) > 3


def test_what_others_hide_need_not_be_drawn() -> None:
    model = random_model(1, span=5, layers=6)
    whole = visible(draw(model))
    seen = {shape.brick for shape in whole.shapes}
    assert len(seen) < len(model.bricks)
    assert paint(draw(model, only=seen)).tobytes() == paint(draw(model)).tobytes()


def test_bricks_at_fault_are_bright_red_among_pale_ones() -> None:
    model = random_model(2)
    assert FAULT not in PALETTE.values()
    for plain, marked in zip(draw(model).shapes, draw(model, fault={3, 5}).shapes, strict=True):
        assert plain.points == marked.points
        if marked.brick in {3, 5}:
            red, green, blue = marked.fill
            assert red > 1.8 * max(green, blue)
            assert marked.face != "front" or marked.fill == FAULT
        else:
            assert min(*marked.fill, *marked.outline) >= 190


@pytest.mark.parametrize("seed", range(3))
def test_leaving_hidden_shapes_out_changes_no_picture(seed: int) -> None:
    drawing = draw(random_model(seed, span=6, layers=5))
    seen = visible(drawing)
    assert len(seen.shapes) < 0.8 * len(drawing.shapes)
    difference = ImageChops.difference(paint(drawing, (600, 600)), paint(seen, (600, 600)))
    assert (np.asarray(difference).max(axis=2) > 24).mean() < 1e-4
    assert visible(draw(Construction(()))).shapes == ()


def step_fills(construction: Construction) -> dict[tuple[int, str], RGB]:
    return {(shape.brick, shape.face): shape.fill for shape in draw(construction, colours="steps").shapes}


def test_step_colours_tell_touching_bricks_apart() -> None:
    model = Construction.of_poses(BRICK_2X4, [(2 * x + z % 2, 0, z, 0) for z in range(8) for x in range(5)])
    fills = step_fills(model)
    fronts = {brick: fills[brick, "front"] for brick in range(40)}
    for one, first in enumerate(model.bricks):
        for other, second in enumerate(model.bricks[:one]):
            if any(abs(np.subtract(a, b)).sum() == 1 for a in first.cells() for b in second.cells()):
                assert fronts[one] != fronts[other]


def test_step_colours_do_not_change_while_the_model_grows() -> None:
    model = random_model(6)
    finished = step_fills(model)
    for count in (1, 10, 30):
        fills = step_fills(Construction(model.bricks[:count]))
        assert all(fills[key] == finished[key] for key in fills.keys() & finished.keys())


def test_steps_of_one_model_line_up_in_its_frame() -> None:
    model = random_model(7)
    finished = draw(model)
    for count in (1, 10, 30):
        part = draw(Construction(model.bricks[:count]), within=model)
        assert (part.width, part.height, part.stroke) == (finished.width, finished.height, finished.stroke)
        assert {shape for shape in finished.shapes if shape.brick < count} <= set(part.shapes)


def test_an_unknown_colour_or_no_pixels_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="no colour 1000000000"):
        draw(Construction((PlacedBrick("2x4", 0, 0, 0, 0, colour=1_000_000_000),)))
    with pytest.raises(InputError, match="0x5 pixels"):
        paint(draw(Construction(())), (0, 5))


def test_sixty_bricks_take_a_blink() -> None:
    model = random_model(8, bricks=60, span=14, layers=4)
    assert len(model.bricks) == 60
    seconds = []
    for _ in range(5):
        start = time.process_time()
        paint(draw(model), (400, 400))
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.05


def polygons(text: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(".//svg:polygon", NAMESPACE)


def test_every_shape_is_a_polygon_in_its_place_and_colour() -> None:
    drawing = draw(STAIR)
    root = ElementTree.fromstring(svg(drawing))
    found = [(group.attrib["fill"], polygon) for group in root.findall("svg:g/svg:g", NAMESPACE) for polygon in group]
    assert len(found) == len(drawing.shapes)
    for (fill, polygon), shape in zip(found, drawing.shapes, strict=True):
        assert fill == "#" + bytes(shape.fill).hex()
        corners = [[float(number) for number in pair.split(",")] for pair in polygon.attrib["points"].split()]
        np.testing.assert_allclose(corners, np.array(shape.points) * PITCH_MM, atol=0.006)


def test_a_file_opens_at_the_size_of_the_real_bricks() -> None:
    root = ElementTree.fromstring(svg(draw(STAIR)))
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    assert root.attrib["width"] == f"{width:g}mm"
    assert root.attrib["height"] == f"{height:g}mm"
    assert (width, height) == pytest.approx((draw(STAIR).width * 8, draw(STAIR).height * 8), abs=0.01)


def test_files_are_small_and_numbers_short() -> None:
    text = svg(visible(draw(STAIR)))
    assert len(text) < 40_000
    assert not re.search(r"\d\.\d{3}|\d\.\d*0[ ,\"]|-0[ ,\"]", text)


def test_an_empty_model_is_an_empty_file_that_still_opens() -> None:
    assert polygons(svg(draw(Construction(())))) == []


def test_what_is_behind_the_model_is_transparent() -> None:
    assert "<rect" not in svg(draw(STAIR))


def test_bricks_that_only_bear_others_are_striped() -> None:
    """Stripes lie on the faces of extra bricks, each inside its face, and on no other brick."""
    bricks = (PlacedBrick("2x4", 0, 0, 0, 1), PlacedBrick("2x2", 6, 0, 0, 0, extra=True))
    shapes = draw(Construction(bricks)).shapes
    for face in ("front", "side", "top"):
        plain, striped = ([shape for shape in shapes if shape.brick == k and shape.face == face] for k in (0, 1))
        assert len(plain) == 1
        outline, *stripes = striped
        assert len(stripes) >= 3
        low, high = np.min(outline.points, axis=0), np.max(outline.points, axis=0)
        for stripe in stripes:
            assert stripe.fill == outline.outline
            assert (np.array(stripe.points) >= low - 1e-9).all()
            assert (np.array(stripe.points) <= high + 1e-9).all()


def test_other_parts_are_boxes_in_their_colour() -> None:
    """One behind the brick, as high as two: the picture holds it, and it hides nothing of the brick."""
    brick = PlacedBrick("2x4", 0, 0, 0, 0, colour=4)
    part = OtherPart("3941.dat", 0x20000FF, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 6, 0), (2, 2, 6))
    drawing = draw(Construction((brick,), others=(part,)))
    box = [shape for shape in drawing.shapes if shape.brick == 1]
    assert {shape.face for shape in box} == {"top", "front", "side"}
    assert next(shape.fill for shape in box if shape.face == "front") == (0, 0, 255)
    assert (drawing.width, drawing.height) == (
        draw(Construction((brick, PlacedBrick("2x2", 0, 6, 0, 0), PlacedBrick("2x2", 0, 6, 3, 0)))).width,
        draw(Construction((brick, PlacedBrick("2x2", 0, 6, 0, 0), PlacedBrick("2x2", 0, 6, 3, 0)))).height,
    )
    assert drawing.shapes[0].brick == 1  # what is behind is painted first
