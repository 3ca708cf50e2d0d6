"""Objects whose volume is known, and new ones made of them: what the volume behind three views is learned from, and
what B3+ is taught with.

There are few objects of a kind. So each is made anew whenever it is looked at, out of finer cells than a network knows,
as a whole and in parts longer or shorter than it is, as other tables have longer legs or a thinner top.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import interpolate

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.policies.volume import LAYERS
from brickbybrick.targets.random_assembly import assembled_targets, is_random
from brickbybrick.targets.target import BUDGET_PERCENT, Target, target_of_voxels

FINE = 32  # cells along one side of what objects are made of
KNOTS = 5  # along an axis; between them lengths change evenly
OFTEN = 0.5  # of the time an object is changed along an axis, in each of two ways
EVEN = 0.75  # of the time what changes along x and y is the same on both sides
CLOSE = 1e-4  # bricks: 110 % of a whole number must stay whole
STRETCHED = 1.5  # how many times as long, or as short, objects become at most; half of the time along each axis
WARPED = 0.3  # how much more some of their parts become so than others, a deviation of logarithms; half of the time too
MORE_SEED = 3  # of the random objects that are made besides those of a task


class Objects(NamedTuple):
    """Objects whose volume is known."""

    hulls: Tensor  # (object, z, y, x)
    volumes: Tensor  # (object, z, y, x)
    budgets: Tensor  # (object,)

    def some(self, chosen: Tensor) -> "Objects":
        return Objects(*(part.index_select(0, chosen) for part in self))

    def seen(self, flip_x: bool, flip_y: bool, turn: bool) -> "Objects":
        """The same in a mirror, from behind, or with x and y swapped."""
        hulls, volumes = self.hulls, self.volumes
        axes = [axis for axis, flip in ((3, flip_x), (2, flip_y)) if flip]
        hulls, volumes = hulls.flip(axes), volumes.flip(axes)
        if turn:
            hulls, volumes = hulls.transpose(2, 3), volumes.transpose(2, 3)
        return Objects(hulls, volumes, self.budgets)


def objects_of(targets: Sequence[Target]) -> Objects:
    """Targets as the network learns from them."""
    hulls, volumes = (
        torch.from_numpy(np.stack([each.transpose(2, 1, 0) for each in grids]))
        for grids in ([target.hull for target in targets], [target.volume for target in targets])
    )
    if hulls.shape[1] != LAYERS:
        raise InputError(f"targets of {hulls.shape[1]} layers: a volume is learned from those of {LAYERS}")
    return Objects(hulls, volumes, torch.tensor([target.budget for target in targets]))


def fine_cells(volume: Voxels) -> Voxels:
    """A volume in as many cells as objects are made of, each taken from where its middle lies."""
    places = [((np.arange(FINE) + 0.5) * side / FINE).astype(int) for side in volume.shape]
    return volume[np.ix_(*places)]


def lengths_drawn(count: int, stretched: float, warped: float) -> Tensor:
    """How long the fine cells of so many objects become (object, axis z, y or x, cell), beside each other.

    Args:
        count: Objects.
        stretched: How many times as long, or as short, whole objects become at most.
        warped: How much more some parts become so than others, a deviation of logarithms.
    """
    whole = (2 * torch.rand(count, 3) - 1) * math.log(stretched)
    parts = torch.randn(count, 3, KNOTS) * warped
    even = (torch.rand(count, 3, 1) < EVEN) & torch.tensor([False, True, True])[:, None]
    parts = torch.where(even, (parts + parts.flip(2)) * math.sqrt(0.5), parts)
    changed = torch.rand(2, count, 3, 1) < OFTEN
    smooth = interpolate(parts * changed[0], FINE, mode="linear", align_corners=True)
    return (smooth + whole[..., None] * changed[1]).exp()


def objects_made(solids: Tensor, lengths: Tensor) -> Objects:
    """New objects, each with the longest side as long as the grid, in its middle and on the ground, as ModelNet's are.

    Args:
        solids: What they are made of, in fine cells (object, z, y, x).
        lengths: How long the cells become along each axis (object, axis z, y or x, cell), beside each other.
    """
    shares = _shares(solids, lengths)
    filled = solids.float()
    for axis in (2, 1, 0):  # the last axis goes, and comes back as the first
        filled = torch.einsum("oijk,okl->olij", filled, shares[:, axis])
    volumes = filled > 0
    views = [volumes.any(dim=axis, keepdim=True) for axis in (1, 2, 3)]
    bricks = BUDGET_PERCENT * volumes.sum(dim=(1, 2, 3)) / (100 * BRICK_2X4.studs) - CLOSE
    return Objects(views[0] & views[1] & views[2], volumes, bricks.ceil().long())


def targets_made(
    targets: Sequence[Target], finer: Mapping[str, Voxels], times: int, most: int, seed: int = 0
) -> list[Target]:
    """New targets, so many of each, of which those stay that at most so many bricks can build. Random objects have one
    length, that of bricks, so others are put together instead.

    Args:
        targets: What is at hand.
        finer: Shapes by their names in finer cells; the others are taken as they are.
        times: New targets of each.
        most: Bricks of a new target's budget at most.
        seed: Random seed of the lengths.
    """
    shapes = [target for target in targets if not is_random(target)]
    made = [each.target for each in assembled_targets(times * (len(targets) - len(shapes)), MORE_SEED)]
    solids = [fine_cells(finer.get(target.name, target.volume)).transpose(2, 1, 0) for target in shapes]
    with torch.random.fork_rng([]):
        torch.manual_seed(seed)
        for number in range(times * len(shapes)):
            shape = number % len(shapes)
            solid = torch.from_numpy(np.ascontiguousarray(solids[shape]))[None]
            new = objects_made(solid, lengths_drawn(1, STRETCHED, WARPED))
            if int(new.budgets[0]) <= most:
                name = f"{shapes[shape].name}/made-{number // len(shapes)}"
                made.append(target_of_voxels(name, new.volumes[0].numpy().transpose(2, 1, 0)))
    return made


def _shares(solids: Tensor, lengths: Tensor) -> Tensor:
    """Which fine cells go into which cells, (object, axis, fine cell, cell): a cell gets those whose middle comes to
    lie in it, and the one that its own middle lies in."""
    sides = [solids.any(dim=3).any(dim=2), solids.any(dim=3).any(dim=1), solids.any(dim=2).any(dim=1)]
    side = torch.stack(sides, dim=1).long()  # (object, axis, fine cell)
    there = side.cummax(dim=2).values * side.flip(2).cummax(dim=2).values.flip(2)  # from the first to the last
    lengths = lengths * there
    totals = lengths.sum(dim=2, keepdim=True)  # (object, axis, 1)
    scale = LAYERS / totals.amax(dim=1, keepdim=True)
    room = (LAYERS - totals * scale) / 2
    room[:, 0] = 0  # on the ground
    ends = lengths.cumsum(dim=2) * scale + room
    starts = ends - lengths * scale
    cells = torch.arange(LAYERS, device=solids.device)
    lies = ((starts + ends) / 2).floor()[..., None] == cells
    holds = (starts[..., None] <= cells + 0.5) & (cells + 0.5 < ends[..., None])
    return ((lies | holds) & (there[..., None] > 0)).float()
