"""How much is taken on at once, and how long anything may take."""

import asyncio
import io
import time
from contextlib import suppress

import httpx
import numpy as np
import pytest
from PIL import Image
from studio.conversation import brick, built, events_of, gallery_target, wait_for
from studio.stuck import LIMITS, Trouble, stuck_studio

from brickbybrick.studio import sent
from brickbybrick.studio.crew import BusyError, OverdueError
from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.workshop import Limits, Workshop

DIGIT, OBJECT = "mnist-3/400", "random/0800"


def test_a_full_workshop_says_so(client: httpx.Client, studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    target = gallery_target(client, OBJECT)["id"]
    monkeypatch.setattr(studio.workshop, "most_builds", 1)
    with client.stream("POST", "/api/builds", json={"target": target, "agent": "bo", "budget": 2000}) as answer:
        events = events_of(answer.iter_lines())  # kept, or the connection would be closed
        next(events)
        refused = client.post("/api/builds", json={"target": target, "agent": "greedy"})
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "2"
        assert "try again" in refused.json()["message"]
    wait_for(lambda: studio.workshop.building == 0)
    assert built(client, target=target, agent="greedy")["bricks"]
    monkeypatch.setattr(studio.workshop, "uploading", studio.workshop.most_waiting)
    assert client.post("/api/targets", json={"gallery": DIGIT}).status_code == 503
    monkeypatch.setattr(studio.workshop, "most_waiting", 0)
    assert client.post("/api/check", json={"bricks": [brick(0, 0, 0)]}).status_code == 503


def test_a_workshop_ends() -> None:
    workshop = Workshop()
    workshop.close()
    with pytest.raises(RuntimeError):
        asyncio.run(workshop.answer(lambda: None))
    assert workshop.waiting == 0


def test_a_slot_is_given_back_and_counted_however_it_is_left() -> None:
    workshop = Workshop(most_builds=2)
    with workshop.begin() as first, suppress(ZeroDivisionError), workshop.begin():
        assert workshop.building == 2
        with pytest.raises(BusyError, match="2 models"):
            workshop.begin()
        first.finished = True
        raise ZeroDivisionError
    assert (workshop.building, workshop.stopped) == (0, 1)


def test_a_build_may_take_its_time_in_all_but_not_for_others_to_be_done() -> None:
    """Ten builds of five bricks at 0.1 s on two threads: each works for 0.5 s, and all of them take 2.5 s."""
    workshop = Workshop(limits=Limits(build=1.5))

    async def one() -> int:
        with workshop.begin() as slot:
            for _ in range(5):
                await slot.brick(lambda: time.sleep(0.1) or 1)
            return 5

    async def endless() -> None:
        with workshop.begin() as slot:
            while True:
                await slot.brick(lambda: time.sleep(0.1) or 1)

    async def crowd() -> list[int]:
        return await asyncio.gather(*(one() for _ in range(10)))

    start = time.monotonic()
    assert asyncio.run(crowd()) == [5] * 10
    assert time.monotonic() - start > 2.4  # longer than any of them may work
    with pytest.raises(OverdueError, match=r"after 1\.5 s"):
        asyncio.run(endless())
    assert workshop.benches.lost == 0
    workshop.close()


def test_a_verdict_that_does_not_come_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with stuck_studio(trouble := Trouble()) as (client, studio):
        target = gallery_target(client, DIGIT)["id"]
        monkeypatch.setattr("brickbybrick.studio.growing.plan", lambda *_: trouble.free.wait())
        monkeypatch.setattr("brickbybrick.studio.verdicts.plan", lambda *_: trouble.free.wait())
        asked = {"target": target, "agent": "random", "budget": 3}
        (*_, (name, last)) = events_of(client.post("/api/builds", json=asked).text.splitlines())
        assert (name, last["message"]) == ("problem", "the model was built, but to judge it took more than 2 s")
        answer = client.post("/api/check", json={"bricks": [brick(0, 0, 0)]})
        assert answer.status_code == 504
        assert answer.json()["message"] == "it took more than 2 s and was given up: ask for something smaller"
        monkeypatch.undo()
        assert studio.workshop.desks.lost == 2
        assert client.post("/api/check", json={"bricks": [brick(0, 0, 0)]}).status_code == 200


def test_a_file_that_is_never_read_does_not_keep_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = io.BytesIO()
    Image.fromarray(np.pad(np.zeros((40, 20), np.uint8), 20, constant_values=255)).save(picture, "png")
    files = {"file": ("bar.png", picture.getvalue())}
    with stuck_studio(trouble := Trouble()) as (client, studio):
        monkeypatch.setattr(sent, "wanted_content", lambda *_: trouble.free.wait())
        assert client.post("/api/targets", files=files).status_code == 504
        monkeypatch.undo()
        assert client.post("/api/targets", files=files).status_code == 200
        assert studio.workshop.readers.lost == 1
        assert studio.workshop.uploading == 0


def test_files_are_read_one_at_a_time() -> None:
    workshop, reading, most = Workshop(), 0, 0

    def read() -> None:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        time.sleep(0.02)
        reading -= 1

    async def all_at_once() -> None:
        await asyncio.gather(*(workshop.read(read) for _ in range(8)))

    asyncio.run(all_at_once())
    assert most == 1
    workshop.close()


def test_warming_up_keeps_nobody_waiting() -> None:
    """A builder that is stuck from its first brick is stuck while the studio warms up, too."""
    trouble = Trouble(after=0)
    with stuck_studio(trouble) as (client, studio):
        wait_for(lambda: trouble.stuck == 1)
        time.sleep(LIMITS.answer)
        target = gallery_target(client, DIGIT)["id"]
        assert built(client, target=target, agent="random")["bricks"]
        assert studio.workshop.benches.lost == studio.workshop.desks.lost == 0
