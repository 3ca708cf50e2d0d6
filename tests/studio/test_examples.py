"""Things to build for those who have nothing at hand."""

import httpx
from studio.conversation import gallery_target

from brickbybrick.studio.examples import DIGITS, OBJECTS, examples
from brickbybrick.targets.catalog import load_task

DIGIT = "mnist-3/400"


def test_the_gallery_has_digits_and_objects(client: httpx.Client) -> None:
    targets = client.get("/api/gallery").json()["targets"]
    assert {len(target["views"]) for target in targets} == {1, 3}
    for target in targets:
        for view in target["views"]:
            assert [len(row) for row in view["rows"]] == [14] * 14
            assert set("".join(view["rows"])) == {"0", "1"}
    shown = gallery_target(client, DIGIT)
    assert shown["views"] == next(target["views"] for target in targets if target["name"] == DIGIT)
    assert "hull" not in shown


def test_no_agent_has_seen_an_example() -> None:
    """They come from the test targets, which training leaves alone."""
    found = examples()
    assert len(found) == 10 * DIGITS + OBJECTS
    tasks = {name.partition("/")[0] for name in found}
    assert tasks == {"random", *(f"mnist-{digit}" for digit in range(10))}
    for task in sorted(tasks):
        trained = {target.volume.tobytes() for target in load_task(task).train.targets}
        for name, wanted in found.items():
            if name.startswith(f"{task}/"):
                assert wanted.target.volume.tobytes() not in trained


def test_examples_are_read_once() -> None:
    assert examples() is examples()
