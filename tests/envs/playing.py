"""The registered environments, and how to play them."""

import numpy as np

IDS = ["brickbybrick/Mnist-v0", "brickbybrick/RandomAssembly-v0", "brickbybrick/ModelNet-v0"]
INFO_KEYS = {"iou", "delta_iou", "n_bricks", "invalid_action", "target_id", "action_mask"}


def random_valid(mask: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return generator.choice(np.argwhere(mask))
