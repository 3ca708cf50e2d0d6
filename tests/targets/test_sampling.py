"""Points on a surface: on it, everywhere, and worth its area."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from brickbybrick.targets.sampling import sampled


@given(seed=st.integers(0, 10**6), size=st.floats(0.01, 30))
@settings(max_examples=40, deadline=None)
def test_they_lie_on_the_faces_and_stand_for_their_areas(seed: int, size: float) -> None:
    triangles = np.random.default_rng(seed).normal(size=(5, 3, 3)) * size
    samples = sampled(triangles)
    np.testing.assert_allclose(samples.shares.sum(axis=1), 1)
    assert (samples.shares >= 0).all()
    again = np.einsum("pc,pca->pa", samples.shares, triangles[samples.faces])
    np.testing.assert_allclose(samples.places, again, atol=1e-9 * size)
    areas = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    np.testing.assert_allclose(np.bincount(samples.faces, samples.areas, 5), areas)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_no_point_of_the_surface_is_far_from_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    triangles = random.normal(size=(4, 3, 3)) * [10, 10, 0.3]
    samples = sampled(triangles, 0.25)
    shares = random.dirichlet([0.6, 0.6, 0.6], 1000)
    points = np.einsum("sc,fca->fsa", shares, triangles).reshape(-1, 3)
    assert cKDTree(samples.places).query(points)[0].max() < 0.35


def test_there_are_no_more_than_asked_for() -> None:
    triangles = np.random.default_rng(0).normal(size=(1000, 3, 3)) * 100
    assert len(sampled(triangles, most=50_000).faces) <= 50_000
    assert len(sampled(triangles, most=10).faces) == 1000  # one for each face
    assert len(sampled(np.zeros((7, 3, 3))).faces) == 7  # of no area
