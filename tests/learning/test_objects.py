"""Objects that are made of others, out of finer cells."""

import numpy as np
import pytest
import torch
from policies.begun import few

from brickbybrick.geometry.voxels import Voxels, three_views, visual_hull
from brickbybrick.learning.objects import FINE, Objects, fine_cells, lengths_drawn, objects_made, objects_of
from brickbybrick.policies.volume import LAYERS
from brickbybrick.targets.target import budget_for


def solid(volume: Voxels) -> torch.Tensor:
    """A volume (x, y, z) as objects are made of it, (1, z, y, x)."""
    return torch.from_numpy(fine_cells(volume).transpose(2, 1, 0).copy())[None]


def volume_of(objects: Objects) -> Voxels:
    """The first of some objects, (x, y, z)."""
    volume: Voxels = objects.volumes[0].numpy().transpose(2, 1, 0)
    return volume


def table(legs: int) -> Voxels:
    """A top on four legs so many layers high, as wide as the grid."""
    volume = np.zeros((LAYERS,) * 3, bool)
    volume[:, 4:10, legs : legs + 2] = True
    for x in (0, 13):
        for y in (4, 9):
            volume[x, y, :legs] = True
    return volume


def test_what_fills_the_grid_and_is_not_changed_stays_as_it_is() -> None:
    for volume in (np.ones((LAYERS,) * 3, bool), table(5)):
        assert np.array_equal(volume_of(objects_made(solid(volume), torch.ones(1, 3, FINE))), volume)


def test_a_longer_object_is_lower_where_its_length_is_the_grids() -> None:
    """Half as wide a table with the same legs is as wide as the grid again, and twice as high."""
    narrow = torch.ones(1, 3, FINE)
    narrow[:, 2] = 0.5
    made = volume_of(objects_made(solid(table(4)), narrow))
    assert made.any(axis=(1, 2)).sum() == LAYERS
    assert made.any(axis=(0, 1)).sum() == 12  # layers: 2 * (4 + 2)
    assert made[0].any(axis=0).sum() == 12
    assert made[6].any(axis=0).sum() == 4  # the top, twice as thick


def test_parts_can_become_longer_than_others() -> None:
    """Legs that are twice as long, under a top that is not."""
    longer = torch.ones(1, 3, FINE)
    longer[:, 0, : FINE * 4 // LAYERS] = 2.0
    made = volume_of(objects_made(solid(table(4)), longer))
    legs = made[0, :, :].any(axis=0).sum() - made[6].any(axis=0).sum()
    assert 7 <= legs <= 9
    assert 1 <= made[6].any(axis=0).sum() <= 3


def test_whatever_is_made_is_an_object() -> None:
    """Its hull is that of its views, its longest side the grid's, it stands on the ground, its budget is its own."""
    torch.manual_seed(0)
    targets = few("random", 30).train.targets
    solids = torch.cat([solid(target.volume) for target in targets])
    made = objects_made(solids, lengths_drawn(len(targets), 1.5, 0.5))
    for hull, volume, budget in zip(*(part.numpy() for part in made), strict=True):
        standing = volume.transpose(2, 1, 0)
        assert np.array_equal(hull.transpose(2, 1, 0), visual_hull(three_views(standing)))
        extents = [standing.any(axis=others).sum() for others in ((1, 2), (0, 2), (0, 1))]
        assert max(extents) == LAYERS
        assert standing[:, :, 0].any()
        assert budget == budget_for(int(volume.sum()))


def test_lengths_are_drawn_within_what_was_asked_for() -> None:
    torch.manual_seed(1)
    assert torch.equal(lengths_drawn(5, 1.0, 0.0), torch.ones(5, 3, FINE))
    whole = lengths_drawn(2_000, 1.5, 0.0)
    assert torch.allclose(whole, whole[:, :, :1].expand_as(whole))
    assert float(whole.max()) <= 1.5 + 1e-6
    assert float(whole.min()) >= 1 / 1.5 - 1e-6
    assert float((whole == 1).float().mean()) == pytest.approx(0.5, abs=0.05)
    parts = lengths_drawn(2_000, 1.0, 0.3)
    assert not torch.allclose(parts, parts[:, :, :1].expand_as(parts))


def test_objects_lie_within_their_hulls() -> None:
    objects = objects_of(few("random", 5).train.targets)
    assert torch.equal(objects.volumes & objects.hulls, objects.volumes)
