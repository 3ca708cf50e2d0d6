"""The learned volume: how likely each cell is to be filled that three views leave room for.

Many volumes have the same three silhouettes, and real objects are few of them. What the views prove stays proven: a
cell outside of their hull is empty, and one that is alone behind a pixel is filled.

The network looks cell by cell first, by convolutions in space, which see that legs are legs wherever they stand; then
at all layers of the plane at once, which is where most of its weights are; and cell by cell again.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from brickbybrick.errors import whole_number
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.policies.convolutions import MOST_WIDTH, Trunk, check_shape
from brickbybrick.policies.threads import one_thread

LAYERS = 14  # of what it knows; width and depth may be any
KINDS = 12  # of numbers that it is shown of a cell, see `_seen`
CARRIED = 4  # features of a cell that space and plane tell each other
BEFORE, AFTER = (1, 2, 4, 1), (1, 2, 1)  # dilations of the convolutions in space before the plane, and after it
UNKNOWN = 0  # bricks, where a budget says nothing about the volume
MANY = 1_000  # cells; counts are told in thousands


@dataclass(frozen=True)
class VolumeConfig:
    """The network's shape."""

    width: int = 120
    """Features of a column."""
    layers: int = 8
    """Convolutions over the plane after the first."""
    cells: int = 16
    """Features of a cell."""

    def __post_init__(self) -> None:
        check_shape(self.width, self.layers, "a volume network")
        whole_number(self.cells, "the features of a cell of a volume network", 1, MOST_WIDTH)


class VolumeNetwork(nn.Module):
    """From hulls and budgets to logits of cells."""

    def __init__(self, config: VolumeConfig) -> None:
        super().__init__()
        self.config = config
        self.first = _in_space(KINDS, config.cells)
        self.before = nn.ModuleList(_in_space(config.cells, config.cells, dilation) for dilation in BEFORE)
        self.down = nn.Conv3d(config.cells, CARRIED, 1)
        self.trunk = Trunk((KINDS + CARRIED) * LAYERS, config.width, config.layers)
        self.up = nn.Conv2d(config.width, CARRIED * LAYERS, 1)
        self.joined = nn.Conv3d(config.cells + CARRIED, config.cells, 1)
        self.after = nn.ModuleList(_in_space(config.cells, config.cells, dilation) for dilation in AFTER)
        self.last = nn.Conv3d(config.cells, 1, 1)
        with torch.no_grad():
            for layer in (*self.before, *self.after):  # so that a deep stack begins as a shallow one
                layer.weight.mul_(0.5)

    def forward(self, hulls: Tensor, budgets: Tensor) -> Tensor:
        """Logits of cells (sample, z, y, x); those outside of the hull mean nothing.

        Args:
            hulls: The cells that the views leave room for (sample, z, y, x), `LAYERS` high.
            budgets: Bricks that an object may take (sample,), which tell about how large it is; or `UNKNOWN`.
        """
        seen = _seen(hulls, budgets).to(self.last.weight.dtype)
        features = self.first(seen)  # (sample, feature, z, y, x)
        for layer in self.before:
            features = features + layer(features.relu())
        columns = self.trunk(torch.cat([seen, self.down(features.relu())], dim=1).flatten(1, 2))
        heard = self.up(columns).unflatten(1, (CARRIED, LAYERS))
        features = self.joined(torch.cat([features, heard], dim=1).relu())
        for layer in self.after:
            features = features + layer(features.relu())
        logits: Tensor = self.last(features.relu())[:, 0].float()
        return logits


def _in_space(inputs: int, outputs: int, dilation: int = 1) -> nn.Conv3d:
    """A convolution over cells in space."""
    made = nn.Conv3d(inputs, outputs, 3, padding=dilation, dilation=dilation)
    nn.init.kaiming_normal_(made.weight, nonlinearity="relu")
    nn.init.zeros_(made.bias)  # type: ignore[arg-type]
    return made


def _seen(hulls: Tensor, budgets: Tensor) -> Tensor:
    """What the network is shown, (sample, kind, z, y, x).

    That is of each cell whether it is in the hull, its share in the rows through it along each axis and in the shortest
    of them, what the views show there, and how high it is; and for all cells alike whether the budget is known, which
    share of the hull it fills, and how large that is.
    """
    hull = hulls.float()
    rows = [hull.sum(dim=axis, keepdim=True) for axis in (1, 2, 3)]
    shares = [hull / row.clamp(min=1) for row in rows]
    views = [(row > 0).float().expand_as(hull) for row in rows]
    cells = hull.sum(dim=(1, 2, 3))
    known = budgets > UNKNOWN
    figures = torch.stack([known.float(), BRICK_2X4.studs * budgets / cells.clamp(min=1), cells / MANY], dim=1)
    height = torch.linspace(0, 1, LAYERS, device=hull.device)[:, None, None].expand_as(hull)
    of_cells = torch.stack([hull, *shares, torch.stack(shares).amax(dim=0), *views, height], dim=1)
    return torch.cat([of_cells, figures[:, :, None, None, None].expand(-1, -1, *hull.shape[1:])], dim=1)


def certain(hulls: Tensor) -> Tensor:
    """The cells of hulls (sample, z, y, x) that are filled for certain: alone behind a pixel of some view."""
    alone = [hulls.sum(dim=axis, keepdim=True) == 1 for axis in (1, 2, 3)]
    return hulls & (alone[0] | alone[1] | alone[2])


def believed(network: VolumeNetwork, hulls: Tensor, budgets: Tensor) -> Tensor:
    """How likely cells (sample, z, y, x) are filled: 0 outside of the hull, 1 where the views prove it."""
    likely = network(hulls, budgets).sigmoid()
    return torch.where(hulls, torch.where(certain(hulls), 1.0, likely), 0.0)


@torch.no_grad()
def belief(network: VolumeNetwork, hull: npt.NDArray[np.bool_], budget: int) -> npt.NDArray[np.float64]:
    """How likely the cells of one hull (x, y, z) are filled, which must not be higher than `LAYERS`."""
    standing = np.ascontiguousarray(hull[:, :, :LAYERS].transpose(2, 1, 0))  # (z, y, x)
    padded = np.pad(standing, ((0, LAYERS - len(standing)), (0, 0), (0, 0)))
    device = network.last.weight.device
    with one_thread():
        likely = believed(network, torch.from_numpy(padded)[None].to(device), torch.tensor([budget]).to(device))[0]
    found = np.zeros(hull.shape)
    found[:, :, :LAYERS] = likely[: len(standing)].cpu().numpy().transpose(2, 1, 0)
    return found
