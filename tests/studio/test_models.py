"""Models that people open."""

import httpx
import pytest
from studio.conversation import brick

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import to_ldraw
from brickbybrick.order import MOST_BRICKS
from brickbybrick.studio.models import opened

BRICKS = (PlacedBrick("2x4", 0, 0, 0, 0, 1), PlacedBrick("1x2", 1, 2, 3, 1, 14, 1, extra=True))
MODEL = Construction(BRICKS, "a house", "mason", budget=9, notes=("it is small",))


@pytest.mark.parametrize("ending", ["json", "ldr", "mpd", "LDR"])
def test_a_model_that_was_written_can_be_opened(client: httpx.Client, ending: str) -> None:
    content = MODEL.to_json().encode() if ending == "json" else to_ldraw(MODEL)
    answer = client.post("/api/models", files={"file": (f"house.{ending}", content)}).json()
    places = [(each["part"], each["x"], each["y"], each["z"], each["d"], each["colour"]) for each in answer["bricks"]]
    assert places == [("2x4", 0, 0, 0, 0, 1), ("1x2", 1, 2, 3, 1, 14)]
    assert (answer["name"], answer["builder"], answer["notes"]) == ("a house", "mason", ["it is small"])
    check = client.post("/api/check", json={"bricks": answer["bricks"], "budget": 9}).json()
    assert {key: answer[key] for key in check} == check
    if ending == "json":
        assert answer["bricks"][1]["extra"]
        sent = {"content": content, "headers": {"content-type": "application/json"}}
        assert client.post("/api/models", **sent).json() == answer


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("model.exe", b"MZ", "no model by its ending"),
        ("model", b"{}", "no model by its ending"),
        ("model.json", b"{", "not JSON"),
        ("model.json", b"[]", "no schema or no bricks"),
        ("model.json", b'{"schema": 3, "bricks": []}', "another schema"),
        ("model.json", b'{"format": "brickbybrick project", "version": 1}', "no schema or no bricks"),
        ("model.ldr", b"1 4 0 0 0", "15 fields"),
        ("model.ldr", b"\xff\xfe", "LDraw"),
        ("model.ldr", b" " * 10_000_001, "more than 10 MB"),
        ("model.json", Construction((PlacedBrick("5x7", 0, 0, 0, 0),)).to_json().encode(), "no part 5x7 is known"),
        ("model.json", Construction((PlacedBrick("2x4", 5000, 0, 0, 0),)).to_json().encode(), "-1000 to 1000"),
        (
            "model.json",
            Construction((PlacedBrick("2x4", 0, 0, 0, 0, 1_000_000_000),)).to_json().encode(),
            "no colour 1000000000",
        ),
        ("model.json", Construction(BRICKS[:1] * (MOST_BRICKS + 1)).to_json().encode(), "at most 20000"),
    ],
)
def test_what_is_no_model_is_told_in_one_line(client: httpx.Client, name: str, content: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        opened(name, content)
    answer = client.post("/api/models", files={"file": (name, content)})
    assert answer.status_code == 400
    assert list(answer.json()) == ["message"]
    assert why in answer.json()["message"]
    assert answer.json()["message"].startswith(name)


def test_bricks_that_are_extra_stay_so(client: httpx.Client) -> None:
    bricks = [brick(0, 0, 0), brick(0, 0, 1, extra=True)]
    for wrong in ("yes", 1, None):
        assert client.post("/api/check", json={"bricks": [brick(0, 0, 0, extra=wrong)]}).status_code == 400
    assert client.post("/api/check", json={"bricks": bricks}).status_code == 200
