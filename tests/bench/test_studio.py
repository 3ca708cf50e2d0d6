"""Many people who build at once, as the command measures them."""

import json

import pytest
from command_line import b3

from brickbybrick.bench.studio import bench_studio
from brickbybrick.errors import InputError


def test_nothing_is_lost_and_nothing_mixed() -> None:
    figures = json.loads(
        b3("bench", "studio", "--builders", "10", "--rounds", "1", "--agent", "greedy", "--json").stdout
    )
    assert (figures["builders"], figures["builds"], figures["lost"], figures["mixed"]) == (10, 10, 0, 0)
    assert figures["builds_per_s"] > 0
    assert figures["server_peak_mb_together"] < figures["server_peak_mb_alone"] + 200
    assert figures["first_brick_ms_alone"] < 1000


def test_there_must_be_builders() -> None:
    with pytest.raises(InputError, match="1 to 64"):
        bench_studio(0, 1)
