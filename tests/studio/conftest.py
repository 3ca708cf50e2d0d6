"""A studio that really listens, on this machine."""

import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import uvicorn

from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.server import create_app, warm_up


@pytest.fixture(scope="session")
def studio() -> Studio:
    made = Studio()
    warm_up(made)
    return made


@pytest.fixture(scope="session")
def address(studio: Studio) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(create_app(studio), port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client
