"""How models are put together by hand, in figures."""

from dataclasses import replace
from pathlib import Path

import pytest
from handwork.hard_models import along_x, chair, table, tower
from meshes import write_box

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.experiments.hands import Followed, all_measured, as_table, files_of, measured, unseen
from brickbybrick.export.kit import plan
from brickbybrick.handwork.work import in_one_go
from brickbybrick.order import Order

TABLE = Construction(tuple(table()))


def test_figures_are_those_of_the_book() -> None:
    row, handwork = measured("table", "-", TABLE), plan(TABLE).handwork
    assert (row.bricks, row.steps, row.to_hold) == (len(table()), len(handwork.steps), 0)
    assert row.chunks == len(handwork.chunks) - 1 > 0
    assert row.largest == max(len(step.bricks) for _, step in handwork.steps)
    assert row.seconds > 0


def test_bricks_that_a_picture_cannot_show_are_counted() -> None:
    """A brick on the ground between four high walls, laid after them, before them, or under a roof in the same step."""
    walls = []
    for up in range(8):
        walls += [along_x("1x4", 0, 0, up), along_x("1x4", 0, 3, up)]
        walls += [replace(along_x("1x2", x, 1, up), d=0) for x in (0, 3)]
    model = Construction((*walls, along_x("2x2", 1, 1, 0), along_x("plate 4x4", 0, 0, 8)))
    layers = [range(first, first + 4) for first in range(0, 32, 4)]
    inside, roof = [32], [33]
    assert unseen(model, in_one_go([*layers, inside, roof])) == 1
    assert unseen(model, in_one_go([inside, *layers, roof])) == 0
    assert unseen(model, in_one_go([*layers, [*inside, *roof]])) == 1


def test_models_are_read_and_other_things_built_once(tmp_path: Path) -> None:
    Construction(tuple(chair())).save(tmp_path / "a.json")
    Construction((*tower(0, 0, 1), *tower(9, 0, 1))).save(tmp_path / "b.json")
    write_box(tmp_path / "c.off", (4, 4, 4))
    orders = [Order(size=4, parts="bricks"), Order(size=4, parts="plates")]
    kept = tmp_path / "kept"
    rows = list(all_measured(files_of([tmp_path]), orders, kept, lambda _: None))
    model, apart, bricks, plates = rows
    assert isinstance(model, Followed)
    assert model.bricks == len(chair())
    assert isinstance(apart, InputError)
    assert "not all joined" in str(apart)
    assert isinstance(bricks, Followed)
    assert isinstance(plates, Followed)
    assert (bricks.model, bricks.parts, plates.parts) == ("c", "bricks", "plates")
    assert sorted(path.name for path in kept.iterdir()) == ["c-4-bricks.json", "c-4-plates.json"]
    TABLE.save(kept / "c-4-bricks.json")
    (again,) = all_measured([tmp_path / "c.off"], orders[:1], kept, lambda _: None)
    assert isinstance(again, Followed)
    assert again.bricks == len(table())
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="in this folder"):
        files_of([kept, tmp_path / "empty"])


def test_a_table_ends_with_sums() -> None:
    row = Followed("ball", "plates", 1234, 2, 30, 8, 0, 0, 1.26)
    other = replace(row, model="lamp", largest=24, to_hold=None, unseen=3)
    lines = as_table([row, other]).splitlines()
    assert lines[2] == "| ball | plates | 1,234 | 2 | 30 | 8 | 0 | 0 | 1.3 |"
    assert lines[3] == "| lamp | plates | 1,234 | 2 | 30 | 24 | not known | 3 | 1.3 |"
    assert lines[4] == "| all 2 | - | 2,468 | 4 | 60 | 24 | 0 | 3 | 2.5 |"
    assert len(as_table([row]).splitlines()) == 3
