"""Parts thinner than a cell stay, as long as they were and in one piece, and nothing else swells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import box
from scipy import ndimage
from targets import drawn_meshes

from brickbybrick.targets.meshes import decoded_mesh
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.thin import can_go
from brickbybrick.targets.voxelising import filled, voxelise, voxelise_real


def joined(*parts: Mesh) -> Mesh:
    first = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    faces = [part.faces + start for part, start in zip(parts, first, strict=True)]
    return Mesh(np.concatenate([part.vertices for part in parts]), np.concatenate(faces))


@given(seed=st.integers(0, 10**6), share=st.floats(0.1, 0.9))
@settings(max_examples=200, deadline=None)
def test_a_cell_can_go_if_all_around_it_stays_as_connected_as_it_was(seed: int, share: float) -> None:
    near = np.random.default_rng(seed).random((3, 3, 3)) < share
    around = near.copy()
    around[1, 1, 1] = False
    labels, _ = ndimage.label(around)
    beside = {labels[cell] for cell in ((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2))} - {0}
    empty = ~near
    empty[1, 1, 1] = False
    _, holes = ndimage.label(empty, np.ones((3, 3, 3)))
    assert can_go(sum(1 << int(cell) for cell in np.flatnonzero(near))) == (len(beside) == 1 and holes == 1)


@pytest.mark.parametrize("cells", [12, 16, 24, 32])
def test_a_chair_keeps_its_legs(cells: int) -> None:
    """One wide, of a chair of 45: each is there in all layers below the seat, mostly as one cell."""
    data, ending = drawn_meshes.chair()
    made = filled(decoded_mesh(data, ending, "chair"), cells)
    assert ndimage.label(made.voxels)[1] == 1
    half = cells // 2
    for layer in range(int(cells * 20 / 45) - 1):
        for left in (slice(half), slice(half, None)):
            for front in (slice(half), slice(half, None)):
                assert 1 <= made.voxels[left, front, layer].sum() <= 3
    assert made.voxels[:, :, -1].any()


@pytest.mark.parametrize("tilt", [0, 0.1, 0.35, 1.0])
def test_a_sheet_is_one_cell_thick_and_without_holes(tilt: float) -> None:
    """A wing of no thickness on a thick block: seen from above it is whole."""
    block = box((0, 0, 0), (6, 20, 30))
    wing = Mesh(
        np.array([[6.0, 2, 4.3], [26, 2, 4.3 + 20 * tilt], [26, 18, 4.3 + 20 * tilt], [6, 18, 4.3]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    voxels = voxelise_real(joined(block, wing), 25)  # cells are 1 wide
    assert ndimage.label(voxels)[1] == 1
    first = int(np.flatnonzero(voxels.any(axis=(1, 2)))[0])
    above = voxels[first + 7 : first + 25, 5:20].sum(axis=2)
    assert (above >= 1).all()
    assert above.mean() <= 1.05 + tilt


@pytest.mark.parametrize("drawn", [drawn_meshes.ball, drawn_meshes.torus])
def test_what_is_thick_does_not_swell(drawn: object) -> None:
    data, ending = drawn_meshes.ball() if drawn is drawn_meshes.ball else drawn_meshes.torus()
    for cells in (10, 16, 32):
        assert filled(decoded_mesh(data, ending, "a"), cells).thickened == 0


def test_what_lies_apart_stays_apart() -> None:
    two = joined(box((0, 0, 0), (5, 5, 6)), box((5.4, 0, 0), (10, 5, 6)))
    assert ndimage.label(voxelise_real(two, 25))[1] == 2


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_cells_are_only_where_the_surface_is_or_inside_of_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    mesh = Mesh(random.normal(size=(18, 3)) * [1, 1, 1.2], np.arange(18).reshape(-1, 3))
    real, cubic = voxelise_real(mesh, 14), voxelise(Mesh(mesh.vertices / [1, 1, 1.2], mesh.faces), 14)
    assert real.any()
    shut_in = real & ~cubic
    assert shut_in.sum() <= 0.2 * real.sum()  # open as it is
