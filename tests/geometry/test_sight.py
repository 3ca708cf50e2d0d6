"""What is seen of a part while others are put there is what a painter leaves of it, who paints each in its turn."""

import time

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw
from test_picture import EVERY, VIEWS, random_model

from brickbybrick.bodies import frame_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.camera import FRONT, View, in_book
from brickbybrick.geometry.faces import PLATE
from brickbybrick.geometry.sight import FINE, Sight
from brickbybrick.picture import draw


def sight_of(model: Construction, view: View) -> Sight:
    sight = Sight(view, *frame_of(model.bricks, view))
    for brick in model.bricks:
        sight.add(brick.shape, brick.pose)
    return sight


def painted(model: Construction, view: View, count: int) -> npt.NDArray[np.float64]:
    """(brick,) square stud pitches that the painter's picture of the first bricks leaves of each."""
    scale = 20
    drawing = draw(Construction(model.bricks[:count]), view=view, studs=False, within=model)
    canvas = Image.new("I", (int(scale * drawing.width) + 2, int(scale * drawing.height) + 2), -1)
    for shape in drawing.shapes:
        ImageDraw.Draw(canvas).polygon([(scale * x, scale * y) for x, y in shape.points], fill=shape.brick)
    pixels = np.asarray(canvas)
    return np.bincount(pixels[pixels >= 0], minlength=count) / scale**2


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_the_painter_leaves_as_much(view: View) -> None:
    model = random_model(view.quarters, bricks=25, span=6, layers=4, parts=EVERY)
    sight = Sight(view, *frame_of(model.bricks, view))
    for count, brick in enumerate(model.bricks, start=1):
        assert sight.add(brick.shape, brick.pose) == count - 1
        if count % 8 == 1:
            np.testing.assert_allclose(sight.points() / FINE**2, painted(model, view, count), atol=0.35)


def test_a_brick_alone_is_seen_whole_and_one_under_a_lid_not_at_all() -> None:
    low, lid = PlacedBrick("1x1", 1, 1, 0, 0), PlacedBrick("plate 4x4", 0, 0, 3, 0)
    walls = [PlacedBrick("1x4", 0, 0, 0, 1), PlacedBrick("1x3", 3, 1, 0, 0)]
    assert sight_of(Construction((low,)), FRONT).shares() == [1.0]
    shares = sight_of(Construction((low, lid, *walls)), FRONT).shares()
    assert shares[0] == 0.0
    assert shares[1] > 0.9
    assert sight_of(Construction((low, lid, *walls)), in_book(0, True)).shares()[0] > 0.1  # turned over, it is on top


def test_places_in_front_are_free_and_those_behind_are_not() -> None:
    sight = sight_of(Construction((PlacedBrick("2x4", 0, 0, 0, 1),)), FRONT)
    assert sight.is_free(np.array([(2.0, -0.5, PLATE), (2.0, 1.0, 3 * PLATE), (2.0, 3.0, PLATE)])).tolist() == [
        True,
        True,
        False,
    ]


def test_a_thousand_bricks_take_a_blink_from_each_side() -> None:
    model = random_model(0, bricks=1000, span=40, layers=6)
    start = time.process_time()
    sight_of(model, FRONT)
    assert time.process_time() - start < 1.5
