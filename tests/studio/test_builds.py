"""Builds over HTTP: the same as b3 build, from any beginning, many at once, and by builders that get stuck."""

import asyncio
import json
import resource
import time
from pathlib import Path

import httpx
import pytest
from PIL import Image, ImageDraw
from studio.conversation import Record, brick, build, built, events_of, gallery_target, sent, wait_for
from studio.stuck import Trouble, stuck_studio

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.building import build_files
from brickbybrick.export.kit import Plan
from brickbybrick.order import Order
from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.gallery import example
from brickbybrick.studio.shelf import Kept
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.inputs import Wanted

DIGIT, OBJECT = "mnist-3/400", "random/0800"


@pytest.fixture(scope="module")
def agent(studio: Studio) -> str:
    """The paper's agent for one view: the one for all digits, or for the digit 0."""
    return next(name for name in ("b3", "b3-digit-0") if name in studio.agents)


@pytest.mark.parametrize("name", ["greedy", "random", "bo", "search", "b3plus", "learned"])
def test_a_build_is_what_b3_build_builds(client: httpx.Client, agent: str, tmp_path: Path, name: str) -> None:
    path = tmp_path / "heart.png"
    picture = Image.new("L", (200, 200), 255)
    ImageDraw.Draw(picture).polygon([(20, 60), (60, 20), (100, 60), (140, 20), (180, 60), (100, 180)], fill=0)
    picture.save(path)
    files = {"b3": "mnist-b3", "b3-digit-0": "mnist-0-b3"}
    file = WEIGHTS / f"{files[agent]}.safetensors"
    order = Order(agent=str(file) if name == "learned" else name, seed=5, colour=("4", "1", "14"), budget=20)
    ((_, made),) = build_files([path], order)
    assert isinstance(made, Plan)
    target = sent(client, "heart.png", path.read_bytes(), agent=agent if name == "learned" else name)["id"]
    asked = {"target": target, "agent": agent if name == "learned" else name, "seed": 5, "budget": 20}
    construction = built(client, **asked, colours=[4, 1, 14])
    expected = json.loads(made.construction.to_json())
    if name == "bo":  # it can also tell how many places it chose from, which takes a batch
        expected["notes"], construction["notes"] = [], []
    assert construction == expected


def test_a_build_goes_on_from_any_brick_as_if_it_had_not_stopped(client: httpx.Client, agent: str) -> None:
    target = gallery_target(client, DIGIT)["id"]
    whole = built(client, target=target, agent=agent)
    for count in range(1, len(whole["bricks"]) + 1):
        events = build(client, target=target, agent=agent, bricks=whole["bricks"][:count])
        assert events[0][1]["bricks"] == count
        assert [news["index"] for name, news in events if name == "brick"] == list(range(count, len(whole["bricks"])))
        assert events[-1][1]["construction"] == whole


@pytest.mark.parametrize(
    ("target", "name"),
    [(target, name) for target in (DIGIT, OBJECT) for name in ("greedy", "random", "bo", "search")]
    + [(DIGIT, "b3plus"), (DIGIT, "learned")],
)
def test_builders_go_on_from_what_people_built(client: httpx.Client, agent: str, target: str, name: str) -> None:
    """Turned bricks, six on one, far from where the agent would begin."""
    base = brick(20, -9, 0, 0, colour=14)
    crowd = [brick(20 + dx, -9 + dy, 1, 1, colour=1) for dx in (-3, 1) for dy in (-1, 1, 3)]
    given = [base, *crowd]
    events = build(
        client,
        target=gallery_target(client, target)["id"],
        agent=agent if name == "learned" else name,
        bricks=given,
        budget=12,
        colours=[15],
    )
    assert events[0] == ("start", {"budget": 12, "bricks": 7})
    last = events[-1][1]
    assert [b["colour"] for b in last["construction"]["bricks"]] == [14] + [1] * 6 + [15] * 5
    assert [b["step"] for b in last["construction"]["bricks"]] == list(range(12))
    assert last["verdict"]["joined"]
    assert last["verdict"]["no_overlap"]


def test_the_search_goes_on_from_a_tower_that_leaves_it_no_room(client: httpx.Client) -> None:
    target = gallery_target(client, DIGIT)
    inked = [row for row in target["views"][0]["rows"] if "1" in row]
    tower = [brick(6, 5, layer) for layer in range(len(inked) + 2)]
    events = build(client, target=target["id"], agent="search", bricks=tower, budget=len(tower) + 3)
    assert [name for name, _ in events] == ["start", *["brick"] * 3, "done"]


def test_the_first_brick_is_there_at_once(client: httpx.Client, agent: str) -> None:
    target = gallery_target(client, DIGIT)["id"]
    start = time.perf_counter()
    asked = {"target": target, "agent": agent, "bricks": []}
    with client.stream("POST", "/api/builds", json=asked) as answer:
        for name, _ in events_of(answer.iter_lines()):
            if name == "brick":
                break
    assert time.perf_counter() - start < 1


def test_fifty_builds_at_once_are_fifty_lone_builds(
    client: httpx.Client, address: str, studio: Studio, agent: str
) -> None:
    targets = load_task("mnist-3").test.targets[:50]
    asked: list[Record] = []
    for index, target in enumerate(targets):
        name = [agent, "greedy", "random", "bo"][index % 4]
        order = {"seed": index, "budget": 12, "colours": [4, 1]}
        asked.append(
            {"target": studio.shelf.put(Kept(Wanted(target), example(target), Order())), "agent": name, **order}
        )
    lone = [built(client, **each) for each in asked]
    assert len({json.dumps(each["bricks"]) for each in lone}) > 45  # two threes may be built alike
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    slowest = 0.0

    async def one(session: httpx.AsyncClient, each: Record) -> Record:
        answer = await session.post("/api/builds", json={**each, "bricks": []})
        (*_, (name, last)) = events_of(answer.text.splitlines())
        assert name == "done"
        return last["construction"]  # type: ignore[no-any-return]

    async def watch(session: httpx.AsyncClient) -> None:
        """Asks for something small all the while."""
        nonlocal slowest
        while True:
            start = time.perf_counter()
            assert (await session.get("/api/agents")).status_code == 200
            slowest = max(slowest, time.perf_counter() - start)
            await asyncio.sleep(0.05)

    async def all_at_once() -> list[Record]:
        limits = httpx.Limits(max_connections=60)
        async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as session:
            watching = asyncio.create_task(watch(session))
            results = await asyncio.gather(*(one(session, each) for each in asked))
            watching.cancel()
            return results

    start = time.perf_counter()
    together = asyncio.run(all_at_once())
    seconds = time.perf_counter() - start
    assert together == lone
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"50 builds in {seconds:.1f} s, {more:.0f} MB more, slowest answer beside them {slowest:.2f} s")
    assert more < 100
    assert slowest < 1
    wait_for(lambda: studio.workshop.building == studio.workshop.waiting == 0)


def test_given_bricks_are_kept_as_they_are(client: httpx.Client) -> None:
    target = gallery_target(client, DIGIT)
    whole = built(client, target=target["id"], agent="greedy", colours=[2])
    events = build(client, target=target["id"], agent="greedy", bricks=whole["bricks"], colours=[14])
    assert [name for name, _ in events] == ["start", "done"]
    assert events[-1][1]["construction"]["bricks"] == whole["bricks"]


def test_a_builder_that_does_not_come_back_is_left_behind() -> None:
    """One more than there are threads: each ends with what there is, and others are built all the while."""
    trouble = Trouble(after=4)
    with stuck_studio(trouble) as (client, studio):
        target = gallery_target(client, DIGIT)["id"]
        for _ in range(2):
            events = build(client, target=target, agent="stuck", colours=[4, 1], budget=9)
            assert [name for name, _ in events] == ["start", *["brick"] * 5, "done"]
            last = events[-1][1]
            assert last["sentences"][0] == "The builder was stopped: it took more than 1 s for a brick."
            assert last["construction"]["notes"] == [last["sentences"][0][0].lower() + last["sentences"][0][1:-1]]
            assert last["construction"]["bricks"] == [news["brick"] for name, news in events if name == "brick"]
            assert last["construction"]["iou"] == last["iou"] == events[-2][1]["iou"]
            assert last["verdict"]["joined"]
            assert len(built(client, target=target, agent="random")["bricks"]) > 5
        assert trouble.stuck == studio.workshop.benches.lost == 2
        given = last["construction"]["bricks"]
        again = build(client, target=target, agent="stuck", bricks=given, budget=12)
        assert len(again[-1][1]["construction"]["bricks"]) == 9
        trouble.free.set()
        wait_for(lambda: studio.workshop.benches.lost == 0)
        notes = built(client, target=target, agent="stuck", bricks=given, budget=12)["notes"]
        assert not any("stopped" in note for note in notes)


def test_a_build_that_goes_on_and_on_ends_with_what_there_is() -> None:
    with stuck_studio(Trouble(pause=0.3)) as (client, studio):
        target = gallery_target(client, OBJECT)["id"]
        start = time.monotonic()
        events = build(client, target=target, agent="stuck", budget=2000)
        assert time.monotonic() - start < 20
        assert 3 <= len(events[-1][1]["construction"]["bricks"]) <= 9
        assert events[-1][1]["sentences"][0] == "The builder was stopped after 2 s."
        assert studio.workshop.benches.lost == 0  # it came back after each brick


def test_too_many_builders_that_do_not_come_back_are_told() -> None:
    trouble = Trouble(after=0)
    with stuck_studio(trouble) as (client, studio):
        target = gallery_target(client, DIGIT)["id"]
        studio.workshop.benches.most_lost = 2
        for _ in range(2):
            assert build(client, target=target, agent="stuck")[-1][0] == "done"
        asked = {"target": target, "agent": "random"}
        refused = client.post("/api/builds", json=asked)
        assert refused.status_code == 503
        assert refused.json()["message"].endswith("restart the studio")
        assert client.post("/api/check", json={"bricks": [brick(0, 0, 0)]}).status_code == 200
        trouble.free.set()
        wait_for(lambda: client.post("/api/builds", json=asked).status_code == 200)
