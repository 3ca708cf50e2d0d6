"""Claims hold where the figures bear them out, and the table says which reading would where the plain one does not."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from experiments.kept import KEPT

from brickbybrick.experiments.claims import CLOSE, Cell, Claim, claims, claims_table, samples
from brickbybrick.experiments.job import Job, Machine, write_result
from brickbybrick.experiments.learning_jobs import Training
from brickbybrick.experiments.measuring_jobs import Evaluation
from brickbybrick.experiments.paper import SCALES, SIGHTED
from brickbybrick.experiments.results import Results

SCALE = replace(SCALES["paper"], seeds=1, digits=("mnist-0", "mnist-1"), categories=(), validated=())


def write(root: Path, job: Job, values: float | dict[str, float], curve: dict[int, float] | None = None) -> None:
    """A result of one target, or of some by their names, and a log."""
    values = values if isinstance(values, dict) else {"a": values}
    scores = list(values.values())
    columns = {"target": list(values), "iou": scores, "return": scores, "bricks": [3] * len(scores)}
    views = {"iou": [0.6], "return": [0.6]}
    more = {"candidates_per_step": 12.0, "distinct": {"candidates_per_step": 11.0}, "views": views}
    write_result(job, root / job.name, Machine(), {"train": columns, "test": columns, **more})
    lines = [{"steps": at, "test_return": each, "train_return": each} for at, each in (curve or {}).items()]
    (root / job.name / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def row(root: Path, says: str) -> tuple[str, ...]:
    return next(claim for claim in claims(Results(root, SCALE)) if claim.says.startswith(says)).row()


def test_the_reading_that_bears_a_claim_out_is_named(tmp_path: Path) -> None:
    for task in SCALE.digits:
        write(tmp_path, Training(task=task), 0.5)
        write(tmp_path, Evaluation(task=task, builder="bo"), 0.6)
    says, text, *others, verdict, _ = row(tmp_path, "digits: B3 is better than BO")
    assert "(778)" in says
    assert (text, others, verdict) == ("0.500 against 0.600; better on 0 of 2", [""] * 6, "no")
    for task, other in zip(SCALE.digits, (0.4, 0.52), strict=True):
        write(tmp_path, Evaluation(task=task, builder="bo-kim", pool=50), other)
        curve = {100_000: 0.3, samples(task): 0.55, 600_000: 0.58}
        write(tmp_path, Training(task=task, **SCALE.tuned(task)), 0.58, curve)
        write(tmp_path, Training(task=task, **SCALE.longest), 0.65, {2_000_000: 0.65})
        write(tmp_path, Training(task=task, **SIGHTED), 0.7)
    write(tmp_path, Training(task="mnist", **SCALE.longest), {"mnist-0/400": 0.5, "mnist-1/400": 0.69, "mnist-2/1": 0})
    _, text, kim, _, tuned, longer, wider, sighted, verdict, _ = row(tmp_path, "digits: B3 is better than BO")
    assert kim.split("; ")[::2] == ["0.500 against 0.460", "tuned 0.550 against 0.460", "sighted 0.700 against 0.460"]
    assert kim.split("; ")[1::2] == ["better on 1 of 2", "better on 2 of 2", "better on 2 of 2"]
    assert tuned == "0.550 against 0.600; better on 0 of 2"
    assert longer == "0.650 against 0.600; better on 2 of 2"
    assert wider == "0.595 against 0.600; better on 1 of 2"
    assert sighted == "0.700 against 0.600; better on 2 of 2"
    assert verdict == "with Kim et al.'s BO or B3 tuned and more samples or B3 sighted"


def test_what_holds_by_the_text_needs_no_other_reading(tmp_path: Path) -> None:
    write(tmp_path, Training(task="random"), 0.5)
    write(tmp_path, Evaluation(task="random", builder="bo"), 0.5 + CLOSE / 2)
    *_, verdict, why = row(tmp_path, "random assembly: B3 is slightly below BO")
    assert (verdict, why) == ("yes", "")
    write(tmp_path, Evaluation(task="random", builder="bo"), 0.5 + 2 * CLOSE)
    *_, verdict, why = row(tmp_path, "random assembly: B3 is slightly below BO")
    assert verdict == "no"
    assert "told the views alone" in why


def test_what_removes_the_cause_is_told(tmp_path: Path) -> None:
    write(tmp_path, Training(task="random"), 0.3)
    write(tmp_path, Evaluation(task="random", builder="bo"), 0.7)
    write(tmp_path, Training(task="random", agent="sighted", preset="tuned"), 0.65)
    _, _, _, views, *_, verdict, why = row(tmp_path, "random assembly: B3 is slightly below BO")
    assert "which cells around them the images allow has 0.650" in why
    assert views == "0.300 against 0.600; sighted 0.650 against 0.600"
    assert verdict == "with BO told the views"


def test_what_is_not_measured_is_left_out(tmp_path: Path) -> None:
    assert "| digits" not in claims_table(Results(tmp_path, SCALE))
    assert Claim("x", Cell("1", holds=False), tuned=Cell("2", holds=True)).row()[-2] == "with B3 tuned"


@pytest.mark.parametrize("task", ["mnist-3", "random"])
def test_kept_runs_end_with_the_papers_samples(task: str) -> None:
    log = (KEPT / "runs" / task / "b3-0" / "log.jsonl").read_text().splitlines()
    assert json.loads(log[-1])["steps"] == samples(task)


def test_the_gap_on_kept_digits_is_what_the_logs_say() -> None:
    results = Results(KEPT / "runs", SCALES["paper"])
    says = next(claim for claim in claims(results) if "gap" in claim.says)
    ends = [results.last(f"mnist-{digit}", "train_return") for digit in range(10)]
    assert says.text is not None
    assert says.text.said.startswith(f"{np.mean([end.mean for end in ends if end]):.3f} and 0.4")
