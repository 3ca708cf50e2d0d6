"""How tests ask for bricks: as an assistant does, through the protocol's own client, from a server that it starts."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

from mcp import Client, StdioServerParameters, stdio_client

import brickbybrick

SOURCE = Path(brickbybrick.__file__).parent.parent
RUN = "from brickbybrick.cli import main; main()"
Record = dict[str, Any]


def command(folder: Path) -> list[str]:
    """What starts a server for a folder."""
    return [sys.executable, "-c", RUN, "mcp", "--folder", str(folder)]


def environment(*paths: Path) -> dict[str, str]:
    """With this package, and others beside it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*paths, SOURCE))), "OMP_NUM_THREADS": "1"}


@asynccontextmanager
async def connected(folder: Path, said: TextIO, *paths: Path, **client: Any) -> AsyncIterator[Client]:
    """A client of a server of its own; `said` takes what the server prints to standard error."""
    program, *words = command(folder)
    server = StdioServerParameters(command=program, args=words, env=environment(*paths))
    async with Client(stdio_client(server, said), read_timeout_seconds=240, **client) as asking:
        yield asking


def ask(folder: Path, questions: Callable[[Client], Awaitable[None]], *paths: Path, **client: Any) -> str:
    """Asks a server, and returns what it printed to standard error."""
    log = folder.parent / "said.txt"

    async def talk() -> None:
        with log.open("w") as said:
            async with connected(folder, said, *paths, **client) as asking:
                await questions(asking)

    asyncio.run(talk())
    return log.read_text()


async def told(client: Client, tool: str, **asked: Any) -> Record:
    """What a tool answers, which is the same as text and as a record."""
    answer = await client.call_tool(tool, asked)
    assert not answer.is_error, answer.content
    record: Record = json.loads(answer.content[0].text)
    assert answer.structured_content == record
    return record


async def refused(client: Client, tool: str, **asked: Any) -> str:
    """The one line that is told instead."""
    answer = await client.call_tool(tool, asked)
    assert answer.is_error, answer.content
    (content,) = answer.content
    assert "\n" not in content.text
    return str(content.text)
