"""What hides what, against rays through boxes."""

import numpy as np
import pytest

from brickbybrick.geometry.hiding import far_to_near, hidden, tangled

TO_VIEWER = np.array([0.4, -0.8, 0.4])


def boxes_of(seed: int, number: int = 40) -> np.ndarray:
    """Boxes of whole cells that do not overlap, up to four cells long."""
    generator = np.random.default_rng(seed)
    taken, boxes = np.zeros((7, 7, 7), bool), []
    while len(boxes) < number:
        low = generator.integers(0, 7, 3)
        high = low + generator.integers(1, 5, 3)
        cells = tuple(slice(*ends) for ends in zip(low, high, strict=True))
        if high.max() <= 7 and not taken[cells].any():
            taken[cells] = True
            boxes.append([*low, *high])
        elif taken.sum() > 250:
            break
    return np.array(boxes, np.float64)


def seen_through(boxes: np.ndarray, foot: np.ndarray) -> list[int]:
    """The boxes that a ray to the viewer passes through, from far to near."""
    with np.errstate(divide="ignore"):
        ends = (boxes.reshape(-1, 2, 3) - foot) / TO_VIEWER  # (box, 2, 3)
    enters, leaves = ends.min(axis=1).max(axis=1), ends.max(axis=1).min(axis=1)
    met = np.flatnonzero(leaves - enters > 1e-6)
    return met[np.argsort(enters[met])].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_a_box_may_be_hidden_by_those_that_a_ray_meets_after_it(seed: int) -> None:
    boxes = boxes_of(seed)
    may = hidden(boxes, TO_VIEWER)
    assert not (may & may.T).any()
    for foot in np.random.default_rng(seed).uniform(-3, 9, (2_000, 3)):
        met = seen_through(boxes, foot)
        for place, far in enumerate(met):
            assert all(may[far, near] for near in met[place + 1 :])


@pytest.mark.parametrize("seed", range(5))
def test_boxes_cut_into_layers_are_painted_in_the_right_order(seed: int) -> None:
    boxes = boxes_of(seed)
    pieces = []
    for box, cut in zip(boxes, tangled(hidden(boxes, TO_VIEWER)), strict=True):
        layers = np.arange(box[2], box[5]) if cut else [box[2]]
        pieces += [[*box[:2], low, *box[3:5], low + 1 if cut else box[5]] for low in layers]
    cut = np.array(pieces)
    assert not tangled(hidden(cut, TO_VIEWER)).any()
    rank = np.argsort(far_to_near(hidden(cut, TO_VIEWER)))
    for foot in np.random.default_rng(seed).uniform(-3, 9, (2_000, 3)):
        met = rank[seen_through(cut, foot)].tolist()
        assert met == sorted(met)


def test_boxes_of_several_layers_may_lie_around_each_other() -> None:
    assert any(tangled(hidden(boxes_of(seed), TO_VIEWER)).any() for seed in range(5))
    flat = [boxes[boxes[:, 2] == 0] for boxes in map(boxes_of, range(5))]
    assert not any(tangled(hidden(np.minimum(boxes, [9, 9, 9, 9, 9, 1]), TO_VIEWER)).any() for boxes in flat)
