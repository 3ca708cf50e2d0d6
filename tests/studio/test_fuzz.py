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

QUESTIONS = ("target", "build", "candidates", "check", "place", "export")
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
        }
    ),
    max_size=3,
)
fields = {
    "agent": st.sampled_from(["greedy", "random", "bo", "nobody"]),
    "seed": st.integers(-1, 2**33),
    "budget": st.none() | st.integers(0, 12),
    "colours": st.lists(st.sampled_from([4, 1, 999]), max_size=3),
    "bricks": bricks,
    "brick": bricks.map(lambda some: some[0] if some else None),
    "masked": st.booleans(),
    "kinds": st.lists(st.sampled_from(["json", "ldr", "glb", "xml", "csv", "svg", "png", "pdf"]), max_size=2),
    "name": st.text(max_size=100),
    "drawings": drawings,
    "gallery": st.sampled_from(["mnist-3/400", "nothing"]),
}


@pytest.fixture(scope="module")
def target(client: httpx.Client) -> str:
    return str(gallery_target(client, "random/0800")["target"])


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
    ending=st.sampled_from([".png", ".gif", ".webp", ".off", ".stl", ".obj", ".ply", ".glb", ""]),
    start=st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"OFF\n3 1 0\n", b"solid\n", b"ply\n", b"glTF\x02\0\0\0", b"v 0 0 0\n"]
    ),
    content=st.binary(max_size=100),
)
def test_any_upload(client: httpx.Client, name: str, ending: str, start: bytes, content: bytes) -> None:
    check(client.post("/api/target", files={"file": (name + ending, start + content)}))


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
