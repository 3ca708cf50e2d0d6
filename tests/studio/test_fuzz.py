"""Whatever is sent, the studio answers with what was asked for or with what was wrong, and goes on."""

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from studio.conversation import gallery_target, wait_for

from brickbybrick.studio.endpoints import Studio

QUESTIONS = ("targets", "targets/unknown", "builds", "candidates", "check", "place", "export", "models")
MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=40)

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(leaves, lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(), some, max_size=3))
small = st.integers(-3, 3)
bricks = st.lists(
    st.fixed_dictionaries(
        {"x": small, "y": small, "z": st.integers(-1, 3), "d": st.integers(0, 1)},
        optional={"part": st.sampled_from(["2x4", "1x1", "2x2"]), "colour": st.sampled_from([4, 1, 3])},
    ),
    max_size=6,
)
drawings = st.lists(
    st.fixed_dictionaries(
        {
            "width": st.integers(1, 4),
            "height": st.integers(1, 4),
            "pixels": st.sampled_from(["AP8A/w==", "/w==", "AAAA"]),
        },
        optional={"colours": st.sampled_from(["AP8A/w==", "AP8A/wD/AP8A/wD/AP8A/w=="])},
    ),
    max_size=3,
)
wishes = st.fixed_dictionaries(
    {},
    optional={
        "agent": st.sampled_from(["mason", "greedy", "nobody"]),
        "size": st.none() | st.integers(2, 20),
        "proportions": st.sampled_from(["real", "cubic", "tall"]),
        "background": st.sampled_from(["auto", "keep", "drop"]),
        "contrast": st.floats(),
        "depth": st.integers(0, 5),
        "mosaic": st.booleans(),
        "dither": st.booleans(),
        "palette": st.sampled_from(["all", "common", "red", "light violet", "no such", ""]),
        "hollow": st.integers(0, 4),
        "tolerance": st.floats(0, 2000),
        "inventory": st.sampled_from(["2x4", "2x4=1", "1x1=30,2x2", "2x2=0", "9x9", "2x4=x"]),
        "repair": st.booleans(),
        "other": st.none(),
    },
)
fields = {
    "agent": st.sampled_from(["mason", "greedy", "random", "bo", "nobody"]),
    "settings": wishes,
    "walls": st.integers(-1, 3),
    "schema": st.integers(0, 2),
    "seed": st.integers(-1, 2**33),
    "budget": st.none() | st.integers(0, 12),
    "colours": st.lists(st.sampled_from([4, 1, 999]), max_size=3),
    "bricks": bricks,
    "brick": bricks.map(lambda some: some[0] if some else None),
    "masked": st.booleans(),
    "kinds": st.lists(st.sampled_from(["json", "ldr", "glb", "xml", "csv", "svg", "png", "pdf"]), max_size=2),
    "name": st.text(max_size=100),
    "drawings": drawings,
    "gallery": st.sampled_from(["mnist-3/400", "heart", "nothing"]),
}


@pytest.fixture(scope="module")
def target(client: httpx.Client) -> str:
    return str(gallery_target(client, "random/0800")["id"])


def check(answer: httpx.Response) -> None:
    assert 200 <= answer.status_code < 300 or 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    if answer.status_code >= 400:
        assert list(answer.json()) == ["message"]
        assert 0 < len(answer.json()["message"]) <= 300
    elif answer.headers["content-type"].startswith("text/event-stream"):
        assert "event: problem" not in answer.text
        assert answer.text.rstrip().rpartition("event: ")[2].startswith("done")


@MANY
@given(question=st.sampled_from(QUESTIONS), content=anything)
def test_any_json(client: httpx.Client, question: str, content: Any) -> None:
    text = json.dumps(content).encode()
    check(client.post(f"/api/{question}", content=text, headers={"content-type": "application/json"}))


@MANY
@given(
    question=st.sampled_from(QUESTIONS),
    record=st.fixed_dictionaries({}, optional=fields),
    wrong=st.dictionaries(st.sampled_from([*fields, "target"]), anything, max_size=1),
    known=st.booleans(),
)
def test_requests_that_are_almost_right(
    client: httpx.Client, target: str, question: str, record: dict[str, Any], wrong: dict[str, Any], known: bool
) -> None:
    asked = {"target": target if known else "unknown", "agent": "greedy", "bricks": [], **record, **wrong}
    text = json.dumps(asked).encode()
    check(client.post(f"/api/{question}", content=text, headers={"content-type": "application/json"}))


@FEW
@given(question=st.sampled_from(QUESTIONS), content=st.binary(max_size=200), kind=st.text("abc/-;=\x7f", max_size=20))
def test_any_bytes(client: httpx.Client, question: str, content: bytes, kind: str) -> None:
    for name in ("application/json", "multipart/form-data; boundary=x", "multipart/form-data", kind.encode()):
        check(client.post(f"/api/{question}", content=content, headers={"content-type": name}))


@FEW
@given(
    name=st.text(max_size=10),
    ending=st.sampled_from(
        [".png", ".gif", ".webp", ".off", ".stl", ".obj", ".ply", ".glb", "", ".ldr", ".mpd", ".json"]
    ),
    start=st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"OFF\n3 1 0\n", b"solid\n", b"ply\n", b"glTF\x02\0\0\0", b"v 0 0 0\n"]
    ),
    content=st.binary(max_size=100),
)
def test_any_upload(client: httpx.Client, name: str, ending: str, start: bytes, content: bytes) -> None:
    check(client.post("/api/targets", files={"file": (name + ending, start + content)}))
    check(client.post("/api/targets", files={"file": (name + ending, start)}, data={"settings": content}))
    check(client.post("/api/models", files={"file": (name + ending, start + content)}))


@FEW
@given(path=st.text(max_size=30), method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]))
def test_any_path(client: httpx.Client, path: str, method: str) -> None:
    for place in ("/", "/api/", "/assets/"):
        url = httpx.URL(str(client.base_url)).copy_with(raw_path=place.encode() + _quoted(path))
        answer = client.request(method, url)
        assert answer.status_code in (200, 404, 405, 503), (answer.status_code, answer.text)
        if place == "/api/" or method != "GET":
            assert answer.status_code != 503 or method == "HEAD"


def _quoted(path: str) -> bytes:
    return quote(path.encode("utf-8", "surrogatepass"), safe="/.").encode()


def test_the_studio_is_still_there(client: httpx.Client, studio: Studio) -> None:
    assert client.get("/api/agents").status_code == 200
    wait_for(lambda: studio.workshop.building == studio.workshop.waiting == 0)
