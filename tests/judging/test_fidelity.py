"""How true models are to meshes: of boxes by hand, of slopes to their own faces, of a ball by brute force."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest
from meshes import box

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.faces import faces_of
from brickbybrick.geometry.part import PARTS, Part
from brickbybrick.judging.fidelity import Fidelity, fidelity
from brickbybrick.targets.surface import Mesh

Floats = npt.NDArray[np.float64]
MM = np.array([8, 8, 3.2])


def measured(construction: Construction, mesh: Mesh) -> Fidelity:
    """Of a mesh that is told in studs and plates."""
    return fidelity(construction, mesh, mesh.vertices[mesh.faces])


def model(*bricks: tuple[str, int, int, int, int]) -> Construction:
    return Construction(tuple(PlacedBrick(*brick) for brick in bricks))


def together(meshes: Iterable[Mesh]) -> Mesh:
    vertices, faces, count = [], [], 0
    for mesh in meshes:
        vertices.append(mesh.vertices)
        faces.append(mesh.faces + count)
        count += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces))


BLOCK = model(("2x4", 0, 0, 0, 0), ("2x4", 2, 0, 0, 0), ("2x4", 0, 0, 3, 1), ("2x2", 0, 2, 3, 0), ("2x2", 2, 2, 3, 0))


def test_bricks_are_true_to_the_box_that_they_fill() -> None:
    """Their joints are no part of the surface."""
    found = measured(BLOCK, box((0, 0, 0), (4, 4, 6)))
    assert found.distance < 1e-3
    assert found.iou == 1


def test_a_hollow_model_is_as_true_as_a_solid_one() -> None:
    ring = [("1x4", 0, 0, 3, 0), ("1x4", 3, 0, 3, 0), ("1x2", 1, 0, 3, 1), ("1x2", 1, 3, 3, 1)]
    lids = [("2x4", x, 0, z, 0) for x in (0, 2) for z in (0, 6)]
    found = measured(model(*ring, *lids), box((0, 0, 0), (4, 4, 9)))
    assert found.distance < 1e-3
    assert found.iou == 1


def test_half_a_stud_too_little_is_what_it_is_by_hand() -> None:
    """A brick 32 mm wide, 16 deep and 9.6 high, and a box that is 4 mm wider; what both stand on is not seen."""
    found = measured(model(("2x4", 0, 0, 0, 1)), box((0, 0, 0), (4.5, 2, 3)))
    y, z = np.meshgrid((np.arange(400) + 0.5) / 25, (np.arange(240) + 0.5) / 25)
    inside = np.minimum(np.minimum(y, 16 - y), np.minimum(9.6 - z, 4)).mean()  # from the brick's end to the box
    end, top, side = 16 * 9.6, 32 * 16, 32 * 9.6
    to_mesh = inside * end / (2 * end + top + 2 * side)
    more = (4 * 16 + 2 * 4 * 9.6, 2.0)  # strips beyond the brick: their area, and how far they are on average
    to_model = (end * 4 + more[0] * more[1]) / (2 * end + top + 2 * side + more[0])
    assert found.distance == pytest.approx((to_mesh + to_model) / 2, rel=0.02)
    assert found.iou == pytest.approx(4 / 4.5)


def part_mesh(part: Part, d: int) -> Mesh:
    """The sides of a part, in triangles."""
    corners, faces = [], []
    for face in faces_of(part, d):
        faces += [(len(corners), len(corners) + last - 1, len(corners) + last) for last in range(2, len(face.corners))]
        corners += face.corners.tolist()
    return Mesh(np.array(corners), np.array(faces))


@pytest.mark.parametrize("d", range(4))
@pytest.mark.parametrize("part", [part for part in PARTS if part.slopes], ids=str)
def test_a_slope_is_true_to_its_own_faces(part: Part, d: int) -> None:
    found = measured(model((str(part), 0, 0, 0, d)), part_mesh(part, d))
    assert found.distance < 0.01
    assert found.iou > 0.99


def test_a_slope_hides_of_a_brick_only_what_it_covers() -> None:
    """The brick behind it rises above the slope's low end."""
    pair = model(("slope 45 2x2", 0, 0, 0, 2), ("2x2", 2, 0, 0, 0), ("slope 45 2x2", 4, 0, 0, 2))
    parts = [part_mesh(Part.parse("slope 45 2x2"), 2)] * 2 + [part_mesh(Part.parse("2x2"), 0)]
    moved = [Mesh(part.vertices + np.array([x, 0, 0]), part.faces) for part, x in zip(parts, (0, 4, 2), strict=True)]
    found = measured(pair, together(moved))
    assert found.distance < 0.02
    assert found.iou > 0.99


def test_walls_inside_of_a_mesh_do_not_count() -> None:
    found = measured(BLOCK, together([box((0, 0, 0), (4, 4, 6)), box((1, 1, 1), (3, 3, 5)), box((0, 0, 2), (4, 4, 3))]))
    assert found.distance < 0.01
    assert found.iou == 1


def test_a_mesh_without_a_bottom_is_as_good_as_one_with_a_bottom() -> None:
    squares = box((0, 0, 0), (4, 4, 6))
    low = (squares.vertices[squares.faces][:, :, 2] == 0).all(axis=1)
    assert low.sum() == 2
    found = measured(BLOCK, Mesh(squares.vertices, squares.faces[~low]))
    assert found.distance < 1e-3
    assert found.iou == 1


def test_an_opening_above_the_ground_is_closed_by_what_it_shuts_in() -> None:
    """A box on four legs that has no floor: what is built has one, which is not far from anything."""
    legs = [("1x1", x, y, z, 0) for x in (0, 7) for y in (0, 7) for z in (0, 3)]
    floors = [("2x8", x, 0, z, 0) for x in range(0, 8, 2) for z in (6, 9)]
    body = box((0, 0, 6), (8, 8, 12))
    floor = (body.vertices[body.faces][:, :, 2] == 6).all(axis=1)
    parts = [Mesh(body.vertices, body.faces[~floor])]
    parts += [box((x, y, 0), (x + 1, y + 1, 6)) for x in (0, 7) for y in (0, 7)]
    found = measured(model(*legs, *floors), together(parts))
    assert found.iou > 0.97
    assert found.distance < 0.1


def ball(radius: float, rings: int = 120) -> Mesh:
    """Around the origin, in millimetres told as studs and plates."""
    down, turn = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.arange(2 * rings) * np.pi / rings, indexing="ij")
    places = np.stack([np.sin(down) * np.cos(turn), np.sin(down) * np.sin(turn), np.cos(down)], axis=-1).reshape(-1, 3)
    ring, at = np.meshgrid(np.arange(rings), np.arange(2 * rings), indexing="ij")
    a, b = ring * 2 * rings + at, ring * 2 * rings + (at + 1) % (2 * rings)
    faces = np.concatenate([np.stack([a, a + 2 * rings, b + 2 * rings], -1), np.stack([a, b + 2 * rings, b], -1)])
    # Places at the poles are the same but for rounding.
    return Mesh(places.round(9) * radius / MM, faces.reshape(-1, 3))


RADIUS, REACH = 30.0, 12  # millimetres of a ball, and cells from its middle to where none is filled


def cells_of_ball() -> npt.NDArray[np.bool_]:
    """Studs and plates (x, y, z) whose middles are in the ball."""
    middles = np.stack(np.meshgrid(*[np.arange(-REACH, REACH) + 0.5] * 3, indexing="ij"), axis=-1)
    return np.asarray(np.linalg.norm(middles * MM, axis=-1) < RADIUS)


def sides_of(cells: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Their middles and half their extents (side, axis) in millimetres, but not of the lowest ones below."""
    middles, halves = [], []
    for x, y, z in np.argwhere(cells).tolist():
        for step in np.concatenate([np.eye(3, dtype=int), -np.eye(3, dtype=int)]):
            lowest = step[2] == -1 and not cells[:, :, :z].any()
            if not lowest and not cells[x + step[0], y + step[1], z + step[2]]:
                middles.append((np.array([x, y, z]) - REACH + 0.5 + step / 2) * MM)
                halves.append(np.where(step != 0, 0, 0.5) * MM)
    return np.array(middles), np.array(halves)


def test_a_ball_is_as_far_from_its_cells_as_brute_force_says() -> None:
    """Of plates of one stud: from cells to the ball by the radius, from the ball to the nearest of all their sides."""
    cells = cells_of_ball()
    middles, halves = sides_of(cells)
    areas = np.where(halves == 0, 1, 2 * halves).prod(axis=1)
    ways = np.random.default_rng(0).uniform(-1, 1, (len(middles), 500, 3))
    far = np.abs(np.linalg.norm(middles[:, None] + ways * halves[:, None], axis=2) - RADIUS)
    to_mesh = (far.mean(axis=1) * areas).sum() / areas.sum()
    places = np.random.default_rng(1).normal(size=(4000, 3))
    places *= RADIUS / np.linalg.norm(places, axis=1, keepdims=True)
    beyond = np.maximum(np.abs(places[:, None] - middles[None]) - halves[None], 0)
    to_model = np.linalg.norm(beyond, axis=2).min(axis=1).mean()
    built = model(*(("plate 1x1", x, y, z, 0) for x, y, z in (np.argwhere(cells) - REACH).tolist()))
    found = measured(built, ball(RADIUS))
    assert found.distance == pytest.approx((to_mesh + to_model) / 2, rel=0.02)
    fine = np.stack(np.meshgrid(*[np.arange(-4 * REACH, 4 * REACH) + 0.5] * 3, indexing="ij"), axis=-1) / 4
    meant, filled = np.linalg.norm(fine * MM, axis=-1) < RADIUS, cells.repeat(4, 0).repeat(4, 1).repeat(4, 2)
    assert found.iou == pytest.approx((meant & filled).sum() / (meant | filled).sum(), abs=0.003)


def test_a_model_without_bricks_is_refused() -> None:
    with pytest.raises(InputError, match="without bricks"):
        measured(Construction(()), box((0, 0, 0), (1, 1, 1)))
