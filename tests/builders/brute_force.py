"""Everything that can be built, tried one by one by the readable rules."""

import numpy as np

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target


def every_model(target: Target, offsets: OffsetSet) -> set[frozenset[Pose]]:
    """All sets of as many bricks as the budget allows, by the readable rules."""
    models = {frozenset([target.start])}
    for _ in range(target.budget - 1):
        larger = set()
        for model in models:
            assembly = Assembly(offsets=offsets)
            for pose in model:
                assembly.put(pose)
            for pivot, offset in np.argwhere(assembly.mask()).tolist():
                larger.add(model | {offsets.place(assembly.poses[pivot], offset)})
        models = larger
    return models
