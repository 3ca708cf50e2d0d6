"""All kinds of jobs, by the names that their records carry."""

from typing import Any

from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import Beyond
from brickbybrick.experiments.job import Job
from brickbybrick.experiments.learning_jobs import Imitation, Teaching, Training, Validity
from brickbybrick.experiments.measuring_jobs import Contents, Evaluation, Timing

KINDS: dict[str, type[Job]] = {
    kind.kind: kind for kind in (Training, Teaching, Imitation, Validity, Evaluation, Timing, Contents, Beyond)
}


def from_record(record: dict[str, Any]) -> Job:
    """The job of a record that `to_record` made."""
    record = dict(record)
    kind = KINDS.get(record.pop("kind", ""))
    if kind is None:
        raise InputError("a job of no known kind")
    return kind(**record)
