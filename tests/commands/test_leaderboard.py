"""`b3 leaderboard` as a user calls it."""

import shutil
from pathlib import Path

import pytest

from brickbybrick.cli import main

RESULTS = Path(__file__).parents[2] / "results"


def test_a_builder_is_entered_checked_and_ranked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(RESULTS / "beyond", tmp_path / "beyond")
    main(["leaderboard", "--out", str(tmp_path), "--enter", "random", "--called", "Chance", "--by", "me",
          "--tasks", "mnist-1", "mnist-7"])  # fmt: skip
    assert "LEADERBOARD.md" in capsys.readouterr().out
    table = (tmp_path / "LEADERBOARD.md").read_text()
    assert "| Chance | me | images | 0 |" in table
    assert "| B3+ | brickbybrick | images |" in table
    path = tmp_path / "leaderboard" / "Chance.json"
    path.write_text(path.read_text().replace('"models":[[[', '"models":[[[1', 1))
    with pytest.raises(SystemExit) as ended:
        main(["leaderboard", "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "begins at" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--tasks", "holiday"], "no task named 'holiday' is ranked"), ([], "nothing was measured in")],
)
def test_what_is_wrong_is_one_line(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["leaderboard", "--out", str(tmp_path), *options])
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
