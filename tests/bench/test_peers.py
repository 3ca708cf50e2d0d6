"""Other libraries' environments beside ours."""

import pytest

pytest.importorskip("jumanji")

from brickbybrick.bench.peers import bench_peers


def test_every_library_is_measured() -> None:
    figures = bench_peers(envs=4, seconds=0.1)
    assert all(rate > 0 for rate in figures.values())
    assert {name.partition("_")[0] for name in figures} == {"jumanji", "mnist"}
