"""The application and the server: routes, the headers that keep a local page to itself, and how it is started."""

import asyncio
import contextlib
import socket
import webbrowser
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit

import python_multipart  # noqa: F401  # Starlette reads forms with it, and would miss it only at the first one
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brickbybrick.errors import InputError, whole_number
from brickbybrick.order import MASON, Order
from brickbybrick.studio.answers import problem
from brickbybrick.studio.endpoints import Studio, answering
from brickbybrick.studio.gallery import examples, sections
from brickbybrick.studio.growing import GrowingModel, candidates, finished
from brickbybrick.studio.laying import LaidModel

WARM = 8  # studs of what is built before anybody asks
LOOPBACK = ("localhost", "127.0.0.1", "::1")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def create_app(studio: Studio, hosts: Sequence[str] | None = LOOPBACK) -> Starlette:
    """The studio as an ASGI application, which may be addressed under the names of `hosts`; None for any."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        warming = asyncio.ensure_future(studio.workshop.warm_up(lambda: warm_up(studio)))
        yield
        warming.cancel()
        studio.workshop.close()

    post = {
        "targets": studio.take_target,
        "targets/{target}": studio.read_again,
        "builds": studio.build,
        "models": studio.open_model,
        "candidates": studio.weigh,
        "check": studio.check,
        "place": studio.may_place,
        "export": studio.export,
    }
    routes = [Route(f"/api/{name}", answering(endpoint), methods=["POST"]) for name, endpoint in post.items()]
    routes += [
        Route("/api/agents", answering(studio.list_agents)),
        Route("/api/gallery", answering(studio.list_examples)),
        Route("/api/palette", answering(studio.list_colours)),
        Route("/api/parts", answering(studio.list_parts)),
        Route("/api/{rest:path}", _nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        Route("/{name:path}", studio.show_page),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(KeptToItself, hosts=hosts)],
        exception_handlers={HTTPException: _told, 500: _failed},
        lifespan=lifespan,
    )


async def _nothing(request: Request) -> Response:  # noqa: ARG001
    return problem("there is nothing to ask for here: see docs/studio.md", 404)


async def _told(request: Request, error: Exception) -> Response:  # noqa: ARG001
    assert isinstance(error, HTTPException)
    return problem(str(error.detail), error.status_code, dict(error.headers or {}))


async def _failed(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return problem("something went wrong here; see what the server printed", 500)


class KeptToItself:
    """Headers for every answer, and none for other websites.

    A browser lets any website send requests to a server on the same machine. So requests must address the server by a
    name of its own, which stops websites whose own name leads here; and those that a page makes must come from such a
    page.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refused(Headers(scope=scope))
        await (self.app if refused is None else refused)(scope, receive, send_with_headers)

    def _refused(self, headers: Headers) -> Response | None:
        host, origin = _name(f"//{headers.get('host', '')}"), headers.get("origin")
        if self.hosts is not None and host not in self.hosts:
            return problem(f"address the studio as {self.hosts[0]}", 400)
        if origin is not None and _name(origin) not in {host, *(self.hosts or ())}:
            return problem("other websites may not ask the studio", 403)
        return None


def _name(address: str) -> str | None:
    """The name of the machine in an address."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def warm_up(studio: Studio) -> None:
    """Loads and compiles what the first requests would have to wait for."""
    with contextlib.suppress(ImportError):
        import torch

        torch.set_num_threads(1)  # builds run side by side; sharing one's small matrices out would only slow all
    sections()
    if MASON in studio.agents and studio.workshop.open:
        model = LaidModel(examples()["heart"].read(Order(size=WARM)), Order(size=WARM))
        model.lay()
        model.finish()
    seen = {len(sent.fixed.target.images): sent.fixed for sent in examples().values() if sent.fixed is not None}
    for entry in (entry for entry in studio.agents.values() if entry.make is not None):
        if "-digit-" in entry.name and not entry.name.endswith("0"):
            continue  # one of ten alike is enough; the others are read when someone asks for them
        for views in entry.views if studio.workshop.open else ():
            builder = entry.builder(views, 0)
            bricks = [news.brick for news in GrowingModel(builder, seen[views], budget=3).bricks()]
            grown = GrowingModel(builder, seen[views], bricks)
            candidates(grown)
            finished(grown)


def serve(host: str, port: int, open_page: bool = False) -> None:
    """Runs the studio until it is interrupted."""
    port = whole_number(port, "port", 0, 65535)
    listening = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}"
    known = LOOPBACK if host in LOOPBACK else None
    studio = Studio()
    config = uvicorn.Config(
        create_app(studio, known), log_level="warning", timeout_graceful_shutdown=2, server_header=False
    )
    print(f"the studio is at {address} (Ctrl-C ends it)", flush=True)
    if not studio.web_files.is_built:
        print("its page was not built yet: make page builds it, also while the studio runs", flush=True)
    if open_page:
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listening])
    with contextlib.suppress(KeyboardInterrupt):
        studio.workshop.join()  # a program must not end in the middle of what compiled code does


def _listen(host: str, port: int) -> socket.socket:
    """A socket of one's own, so that a taken port is known before anything is started."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen at {host}:{port}: {reason}; choose another with --port or --host") from error
    return listening
