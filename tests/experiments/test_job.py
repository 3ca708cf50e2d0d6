"""A job's folder has its result once it is done, and not before."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from brickbybrick.experiments.job import RESULT, Job, Machine, Progress, Result, Tell, perform, read_result


@dataclass(frozen=True, kw_only=True)
class Counting(Job):
    """Counts to a number, or breaks off."""

    to: int
    breaks: bool = False

    @property
    def name(self) -> str:
        return f"counting/{self.to}"

    @property
    def seconds(self) -> float:
        return 0.0

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:  # noqa: ARG002 - jobs are all called alike
        for number in range(1, self.to + 1):
            tell(Progress(number, self.to, "numbers"))
        if self.breaks:
            raise ZeroDivisionError
        return {"counted": self.to, "threads": machine.threads}


def test_a_result_says_what_was_done_and_what_came_out(tmp_path: Path) -> None:
    told: list[int] = []
    job = Counting(to=3)
    assert not job.is_done(tmp_path)
    result = perform(job, tmp_path, Machine(threads=1), lambda progress: told.append(progress.done))
    assert told == [1, 2, 3]
    assert job.is_done(tmp_path)
    assert read_result(tmp_path) == result == json.loads((tmp_path / RESULT).read_text())
    assert result["job"] == {"kind": "counting", "to": 3, "breaks": False}
    assert (result["counted"], result["threads"]) == (3, 1)
    assert result["seconds"] >= 0


def test_a_job_that_breaks_off_has_no_result(tmp_path: Path) -> None:
    job = Counting(to=3, breaks=True)
    with pytest.raises(ZeroDivisionError):
        perform(job, tmp_path, Machine())
    assert not job.is_done(tmp_path)
    assert read_result(tmp_path) is None
