"""The headers that keep the page to itself, and the command that serves it."""

import threading

import httpx
import pytest
from studio.listening import listening
from studio.stuck import Trouble, stuck_studio

from brickbybrick.studio.endpoints import Studio


@pytest.mark.parametrize("path", ["/", "/assets/a.js", "/api/agents", "/api/nothing", "/api/builds"])
def test_headers_keep_the_page_to_itself(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert policy["frame-ancestors"] == "'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_other_websites_are_kept_out(client: httpx.Client) -> None:
    assert client.get("/api/agents", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/api/agents", headers={"host": "localhost:1234"}).status_code == 200
    assert client.get("/api/agents", headers={"host": "[::1]:1234"}).status_code == 200
    ask = {"bricks": [], "brick": {"x": 0, "y": 0, "z": 0, "d": 0}}
    for origin, status in [
        ("http://evil.example", 403),
        ("null", 403),
        ("http://[bad", 403),
        ("http://localhost:5173", 200),
    ]:
        assert client.post("/api/place", json=ask, headers={"origin": origin}).status_code == status


def test_the_threads_end_with_the_server() -> None:
    before = set(threading.enumerate())
    with stuck_studio(Trouble()) as (client, studio):
        assert client.get("/api/gallery").status_code == 200
        assert set(threading.enumerate()) > before
    assert not studio.workshop.open
    studio.workshop.join()
    assert set(threading.enumerate()) <= before


def test_a_studio_of_ones_own_is_served() -> None:
    with listening(Studio(agents={})) as address:
        assert httpx.get(f"{address}/api/agents").json() == {"agents": []}
