"""Real digits: how many, how they are split, and which are left out."""

import pytest

from brickbybrick.targets.catalog import load_task


def test_the_digits() -> None:
    """500 of each class, 400 to train and 100 to test; only two have too little ink to build."""
    task = load_task("mnist")
    assert (len(task.train), len(task.test)) == (3998, 1000)
    assert len(task.notes) == 2
    assert task.train.images.shape[1:] == (1, 14, 14)
    assert task.train.budgets.max() <= task.max_bricks == 45
    assert len(task.offsets) == 6


@pytest.mark.parametrize("digit", [0, 3, 9])
def test_one_class_of_digits(digit: int) -> None:
    task = load_task(f"mnist-{digit}")
    assert (len(task.train), len(task.test)) == (400, 100)
    train = {target.images.tobytes() for target in task.train}
    assert not any(target.images.tobytes() in train for target in task.test)  # no digit is in both
