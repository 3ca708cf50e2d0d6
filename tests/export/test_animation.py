"""Animations show the bricks arriving, take the time asked for, and end with the painter's picture."""

import io
from itertools import pairwise
from typing import Literal

import numpy as np
import pytest
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.animation import MOST_PIXELS, animation
from brickbybrick.picture import PALETTE, draw, paint

Kind = Literal["gif", "webp"]
COLOURS = list(PALETTE)
STAIR = Construction(tuple(PlacedBrick("2x4", 2 * i, 0, i, i % 2, COLOURS[i % len(COLOURS)]) for i in range(14)))
SIZE = (160, 120)


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
    found = frames(animation(STAIR, kind=kind, size=SIZE, seconds=0.1, hold=1.5))
    assert [duration for _, duration in found] == [100] * 13 + [1500]
    for (before, _), (after, _) in pairwise(found):
        assert (before != after).any()


@pytest.mark.parametrize(("kind", "error"), [("gif", 48), ("webp", 0)])
@pytest.mark.parametrize("colours", ["own", "steps"])
def test_every_picture_is_the_painters(kind: Kind, error: int, colours: Literal["own", "steps"]) -> None:
    for count, (picture, _) in enumerate(frames(animation(STAIR, kind=kind, size=SIZE, colours=colours)), start=1):
        painted = draw(Construction(STAIR.bricks[:count]), colours=colours, within=STAIR)
        difference = np.abs(picture - np.asarray(paint(painted, SIZE)).astype(int))
        assert difference.max() <= error
        assert difference.mean() < 1


def test_bricks_keep_their_exact_colours_in_a_gif() -> None:
    finished = frames(animation(STAIR, size=(300, 300)))[-1][0]
    for colour in COLOURS:
        assert (finished == PALETTE[colour]).all(axis=2).sum() > 20


def test_the_order_of_arrival_can_be_given() -> None:
    backwards = frames(animation(STAIR, range(13, -1, -1), kind="webp", size=SIZE))
    top = paint(draw(Construction(STAIR.bricks[13:]), within=STAIR), SIZE)
    assert (backwards[0][0] == np.asarray(top)).all()
    with pytest.raises(InputError, match="name every brick once"):
        animation(STAIR, [0, 1])


def test_a_brick_that_cannot_be_seen_takes_its_time_too() -> None:
    behind = PlacedBrick("1x1", 3, 2, 0, 0)
    wall = [PlacedBrick("1x6", 0, 0, z, 1) for z in range(3)] + [PlacedBrick("1x6", 6, 0, z, 1) for z in range(3)]
    found = frames(animation(Construction((*wall, behind, PlacedBrick("1x6", 0, 0, 3, 1))), seconds=0.2, hold=1))
    assert sum(duration for _, duration in found) == 7 * 200 + 1000


def test_a_large_model_grows_by_several_bricks_at_a_time() -> None:
    found = frames(animation(STAIR, kind="webp", size=SIZE, most_frames=4))
    assert len(found) == 4
    assert (found[-1][0] == np.asarray(paint(draw(STAIR), SIZE))).all()


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_one_brick_is_one_picture(kind: Kind) -> None:
    assert len(frames(animation(Construction(STAIR.bricks[:1]), kind=kind, size=SIZE))) == 1


def test_what_cannot_be_shown_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="without bricks"):
        animation(Construction(()))
    with pytest.raises(InputError, match=f"1 to {MOST_PIXELS}"):
        animation(STAIR, size=(5000, 100))
    with pytest.raises(InputError, match=r"0\.02 to 60"):
        animation(STAIR, seconds=0)
    with pytest.raises(InputError, match="gif or webp"):
        animation(STAIR, kind="mp4")  # type: ignore[arg-type]
