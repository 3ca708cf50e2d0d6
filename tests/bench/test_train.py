"""The speed of training, as the command measures it."""

import json

from command_line import b3


def test_the_speed_of_training() -> None:
    figures = json.loads(b3("bench", "train", "--json", "--device", "cpu").stdout)
    assert {"update_ms", "update_ms_eager", "rollout_ms", "steps_per_s"} <= set(figures)
    assert all(value > 0 for value in figures.values())
