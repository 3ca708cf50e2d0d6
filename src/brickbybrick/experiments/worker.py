"""A worker of the local engine: `python -m brickbybrick.experiments.worker FOLDER` does the job in that folder."""

import json
import sys
from pathlib import Path

from brickbybrick.errors import InputError
from brickbybrick.experiments.engine import JOB
from brickbybrick.experiments.job import Machine, perform
from brickbybrick.experiments.jobs import from_record


def main(folder: Path) -> int:
    """Does a job; 2 stands for something that a user can put right."""
    try:
        record = json.loads((folder / JOB).read_text(encoding="utf-8"))
        perform(from_record(record["job"]), folder, Machine(**record["machine"]))
    except InputError as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
