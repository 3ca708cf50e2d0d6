"""B3+'s network: it looks at space instead of a graph, and gives every place where a brick could lie a logit.

The paper's agent turns the images into one vector and has to relate that to bricks. Here what is wanted, what is built
and the places for the next brick lie in one grid, where what matters is next to each other, and convolutions read it.
What one image shows is a plane of columns and layers; space is seen from above, each layer by features of its own.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from brickbybrick.errors import InputError
from brickbybrick.policies.convolutions import Trunk, check_shape

LAYERS = 15  # of space that it sees, one above what a view shows
SCALE = 1 / 16  # of counts of bricks, to be about 1


@dataclass(frozen=True)
class SpatialConfig:
    """The network's shape."""

    views: int = 1
    """1: a plane, for what one image shows. 3: space."""
    width: int = 48
    """Features of a cell, or of a column of space."""
    layers: int = 9
    """Convolutions after the first."""

    def __post_init__(self) -> None:
        check_shape(self.width, self.layers, "a B3+")
        if self.views not in (1, 3):
            raise InputError(f"a B3+ of {self.views} views: they have 1 or 3")


class Scene(NamedTuple):
    """Constructions under way, each in its grid; with one view the y axis has one cell."""

    wanted: Tensor  # (sample, z, y, x) how likely it is that a cell is to be filled
    built: Tensor  # (sample, z, y, x) the cells that are filled
    free: Tensor  # (sample, direction, z, y, x) the corners of places for the next brick
    left: Tensor  # (sample,) bricks left


class SpatialPolicy(nn.Module):
    """Where to place the next brick."""

    def __init__(self, config: SpatialConfig) -> None:
        super().__init__()
        self.config = config
        flat = config.views == 1
        self.trunk = Trunk(8 if flat else 7 * LAYERS + 4, config.width, config.layers)
        self.last = nn.Conv2d(config.width, 1 if flat else 2 * LAYERS, 1)

    def forward(self, scene: Scene) -> Tensor:
        """Logits (sample, direction, z, y, x) of the places for the next brick; -inf where there is none."""
        return self.places(self.features(scene), scene.free)

    def features(self, scene: Scene) -> Tensor:
        """What it makes of scenes, (sample, feature, row, column)."""
        features: Tensor = self.trunk(self._planes(scene).to(self.last.weight.dtype))
        return features

    def places(self, features: Tensor, free: Tensor) -> Tensor:
        """The logits that follow from features."""
        logits: Tensor = self.last(features).float()
        return logits.reshape(free.shape).masked_fill(~free, -torch.inf)

    def _planes(self, scene: Scene) -> Tensor:
        """What the network is shown: (sample, plane, z, x) of what one view shows, (sample, plane, y, x) of space.

        That is what is wanted, what is built, what of the one is not the other, places for bricks, and for all cells
        alike how many bricks are left, how much is missing, and how many bricks that is for each one left; of a plane
        also which cells are on the ground, and of space also which pixels of the views nothing covers yet.
        """
        wanted, built, free = scene.wanted, scene.built.to(scene.wanted.dtype), scene.free.to(scene.wanted.dtype)
        missing = wanted * (1 - built)
        left, lacking = scene.left * SCALE, missing.sum(dim=(1, 2, 3)) * (SCALE / 8)
        figures = torch.stack([left, lacking, lacking / left.clamp(min=SCALE)], dim=1)[:, :, None, None]
        if self.config.views == 1:
            ground = torch.zeros_like(wanted)
            ground[:, 0] = 1
            planes = torch.cat([wanted, built, missing, free[:, 0], ground], dim=2).transpose(1, 2)
            return torch.cat([planes, figures.expand(-1, -1, *planes.shape[2:])], dim=1)
        above, front, side = (
            (wanted.amax(dim=axis, keepdim=True) > 0) * (1 - built.amax(dim=axis, keepdim=True)) for axis in (1, 2, 3)
        )
        bare = [front.expand_as(wanted), side.expand_as(wanted), above]
        figures = figures.expand(-1, -1, *wanted.shape[2:])
        return torch.cat([wanted, built, missing, free[:, 0], free[:, 1], *bare, figures], dim=1)
