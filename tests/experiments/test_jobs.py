"""Every kind of job survives JSON, which is how it travels to workers and into records."""

import json

import pytest

from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import Beyond
from brickbybrick.experiments.job import to_record
from brickbybrick.experiments.jobs import KINDS, from_record
from brickbybrick.experiments.paper import SCALES, jobs_of


def test_every_job_survives_json() -> None:
    jobs = [*jobs_of(SCALES["paper"]), Beyond(task="mnist-0", targets=3)]
    assert {type(job) for job in jobs} == set(KINDS.values())
    for job in jobs:
        assert from_record(json.loads(json.dumps(to_record(job)))) == job
    with pytest.raises(InputError, match="no known kind"):
        from_record({"kind": "holiday"})
