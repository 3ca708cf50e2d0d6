"""The headers that keep the page to itself, and the command that serves it."""

import os
import signal
import socket
import subprocess
import sys
import threading

import httpx
import pytest
from command_line import b3
from studio.listening import listening
from studio.stuck import Trouble, stuck_studio

from brickbybrick.studio.endpoints import Studio


@pytest.mark.parametrize("path", ["/", "/assets/a.js", "/api/agents", "/api/nothing", "/api/build"])
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


def test_the_command_says_where_it_is() -> None:
    program = [sys.executable, "-c", "from brickbybrick.cli import main; main()", "studio", "--port", "0"]
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = line.split()[4]
        with httpx.Client(base_url=address, timeout=60, transport=httpx.HTTPTransport(retries=5)) as client:
            assert client.get("/api/agents").status_code == 200
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(90)  # it may be warming up
        running.stdout.close()
    assert running.returncode in (0, 130, -signal.SIGINT)


def test_a_taken_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = b3("studio", "--port", port, expect=2)
    assert result.stderr.splitlines()[-1].startswith(f"b3: cannot listen at 127.0.0.1:{port}")
    b3("studio", "--port", "99999", expect=2)


def test_a_missing_package_is_one_line() -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; from brickbybrick.cli import main; main(['studio', '--port', '0'])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "b3: this needs uvicorn: pip install 'brickbybrick[studio]'\n"


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
