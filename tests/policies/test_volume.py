"""The learned volume never contradicts what the views prove."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.geometry.voxels import three_views, visual_hull
from brickbybrick.policies.volume import LAYERS, UNKNOWN, VolumeConfig, VolumeNetwork, belief, certain


def network() -> VolumeNetwork:
    torch.manual_seed(3)
    return VolumeNetwork(VolumeConfig(width=8, layers=2))


def standing(seed: int, filled: float, side: int = LAYERS) -> np.ndarray:
    """A random volume (x, y, z)."""
    volume = np.random.default_rng(seed).random((side,) * 3) < filled
    volume[side // 2, side // 2, 0] = True
    return volume


@given(seed=st.integers(0, 10_000), filled=st.floats(0.001, 0.3))
@settings(max_examples=25, deadline=None)
def test_what_views_prove_stays_proven(seed: int, filled: float) -> None:
    """Outside of the hull nothing is believed to be there; whatever volume casts the views has every certain cell."""
    volume = standing(seed, filled)
    hull = visual_hull(three_views(volume))
    likely = belief(network(), hull, 20)
    assert likely.shape == hull.shape
    assert not likely[~hull].any()
    assert ((likely > 0) & (likely <= 1))[hull].all()
    proven = certain(torch.from_numpy(hull.transpose(2, 1, 0).copy())[None])[0].numpy().transpose(2, 1, 0)
    assert (likely[proven] == 1).all()
    assert volume[proven].all()


def test_a_cell_is_certain_where_a_pixel_has_no_other() -> None:
    """A plate with a pole on it: the plate is alone under the sky but where the pole stands."""
    hull = torch.zeros(1, 4, 5, 6, dtype=torch.bool)
    hull[0, 0] = True
    hull[0, :, 2, 3] = True
    sure = certain(hull)[0]
    assert sure[0].sum() == 29  # all but the cell under the pole,
    assert not sure[0, 2, 3]
    assert sure[1:, 2, 3].all()  # and the pole, which nothing hides


@torch.no_grad()
def test_the_budget_is_heard_and_may_be_unknown() -> None:
    hull = torch.ones(1, LAYERS, 5, 5, dtype=torch.bool)
    says = [network()(hull, torch.tensor([budget])) for budget in (UNKNOWN, 10, 40)]
    assert not torch.equal(says[0], says[1])
    assert not torch.equal(says[1], says[2])
    assert all(bool(each.isfinite().all()) for each in says)


@pytest.mark.parametrize("side", [4, LAYERS, 20])
def test_grids_of_other_sizes(side: int) -> None:
    """Lower ones are as they would be under an empty sky; of higher ones, which have nothing there, likewise."""
    hull = np.zeros((side,) * 3, bool)
    hull[:3, :4, :3] = True
    likely = belief(network(), hull, 5)
    assert likely.shape == hull.shape
    assert np.array_equal(likely > 0, hull)
    if side > LAYERS:
        return
    higher = np.pad(hull, ((0, 0), (0, 0), (0, LAYERS - side)))
    np.testing.assert_allclose(likely, belief(network(), higher, 5)[:, :, :side], atol=1e-6)
