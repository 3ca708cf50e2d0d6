"""The target encoder: every view by the same network, side by side."""

import pytest
import torch

from brickbybrick.policies.encoder import TargetEncoder


@pytest.mark.parametrize("views", [1, 3])
@torch.no_grad()
def test_each_view_has_a_vector_of_its_own(views: int) -> None:
    torch.manual_seed(0)
    encoder = TargetEncoder(views)
    images = torch.rand(5, views, 14, 14) > 0.5
    whole = encoder(images)
    assert whole.shape == (5, 64 * views)
    for view in range(views):
        changed = images.clone()
        changed[:, view] = ~changed[:, view]
        different = (encoder(changed) != whole).reshape(5, views, 64).any(dim=2).any(dim=0)
        assert different.tolist() == [other == view for other in range(views)]


@torch.no_grad()
def test_views_are_read_by_one_network() -> None:
    torch.manual_seed(0)
    encoder = TargetEncoder(3)
    image = torch.rand(4, 1, 14, 14) > 0.5
    same = encoder(image.expand(-1, 3, -1, -1)).reshape(4, 3, 64)
    torch.testing.assert_close(same[:, 0], same[:, 1])
    torch.testing.assert_close(same[:, 0], same[:, 2])


@torch.no_grad()
def test_an_image_is_still_to_be_seen_after_ten_layers() -> None:
    """An untrained network tells digits apart: vectors differ by more than a tenth of their length."""
    torch.manual_seed(0)
    encoded = TargetEncoder(1)(torch.rand(20, 1, 14, 14) > 0.7)
    apart = torch.cdist(encoded, encoded)[~torch.eye(20, dtype=torch.bool)]
    assert apart.min() > 0.1 * encoded.norm(dim=1).mean()
