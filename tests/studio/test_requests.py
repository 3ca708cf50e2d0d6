"""What a request may hold."""

import pytest
from studio.conversation import brick

from brickbybrick.colours import RED
from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import usual_kit
from brickbybrick.studio.requests import (
    MOST_NAME,
    Build,
    Export,
    brick_of,
    bricks_of,
    named,
    record_of,
    text_of,
)


def test_only_an_object_of_plain_numbers_is_a_record() -> None:
    assert record_of(b'{"seed": 1}') == {"seed": 1}
    for content in (b"", b"[1]", b"1", b"{", b"\xff", b'{"a": NaN}', b'{"a": -Infinity}', b"[" * 100_000):
        with pytest.raises(InputError):
            record_of(content)


def test_a_brick_is_red_and_2x4_unless_it_says_otherwise() -> None:
    assert brick_of({"x": 1, "y": -2, "z": 3, "d": 1}, 7) == PlacedBrick("2x4", 1, -2, 3, 1, RED, 7)
    told = {"part": "1x2", "x": 0, "y": 0, "z": 0, "d": 0, "colour": 14, "step": 9}
    assert brick_of(told) == PlacedBrick("1x2", 0, 0, 0, 0, 14, 9)


def test_bricks_are_numbered_as_they_come() -> None:
    assert [each.step for each in bricks_of([brick(0, 0, z) for z in range(3)])] == [0, 1, 2]
    assert [each.step for each in bricks_of([brick(0, 0, z, step=5) for z in range(3)])] == [5, 5, 5]


@pytest.mark.parametrize(
    ("field", "value"),
    [("x", 1.0), ("x", True), ("x", "1"), ("x", None), ("y", 1001), ("z", -3001), ("d", 2), ("d", -1),
     ("colour", 10**9), ("step", -1), ("part", ["2x4"])],
)  # fmt: skip
def test_a_brick_that_makes_no_sense_is_refused(field: str, value: object) -> None:
    with pytest.raises(InputError):
        brick_of({**brick(0, 0, 0), field: value})


def test_a_square_brick_cannot_be_turned() -> None:
    assert brick_of(brick(0, 0, 0, 0) | {"part": "2x2"}).d == 0
    with pytest.raises(InputError, match="d is 1"):
        brick_of(brick(0, 0, 0, 1) | {"part": "2x2"})


def test_a_build_needs_a_target_and_an_agent_alone() -> None:
    asked = Build.of({"target": "a", "agent": "b"})
    assert (asked.work.bricks, asked.seed, asked.budget, asked.colours) == ((), 0, None, (RED,))
    for record in ({"target": "a"}, {"agent": "b"}, {"target": "", "agent": "b"}, {"target": 1, "agent": "b"}):
        with pytest.raises(InputError, match="is missing or no name"):
            Build.of(record)


def test_an_export_holds_each_kind_once() -> None:
    record = {"bricks": [brick(0, 0, 0)]}
    assert Export.of(record).kinds == usual_kit()
    assert Export.of({**record, "kinds": ["ldr", "json", "ldr"]}).kinds == ("ldr", "json")
    for kinds in ([], ["exe"], "ldr", [1]):
        with pytest.raises(InputError):
            Export.of({**record, "kinds": kinds})


def test_names_are_short_and_can_be_printed() -> None:
    assert named("a\n\tb\u200b ", "model") == "ab"
    assert named("", "model") == named("\n", "model") == named(None, "model") == "model"
    assert len(named("x" * 10_000, "model")) == MOST_NAME
    assert text_of({"agent": "x" * MOST_NAME}, "agent")
    with pytest.raises(InputError, match="1 to 80 characters"):
        text_of({"agent": "x" * (MOST_NAME + 1)}, "agent")
