"""Small meshes to build."""

from itertools import pairwise

import numpy as np
import pytest
import trimesh

from brickbybrick.targets.meshes import decoded_mesh
from brickbybrick.targets.solids import SOLIDS, Part, ball, box, solid, turned


def solid_of(part: Part) -> trimesh.Trimesh:
    fans = [[face[0], *pair] for face in part.faces for pair in pairwise(face[1:])]
    return trimesh.Trimesh(part.points, fans)


@pytest.mark.parametrize(
    ("part", "volume"),
    [
        (box((0, 0, 0), (2, 3, 4), "red"), 24),
        (turned((1, 2, 3), [(2, 0), (2, 5)], "red"), 20 * np.pi),
        (turned((0, 0, 0), [(3, 0), (0.01, 6)], "red"), 18 * np.pi),
        (ball((5, 0, 0), 2, "red"), 32 / 3 * np.pi),
        (ball((5, 0, 0), 2, "red", 0.5), 16 / 3 * np.pi),
    ],
)
def test_bodies_are_closed_and_hold_what_they_should(part: Part, volume: float) -> None:
    """Seen from outside, too: an inverted one would hold less than nothing."""
    body = solid_of(part)
    assert body.is_watertight
    assert body.volume == pytest.approx(volume, rel=0.04)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_a_mesh_in_colour(name: str) -> None:
    mesh = decoded_mesh(solid(name), ".obj", name)
    assert mesh.look is not None
    assert mesh.notes == ()
    assert len(solid(name)) < 1_000_000
    assert len(np.unique(mesh.look.corners.reshape(-1, 3), axis=0)) >= 2
    for part in SOLIDS[name]():
        assert solid_of(part).is_watertight
