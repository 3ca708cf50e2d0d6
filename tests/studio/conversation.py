"""How tests talk to the studio: as a page does, over HTTP."""

import base64
import io
import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx
import numpy as np
from PIL import Image

Record = dict[str, Any]


def events_of(lines: Iterable[str]) -> Iterator[tuple[str, Record]]:
    """The events of a stream, by name and content."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def build(client: httpx.Client, **asked: Any) -> list[tuple[str, Record]]:
    """All events of a build."""
    answer = client.post("/api/builds", json={"seed": 0, "budget": None, "colours": [4], "bricks": [], **asked})
    assert answer.status_code == 200, answer.text
    return list(events_of(answer.text.splitlines()))


def built(client: httpx.Client, **asked: Any) -> Record:
    """The construction that a build ends with."""
    name, last = build(client, **asked)[-1]
    assert name == "done", last
    construction: Record = last["construction"]
    return construction


def gallery_target(client: httpx.Client, name: str) -> Record:
    answer = client.post("/api/targets", json={"gallery": name})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def sent(client: httpx.Client, name: str, content: bytes, **settings: Any) -> Record:
    """What the studio makes of a file."""
    answer = client.post("/api/targets", files={"file": (name, content)}, data={"settings": json.dumps(settings)})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def png(picture: Image.Image) -> bytes:
    content = io.BytesIO()
    picture.save(content, "png")
    return content.getvalue()


def picture_of(url: str) -> Image.Image:
    """The picture in a data URL."""
    kind, _, content = url.partition(",")
    assert kind == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(content, validate=True))).convert("RGBA")


def drawing(ink: np.ndarray) -> Record:
    """Grey levels (row, column), 255 for ink, as a page sends them."""
    pixels = base64.b64encode(ink.astype(np.uint8).tobytes()).decode()
    return {"width": ink.shape[1], "height": ink.shape[0], "pixels": pixels}


def box(*cells: tuple[int, int, int, int], side: int = 300) -> np.ndarray:
    """A drawing of boxes (left, top, right, bottom)."""
    ink = np.zeros((side, side), np.uint8)
    for left, top, right, bottom in cells:
        ink[top : bottom + 1, left : right + 1] = 255
    return ink


def brick(x: int, y: int, layer: int, d: int = 0, **more: Any) -> Record:
    """A 2x4 in a layer of bricks, which is three plates high."""
    return {"part": "2x4", "x": x, "y": y, "z": 3 * layer, "d": d, **more}


def wait_for(happened: Callable[[], bool]) -> None:
    """Waits until something is so; an answer can be read before the server has cleared up behind it."""
    end = time.monotonic() + 5
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)
