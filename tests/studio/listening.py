"""A studio that listens at a port of this machine."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.server import create_app


@contextmanager
def listening(studio: Studio) -> Iterator[str]:
    """The address of a server."""
    server = uvicorn.Server(uvicorn.Config(create_app(studio), port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
        studio.workshop.join()  # a program must not end in the middle of what compiled code does
