"""States for networks to look at."""

import pytest
import torch
from torch import Tensor

from brickbybrick.geometry.relations import unpack_mask
from brickbybrick.policies.actor_critic import Observation
from brickbybrick.targets.random_assembly import validity_data


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)  # small matrices: waiting for a second one takes longer than the work


@pytest.fixture(scope="session")
def states() -> tuple[Observation, Tensor]:
    """Random assemblies of 1 to 9 bricks with random pictures, and their exact masks."""
    data = validity_data(episodes=5, bricks=9, seed=3)
    packed = data.packed
    pictures = torch.rand((len(packed.bricks), 3, 14, 14), generator=torch.Generator().manual_seed(1)) > 0.5
    nodes = torch.from_numpy(packed.placed[:, :, :4].copy())
    nodes[torch.arange(9)[None, :] >= torch.from_numpy(packed.bricks)[:, None]] = 0
    seen = Observation(
        pictures,
        torch.arange(len(packed.bricks)),
        nodes,
        torch.from_numpy(packed.neighbours),
        torch.from_numpy(packed.bricks),
    )
    return seen, torch.from_numpy(unpack_mask(packed.words, data.rel))
