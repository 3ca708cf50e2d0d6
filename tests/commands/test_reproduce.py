"""b3 reproduce and b3 beyond, as a user runs them; all of the first in small takes minutes: see `make smoke`."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from command_line import refusal

from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.cli import main
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import spread


def test_drawing_from_nothing_is_one_line(tmp_path: Path) -> None:
    assert refusal("reproduce", "--draw-only", "--out", str(tmp_path)) == (
        f"b3: no results in {tmp_path / 'runs'}: run without --draw-only, or name their folder with --out"
    )
    assert not list(tmp_path.iterdir())


def test_a_list_of_what_is_missing_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["reproduce", "--dry-run", "--only", "mnist", "--seeds", "2", "--out", str(tmp_path)])
    said = capsys.readouterr().out
    assert "70 jobs are missing" in said  # 10 digits: B3 and MLP with 2 seeds, and BO, greedy and random
    assert "mnist-9/mlp-1" in said
    assert not list(tmp_path.iterdir())


def test_a_table_is_made_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the tasks of the small scale consist of, which takes no training."""
    main(["reproduce", "--preset", "smoke", "--only", "tasks", "--out", str(tmp_path)])
    assert capsys.readouterr().out == f"report: {tmp_path / 'REPORT.md'}\n"
    for task in ("mnist-0", "random"):
        found = json.loads((tmp_path / f"runs/{task}/contents/result.json").read_text())
        row = f"| {task} | {found['train']} | {found['test']} | {found['offsets']} |"
        assert row in (tmp_path / "REPORT.md").read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--only nothing", "no figure or table named 'nothing': choose among tasks, mnist,"),
        ("--seeds 0", "seeds is 0"),
        ("--only tasks --workers 0", "workers is 0"),
    ],
)
def test_mistakes_end_in_one_line(line: str, complaint: str, tmp_path: Path) -> None:
    assert complaint in refusal("reproduce", *line.split(), "--out", str(tmp_path))


def test_two_digits_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["beyond", "--tasks", "mnist-1", "--targets", "2", "--out", str(tmp_path)]
    main(command)
    assert "BEYOND.md" in capsys.readouterr().out
    file = tmp_path / "beyond/mnist-1/result.json"
    record = json.loads(file.read_text())
    assert {"random", "greedy", "bo", "mlp", "b3", "search-1000", "volume-1000000"} <= set(record["builders"])
    target = spread(load_task("mnist-1").test, 2)[1]
    for each in record["builders"].values():
        assert len(each["iou"]) == 2
        assert 0 < each["ms"] <= each["ms_most"]
        assert max(np.subtract(each["iou"], record["best"])) <= 0, "nobody is better than the optimum"
    built = SearchBuilder(load_task("mnist-1").offsets, work=1_000).build(target)
    assert record["builders"]["search-1000"]["iou"][1] == round(built.iou or 0, 6)
    assert (tmp_path / "beyond/digits.png").exists()
    text = (tmp_path / "BEYOND.md").read_text()
    assert "everyone on mnist-0, mnist-2" in text
    assert re.search(r"\| mnist-1 \|( 0\.\d{3} \|)+", text)

    before = file.read_bytes()
    main(command)
    assert file.read_bytes() == before, "who was measured is not measured again"

    with pytest.raises(SystemExit) as stopped:
        main([*command[:-3], "3", *command[-2:]])
    assert stopped.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "is of 2 targets, not 3: give another folder" in said, "measurements of other targets are not mixed"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tasks", "mnist-12"], "no task named 'mnist-12'"),
        (["--draw-only"], "nothing was measured"),
        (["--targets", "0"], "targets is 0"),
    ],
)
def test_what_a_user_can_get_wrong(options: list[str], said: str, tmp_path: Path) -> None:
    assert said in refusal("beyond", *options, "--out", str(tmp_path))
