"""The forms of answers, and that nothing is worked on for nobody."""

import json
import threading
import time
from unittest.mock import Mock

import httpx
import pytest
from studio.conversation import brick, build, events_of, gallery_target, wait_for

from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.errors import InputError
from brickbybrick.studio.answers import JsonAnswer, event, problem
from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.requests import LONGEST_MESSAGE
from brickbybrick.studio.workshop import DESKS

DIGIT, OBJECT = "mnist-3/400", "random/0800"


def test_any_text_can_be_answered() -> None:
    """Also half of a surrogate pair, which JSON can hold and UTF-8 cannot."""
    body = bytes(JsonAnswer({"name": "drei \u00fc \ud800"}).body)
    assert body.isascii()
    assert json.loads(body) == {"name": "drei \u00fc \ud800"}


def test_a_number_that_json_does_not_know_is_no_answer() -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            JsonAnswer({"iou": number})
        with pytest.raises(ValueError, match="JSON"):
            event("done", {"iou": number})


def test_what_was_wrong_is_one_line_of_some_length() -> None:
    answer = problem("first\n  second\r\n" + "x" * 1_000, 413)
    message = json.loads(bytes(answer.body))["message"]
    assert answer.status_code == 413
    assert message.startswith("first second xxx")
    assert message.endswith("x...")
    assert len(message) == LONGEST_MESSAGE


def test_an_event_is_two_lines_whatever_it_holds() -> None:
    sent = event("problem", {"message": "one\n\nevent: done"})
    assert list(events_of(sent.decode().splitlines())) == [("problem", {"message": "one\n\nevent: done"})]
    assert sent.count(b"\n") == 3
    assert sent.endswith(b"\n\n")


def test_a_build_that_nobody_watches_stops(client: httpx.Client, studio: Studio) -> None:
    target = gallery_target(client, OBJECT)["id"]
    workshop = studio.workshop
    stopped = workshop.stopped
    asked = {"target": target, "agent": "bo", "budget": 2000}
    with client.stream("POST", "/api/builds", json=asked) as answer:
        events = events_of(answer.iter_lines())  # kept, or the connection would be closed
        bricks = 0
        while bricks < 5:
            bricks += next(events)[0] == "brick"
        assert workshop.building == 1
    wait_for(lambda: workshop.stopped == stopped + 1)
    assert workshop.building == 0
    placed = workshop.placed
    time.sleep(0.3)
    assert workshop.placed == placed


def test_a_question_that_nobody_waits_for_is_dropped(client: httpx.Client, studio: Studio) -> None:
    held = threading.Event()
    desks = [studio.workshop.desks.submit(held.wait, 30) for _ in range(DESKS)]
    try:
        with pytest.raises(httpx.ReadTimeout):
            client.post("/api/check", json={"bricks": [brick(0, 0, 0)]}, timeout=0.3)
        wait_for(lambda: studio.workshop.waiting == 0)
        assert not any(desk.done() for desk in desks)
    finally:
        held.set()
    assert client.post("/api/check", json={"bricks": [brick(0, 0, 0)]}).status_code == 200


def test_what_goes_wrong_in_a_build_is_told_in_its_stream(
    client: httpx.Client, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = gallery_target(client, DIGIT)["id"]
    for error, message in [(InputError("no bricks left"), "no bricks left"), (ZeroDivisionError(), "the server")]:
        monkeypatch.setattr(GreedyBuilder, "steps", Mock(side_effect=error))
        events = build(client, target=target, agent="greedy")
        assert [name for name, _ in events] == ["start", "brick", "problem"]
        assert message in events[-1][1]["message"]
    wait_for(lambda: studio.workshop.building == 0)
