"""B3+'s network: what is not free has no logit, and it knows no size and no place."""

import pytest
import torch

from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy


def scene(views: int, *sides: int, seed: int = 0) -> Scene:
    """Random cells in a grid of (z, y, x), y being 1 for one view."""
    torch.manual_seed(seed)
    hull, built = torch.rand(2, *sides) < 0.5, torch.rand(2, *sides) < 0.2
    free = torch.rand(2, 1 if views == 1 else 2, *sides) < 0.3
    return Scene(hull, built, free, torch.tensor([9, 4]))


def network(views: int) -> SpatialPolicy:
    torch.manual_seed(1)
    return SpatialPolicy(SpatialConfig(views, width=8, layers=2))


@pytest.mark.parametrize(("views", "sides"), [(1, (15, 1, 18)), (1, (4, 1, 9)), (3, (15, 18, 18)), (3, (5, 6, 7))])
@torch.no_grad()
def test_grids_of_any_size_have_a_logit_for_each_place_that_is_free(views: int, sides: tuple[int, int, int]) -> None:
    seen = scene(views, *sides)
    logits = network(views)(seen)
    assert logits.shape == seen.free.shape
    assert torch.equal(logits.isfinite(), seen.free)


@pytest.mark.parametrize("views", [1, 3])
@torch.no_grad()
def test_what_it_says_moves_with_what_it_sees(views: int) -> None:
    """Three cells to the right in a wide empty grid: the same logits, three cells to the right."""
    wide = 30
    small = scene(views, 5, 1 if views == 1 else 5, 6)

    def placed(at: int) -> Scene:
        parts = []
        for part in small[:3]:
            whole = torch.zeros(*part.shape[:-1], wide, dtype=torch.bool)
            whole[..., at : at + 6] = part
            parts.append(whole)
        return Scene(*parts, small.left)

    policy = network(views)
    here, there = policy(placed(10)), policy(placed(13))
    torch.testing.assert_close(here[..., 10:16], there[..., 13:19], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("views", [1, 3])
@torch.no_grad()
def test_everything_that_it_is_told_counts(views: int) -> None:
    seen = scene(views, 5, 1 if views == 1 else 6, 7)
    policy = network(views)
    before = policy(seen)
    every = seen.free
    for changed in (
        seen._replace(hull=~seen.hull),
        seen._replace(built=~seen.built),
        seen._replace(left=seen.left + 5),
    ):
        assert not torch.allclose(policy(changed)[every], before[every])


@torch.no_grad()
def test_a_cell_that_is_alone_behind_a_pixel_is_certain() -> None:
    """What three views are told more than one: 1 by the shortest row of the hull that a cell is in."""
    hull = torch.zeros(1, 3, 4, 5, dtype=torch.bool)
    hull[0, 0, :, :] = True  # a plate: one cell high, four deep, five wide
    hull[0, :, 1, 2] = True  # and a pole in it, three high
    empty = torch.zeros_like(hull)
    planes = network(3)._planes(Scene(hull, empty, torch.zeros(1, 2, 3, 4, 5, dtype=torch.bool), torch.tensor([3])))
    certain = planes[0, 6]
    assert certain[0, 0, 0] == 1  # nothing above it
    assert certain[0, 1, 2] == pytest.approx(1 / 3)  # three above each other, four and five beside
    assert certain[2, 1, 2] == 1
    assert certain[1, 0, 0] == 0
