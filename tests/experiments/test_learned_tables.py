"""Tables on networks that the paper does not have, from records alone."""

import json
from pathlib import Path
from typing import Any

from brickbybrick.experiments.job import Job, to_record
from brickbybrick.experiments.learned_tables import believed_table, rewarded_table
from brickbybrick.experiments.paper import SCALES
from brickbybrick.experiments.results import Results

SCALE = SCALES["paper"]


def write(runs: Path, job: Job, log: list[dict[str, float]], **result: Any) -> None:
    folder = runs / job.name
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps({"job": to_record(job), **result}))
    (folder / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in log))


def test_networks_are_compared_at_the_same_samples(tmp_path: Path) -> None:
    """B3's tests are further apart: at 25,000 samples there was none yet."""
    results = Results(tmp_path, SCALE)
    assert rewarded_table(results) == ""
    for job in SCALE.rewards:
        curve = [(20_000, 0.5), (100_000, 0.6), (400_000, 0.7)]
        write(tmp_path, job, [{"steps": steps, "test_iou": iou} for steps, iou in curve])
    for seed, job in enumerate(SCALE.seeded("mnist", SCALE.longest)):
        write(tmp_path, job, [{"steps": steps, "test_iou": 0.3 + seed / 10} for steps in (98_304, 2_000_000)])
    rows = [line.split(" | ") for line in rewarded_table(Results(tmp_path, SCALE)).splitlines() if "| mnist" in line]
    assert [row[1:] for row in rows] == [
        ["25,000", "", "0.500 ± 0.000 |"],
        ["100,000", "0.400 ± 0.100", "0.600 ± 0.000 |"],
        ["300,000", "0.400 ± 0.100", "0.600 ± 0.000 |"],
        ["to the end", "0.400 ± 0.100", "0.700 ± 0.000 |"],
    ]


def test_beliefs_of_each_kind_have_a_row(tmp_path: Path) -> None:
    assert believed_table(Results(tmp_path, SCALE)) == ""
    kinds = {
        "modelnet-bed": {"targets": 4, "hull_iou": 0.5, "belief_iou": 0.75, "entropy": 0.25},
        "random": {"targets": 200, "hull_iou": 0.8, "belief_iou": 0.9, "entropy": 0.125},
    }
    write(tmp_path, SCALE.volume, [], aside=kinds)
    table = believed_table(Results(tmp_path, SCALE))
    assert "| modelnet-bed | 4 | 0.500 | 0.750 | 0.250 |" in table
    assert "| random | 200 | 0.800 | 0.900 | 0.125 |" in table
