"""How far beyond the paper's agents one gets: drawn and told from the measurements alone."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from experiments.kept import KEPT
from PIL import Image

from brickbybrick.experiments.beyond import TASKS, load_all
from brickbybrick.experiments.beyond_report import draw_beyond, write_beyond


def kept(task: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((KEPT / f"beyond/{task}/result.json").read_text())
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


def test_a_report_of_what_was_stopped_halfway(tmp_path: Path) -> None:
    half = [replace(task, builders=dict(list(task.builders.items())[:6])) for task in load_all(KEPT / "beyond")]
    write_beyond(half, tmp_path / "BEYOND.md", draw_beyond(half, tmp_path / "beyond"))
    assert "search 1,000,000 on mnist-0, mnist-1" in (tmp_path / "BEYOND.md").read_text()


def test_guided_search_beside_the_plain_one_in_as_much_time() -> None:
    """Every point of it against the best plain search that took no longer, or against the quickest."""
    ahead = []
    for record in (kept(task) for task in TASKS):
        builders = record["builders"]
        plain = [each for name, each in builders.items() if name.startswith("learned-")]
        plain = plain or [each for name, each in builders.items() if name.startswith("search-")]
        for guided in (each for name, each in builders.items() if name.startswith("guided-")):
            as_quick = [each for each in plain if each["ms"] <= guided["ms"]] or [
                min(plain, key=lambda each: each["ms"])
            ]
            ahead.append(np.mean(guided["iou"]) - max(np.mean(each["iou"]) for each in as_quick))
    assert len(ahead) == 2 * len(TASKS)
    below, above = (np.array(ahead) < -0.0005).sum(), (np.array(ahead) > 0.0005).sum()
    claim = line_of((KEPT / "BEYOND.md").read_text(), "search guided by B3+")
    assert f"of {len(ahead)} points {below} lie below the plain search" in claim[1]
    assert f"{above} lie above it" in claim[1]
    assert claim[2] == ("yes" if above and not below else "no")
