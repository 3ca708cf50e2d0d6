"""Runs beside each other: interquartile means and their intervals, as rliable defines them and scipy works them out."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy import stats

from brickbybrick.errors import InputError
from brickbybrick.experiments.comparison import (
    Kind,
    check_figure,
    draw_comparison,
    find_runs,
    interquartile_mean,
    interval,
    kinds_of,
    said,
)

ROOT = Path(__file__).parents[2]


def write_run(folder: Path, values: dict[int, float], **settings: object) -> Path:
    """A run that was tested after so many steps, in a folder."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"task": "mnist-3", "seed": 0, "gamma": 0.5} | settings))
    lines = [{"steps": step, "seconds": step / 10, "test_iou": value} for step, value in values.items()]
    (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def kept_kinds() -> list[Kind]:
    """B3 and MLP on ten digits, three seeds each, as they come with the results."""
    folders = [path for agent in ("b3", "mlp") for path in sorted(ROOT.glob(f"results/runs/mnist-?/{agent}-?"))]
    assert len(folders) == 60
    return kinds_of(find_runs(folders))


def test_the_middle_is_without_the_lowest_and_the_highest_quarter() -> None:
    assert interquartile_mean(np.array([0.0, 0.4, 0.6, 90.0])) == pytest.approx(0.5)
    assert interquartile_mean(np.array([[0.1, 0.2, 0.6], [1.0, 2.0, 3.0]])) == pytest.approx([0.3, 2.0])  # too few


def test_intervals_are_those_of_scipys_bootstrap() -> None:
    """It draws anew from each sample, as is done here from each task; by as many draws, but other ones."""
    rng = np.random.default_rng(5)
    tasks = [rng.normal(level, 0.1, (runs, 1)) for level, runs in ((0.3, 5), (0.5, 8), (0.4, 5))]

    def middle(*samples: np.ndarray, axis: int) -> np.ndarray:
        return stats.trim_mean(np.concatenate(samples, axis=axis), 0.25, axis=axis)

    samples = [task[:, 0] for task in tasks]
    known = stats.bootstrap(samples, middle, method="percentile", n_resamples=10_000, rng=rng).confidence_interval
    found, low, high = interval(tasks)
    assert found[0] == pytest.approx(middle(*samples, axis=0))
    assert (low[0], high[0]) == pytest.approx((known.low, known.high), abs=2e-3)
    assert low[0] < found[0] < high[0]


def test_b3_ends_above_mlp_on_the_ten_digits() -> None:
    """As the report has it, beyond what the seeds leave open."""
    b3, mlp = (kind.ending("test_return") for kind in kept_kinds())
    assert [(end.name, end.tasks, end.runs) for end in (b3, mlp)] == [("b3", 10, 30), ("mlp", 10, 30)]
    assert b3.low > mlp.high


def test_runs_that_differ_in_seed_and_task_alone_are_one_kind(tmp_path: Path) -> None:
    for task in ("mnist-3", "mnist-4"):
        for seed in (0, 1):
            write_run(tmp_path / f"{task}-b3-{seed}", {0: 0.1, 10: 0.2 + seed}, task=task, seed=seed)
    write_run(tmp_path / "mnist-3-mlp-0", {0: 0.1, 10: 0.2}, messages="none")
    kinds = kinds_of(find_runs([tmp_path]))
    assert [(kind.name, len(kind.runs)) for kind in kinds] == [("b3", 4), ("mlp", 1)]
    end = kinds[0].ending("test_iou")
    assert (end.tasks, end.runs, end.steps, end.mean) == (2, 4, 10, pytest.approx(0.7))
    assert end.deviation == pytest.approx(np.std([0.2, 1.2], ddof=1))  # between seeds


def test_kinds_called_alike_tell_what_differs(tmp_path: Path) -> None:
    for place, gamma in enumerate((0.5, 0.9)):
        write_run(tmp_path / str(place) / "mine", {0: 0.1}, gamma=gamma)
    assert [kind.name for kind in kinds_of(find_runs([tmp_path]))] == ["mine, gamma 0.5", "mine, gamma 0.9"]


def test_curves_go_as_far_as_the_shortest_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a-0", {0: 0.1, 10: 0.3, 20: 0.5})
    write_run(tmp_path / "a-1", {0: 0.3, 10: 0.5}, seed=1)
    (kind,) = kinds_of(find_runs([tmp_path, tmp_path / "a-0"]))  # named twice, counted once
    band = kind.band("test_iou")
    assert band.x.tolist() == [0, 10]
    assert band.middle == pytest.approx([0.2, 0.4])
    assert (band.low, band.high) == (pytest.approx([0.1, 0.3]), pytest.approx([0.3, 0.5]))  # one run twice
    assert kind.band("test_iou", "seconds").x.tolist() == [0, 1]


def test_a_picture_is_drawn_of_one_task_and_of_several(tmp_path: Path) -> None:
    for task in ("mnist-3", "mnist-4", "mnist-5", "mnist-6", "mnist-7"):
        write_run(tmp_path / "runs" / f"{task}-b3-0", {0: 0.1, 2_000: 0.3}, task=task)
    runs = find_runs([tmp_path / "runs"])
    shapes = []
    for number in (1, 5):
        path = tmp_path / f"{number}.png"
        draw_comparison(kinds_of(runs[:number]), "test_iou", "steps", path)
        with Image.open(path) as picture:
            shapes.append(picture.size)
            colours = picture.convert("RGB").getcolors(picture.width * picture.height)
        assert colours is not None
        assert (0x1E, 0x5A, 0xA8) in {colour for _, colour in colours}
    assert shapes[1][0] > shapes[0][0]


def test_figures_are_said_in_words() -> None:
    assert said("test_iou") == "IoU on unseen targets"
    assert said("rollout_episode_return") == "episode return while learning"
    assert said("policy_loss") == "policy loss"


def test_what_is_no_run_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run that was tested"):
        find_runs([tmp_path])
    folder = write_run(tmp_path / "run", {0: 0.1})
    with pytest.raises(InputError, match="not all of these runs have a figure named entropy: choose from test_iou"):
        check_figure(find_runs([folder]), "entropy")
    for damaged in ("[1]", "{", "{}x"):
        (folder / "config.json").write_text(damaged)
        with pytest.raises(InputError, match="is no run that can be read"):
            find_runs([folder])
    later = [write_run(tmp_path / f"late-{seed}", {seed: 0.1}, seed=seed) for seed in (1, 2)]
    with pytest.raises(InputError, match="no test in common"):
        kinds_of(find_runs(later))[0].ending("test_iou")
