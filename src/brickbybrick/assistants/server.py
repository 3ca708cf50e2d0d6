"""The server: the Model Context Protocol over standard input and output, as assistants start it.

Standard output belongs to the protocol. Whatever else is printed while it runs goes to standard error.
"""

import asyncio
import base64
import contextlib
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

import brickbybrick
from brickbybrick.assistants.tools import INSTRUCTIONS, TOOLS
from brickbybrick.assistants.workbench import Answer, Workbench
from brickbybrick.errors import InputError, shown
from brickbybrick.studio.crew import BusyError, OverdueError
from brickbybrick.studio.requests import Record, in_one_line

LOG = logging.getLogger("brickbybrick.assistants")

Context = ServerRequestContext[Any, Any]


def create_server(workbench: Workbench) -> Server[Any]:
    """The tools of a workbench, for whoever connects."""

    async def list_tools(context: Context, asked: PaginatedRequestParams | None) -> ListToolsResult:  # noqa: ARG001
        return ListToolsResult(
            tools=[
                Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.takes,
                    annotations=ToolAnnotations(read_only_hint=not tool.writes, open_world_hint=False),
                )
                for tool in TOOLS
            ]
        )

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        try:
            return _as_content(await _asked_for(workbench, context, asked))
        except (InputError, BusyError) as error:
            return _problem(str(error))
        except OverdueError as error:
            return _problem(f"{error}: ask for something smaller")
        except Exception:
            LOG.exception("%s failed", asked.name)
            return _problem(f"{shown(asked.name)} failed; see what the server printed")

    return Server(
        "brickbybrick",
        version=brickbybrick.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _asked_for(workbench: Workbench, context: Context, asked: CallToolRequestParams) -> Answer:
    arguments: Record = asked.arguments or {}
    takes = {tool.name: tool.takes["properties"] for tool in TOOLS}
    if asked.name not in takes:
        raise InputError(f"no tool {shown(asked.name)}: choose among {', '.join(takes)}")
    if unknown := arguments.keys() - takes[asked.name].keys():
        raise InputError(f"{asked.name} takes no {shown(min(unknown))}: choose among {', '.join(takes[asked.name])}")
    if asked.name == "build":

        async def tell(share: float, doing: str) -> None:
            await context.session.report_progress(share, 1.0, doing)

        return await workbench.build(arguments, tell)
    others: dict[str, Callable[[Record], Awaitable[Answer]]] = {
        "check": workbench.check,
        "export": workbench.export,
        "describe": workbench.describe,
    }
    return await others[asked.name](arguments)


def _as_content(answer: Answer) -> CallToolResult:
    """An answer as assistants take it: as text, as a record and, where there is one, with a picture."""
    content: list[ContentBlock] = [TextContent(type="text", text=json.dumps(answer.record, allow_nan=False))]
    if answer.picture is not None:
        data = base64.b64encode(answer.picture).decode("ascii")
        content.append(ImageContent(type="image", data=data, mime_type="image/png"))
    return CallToolResult(content=content, structured_content=answer.record)


def _problem(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=in_one_line(message))], is_error=True)


def serve(folder: Path) -> None:
    """Serves whoever started it, until standard input ends."""
    workbench = Workbench(folder)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(workbench))
    workbench.workshop.join()  # a program must not end in the middle of what compiled code does


async def _serve(workbench: Workbench) -> None:
    server = create_server(workbench)
    try:
        async with stdio_server() as (reading, writing):
            # What is printed would otherwise wait in a buffer, and come out behind the protocol's last word.
            with contextlib.redirect_stdout(sys.stderr):
                await server.run(reading, writing, server.create_initialization_options())
    finally:
        workbench.workshop.close()
