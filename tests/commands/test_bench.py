"""b3 bench, as a user runs it: which targets it takes, and what it prints."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import refusal
from meshes import write_box

from brickbybrick.bench import search
from brickbybrick.cli import main
from brickbybrick.targets.target import Target


@pytest.mark.parametrize("what", ["search", "guided"])
def test_a_few_targets_are_some_of_each_kind(
    what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def record(targets: Sequence[Target], *_: Any) -> dict[str, float]:
        asked.extend(target.name for target in targets)
        return {"targets": float(len(targets))}

    monkeypatch.setattr(search, f"bench_{what}", record)
    main(["bench", what, "mnist", "--targets", "10", "--json"])
    assert json.loads(capsys.readouterr().out) == {"targets": 10}
    assert [name.partition("/")[0] for name in asked] == [f"mnist-{digit}" for digit in range(10)]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("env --seconds 0", "0.0 seconds"),
        ("env --seconds nan", "nan seconds"),
        ("search --targets 0", "targets is 0"),
        ("search --work -1", "work of 0 or more"),
        ("guided --agent mason", "mason does not propose bricks"),
        ("guided --agent nobody", "no agent named 'nobody'"),
        ("studio --builders 0", "1 to 64"),
        ("parts nothing.off", "nothing.off"),
        ("parts --size 1000", "a size of 1000 cells"),
        ("hands nothing.json", "no such file"),
    ],
)
def test_mistakes_end_in_one_line(line: str, complaint: str) -> None:
    assert complaint in refusal("bench", *line.split())


def test_parts_are_compared_on_meshes_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_box(tmp_path / "box.off", (4, 4, 4))
    main(["bench", "parts", str(tmp_path / "box.off"), "--size", "5", "--table", str(tmp_path / "table.md"), "--json"])
    bricks, plates, everything = json.loads(capsys.readouterr().out)
    assert (bricks["kinds"], plates["kinds"], everything["kinds"]) == ("bricks", "plates", "all")
    assert plates["distance"] == plates["ratio"] * bricks["distance"]
    assert (tmp_path / "table.md").read_text().startswith("| mesh | parts of |")


def test_handwork_is_measured_of_what_is_read_and_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_box(tmp_path / "box.off", (4, 4, 4))
    kept, table = tmp_path / "kept", tmp_path / "table.md"
    main(["bench", "hands", str(tmp_path / "box.off"), "--size", "5", "--kept", str(kept), "--json"])
    (built,) = json.loads(capsys.readouterr().out)
    main(["bench", "hands", str(kept), "--table", str(table), "--json"])
    (read,) = json.loads(capsys.readouterr().out)
    assert (built["parts"], read["parts"]) == ("plates", "-")
    assert all(read[name] == built[name] for name in ("bricks", "chunks", "steps", "largest", "to_hold", "unseen"))
    assert table.read_text().startswith("| model | parts of | bricks |")
