"""The replay page holds the models, whatever their names are, and nothing that it would have to fetch."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export import replay
from brickbybrick.export.replay import PLACE, replay_html
from brickbybrick.geometry.brick import BRICK_2X4

STAIR = Construction.of_poses(BRICK_2X4, [(step, 0, step, step % 2) for step in range(5)], target="stair", iou=0.5)
WICKED = "</script><script>alert(1)</script><!-- \u2028 \\1 & \U0001f9f1"
TEMPLATE = f'<script type="application/json" id="replay-data">{PLACE}</script>'


def data_of(page: str) -> dict[str, object]:
    """What a browser finds in the data element: a script ends at the first closing tag, and after nothing else."""
    found = re.search(r'<script type="application/json" id="replay-data">(.*?)</script', page, re.DOTALL)
    assert found
    record = json.loads(found.group(1))
    assert isinstance(record, dict)
    return record


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template with nothing but room, so that these tests need no built page."""
    monkeypatch.setattr(replay, "_template", lambda: TEMPLATE)


@pytest.fixture
def built() -> str:
    try:
        return replay_html([STAIR, STAIR], title="Two stairs")
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("plain")
def test_a_page_holds_the_models_as_they_are() -> None:
    record = data_of(replay_html([STAIR], title="A stair"))
    assert record["title"] == "A stair"
    assert record["constructions"] == [json.loads(STAIR.to_json())]


@pytest.mark.usefixtures("plain")
def test_a_page_knows_what_its_colours_look_like() -> None:
    """LDraw's own codes and values; a code that it does not know is grey."""
    bricks = tuple(replace(brick, colour=code) for brick, code in zip(STAIR.bricks, (4, 212, 4, 15, 999), strict=True))
    assert data_of(replay_html([Construction(bricks)]))["colours"] == {
        "4": "#b40000",
        "15": "#f4f4f4",
        "212": "#9dc3f7",
        "999": "#969696",
    }


@pytest.mark.usefixtures("plain")
def test_a_page_knows_the_shapes_of_its_parts() -> None:
    """Each part once; a slope has one stud, at the end from which its face falls to 4 of LDraw's units."""
    slopes = tuple(PlacedBrick("slope 45 2x1", 0, 3 * d, 0, d) for d in range(4))
    told = data_of(replay_html([STAIR, Construction(slopes)]))["parts"]
    assert isinstance(told, list)
    brick, slope = told
    assert (brick["name"], brick["height"], brick["directions"], len(brick["studs"])) == ("2x4", 3, 2, 8)
    assert (slope["name"], slope["kind"], slope["directions"]) == ("slope 45 2x1", "slope 45", 4)
    assert slope["studs"] == [[0, 0]]
    assert slope["profile"] == [[0, 0], [2, 0], [2, 0.5], [1, 3], [0, 3]]


@pytest.mark.usefixtures("plain")
def test_no_name_can_break_out_of_the_data() -> None:
    named = Construction(STAIR.bricks, target=WICKED, builder=WICKED, notes=(WICKED,))
    page = replay_html([named], title=WICKED)
    assert data_of(page)["title"] == WICKED
    inside = page.removeprefix(TEMPLATE.partition(PLACE)[0]).removesuffix(TEMPLATE.partition(PLACE)[2])
    assert "<" not in inside
    assert inside.isascii()


@pytest.mark.usefixtures("plain")
def test_a_name_that_looks_like_the_place_for_data_stays_a_name() -> None:
    assert data_of(replay_html([STAIR], title=PLACE))["title"] == PLACE


@pytest.mark.usefixtures("plain")
def test_numbers_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(InputError, match="number"):
        replay_html([Construction(STAIR.bricks, iou=float("nan"))])


@pytest.mark.usefixtures("plain")
def test_there_must_be_a_model() -> None:
    with pytest.raises(InputError, match="at least one"):
        replay_html([])


def test_where_the_page_was_not_built_one_is_told_how(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(replay, "files", lambda _: tmp_path)
    with pytest.raises(InputError, match="make page"):
        replay_html([STAIR])


def test_the_built_page_holds_all_it_needs(built: str) -> None:
    assert data_of(built)["constructions"] == [json.loads(STAIR.to_json())] * 2
    assert PLACE not in built
    assert "three.js" in built  # as its licence asks
    assert "MIT License" in built
    head, _, script = built.partition('<script type="module">')
    assert script
    assert not re.search(r"""(src|href)=["'](?!data:)""", head)
    assert not re.search(r"""\bimport\s*[("'{]""", script[:2000])


@pytest.mark.usefixtures("plain")
def test_other_parts_are_boxes_with_a_shape_of_their_own() -> None:
    part = OtherPart("3941.dat", 0x2FF8800, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1), (3, 1, 2), (2, 3, 5))
    record = data_of(replay_html([replace(STAIR, others=(part,))]))
    [model], shapes = record["constructions"], {shape["name"]: shape for shape in record["parts"]}
    assert "others" not in model
    box = model["bricks"][-1]
    assert (box["part"], box["x"], box["y"], box["z"]) == ("box 2x3x5", 3, 1, 2)
    assert (shapes["box 2x3x5"]["height"], shapes["box 2x3x5"]["studs"]) == (5, [])
    assert record["colours"][str(0x2FF8800)] == "#ff8800"
