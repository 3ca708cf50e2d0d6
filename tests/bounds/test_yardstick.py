"""The optima that come with the package, and what they are measured against."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brickbybrick.bounds.yardstick import (
    as_known,
    best_of,
    key_of,
    load_known,
    look_up,
    save_known,
)
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import target_of_image


@pytest.mark.parametrize("name", ["mnist-1", "mnist-4", "mnist-7", "random"])
def test_shipped_optima_are_found_again(name: str) -> None:
    task = load_task(name)
    for target in task.test.targets[3:6]:
        shipped = look_up(target, task.offsets, load_known())
        found = best_of(target, task.offsets, known={})
        assert shipped is not None
        assert found.proven
        assert (found.iou, found.bound) == (shipped.iou, shipped.bound)


def test_every_test_digit_has_a_proven_optimum_that_greedy_does_not_beat() -> None:
    for digit in range(10):
        task = load_task(f"mnist-{digit}")
        optima = [look_up(target, task.offsets, load_known()) for target in task.test]
        scores = evaluate(GreedyBuilder(task.offsets), task.test.targets)
        known = [best for best in optima if best is not None]
        assert len(known) == 100
        assert all(best.proven for best in known)
        assert all(iou <= best.iou + 1e-12 for iou, best in zip(scores.iou, known, strict=True))
        assert 0.7 < scores.share_of(known) < 1


def test_random_objects_can_be_built_whole() -> None:
    """They are made of as many bricks as their budget."""
    task = load_task("random")
    assert {look_up(target, task.offsets, load_known()).bound for target in task.test.targets[:100]} == {1.0}  # type: ignore[union-attr]


def test_an_optimum_is_not_taken_for_another_target() -> None:
    image = np.zeros((14, 14), bool)
    image[6:10, 3:9] = True
    target, offsets = target_of_image("bar", image), offset_set("mnist")
    fuller = image.copy()
    fuller[5, 3] = True
    others = [
        key_of(target_of_image("bar", fuller), offsets),
        key_of(replace(target, budget=target.budget + 1), offsets),
        key_of(replace(target, start=target.start._replace(x=target.start.x + 1)), offsets),
        key_of(target, offset_set("all")),
    ]
    assert key_of(target, offsets) not in others
    assert key_of(replace(target, name="another name"), offsets) == key_of(target, offsets)
    assert look_up(target, offsets, load_known()) is None


def test_optima_are_kept_in_a_file(tmp_path: Path) -> None:
    task = load_task("mnist-1")
    target = task.test[0]
    found = best_of(target, task.offsets, known={})
    save_known({key_of(target, task.offsets): as_known(found, target, task.offsets)}, tmp_path / "optima.json")
    kept = look_up(target, task.offsets, load_known(tmp_path / "optima.json"))
    assert kept is not None
    assert (kept.iou, kept.bound) == (found.iou, found.bound)
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(InputError, match="not a file of optima"):
        load_known(tmp_path / "other.json")
