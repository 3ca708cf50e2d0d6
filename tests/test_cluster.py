"""Ray: a connection for as long as it is needed, and one line where there is none."""

import sys

import pytest
import ray

from brickbybrick.cluster import ray_cluster
from brickbybrick.errors import InputError

pytestmark = pytest.mark.xdist_group("ray")  # clusters that start side by side take each other for their own


def test_a_cluster_that_others_started_is_left_running() -> None:
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        with ray_cluster() as cluster:
            assert cluster.get(cluster.remote(lambda: 6 * 7).remote()) == 42
        assert ray.is_initialized()
    finally:
        ray.shutdown()


def test_what_cannot_be_reached_is_one_line() -> None:
    with pytest.raises(InputError, match="no Ray cluster at ray-is-not-here") as told, ray_cluster("ray-is-not-here"):
        pass
    assert "\n" not in str(told.value)
    assert not ray.is_initialized()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"clusters need Ray: pip install 'brickbybrick\[ray\]'"), ray_cluster():
        pass
