"""The learned volume: how likely each cell is to be filled that three views leave room for.

Many volumes have the same three silhouettes, and real objects are few of them. What the views prove stays proven: a
cell outside of their hull is empty, and one that is alone behind a pixel is filled.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.policies.convolutions import Trunk, check_shape
from brickbybrick.policies.threads import one_thread

LAYERS = 14  # of what it knows; width and depth may be any
PLANES = 7 * LAYERS + 4  # see `_planes`
UNKNOWN = 0  # bricks, where a budget says nothing about the volume
MANY = 1_000  # cells; counts are told in thousands


@dataclass(frozen=True)
class VolumeConfig:
    """The network's shape."""

    width: int = 128
    """Features of a column."""
    layers: int = 8
    """Convolutions after the first."""

    def __post_init__(self) -> None:
        check_shape(self.width, self.layers, "a volume network")


class VolumeNetwork(nn.Module):
    """From hulls and budgets to logits of cells."""

    def __init__(self, config: VolumeConfig) -> None:
        super().__init__()
        self.config = config
        self.trunk = Trunk(PLANES, config.width, config.layers)
        self.last = nn.Conv2d(config.width, LAYERS, 1)

    def forward(self, hulls: Tensor, budgets: Tensor) -> Tensor:
        """Logits of cells (sample, z, y, x); those outside of the hull mean nothing.

        Args:
            hulls: The cells that the views leave room for (sample, z, y, x), `LAYERS` high.
            budgets: Bricks that an object may take (sample,), which tell about how large it is; or `UNKNOWN`.
        """
        logits: Tensor = self.last(self.trunk(_planes(hulls, budgets))).float()
        return logits


def _planes(hulls: Tensor, budgets: Tensor) -> Tensor:
    """What the network is shown, (sample, plane, y, x).

    That is for each layer the hull, the share of a cell in the rows through it along each axis and in the shortest of
    them, and the two views from the side; the view from above; and whether the budget is known, which share of the hull
    it fills, and how large that is.
    """
    hull = hulls.float()
    rows = [hull.sum(dim=axis, keepdim=True) for axis in (1, 2, 3)]
    shares = [hull / row.clamp(min=1) for row in rows]
    above, front, side = ((row > 0).float() for row in rows)
    cells = hull.sum(dim=(1, 2, 3))
    known = budgets > UNKNOWN
    figures = torch.stack([known.float(), BRICK_2X4.studs * budgets / cells.clamp(min=1), cells / MANY], dim=1)
    parts = [hull, *shares, torch.stack(shares).amax(dim=0), front.expand_as(hull), side.expand_as(hull), above]
    parts.append(figures[:, :, None, None].expand(-1, -1, *hull.shape[2:]))
    return torch.cat(parts, dim=1)


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
    with one_thread():
        likely = believed(network, torch.from_numpy(padded)[None], torch.tensor([budget]))[0].numpy()
    found = np.zeros(hull.shape)
    found[:, :, :LAYERS] = likely[: len(standing)].transpose(2, 1, 0)
    return found
