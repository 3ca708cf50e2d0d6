"""Things to build for those who have nothing at hand."""

import json

import httpx
import numpy as np
import pytest
from studio.conversation import gallery_target, picture_of

from brickbybrick.order import Order
from brickbybrick.studio.gallery import ACROSS, DIGITS, OBJECTS, examples, sections
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.solids import SOLIDS
from brickbybrick.targets.things import DRAWINGS

DIGIT = "mnist-3/400"


def test_the_gallery_has_things_and_the_papers_targets(client: httpx.Client) -> None:
    answer = client.get("/api/gallery")
    assert len(answer.content) < 500_000
    things, targets = answer.json()["sections"]
    assert (things["title"], targets["title"]) == ("Things to build", "The paper's targets")
    assert [item["name"] for item in things["items"]] == [*DRAWINGS, *SOLIDS]
    assert {item["kind"] for item in things["items"]} == {"picture", "mesh"}
    assert not any("views" in item for item in things["items"])
    assert {len(item["views"]) for item in targets["items"]} == {1, 3}
    for item in targets["items"]:
        for view in item["views"]:
            assert [len(row) for row in view["rows"]] == [14] * 14
            assert set("".join(view["rows"])) == {"0", "1"}
    for item in (*things["items"], *targets["items"]):
        preview = picture_of(item["preview"])
        assert 40 < max(preview.size) <= ACROSS
        assert len(preview.getcolors(100_000)) >= 2  # something, on nothing
    shown = gallery_target(client, DIGIT)
    assert shown["views"] == next(item["views"] for item in targets["items"] if item["name"] == DIGIT)
    assert "hull" not in shown


def test_no_agent_has_seen_an_example() -> None:
    """They come from the test targets, which training leaves alone."""
    found = {name: sent.fixed.target for name, sent in examples().items() if sent.fixed is not None}
    assert len(found) == 10 * DIGITS + OBJECTS
    tasks = {name.partition("/")[0] for name in found}
    assert tasks == {"random", *(f"mnist-{digit}" for digit in range(10))}
    for task in sorted(tasks):
        trained = {target.volume.tobytes() for target in load_task(task).train.targets}
        for name, target in found.items():
            if name.startswith(f"{task}/"):
                assert target.volume.tobytes() not in trained


@pytest.mark.parametrize("name", [*DRAWINGS, *SOLIDS])
def test_every_thing_can_be_read_for_the_mason_and_for_agents(name: str) -> None:
    sent = examples()[name]
    wanted = sent.read(Order())
    assert wanted.target.name == name
    assert wanted.target.paint is not None
    assert wanted.reading.size is not None
    assert 24 <= wanted.reading.size <= 48
    assert not any("lost" in note or "open" in note for note in wanted.notes)
    seen = sent.read(Order(agent="greedy")).target
    assert seen.images.shape[1:] == (14, 14)
    assert np.count_nonzero(seen.images[0]) >= 20


def test_examples_are_made_once() -> None:
    assert sections() is sections()
    assert json.dumps(sections())
    assert all(one is other for one, other in zip(examples().values(), examples().values(), strict=True))


def test_examples_have_names_for_people() -> None:
    titles = {item["name"]: item["title"] for section in sections() for item in section["items"]}
    assert titles["heart"] == "Heart"
    assert {titles["mnist-3/400"], titles["mnist-3/401"]} == {"Digit 3"}
    assert titles["random/0800"] == "Object 0800"
