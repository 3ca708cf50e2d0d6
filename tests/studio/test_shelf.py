"""How long targets are kept, and how many; and things to build for those who have nothing at hand."""

import httpx
from studio.conversation import gallery_target

from brickbybrick.studio.shelf import DIGITS, OBJECTS, Shelf, examples
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import TargetSet

DIGIT = "mnist-3/400"


def test_a_shelf_is_bounded_and_forgets(flat_targets: TargetSet) -> None:
    now = 0.0
    shelf = Shelf(most=3, seconds=10, clock=lambda: now)
    wanted = [Wanted(target) for target in flat_targets]
    names = [shelf.put(each) for each in wanted]
    assert len(set(names)) == 3
    assert all(len(name) >= 20 for name in names)
    assert shelf.get(names[0]) is wanted[0]
    shelf.put(wanted[0])
    assert shelf.get(names[1]) is None  # it was not asked for longest
    assert len(shelf) == 3
    now = 9
    assert shelf.get(names[0]) is wanted[0]
    now = 15
    assert shelf.get(names[0]) is wanted[0]
    assert len(shelf) == 1
    now = 26
    assert shelf.get(names[0]) is None
    assert shelf.get("nothing") is None


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
