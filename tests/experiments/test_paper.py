"""The grid of jobs behind the paper's figures and tables."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.experiments.learning_jobs import Imitation, Rewarded, Teaching, Training, Validity, Volume
from brickbybrick.experiments.measuring_jobs import Contents, Evaluation, Timing
from brickbybrick.experiments.paper import SCALES, jobs_of


def test_every_job_has_a_folder_of_its_own() -> None:
    jobs = jobs_of(SCALES["paper"])
    learned = {Training, Teaching, Rewarded, Volume, Imitation, Validity}
    assert {type(job) for job in jobs} == learned | {Evaluation, Timing, Contents}
    assert len({job.name for job in jobs}) == len(jobs)


def test_the_papers_grid() -> None:
    """What the issue of reproducing the paper asks for: 3 seeds of each curve, searches once."""
    jobs = jobs_of(SCALES["paper"])
    trainings = [job for job in jobs if isinstance(job, Training)]
    usual = ("exact", "first", "fast")
    curves = [job for job in trainings if (job.validation, job.frame, job.preset) == usual]
    assert len([job for job in curves if job.agent in ("b3", "mlp")]) == (10 + 1 + 3) * 2 * 3
    assert len([job for job in jobs if isinstance(job, Training) and job.validation == "pretrained"]) == 3 * 3
    assert len([job for job in jobs if isinstance(job, Evaluation) and job.builder == "bo"]) == 14
    assert len(jobs_of(SCALES["paper"], ("tuned",))) == (10 + 1 + 3) * 3
    assert {(job.seed, job.steps) for job in jobs_of(SCALES["paper"], ("long",))} == {(0, 2_000_000)}
    assert jobs_of(SCALES["paper"], ("time",)) == [Timing()]
    assert len({job.name for job in jobs}) == len(jobs)
    with pytest.raises(InputError, match="no figure or table named 'x'"):
        jobs_of(SCALES["paper"], ("x",))


def test_a_little_of_everything_is_of_every_kind() -> None:
    """What runs in minutes on two cores goes through all that the whole grid goes through."""
    paper, smoke = (jobs_of(SCALES[name]) for name in ("paper", "smoke"))
    assert {type(job) for job in smoke} == {type(job) for job in paper}
    assert len(smoke) < len(paper) / 3
