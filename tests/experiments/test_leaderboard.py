"""Entries hold what they say: every brick is checked, and every figure worked out anew."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.beyond import Measured, Measurements, load_all
from brickbybrick.experiments.leaderboard import (
    Entry,
    Part,
    Row,
    check_entry,
    checked_iou,
    enter,
    read_entry,
    row_of_entry,
    rows_of_records,
    write_entry,
    write_leaderboard,
)
from brickbybrick.targets.catalog import Task, load_task

RESULTS = Path(__file__).parents[2] / "results"


@pytest.fixture(scope="module")
def ones() -> Task:
    return load_task("mnist-1")


@pytest.fixture(scope="module")
def entry(ones: Task) -> Entry:
    return enter("greedy", [ones], "mine", "a tester", "as greedy as can be", lambda _done, _total: None)


def test_an_entry_is_what_its_builder_builds(entry: Entry, ones: Task, tmp_path: Path) -> None:
    scores = evaluate(GreedyBuilder(ones.offsets), list(ones.test))
    part = entry.tasks["mnist-1"]
    assert np.allclose(part.iou, scores.iou, atol=1e-6)
    assert part.models[3] == [list(pose) for pose in scores.built[3].poses]
    assert (entry.sees, entry.weights) == ("volume", 0)
    check_entry(entry, [ones])
    write_entry(entry, tmp_path / "mine.json")
    assert read_entry(tmp_path / "mine.json") == entry


def test_networks_are_counted(ones: Task) -> None:
    some = replace(ones, test=type(ones.test)(tuple(ones.test)[:2]))
    assert enter("b3", [some], "b3", "", "", lambda _done, _total: None).weights > 100_000


def with_model(entry: Entry, change: Callable[[list[list[int]]], Any], number: int = 0) -> Entry:
    part = entry.tasks["mnist-1"]
    models = [[list(row) for row in model] for model in part.models]
    models[number] = change(models[number])
    return replace(entry, tasks={"mnist-1": replace(part, models=models)})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda model: [*model[:-1], [40, 0, 3, 0]], "no offset of the task leads to brick"),
        (lambda model: [*model[:-1], model[1]], "no room for a brick"),
        (lambda model: [[0, 0, 0, 0], *model[1:]], "begins at"),
        (lambda model: model[:-1], "the IoU of mnist-1/400 is"),
        (lambda model: model * 40, "a model has 1 to"),
        (lambda _model: [], "a model has 1 to"),
        (lambda model: [*model[:-1], [1, 2, 3]], "give x, y, z and a direction"),
        (lambda model: [*model[:-1], [1, 2, 3, True]], "give x, y, z and a direction"),
    ],
)
def test_models_that_do_not_hold_are_refused(
    entry: Entry, ones: Task, change: Callable[[list[list[int]]], Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        check_entry(with_model(entry, change), [ones])


def test_models_of_other_targets_are_noticed(entry: Entry, ones: Task) -> None:
    part = entry.tasks["mnist-1"]
    with pytest.raises(InputError, match="99 models for the 100"):
        check_entry(replace(entry, tasks={"mnist-1": replace(part, models=part.models[1:], iou=part.iou[1:])}), [ones])
    with pytest.raises(InputError, match="mnist-1/400"):
        checked_iou(part.models[1], ones.test[0], ones)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 2}, "no entry of schema 1"),
        ({"tasks": {"holiday": {}}}, "the tasks of an entry are some of mnist-0"),
        ({"tasks": {}}, "the tasks of an entry"),
        ({"name": "a|b"}, "without |"),
        ({"by": "x" * 301}, "up to 300 characters"),
        ({"sees": "everything"}, "give one of images, volume"),
        ({"weights": -1}, "number of its weights"),
        ({"tasks": {"mnist-1": {"ms": 1, "iou": [2e9], "models": [[]]}}}, "numbers from 0 on"),
        ({"tasks": {"mnist-1": {"ms": 1, "iou": [0.5], "models": []}}}, "as many IoU"),
        ({"tasks": {"mnist-1": {"ms": 1}}}, "not an entry"),
        ({"more": 1}, "not an entry"),
    ],
)
def test_files_of_another_form_are_refused_in_one_line(
    entry: Entry, change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.json"
    write_entry(entry, path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError) as told:
        read_entry(path)
    assert said in str(told.value)
    assert str(told.value).startswith(f"{path}: not an entry")
    assert "\n" not in str(told.value)


def test_the_best_come_first_and_shares_are_of_the_best_known(tmp_path: Path) -> None:
    measured = [Measurements("random", [0.5, 0.8], [0.5, 1.0], {"greedy": Measured({}, 1.0, 2.0, [0.25, 0.4])})]
    rows = [
        *rows_of_records(measured, tmp_path),
        Row("new", "somebody", "images", 7, {"random": [0.5, 1.0]}, {"random": 3.0}),  # above all that is known
    ]
    write_leaderboard(rows, measured, tmp_path / "LEADERBOARD.md")
    lines = [line for line in (tmp_path / "LEADERBOARD.md").read_text().splitlines() if line.startswith("| ")]
    assert lines[1].startswith("| 1 | new | somebody | images | 7 |  | 0.750, 100.0% |  |")
    assert lines[2].startswith("| 2 | greedy | brickbybrick | volume | 0 |  | 0.325, 45.0% |  |")
    assert lines[1].endswith("|  | 3.0 |")


def test_the_kept_leaderboard_is_drawn_again_byte_for_byte(tmp_path: Path) -> None:
    measured = load_all(RESULTS / "beyond")
    entries = [read_entry(path) for path in sorted((RESULTS / "leaderboard").glob("*.json"))]
    rows = [*rows_of_records(measured, RESULTS / "runs"), *map(row_of_entry, entries)]
    write_leaderboard(rows, measured, tmp_path / "LEADERBOARD.md")
    assert (tmp_path / "LEADERBOARD.md").read_bytes() == (RESULTS / "LEADERBOARD.md").read_bytes()


def test_parts_are_plain_values(entry: Entry) -> None:
    assert isinstance(entry.tasks["mnist-1"], Part)
    json.dumps([entry.tasks["mnist-1"].iou, entry.tasks["mnist-1"].models])
