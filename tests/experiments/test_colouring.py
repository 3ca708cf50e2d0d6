"""The fixed examples in colour: true, with few bricks more than in one colour, joined, and standing."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import b3
from PIL import Image
from targets.examples import write_examples

from brickbybrick.building import build_files
from brickbybrick.colours import MADE
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.experiments.colouring import Coloured, as_table, measured
from brickbybrick.order import Order
from brickbybrick.targets.meshes import ENDINGS

COLOURED = ("heart.png", "face.png", "landscape.png", "logo.png", "letter_i.png", "cube.glb", "globe.ply")
PLAIN = ("torus.off", "chair.obj", "ball.off", "car.off")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {path.name: path for path in write_examples(tmp_path_factory.mktemp("examples"))}


def test_all_examples_are_measured(examples: dict[str, Path]) -> None:
    assert set(examples) == {*COLOURED, *PLAIN}


@pytest.mark.parametrize("name", COLOURED + PLAIN)
def test_examples_are_true_to_what_was_brought(name: str, examples: dict[str, Path]) -> None:
    row = measured(examples[name], Order())
    assert row.joined
    assert row.stands
    assert row.steady
    assert row.iou is not None
    assert row.iou > 0.95
    if name in PLAIN:
        assert row.colour_mean is None
        assert row.bricks == row.bricks_in_one_colour
        return
    assert row.colour_mean is not None
    assert row.colour_mean < 8
    assert row.colour_close is not None
    assert row.colour_close > 0.8
    if examples[name].suffix in ENDINGS:
        assert row.ratio <= 1.35  # of parts; of bricks alone no example takes more than 1.27 times as many


@pytest.mark.parametrize("name", ["face.png", "logo.png"])
def test_no_brick_has_a_colour_that_its_size_was_not_made_in(name: str, examples: dict[str, Path]) -> None:
    ((_, made),) = build_files([examples[name]], Order())
    assert not isinstance(made, InputError)
    assert all(brick.colour in MADE[brick.part] for brick in made.construction.bricks)


def test_the_command_prints_the_same_as_a_table_and_as_json(examples: dict[str, Path], tmp_path: Path) -> None:
    path, picture = str(examples["heart.png"]), tmp_path / "models.png"
    (record,) = json.loads(b3("bench", "colour", path, "--size", "12", "--json").stdout)
    ratio = record.pop("ratio")
    row = Coloured(Construction(()), **record)
    assert row.ratio == ratio == row.bricks / row.bricks_in_one_colour
    printed = b3("bench", "colour", path, "--size", "12", "--picture", str(picture)).stdout
    assert printed.strip() == as_table([row])
    red, green, _ = np.moveaxis(np.asarray(Image.open(picture), int), 2, 0)
    assert 0.1 < np.mean((red > 100) & (green < 60)) < 0.9
    assert "| heart.png |" in as_table([row])
