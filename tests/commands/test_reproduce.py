"""b3 reproduce, as a user runs it; the whole of it in small takes minutes, and is left to `make smoke`."""

import json
from pathlib import Path

import pytest
from command_line import refusal

from brickbybrick.cli import main


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
