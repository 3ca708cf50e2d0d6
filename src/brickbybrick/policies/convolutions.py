"""Residual convolutions over a plane of cells: what B3+ and the learned volume see with.

Space is a plane too. What stands on the ground is looked at from above, and the layers of a column lie side by side in
its features: a tenth of the time that convolutions in space take, and every layer is near every other.
"""

import torch
from torch import Tensor, nn

from brickbybrick.errors import whole_number

DILATIONS = (1, 2, 4)  # in turn, so that few layers see the whole plane
MOST_WIDTH, MOST_LAYERS = 1_024, 100  # of a network that can be made at all


def check_shape(width: int, layers: int, called: str) -> None:
    """Raises an error unless a trunk of this shape can be made; `called` is the network in messages."""
    whole_number(width, f"the width of {called}", 1, MOST_WIDTH)
    whole_number(layers, f"the layers of {called}", 1, MOST_LAYERS)


class Trunk(nn.Module):
    """From planes of numbers to features of each cell. Each layer is told the mean over the whole plane too."""

    def __init__(self, inputs: int, width: int, layers: int) -> None:
        super().__init__()
        dilations = [1, *(DILATIONS[index % len(DILATIONS)] for index in range(layers))]
        made = [
            nn.Conv2d(width if index else inputs, width, 3, padding=dilation, dilation=dilation)
            for index, dilation in enumerate(dilations)
        ]
        for convolution in made:
            nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
            nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
        with torch.no_grad():
            for convolution in made[1:]:  # so that a deep stack begins as a shallow one
                convolution.weight.mul_(layers**-0.5)
        self.first, self.layers = made[0], nn.ModuleList(made[1:])
        self.overviews = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))

    def laid_out(self) -> None:
        """Puts weights into the order that convolutions on a CPU read them in, which takes a quarter off their time."""
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, planes: Tensor) -> Tensor:
        """Features (sample, feature, row, column), none below 0, of planes (sample, plane, row, column)."""
        seen: Tensor = self.first(planes)
        for layer, overview in zip(self.layers, self.overviews, strict=True):
            active = seen.relu()
            seen = layer(active).add_(overview(active.mean(dim=(2, 3)))[:, :, None, None]).add_(seen)
        return seen.relu()
