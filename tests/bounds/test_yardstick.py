"""The optima that come with the package, and what they are measured against."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from brickbybrick.bounds.optimum import Method, Optimum
from brickbybrick.bounds.yardstick import (
    Known,
    as_known,
    best_of,
    keep,
    key_of,
    load_known,
    look_up,
    save_known,
    tightened,
)
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import target_of_image

RESULTS = Path(__file__).parents[2] / "results" / "beyond"


def test_shipped_records_have_a_hash_and_a_bound_that_is_not_below_the_best() -> None:
    known = load_known()
    assert all(re.fullmatch("[0-9a-f]{24}", key) for key in known)
    assert all(0 < cells.best <= cells.bound for cells in known.values())
    assert {cells.method for cells in known.values()} <= set(get_args(Method))


@pytest.mark.parametrize("category", ["airplane", "monitor", "table"])
def test_nobody_has_built_better_than_a_shipped_bound(category: str) -> None:
    """Where ModelNet is there: every test target has a record, and no builder of `b3 beyond` is above its bound."""
    try:
        task = load_task(f"modelnet-{category}")
    except InputError as error:
        pytest.skip(str(error))
    record = json.loads((RESULTS / task.name / "result.json").read_text())
    optima = [look_up(target, task.offsets, load_known()) for target in task.test]
    for builder, measured in record["builders"].items():
        for best, iou in zip(optima, measured["iou"], strict=True):
            assert best is not None
            assert iou <= best.bound + 1e-5, builder  # as results are rounded


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


def test_what_is_known_never_gets_worse() -> None:
    task = load_task("mnist-1")
    target, known = task.test[0], Known()
    found = best_of(target, task.offsets)
    cells = as_known(found, target, task.offsets)
    worse = replace(found, iou=found.iou / 2, bound=1.0, method="volume")
    for each in (worse, found, worse):
        keep(each, target, task.offsets, known)
    assert known == {key_of(target, task.offsets): cells}
    with pytest.raises(InputError, match="can be filled where at most"):
        keep(replace(found, iou=found.iou / 2, bound=found.bound / 2), target, task.offsets, known)


def test_the_linear_program_tightens_a_bound_and_keeps_the_best() -> None:
    task, methods = load_task("mnist-4"), set[str]()
    for target in task.test.targets[:5]:
        best = GreedyBuilder(task.offsets).build(target).iou or 0.0
        loose = Optimum(best, bound=1.0, method="volume", construction=None, seconds=0.0)
        tight = tightened(loose, target, task.offsets)
        assert best == tight.iou <= best_of(target, task.offsets).iou <= tight.bound < loose.bound
        methods.add(tight.method)
        assert tight.gap == pytest.approx(tight.bound / best - 1)
        proven = replace(tight, iou=tight.bound)
        assert tightened(proven, target, task.offsets) is proven
    assert "relaxation" in methods


def test_optima_are_kept_in_a_file(tmp_path: Path) -> None:
    task = load_task("mnist-1")
    target = task.test[0]
    found = best_of(target, task.offsets, known={})
    save_known({key_of(target, task.offsets): as_known(found, target, task.offsets)}, tmp_path / "optima.json")
    kept = look_up(target, task.offsets, load_known(tmp_path / "optima.json"))
    assert kept is not None
    assert (kept.iou, kept.bound, kept.method) == (found.iou, found.bound, found.method)
    (tmp_path / "other.json").write_text("[]")
    (tmp_path / "above.json").write_text('{"schema": 2, "optima": {"00": [9, 8, "volume"]}}')
    for name in ("other.json", "above.json"):
        with pytest.raises(InputError, match="not a file of optima"):
            load_known(tmp_path / name)
