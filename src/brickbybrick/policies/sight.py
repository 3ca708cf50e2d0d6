"""What the images show around each brick: no part of the paper's agent, but what it finds hardest to learn."""

import torch
from torch import Tensor, nn

REACH = 4  # cells from a brick's centre to the farthest one of a 2x4 brick joined to it
SIGHT = 3 * (2 * REACH) ** 2  # cells that are seen: the layer below, the brick's own and the one above
MARGIN = 2 * REACH  # cells around the images, so that a brick far from them sees nothing


def hulls_of(images: Tensor) -> Tensor:
    """The cells (image, z, y, x) that images (image, view, row, column) allow; one view says nothing about y."""
    front = images[:, 0].flip(1)[:, :, None, :]  # rows are counted from the top, layers from the bottom
    if images.shape[1] == 1:
        return front.expand(-1, -1, images.shape[-1], -1)
    side, top = images[:, 1].flip(1)[:, :, :, None], images[:, 2].flip(1)[:, None, :, :]
    return front & side & top


def cells_around(images: Tensor, image: Tensor, poses: Tensor) -> Tensor:
    """Which cells around bricks the images allow, (brick, SIGHT).

    Args:
        images: (image, view, row, column)
        image: (brick,) the one that it builds.
        poses: (brick, 4) counted from the corner of the images.
    """
    side = images.shape[-1]
    hulls = nn.functional.pad(hulls_of(images), [MARGIN] * 6)
    near = torch.arange(-REACH, REACH, device=poses.device)
    x, y, z = (poses[:, :3].long().clamp(-REACH, side + REACH) + MARGIN).unbind(1)  # (brick,)
    x, y = x[:, None, None, None] + near, y[:, None, None, None] + near[:, None]
    z = z[:, None, None, None] + near[REACH - 1 : REACH + 2, None, None]
    across = side + 2 * MARGIN
    cells = ((image[:, None, None, None] * across + z) * across + y) * across + x  # (brick, 3, 2 REACH, 2 REACH)
    seen = hulls.flatten().gather(0, cells.flatten())
    return seen.reshape(len(poses), SIGHT).float()
