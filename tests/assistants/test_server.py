"""An assistant that starts the server and talks to it over standard input and output, by the protocol's own client."""

import base64
import io
import json
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from PIL import Image

pytest.importorskip("mcp", reason="assistants need the extra mcp: pip install 'brickbybrick[mcp]'")

from assistants.asking import ask, command, environment, refused, told
from command_line import refusal
from mcp import Client

from brickbybrick.export.models import read_model
from brickbybrick.judging.check import judge

HEART = {"rows": [".rr..rr.", "rrrrrrrr", "rrrrrrrr", ".rrrrrr.", "..rrrr..", "...rr..."], "inks": {"r": "red"}}
SMALL = {"size": 8, "parts": "bricks"}
APART = [{"x": 0, "y": 0, "z": 0, "d": 0}, {"x": 0, "y": 0, "z": 6, "d": 0}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bricks").mkdir()
    return tmp_path / "bricks"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_model_is_built_judged_described_and_exported(folder: Path, mode: str) -> None:
    """In one conversation, by the protocol of today and by the older handshake."""
    shares: list[float] = []

    async def progress(share: float, total: float | None, doing: str | None) -> None:
        assert (total, bool(doing)) == (1.0, True)
        shares.append(share)

    async def questions(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["build", "check", "export", "describe"]
        assert "studs" in (client.instructions or "")
        asked = {"drawings": [HEART], "settings": SMALL}
        answer = await client.call_tool("build", asked, progress_callback=progress)
        assert not answer.is_error, answer.content
        text, picture = answer.content
        built = json.loads(text.text)
        assert built["model"] == "model-1"
        assert (built["joined"], built["stands"], built["insertable"], built["builder"]) == (True, True, True, "mason")
        assert Image.open(io.BytesIO(base64.b64decode(picture.data))).size == (800, 800)
        checked = await told(client, "check", model="model-1")
        assert (checked["verdict"]["stands"], checked["faults"]) == (True, [])
        assert checked["sentences"] == built["sentences"]
        described = await told(client, "describe", model="model-1")
        assert described["in_all"] == built["bricks"] == sum(part["count"] for part in described["parts"])
        assert {part["colour"] for part in described["parts"]} == {"red"}
        again = await told(client, "check", bricks=described["bricks"])
        assert again["verdict"] == checked["verdict"]
        written = await told(client, "export", model="model-1", kinds=["json", "ldr"], name="my heart")
        assert written["folder"] == str(folder / "my-heart")
        assert written["files"].keys() == {path.name for path in (folder / "my-heart").iterdir()}

    assert ask(folder, questions, mode=mode) == ""
    assert shares == sorted(set(shares))
    model = read_model(folder / "my-heart/model.json")
    assert judge(model).stands
    assert [brick.record() for brick in read_model(folder / "my-heart/model.ldr").bricks]


def test_what_cannot_be_done_is_told_in_one_line(folder: Path) -> None:
    async def questions(client: Client) -> None:
        assert "no tool 'paint'" in await refused(client, "paint")
        assert "takes no 'brick'" in await refused(client, "check", brick=1)
        assert "no model 'model-7'" in await refused(client, "check", model="model-7")
        assert "outside of" in await refused(client, "build", files=["../secret.png"])

    assert ask(folder, questions) == ""


def test_bricks_of_ones_own_are_judged(folder: Path) -> None:
    async def questions(client: Client) -> None:
        about = await told(client, "check", bricks=APART)
        assert (about["verdict"]["joined"], about["verdict"]["stands"]) == (False, False)
        assert {"brick": 1, "reason": "is not joined to the others"} in about["faults"]
        between = {"x": 0, "y": 0, "z": 3, "d": 0}
        assert (await told(client, "check", bricks=[APART[0], between, APART[1]]))["verdict"]["stands"]

    assert ask(folder, questions) == ""


CHATTY = """
    import os

    from brickbybrick.builders.base import RandomBuilder
    from brickbybrick.builders.register import Entry


    class ChattyBuilder(RandomBuilder):
        name = "chatty"

        def chooser(self, sim):
            print("a word that waits in a buffer")
            os.write(1, b"a word that does not wait\\n")
            return super().chooser(sim)


    ENTRY = Entry("chatty", "Chatty", "talks", "images", lambda call: ChattyBuilder(call.offsets, call.seed))
"""


def test_nothing_but_the_protocol_is_printed(folder: Path) -> None:
    """Also where a builder of another package prints whatever it likes."""
    other = folder.parent / "other"
    about = other / "chatty_builder-1.0.dist-info"
    about.mkdir(parents=True)
    (other / "chatty_builder.py").write_text(dedent(CHATTY))
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: chatty-builder\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[brickbybrick.builders]\nchatty = chatty_builder:ENTRY\n")
    said = conversation(folder, {"example": "mnist-3/400", "agent": "chatty", "budget": 3}, other)
    answers = [json.loads(line) for line in said.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert answers[-1]["result"]["structuredContent"]["builder"] == "chatty"
    assert "a word that waits" in said.stderr
    assert "a word that does not wait" in said.stderr


def conversation(folder: Path, build: dict[str, Any], *paths: Path) -> subprocess.CompletedProcess[str]:
    """A conversation line by line, in which a build is the last question; the server then ends by itself."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "build", "arguments": build}},
    ]
    with subprocess.Popen(
        command(folder), stdin=-1, stdout=-1, stderr=-1, text=True, env=environment(*paths)
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        lines = []
        while not lines or json.loads(lines[-1]).get("id") != 2:
            lines.append(server.stdout.readline())
        server.stdin.close()
        lines.append(server.stdout.read())
        said = server.stderr.read()
    assert server.returncode == 0, said
    return subprocess.CompletedProcess(server.args, server.returncode, "".join(lines), said)


def test_a_folder_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    assert "no such folder" in refusal("mcp", "--folder", str(tmp_path / "nothing"))
