"""Animations show the bricks arriving, take their time, and end with the painter's picture."""

import io
from itertools import pairwise
from typing import Literal

import numpy as np
import pytest
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.animation import HOLD, MOST_FRAMES, SECONDS, SIZE, animation
from brickbybrick.picture import PALETTE, draw, paint

Kind = Literal["gif", "webp"]
COLOURS = (0, 1, 2, 4, 14, 15, 19, 25, 27, 70, 71, 72)
STAIR = Construction(tuple(PlacedBrick("2x4", 2 * i, 0, 3 * i, i % 2, COLOURS[i % len(COLOURS)]) for i in range(14)))
SHOWN, HELD = round(1000 * SECONDS), round(1000 * HOLD)  # milliseconds


def frames(data: bytes) -> list[tuple[np.ndarray, int]]:
    """The pictures and how long each is shown, in milliseconds."""
    image = Image.open(io.BytesIO(data))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        found.append((np.asarray(image.convert("RGB")).astype(int), image.info.get("duration", 0)))
    return found


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_each_brick_has_a_picture_and_the_last_one_is_held(kind: Kind) -> None:
    found = frames(animation(STAIR, kind))
    assert [duration for _, duration in found] == [SHOWN] * 13 + [HELD]
    for (before, _), (after, _) in pairwise(found):
        assert (before != after).any()


@pytest.mark.parametrize(("kind", "error"), [("gif", 48), ("webp", 0)])
def test_every_picture_is_the_painters(kind: Kind, error: int) -> None:
    for count, (picture, _) in enumerate(frames(animation(STAIR, kind)), start=1):
        painted = draw(Construction(STAIR.bricks[:count]), within=STAIR)
        difference = np.abs(picture - np.asarray(paint(painted, SIZE)).astype(int))
        assert difference.max() <= error
        assert difference.mean() < 1


def test_bricks_keep_their_exact_colours_in_a_gif() -> None:
    finished = frames(animation(STAIR, "gif"))[-1][0]
    for colour in COLOURS:
        assert (finished == PALETTE[colour]).all(axis=2).sum() > 20


def test_a_brick_that_cannot_be_seen_takes_its_time_too() -> None:
    behind = PlacedBrick("1x1", 3, 2, 0, 0)
    wall = [PlacedBrick("1x6", x, 0, z, 1) for x in (0, 6) for z in (0, 3, 6)]
    found = frames(animation(Construction((*wall, behind, PlacedBrick("1x6", 0, 0, 9, 1))), "gif"))
    assert sum(duration for _, duration in found) == 7 * SHOWN + HELD


def test_a_large_model_grows_by_several_bricks_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_FRAMES >= 14
    monkeypatch.setattr("brickbybrick.export.animation.MOST_FRAMES", 4)
    found = frames(animation(STAIR, "webp"))
    assert len(found) == 4
    assert (found[-1][0] == np.asarray(paint(draw(STAIR), SIZE))).all()


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_one_brick_is_one_picture(kind: Kind) -> None:
    assert len(frames(animation(Construction(STAIR.bricks[:1]), kind))) == 1


def test_a_model_without_bricks_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="without bricks"):
        animation(Construction(()), "gif")
