"""How far beyond the paper's agents one gets: measured end to end, and drawn from the measurements alone."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.cli import main
from brickbybrick.experiments.beyond import believed_worth, load_all
from brickbybrick.experiments.beyond_report import draw_beyond, write_beyond
from brickbybrick.targets.catalog import load_task

KEPT = Path(__file__).parents[2] / "results"


def kept(task: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((KEPT / f"beyond/{task}.json").read_text())
    return record


def line_of(text: str, begin: str, section: str = "") -> list[str]:
    """The cells of the first row that begins so, in a section."""
    row = next(line for line in text[text.index(section) :].splitlines() if line.startswith(f"| {begin}"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_the_figures_and_the_report_that_are_kept_are_drawn_again(tmp_path: Path) -> None:
    tasks = load_all(KEPT / "beyond")
    drawn = draw_beyond(tasks, tmp_path / "beyond")
    assert {path.name for path in drawn} == {path.name for path in (KEPT / "beyond").glob("*.png")}
    for path in drawn:
        assert np.array_equal(np.asarray(Image.open(path)), np.asarray(Image.open(KEPT / "beyond" / path.name))), path
    write_beyond(tasks, tmp_path / "BEYOND.md", drawn)
    assert (tmp_path / "BEYOND.md").read_text() == (KEPT / "BEYOND.md").read_text()


def test_the_report_says_what_the_measurements_say() -> None:
    text = (KEPT / "BEYOND.md").read_text()
    shares, spent = [], []
    for digit in range(10):
        record = kept(f"mnist-{digit}")
        assert record["best"] == record["bound"], "every digit's optimum is proven"
        found = record["builders"]["search-100000"]
        shares.append(np.mean([ours / best for ours, best in zip(found["iou"], record["best"], strict=True)]))
        spent.append(found["ms"])
    claim = line_of(text, "digits: search from the image")
    assert f"{np.mean(shares):.2%}, lowest class {min(shares):.2%}" in claim[1]
    assert f"slowest class {max(spent):.1f} ms" in claim[1]
    assert claim[2] == ("yes" if min(shares) >= 0.99 and max(spent) < 100 else "no")


def test_the_gap_between_b3_and_the_best_known() -> None:
    text = (KEPT / "BEYOND.md").read_text()
    record = kept("modelnet-table")
    builders = record["builders"]
    best = [max(column) for column in zip(record["best"], *(each["iou"] for each in builders.values()), strict=True)]
    low, high, ours = (np.mean(ious) for ious in (builders["b3"]["iou"], best, builders["search-1000000"]["iou"]))
    claim = line_of(text, "modelnet-table: from three views")
    assert f"best known {high:.3f}" in claim[1]
    assert f"search 1,000,000 {ours:.3f}, {(ours - low) / (high - low):.0%} of the gap" in claim[1]
    row = line_of(text, "modelnet-table", "## IoU")
    assert f"{low:.3f}" in row
    assert row[-2:] == [f"{high:.3f}", f"{np.mean(record['bound']):.3f}"]


def test_b3plus_beside_b3_and_the_optimum() -> None:
    records = [kept(f"mnist-{digit}") for digit in range(10)]
    ious = {name: [np.mean(each["builders"][name]["iou"]) for each in records] for name in ("b3plus", "b3")}
    shares = [np.mean(np.divide(each["builders"]["b3plus"]["iou"], each["best"])) for each in records]
    text = (KEPT / "BEYOND.md").read_text()
    assert f"{np.mean(shares):.1%}, lowest class {min(shares):.1%}" in line_of(text, "digits: B3+ without search")[1]
    assert line_of(text, "digits: B3+ without search")[2] == ("yes" if np.mean(shares) >= 0.95 else "no")
    above = np.greater(ious["b3plus"], ious["b3"])
    assert line_of(text, "digits: B3+ is above B3")[1].startswith(f"on {above.sum()} of 10")
    assert line_of(text, "digits: B3+ is above B3")[2] == ("yes" if above.all() else "no")


def test_agents_count_as_the_mean_over_their_seeds() -> None:
    runs = [json.loads((KEPT / f"runs/mnist-4/b3-{seed}/result.json").read_text()) for seed in range(3)]
    mean = np.mean([run["test"]["iou"] for run in runs], axis=0)
    measured = kept("mnist-4")["builders"]["b3"]
    assert measured["settings"]["seeds"] == 3
    assert measured["iou"] == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("task", ["mnist-8", "random", "modelnet-monitor"])
def test_more_work_never_makes_a_model_that_is_worth_less(task: str) -> None:
    """As far as a search can know."""
    builders = kept(task)["builders"]
    works = (1_000, 10_000, 100_000, 1_000_000)
    for kind, figure in (("volume", "iou"), ("search", "worth")):
        rows = [builders[f"{kind}-{work}"][figure] for work in works]
        assert all(list(column) == sorted(column) for column in zip(*rows, strict=True))


def test_what_a_search_believes_is_what_it_counted() -> None:
    """Cell by cell and pixel by pixel, the same as the sums that the beam keeps."""
    task = load_task("random")
    builder = SearchBuilder(task.offsets, work=1_000)
    for target in task.test.targets[:3]:
        *_, (found, _) = builder.plans(target)
        assert believed_worth(target, builder.build(target)) == found.worth


def test_two_digits_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["beyond", "--tasks", "mnist-1", "--targets", "2", "--out", str(tmp_path)]
    main(command)
    assert "BEYOND.md" in capsys.readouterr().out
    file = tmp_path / "beyond/mnist-1.json"
    record = json.loads(file.read_text())
    assert {"random", "greedy", "bo", "mlp", "b3", "search-1000", "volume-1000000"} <= set(record["builders"])
    target = load_task("mnist-1").test[1]
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


def test_a_report_of_what_was_stopped_halfway(tmp_path: Path) -> None:
    half = [replace(task, builders=dict(list(task.builders.items())[:6])) for task in load_all(KEPT / "beyond")]
    write_beyond(half, tmp_path / "BEYOND.md", draw_beyond(half, tmp_path / "beyond"))
    assert "search 1,000,000 on mnist-0, mnist-1" in (tmp_path / "BEYOND.md").read_text()


def test_measurements_of_other_targets_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "beyond").mkdir()
    content = {"schema": 1, "task": "mnist-1", "best": [1.0], "bound": [1.0], "builders": {}}
    (tmp_path / "beyond/mnist-1.json").write_text(json.dumps(content))
    with pytest.raises(SystemExit) as stopped:
        main(["beyond", "--tasks", "mnist-1", "--targets", "2", "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert "is of 1 targets, not 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--tasks", "mnist-12"], "no task named 'mnist-12'"), (["--draw-only"], "nothing was measured")],
)
def test_what_a_user_can_get_wrong(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["beyond", *options, "--out", str(tmp_path)])
    assert said in capsys.readouterr().err
