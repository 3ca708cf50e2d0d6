"""Networks as they are quickest to look with."""

from copy import deepcopy
from typing import TypeVar

import torch

from brickbybrick.policies.spatial import SpatialPolicy
from brickbybrick.policies.volume import VolumeNetwork

Seeing = TypeVar("Seeing", SpatialPolicy, VolumeNetwork)


def quick(network: Seeing) -> Seeing:
    """A network for looking only: one of half the precision where the processor multiplies such numbers in about half
    the time, else itself."""
    if not halves_time() or next(network.parameters()).device.type != "cpu":
        return network
    halved = deepcopy(network).bfloat16()
    halved.trunk.laid_out()
    return halved


def halves_time() -> bool:
    """Whether the processor multiplies numbers of half the precision, in about half the time."""
    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())
