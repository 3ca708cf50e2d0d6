"""A worker does the job in its folder; 2 stands for something that a user can put right."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from brickbybrick.experiments.engine import JOB
from brickbybrick.experiments.job import Job, Machine, read_result, to_record
from brickbybrick.experiments.measuring_jobs import Contents
from brickbybrick.experiments.worker import main


def given(folder: Path, job: Job, machine: Machine) -> Path:
    (folder / JOB).write_text(json.dumps({"job": to_record(job), "machine": asdict(machine)}))
    return folder


def test_the_job_in_a_folder_is_done_there(tmp_path: Path) -> None:
    assert main(given(tmp_path, Contents(task="mnist-1"), Machine())) == 0
    result = read_result(tmp_path)
    assert result is not None
    assert (result["train"], result["test"]) == (399, 100)


def test_what_a_user_can_put_right_is_printed_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(given(tmp_path, Contents(task="modelnet-chair"), Machine(data=str(tmp_path)))) == 2
    said = capsys.readouterr().out
    assert str(tmp_path) in said
    assert len(said.splitlines()) == 1
    assert read_result(tmp_path) is None
