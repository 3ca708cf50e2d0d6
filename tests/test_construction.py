"""Finished models on disk."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4


def tower() -> Construction:
    return Construction.of_poses(
        BRICK_2X4, [[0, 0, z, z % 2] for z in range(3)], target="t", builder="b", budget=4, iou=0.5, notes=("one",)
    )


def test_a_model_comes_back_from_disk(tmp_path: Path) -> None:
    tower().save(tmp_path / "deep/tower.json")
    assert Construction.load(tmp_path / "deep/tower.json") == tower()
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["tower.json"]  # nothing else is left behind
    assert tower().bricks[2] == PlacedBrick("2x4", 0, 0, 6, 0, step=2)  # in plates, of which a brick is three high
    assert tower().poses == [(0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 2, 0)]


def test_files_in_which_bricks_were_counted_are_read() -> None:
    """Those of the first schema, in which all parts were bricks."""
    record = json.loads(tower().to_json())
    assert (record["schema"], [brick["z"] for brick in record["bricks"]]) == (2, [0, 3, 6])
    older = {**record, "schema": 1, "bricks": [{**brick, "z": z} for z, brick in enumerate(record["bricks"])]}
    assert Construction.from_json(json.dumps(older)) == tower()
    for wrong in ("1", 0.5, None, 10**9):
        bad = {**older, "bricks": [{**older["bricks"][0], "z": wrong}]}
        with pytest.raises(InputError, match="a brick's z"):
            Construction.from_json(json.dumps(bad))


def test_sizes_are_told_in_bricks_and_plates() -> None:
    pile = Construction((PlacedBrick("2x4", 0, 0, 0, 0), PlacedBrick("plate 1x1", 0, 0, 3, 0)))
    assert pile.extent == (2, 4, 4)
    assert pile.layers == [0, 3]
    assert pile.measures == "2 x 4 studs, 1 brick and 1 plate high"
    assert pile.centimetres == "1.6 x 3.2 x 1.3 cm"
    assert Construction(pile.bricks[1:]).measures == "1 x 1 studs, 1 plate high"
    assert tower().measures == "4 x 4 studs, 3 bricks high"


def test_parts_in_directions_that_they_do_not_have_are_refused() -> None:
    """A square plate has one direction, a slope four."""
    for part, d, known in (("plate 2x2", 1, False), ("plate 2x4", 1, True), ("slope 45 2x2", 3, True)):
        text = Construction((PlacedBrick(part, 0, 0, 0, d),)).to_json()
        if known:
            assert Construction.from_json(text).bricks[0].d == d
        else:
            with pytest.raises(InputError, match=f"the direction of a {part}"):
                Construction.from_json(text)


def test_what_few_models_have_is_written_for_them_alone() -> None:
    """So that programs that do not know it read the others."""
    record = json.loads(tower().to_json())
    assert "walls" not in record
    assert not any("extra" in brick for brick in record["bricks"])
    propped = replace(tower(), walls=2, bricks=(*tower().bricks, PlacedBrick("2x4", 1, 0, 0, 0, extra=True)))
    assert [brick.get("extra") for brick in json.loads(propped.to_json())["bricks"]] == [None, None, None, True]
    assert Construction.from_json(propped.to_json()) == propped


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"schema": 1}', '{"schema": 99, "bricks": []}', '{"schema": 1, "bricks": [{"x": 0}]}', "null"],
)
def test_what_is_not_a_model(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        Construction.load(path)
    assert "\n" not in str(caught.value)


def test_unknown_fields_are_an_error() -> None:
    record = json.loads(tower().to_json())
    record["surprise"] = 1
    with pytest.raises(InputError, match="surprise"):
        Construction.from_json(json.dumps(record))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        Construction.load(tmp_path / "nothing.json")


@pytest.mark.parametrize(
    "brick",
    [
        {"d": 7},
        {"x": 1.5},
        {"y": "a"},
        {"z": None},
        {"part": 3},
        {"extra": 1},
        {"part": "banana"},
        {"part": "2x2", "d": 1},
        {"colour": -1},
        {"x": 10**9},
        {"part": "5000x5000"},
        {"part": "1x999999999999"},
        {"part": "1x17"},
        {"part": "2x" + "9" * 100_000},
        {"d": True},
        {"d": [0]},
        {"d": 1.0},
        {"step": "a" * 100_000},
        {"a" * 100_000: 1},
    ],
)
def test_bricks_that_make_no_sense(brick: dict[str, object]) -> None:
    record = json.loads(tower().to_json())
    record["bricks"][0] |= brick
    refused(json.dumps(record))


@pytest.mark.parametrize(
    "change",
    [
        {"budget": "many"},
        {"budget": 2.5},
        {"budget": [3]},
        {"budget": -1},
        {"budget": True},
        {"target": 7},
        {"target": None},
        {"target": ["a"]},
        {"target": "a" * 1_000_000},
        {"target": "\ud800"},
        {"builder": {}},
        {"iou": "good"},
        {"iou": math.nan},
        {"episode_return": math.inf},
        {"notes": "one"},
        {"notes": [1]},
        {"notes": ["a" * 1_000_000]},
        {"notes": ["a"] * 1000},
        {"verdict": []},
        {"walls": 0},
        {"walls": 2.5},
        {"verdict": {"stands": "yes"}},
        {"verdict": {"load_factor": -math.inf}},
        {"verdict": {"stands": {"deep": {}}}},
        {"bricks": {}},
        {"bricks": None},
        {"bricks": [None]},
        {"bricks": [{}] * 100_001},
        {"schema": [1]},
    ],
)
def test_fields_that_make_no_sense(change: dict[str, object]) -> None:
    refused(json.dumps(json.loads(tower().to_json()) | change))


def test_numbers_without_end_and_files_nested_too_deep() -> None:
    refused("[" * 100_000)
    refused('{"schema": 1, "bricks": [], "notes": ' + "[" * 100_000 + "]" * 100_000 + "}")
    for field in ("budget", "iou", "schema"):
        refused(f'{{"schema": 1, "bricks": [], "{field}": {"1" * 5_000}}}')
    refused('{"schema": 1, "bricks": [], "iou": 1e999}')


def refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Construction.from_json(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


OTHER = OtherPart("3941.dat", 47, (40.5, -48.0, 20.0), (0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6), (1, 0, 3), (2, 3, 4), 1)


def test_other_parts_are_kept_and_drawn_as_boxes_but_are_no_bricks() -> None:
    model = Construction((PlacedBrick("2x4", 0, 0, 0, 0),), others=(OTHER,))
    assert Construction.from_json(model.to_json()) == model
    assert "others" not in json.loads(replace(model, others=()).to_json())
    assert model.extent == (2, 4, 3)
    box = model.drawn.bricks[1]
    assert (box.pose, box.colour, box.shape.extent(box.d), box.shape.height) == ((1, 0, 3, 0), 47, (2, 3), 4)
    assert list(box.shape.studs(box.pose)) == list(box.shape.sockets(box.pose)) == []
    with pytest.raises(InputError, match="no part box 2x3x4 is known: choose among 1x1, "):
        Construction((box,)).check()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "the name of a part"),
        ({"name": "a\nb.dat"}, "the name of a part"),
        ({"place": [0, 0]}, "a part's place is"),
        ({"place": [0, 0, None]}, "a figure"),
        ({"place": [0, 0, 1e30]}, "a figure"),
        ({"turn": [1] * 8}, "a part's turn is"),
        ({"turn": 5}, "a part's turn is"),
        ({"corner": [0, 0, 0.5]}, "a part's corner is 0.5"),
        ({"size": [0, 1, 1]}, "a part's size is 0"),
        ({"size": [1, 1, 1000]}, "a part's size is 1000"),
        ({"colour": -1}, "a part's colour is -1"),
        ({"weight": 5}, "'weight', which is none of ours"),
    ],
)
def test_other_parts_that_make_no_sense(wrong: dict[str, object], why: str) -> None:
    record = json.loads(Construction((PlacedBrick("2x4", 0, 0, 0, 0),), others=(OTHER,)).to_json())
    record["others"][0] |= wrong
    with pytest.raises(InputError, match=why):
        Construction.from_json(json.dumps(record))
