"""b3 optimum and b3 ambiguity, as a user runs them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import b3, refusal
from meshes import write_box

from brickbybrick.bounds import ambiguity
from brickbybrick.bounds.yardstick import load_known
from brickbybrick.cli import main
from brickbybrick.targets.target import Target


def test_the_yardstick_says_what_share_of_the_optimum_is_reached(tmp_path: Path) -> None:
    figures = json.loads(b3("evaluate", "mnist-1", "--targets", "5", "--yardstick", "--json").stdout)
    shares = [each["iou"] / each["optimum"] for each in figures["per_target"].values()]
    assert figures["iou_share_of_optimum"] == pytest.approx(sum(shares) / 5)
    assert figures["optimum_proven"] == 1
    out = str(tmp_path / "optima.json")
    best = json.loads(b3("optimum", "mnist-1", "--targets", "5", "--anew", "--out", out, "--json").stdout)
    assert best["proven"] == 1
    assert best["iou_mean"] == pytest.approx(figures["optimum_mean"])
    assert len(json.loads(Path(out).read_text())["optima"]) == 5


def test_the_table_has_what_is_known_of_each_target_and_the_means(capsys: pytest.CaptureFixture[str]) -> None:
    main(["optimum", "mnist-1", "--targets", "3", "--json"])
    figures = json.loads(capsys.readouterr().out)
    each = figures["per_target"].values()
    assert figures["gap_mean"] == pytest.approx(sum(best["gap"] for best in each) / 3) == 0
    assert figures["bound_mean"] == pytest.approx(sum(best["bound"] for best in each) / 3)
    assert figures["proven"] == figures["close"] == 1
    main(["optimum", "mnist-1", "--targets", "3"])
    printed = capsys.readouterr().out
    for head in ("best known", "bound", "gap", "proven by"):
        assert head in printed
    for name, best in figures["per_target"].items():
        row = next(line for line in printed.splitlines() if name in line)
        assert row.count(f"{best['iou']:.3f}") == 2  # the best and the bound
        assert best["method"] in row
    assert f"{figures['iou_mean']:.3f}" in next(line for line in printed.splitlines() if " mean " in line)


def test_bounds_are_tightened_and_kept_target_by_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a file in which the bounds of three digits are loose."""
    out = tmp_path / "optima.json"
    arguments = ["optimum", "mnist-4", "--targets", "3", "--out", str(out), "--json"]
    main(arguments)
    known = json.loads(capsys.readouterr().out)
    record = json.loads(out.read_text())
    record["optima"] = {key: [best, bound + 12, "volume"] for key, (best, bound, _) in record["optima"].items()}
    out.write_text(json.dumps(record))
    load_known.cache_clear()  # else the file is taken to be as it was
    main([*arguments, "--tighten"])
    tight = json.loads(capsys.readouterr().out)
    assert tight["iou_mean"] == known["iou_mean"]
    assert tight["per_target"].keys() == known["per_target"].keys()
    for name, best in tight["per_target"].items():
        assert best["bound"] >= known["per_target"][name]["bound"]
    kept = json.loads(out.read_text())["optima"]
    assert all(kept[key][1] <= bound for key, (_, bound, _) in record["optima"].items())
    assert "relaxation" in {method for *_, method in kept.values()}


def test_what_views_leave_open_is_asked_of_every_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind, sides in (("bar", (14, 2, 2)), ("slab", (12, 8, 2)), ("tower", (4, 4, 14))):
        for number in range(4):
            write_box(tmp_path / "test" / f"{kind}-{number}.off", sides)
    write_box(tmp_path / "train/box.off", (4, 4, 4))
    asked: list[str] = []

    def record(targets: Sequence[Target], *_: Any) -> dict[str, float]:
        asked.extend(target.name for target in targets)
        return {"targets": float(len(targets))}

    monkeypatch.setattr(ambiguity, "ambiguity", record)
    main(["ambiguity", str(tmp_path), "--targets", "3", "--json"])
    assert json.loads(capsys.readouterr().out) == {"targets": 3}
    assert [name.partition("-")[0] for name in asked] == ["bar", "slab", "tower"]


def test_the_views_of_a_box_leave_nothing_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_box(tmp_path / "box.off", (6, 4, 4))
    main(["ambiguity", str(tmp_path), "--samples", "2", "--work", "1000", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert (figures["hull_iou"], figures["alike_iou"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["optimum", "mnist-0", "--seconds", "0"], "more than 0"),
        (["optimum", "mnist-0", "--targets", "0"], "targets is 0"),
        (["optimum", "mnist-0", "--anew", "--tighten"], "give one of them"),
        (["ambiguity", "random", "--samples", "0"], "samples is 0"),
        (["ambiguity", "mnist-0", "--targets", "1"], "three views"),
    ],
)
def test_mistakes_end_in_one_line(arguments: list[str], complaint: str) -> None:
    assert complaint in refusal(*arguments)
