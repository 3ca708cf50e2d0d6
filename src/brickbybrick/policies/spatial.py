"""B3+'s network: it looks at space instead of a graph, and gives every place where a brick could lie a logit.

The paper's agent turns the images into one vector and has to relate that to bricks. Here images, bricks and the places
for the next brick lie in one grid, where what matters is next to each other, and convolutions read it. The network
knows no size: it was trained on 14 cells and works on others.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from brickbybrick.errors import InputError, whole_number

DILATIONS = (1, 2, 4)  # in turn, so that few layers see the whole grid
MOST_WIDTH, MOST_LAYERS = 1_024, 100  # of a network that can be made at all
SCALE = 1 / 16  # of counts of bricks, to be about 1


@dataclass(frozen=True)
class SpatialConfig:
    """The network's shape."""

    views: int = 1
    """1: a plane, for what one image shows. 3: space."""
    width: int = 48
    """Features of a cell."""
    layers: int = 9
    """Convolutions after the first."""

    def __post_init__(self) -> None:
        whole_number(self.width, "the width of a B3+", 1, MOST_WIDTH)
        whole_number(self.layers, "the layers of a B3+", 1, MOST_LAYERS)
        if self.views not in (1, 3):
            raise InputError(f"a B3+ of {self.views} views: they have 1 or 3")


class Scene(NamedTuple):
    """Constructions under way, each in its grid; with one view the y axis has one cell."""

    hull: Tensor  # (sample, z, y, x) the cells that the images allow
    built: Tensor  # (sample, z, y, x) the cells that are filled
    free: Tensor  # (sample, direction, z, y, x) the corners of places for the next brick
    left: Tensor  # (sample,) bricks left


class SpatialPolicy(nn.Module):
    """Where to place the next brick: residual convolutions, each told the mean over the whole grid too."""

    def __init__(self, config: SpatialConfig) -> None:
        super().__init__()
        self.config = config
        flat = config.views == 1
        make: type[nn.Conv2d] | type[nn.Conv3d] = nn.Conv2d if flat else nn.Conv3d
        directions = 1 if flat else 2

        def convolution(inputs: int, dilation: int) -> nn.Module:
            layer = make(inputs, config.width, 3, padding=dilation, dilation=dilation)
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
            return layer

        self.first = convolution(6 + directions + (0 if flat else 4), 1)
        self.layers = nn.ModuleList(
            convolution(config.width, DILATIONS[index % len(DILATIONS)]) for index in range(config.layers)
        )
        self.overviews = nn.ModuleList(nn.Linear(config.width, config.width) for _ in range(config.layers))
        with torch.no_grad():
            for layer in self.layers:  # so that a deep stack begins as a shallow one
                next(layer.parameters()).mul_(config.layers**-0.5)
        self.last = make(config.width, directions, 1)

    def forward(self, scene: Scene) -> Tensor:
        """Logits (sample, direction, z, y, x) of the places for the next brick; -inf where there is none."""
        planes = self._planes(scene)
        seen = self.first(planes.squeeze(3) if self.config.views == 1 else planes)
        for layer, overview in zip(self.layers, self.overviews, strict=True):
            active = seen.relu()
            mean = overview(active.flatten(2).mean(dim=2))
            seen = seen + layer(active) + mean.reshape(*mean.shape, *(1,) * (seen.dim() - 2))
        logits: Tensor = self.last(seen.relu()).float()
        return logits.reshape(scene.free.shape).masked_fill(~scene.free, -torch.inf)

    def _planes(self, scene: Scene) -> Tensor:
        """What the network is shown, (sample, plane, z, y, x)."""
        hull, built = scene.hull.float(), scene.built.float()
        missing = hull * (1 - built)
        whole = torch.ones_like(hull)
        left = (scene.left * SCALE)[:, None, None, None] * whole
        lacking = missing.mean(dim=(1, 2, 3), keepdim=True) * whole
        ground = torch.zeros_like(hull)
        ground[:, 0] = 1
        planes = [hull, built, missing, left, lacking, ground]
        if self.config.views > 1:
            rows = [hull.sum(dim=axis, keepdim=True) for axis in (1, 2, 3)]
            planes.append(hull / torch.minimum(torch.minimum(rows[0], rows[1]), rows[2]).clamp(min=1))  # how certain
            covered = [built.amax(dim=axis, keepdim=True) for axis in (1, 2, 3)]
            planes += [((row > 0) * (1 - cover)) * whole for row, cover in zip(rows, covered, strict=True)]
        return torch.cat([torch.stack(planes, dim=1), scene.free.float()], dim=1)
