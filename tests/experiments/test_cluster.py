"""A real Ray cluster of two nodes on one machine, one of which is killed while trainings run on it."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from brickbybrick.experiments.cluster import run_ray
from ray.cluster_utils import Cluster

from brickbybrick.errors import InputError
from brickbybrick.experiments.engine import missing, run_local
from brickbybrick.experiments.jobs import Job, Machine, Search, Training, read_result

TRAININGS: list[Job] = [Training(task="mnist-1", preset="quick", steps=6_144, seed=seed) for seed in range(2)]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two nodes with room for one job each."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, include_dashboard=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.slow
def test_a_node_that_is_lost_costs_no_result(cluster: Cluster, tmp_path: Path) -> None:
    there, here = tmp_path / "ray", tmp_path / "local"
    checkpoints = [there / job.name / "checkpoint.safetensors" for job in TRAININGS]
    killed: list[bool] = []

    def kill_a_node() -> None:
        deadline = time.monotonic() + 120
        while not all(path.exists() for path in checkpoints) and time.monotonic() < deadline:
            time.sleep(0.05)
        killed.append(missing(TRAININGS, there) == TRAININGS)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    accident = threading.Thread(target=kill_a_node, daemon=True)
    accident.start()
    run_ray(TRAININGS, there, Machine(), workers=2)
    accident.join()
    assert killed == [True]  # in the middle of both
    run_local(TRAININGS, here, Machine(), workers=2)
    for job in TRAININGS:
        results = [read_result(root / job.name) for root in (there, here)]
        assert results[0] is not None
        assert results[1] is not None
        assert results[0]["test"] == results[1]["test"]
        names = [sorted(path.name for path in (root / job.name).iterdir()) for root in (there, here)]
        assert names[0] == names[1] == ["agent.safetensors", "config.json", "log.jsonl", "result.json"]
        weights = [(root / job.name / "agent.safetensors").read_bytes() for root in (there, here)]
        assert weights[0] == weights[1]
    said: list[str] = []
    run_ray(TRAININGS, there, Machine(), 2, progress=lambda _job, what: said.append(what))
    assert said == []
    with pytest.raises(InputError, match=r"1 jobs failed, first modelnet-table/greedy: .*nowhere"):
        run_ray([Search(task="modelnet-table", builder="greedy")], there, Machine(data="nowhere"), workers=1)
