"""The trunk of B3+ and of the learned volume."""

import pytest
import torch

from brickbybrick.errors import InputError
from brickbybrick.policies.convolutions import Trunk, check_shape


@torch.no_grad()
def test_every_cell_hears_of_every_other() -> None:
    """Through the mean over the plane, however few the layers are and however far away the cell is."""
    torch.manual_seed(0)
    trunk = Trunk(3, 8, 2)
    planes = torch.rand(1, 3, 40, 40)
    changed = planes.clone()
    changed[0, :, 0, 0] += 5
    assert not torch.equal(trunk(planes)[0, :, -1, -1], trunk(changed)[0, :, -1, -1])
    assert bool((trunk(planes) >= 0).all())


@torch.no_grad()
def test_how_weights_are_laid_out_changes_no_figure() -> None:
    torch.manual_seed(0)
    trunk, planes = Trunk(5, 16, 4), torch.rand(2, 5, 9, 7)
    before = trunk(planes)
    trunk.laid_out()
    torch.testing.assert_close(trunk(planes), before)


def test_shapes_that_cannot_be_made() -> None:
    for width, layers in ((0, 3), (3, 0), (2_000, 3), (3, 101)):
        with pytest.raises(InputError, match="of a B3"):
            check_shape(width, layers, "a B3+")
