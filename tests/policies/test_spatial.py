"""B3+'s network: what is not free has no logit, and it knows no place and, but for the height of space, no size."""

import pytest
import torch

from brickbybrick.policies.spatial import LAYERS, Scene, SpatialConfig, SpatialPolicy


def scene(views: int, *sides: int, seed: int = 0) -> Scene:
    """Random cells in a grid of (z, y, x), y being 1 for one view."""
    torch.manual_seed(seed)
    wanted, built = torch.rand(2, *sides), torch.rand(2, *sides) < 0.2
    free = torch.rand(2, 1 if views == 1 else 2, *sides) < 0.3
    return Scene(wanted, built, free, torch.tensor([9, 4]))


def network(views: int) -> SpatialPolicy:
    torch.manual_seed(1)
    return SpatialPolicy(SpatialConfig(views, width=8, layers=2))


@pytest.mark.parametrize(("views", "sides"), [(1, (15, 1, 18)), (1, (4, 1, 9)), (3, (15, 18, 18)), (3, (15, 6, 7))])
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
    small = scene(views, 5 if views == 1 else LAYERS, 1 if views == 1 else 5, 6)

    def placed(at: int) -> Scene:
        parts = []
        for part in small[:3]:
            whole = torch.zeros(*part.shape[:-1], wide, dtype=part.dtype)
            whole[..., at : at + 6] = part
            parts.append(whole)
        return Scene(*parts, small.left)

    policy = network(views)
    here, there = policy(placed(10)), policy(placed(13))
    torch.testing.assert_close(here[..., 10:16], there[..., 13:19], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("views", [1, 3])
@torch.no_grad()
def test_everything_that_it_is_told_counts(views: int) -> None:
    seen = scene(views, 5 if views == 1 else LAYERS, 1 if views == 1 else 6, 7)
    policy = network(views)
    before = policy(seen)
    every = seen.free
    for changed in (
        seen._replace(wanted=1 - seen.wanted),
        seen._replace(built=~seen.built),
        seen._replace(left=seen.left + 5),
    ):
        assert not torch.allclose(policy(changed)[every], before[every])


@torch.no_grad()
def test_pixels_that_nothing_covers_yet_are_shown() -> None:
    """A plate is wanted, four deep and five wide, and a brick lies on part of it."""
    wanted = torch.zeros(1, LAYERS, 4, 5)
    wanted[0, 0] = 0.5
    built = torch.zeros(1, LAYERS, 4, 5, dtype=torch.bool)
    built[0, 0, :2, :4] = True
    free = torch.zeros(1, 2, LAYERS, 4, 5, dtype=torch.bool)
    planes = network(3)._planes(Scene(wanted, built, free, torch.tensor([3])))[0]
    front, side, above = planes[5 * LAYERS], planes[6 * LAYERS], planes[7 * LAYERS]
    assert front.tolist() == [[0, 0, 0, 0, 1]] * 4  # the last column is bare from the front,
    assert side.tolist() == [[0] * 5] * 2 + [[1] * 5] * 2  # the two rows behind from the side,
    assert above.tolist() == [[0, 0, 0, 0, 1]] * 2 + [[1] * 5] * 2  # and from above all but the brick
    assert planes[7 * LAYERS + 1 :].amax(dim=(1, 2)).tolist() == pytest.approx([3 / 16, 6 / 8 / 16, 6 / 8 / 3])
