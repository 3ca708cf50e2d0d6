"""A search for settings, by the real Optuna: it finds what is better, gives up what is worse, goes on after a stop."""

from pathlib import Path

import pytest

from brickbybrick.errors import InputError
from brickbybrick.experiments.sweeping import Choice, Tried, Watch, choice_of, sweep
from brickbybrick.learning.config import TrainConfig
from brickbybrick.learning.spatial_ppo import SpatialTraining

pytest.importorskip("optuna", reason="Optuna is not installed")
OVER = [choice_of(text, TrainConfig) for text in ("gamma=0..1", "epochs=2,4")]


def read(settings: str) -> tuple[float, int]:
    gamma, epochs = (each.partition("=")[2] for each in settings.split())
    return float(gamma), int(epochs)


def good(_folder: Path, settings: str, _watch: Watch) -> float:
    """Best at gamma 0.8 with 4 epochs."""
    gamma, epochs = read(settings)
    return 1 - abs(gamma - 0.8) - (0.5 if epochs == 2 else 0)


def test_the_best_is_found(tmp_path: Path) -> None:
    tried: list[Tried] = []
    best = sweep(tmp_path, OVER, 25, 0, {}, good, tried.append)
    gamma, epochs = read(best.settings)
    assert gamma == pytest.approx(0.8, abs=0.1)
    assert epochs == 4
    assert best.score == max(each.score for each in tried)
    assert [each.folder.name for each in tried] == [f"trial-{number:03d}" for number in range(25)]


def test_what_is_worse_than_half_of_the_others_is_given_up(tmp_path: Path) -> None:
    seen = []

    def run(folder: Path, _settings: str, watch: Watch) -> float:
        score = -float(folder.name.removeprefix("trial-"))  # each is worse than all before
        for far in (0.0, 0.1, 0.5, 1.0):
            seen.append((folder.name, far))
            watch(far, score)
        return score

    tried: list[Tried] = []
    sweep(tmp_path, OVER, 7, 0, {}, run, tried.append)
    assert [each.ended for each in tried] == ["done"] * 5 + ["given up"] * 2
    assert seen[-1] == ("trial-006", 0.5)  # a quarter is needed before
    assert tried[-1].score == -6


def test_a_sweep_goes_on_with_the_trial_that_was_stopped(tmp_path: Path) -> None:
    done: list[tuple[str, str]] = []

    def run(folder: Path, settings: str, watch: Watch) -> float:
        done.append((folder.name, settings))
        if len(done) == 3:
            raise KeyboardInterrupt
        return good(folder, settings, watch)

    with pytest.raises(KeyboardInterrupt):
        sweep(tmp_path, OVER, 5, 0, {"task": "mnist-3"}, run, lambda _: None)
    best = sweep(tmp_path, OVER, 5, 0, {"task": "mnist-3"}, run, lambda _: None)
    assert done[2] == done[3]
    assert [folder for folder, _ in done[3:]] == ["trial-002", "trial-003", "trial-004"]
    assert len({settings for _, settings in done}) == 5  # nothing is drawn twice
    assert sweep(tmp_path, OVER, 5, 0, {"task": "mnist-3"}, run, lambda _: None) == best
    assert len(done) == 6
    with pytest.raises(InputError, match="is of another sweep, with other task; give another folder"):
        sweep(tmp_path, OVER, 5, 0, {"task": "mnist-4"}, run, lambda _: None)
    with pytest.raises(InputError, match="with other over"):
        sweep(tmp_path, OVER[:1], 5, 0, {"task": "mnist-3"}, run, lambda _: None)


def test_settings_that_do_not_go_together_are_no_end(tmp_path: Path) -> None:
    def run(folder: Path, settings: str, watch: Watch) -> float:
        if folder.name == "trial-000":
            raise InputError("learning broke down")
        return good(folder, settings, watch)

    tried: list[Tried] = []
    sweep(tmp_path, OVER, 2, 0, {}, run, tried.append)
    assert [each.ended for each in tried] == ["failed", "done"]
    with pytest.raises(InputError, match="no trial came to an end; the last one: learning broke down"):
        sweep(tmp_path / "other", OVER, 1, 0, {}, run, tried.append)


def test_choices_are_ranges_or_numbers() -> None:
    assert choice_of("learning_rate=1e-4..1e-2", TrainConfig) == Choice("learning_rate", False, 1e-4, 1e-2)
    assert choice_of("epochs=2,4,8", TrainConfig) == Choice("epochs", True, values=(2, 4, 8))
    assert choice_of("layers=2..6", SpatialTraining) == Choice("layers", True, 2, 6)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gamma", "give a setting and its range"),
        ("gamma=", "give a setting and its range"),
        ("beauty=1..2", "no setting named 'beauty': choose from .*gamma"),
        ("gamma=0.9..0.5", "the range is empty"),
        ("gamma=0.1..0.5..0.9", "a range has two ends"),
        ("epochs=1.5,2", "epochs is '1.5': give a whole number"),
        ("gamma=nan..1", "the range is empty"),
        ("seed=1..5", "no setting named 'seed'"),
    ],
)
def test_what_is_no_choice_is_one_line(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        choice_of(text, TrainConfig)
