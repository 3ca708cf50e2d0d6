"""A search for settings that learn well, by Optuna: it says what to try next and gives up what does not look good.

A sweep is a folder: a folder of runs for each trial, and `sweep.jsonl`, Optuna's journal. It goes on where it was
stopped, with the trial that was stopped. Trials are judged on targets kept aside from training; unseen targets stay so.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from brickbybrick.errors import InputError
from brickbybrick.learning.config import PPOConfig, number_of, numbers

if TYPE_CHECKING:
    from optuna import Study, Trial

JOURNAL = "sweep.jsonl"
AT_LEAST = 5  # trials that are done before one is given up
WARM = 0.25  # of a trial, before which it is not given up
DECADE = 10  # a range that spans this factor is searched by factors
DIGITS = 3  # of a number that is tried

Watch = Callable[
    [float, float], None
]  # told how far a trial is, from 0 to 1, and how good; ends it if that is hopeless


@dataclass(frozen=True)
class Choice:
    """A setting and what it may be."""

    name: str
    whole: bool
    low: float = 0.0
    high: float = 0.0
    values: tuple[float, ...] = ()  # if it is one of these instead

    def drawn(self, trial: "Trial") -> str:
        """What Optuna would try, as b3 train takes it."""
        if self.values:
            value = trial.suggest_categorical(self.name, self.values)
        elif self.whole:
            value = trial.suggest_int(self.name, int(self.low), int(self.high))
        else:
            factors = 0 < DECADE * self.low <= self.high
            value = trial.suggest_float(self.name, self.low, self.high, log=factors)
        return f"{self.name}={value:.{DIGITS}g}" if isinstance(value, float) else f"{self.name}={value}"


@dataclass(frozen=True)
class Tried:
    """What became of a trial."""

    folder: Path
    settings: str
    ended: Literal["done", "given up", "failed"]
    score: float  # at its end, or when it was given up; nan if it failed


def choice_of(text: str, config: type[PPOConfig]) -> Choice:
    """What `learning_rate=1e-4..1e-2` or `minibatches=4,8,16` stands for."""
    name, equals, range_ = text.partition("=")
    if not equals or not range_:
        raise InputError(f"{text}: give a setting and its range, as in learning_rate=1e-4..1e-2 or epochs=2,4,8")
    values = tuple(number_of(config, name, value) for value in re.split(r"\.\.|,", range_))
    whole = numbers(config)[name] is int
    if ".." not in range_:
        return Choice(name, whole, values=values)
    if len(values) != 2:
        raise InputError(f"{text}: a range has two ends, as in 1e-4..1e-2")
    low, high = values
    if not low < high:
        raise InputError(f"{text}: the range is empty; give the smaller number first")
    return Choice(name, whole, low, high)


def sweep(
    folder: Path,
    over: Sequence[Choice],
    trials: int,
    seed: int,
    about: Mapping[str, Any],
    run: Callable[[Path, str, Watch], float],
    tell: Callable[[Tried], None],
) -> Tried:
    """Tries settings until so many trials are in the folder, and returns the best.

    Args:
        folder: Of the sweep.
        over: What to try.
        trials: How many in all.
        seed: Of what is drawn.
        about: What every trial has in common; a sweep goes on only with the same.
        run: Does a trial in a folder, with settings as text, and says how good it is.
        tell: Told what became of each.
    """
    import optuna

    study = _study(folder, seed, {**about, "over": [vars(each) | {"values": list(each.values)} for each in over]})
    wrong = ""
    while len(_known(study)) < trials or _waiting(study):
        trial = study.ask()
        place = trial.user_attrs.get("folder", f"trial-{len(_known(study)):03d}")
        settings = " ".join(each.drawn(trial) for each in over)
        trial.set_user_attr("folder", place)
        trial.set_user_attr("settings", settings)

        def watch(far: float, score: float, trial: "Trial" = trial) -> None:
            trial.report(score, round(100 * far))
            if far >= WARM and trial.should_prune():
                raise optuna.TrialPruned

        try:
            study.tell(trial, run(folder / place, settings, watch))
        except optuna.TrialPruned:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        except InputError as error:  # settings that do not go together, or with which learning breaks down
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            wrong = str(error)
        tell(_tried(folder, study.trials[trial.number]))
    done = [each for each in study.trials if each.state == optuna.trial.TrialState.COMPLETE]
    if not done:
        raise InputError(f"no trial came to an end; the last one: {wrong or 'was given up'}")
    return _tried(folder, study.best_trial)


def _study(folder: Path, seed: int, about: dict[str, Any]) -> "Study":
    """Optuna's memory of a sweep. What was running when it was stopped is to be done next, in the same folder."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        storage=optuna.storages.JournalStorage(JournalFileBackend(str(folder / JOURNAL))),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=AT_LEAST),
        study_name="sweep",
        direction="maximize",
        load_if_exists=True,
    )
    # A sampler that began with the same seed would draw again what it has drawn.
    study.sampler = optuna.samplers.TPESampler(seed=seed + len(study.trials))
    if study.user_attrs.get("about", about) != about:
        known = study.user_attrs["about"]
        different = [name for name in about if known.get(name) != about[name]]
        raise InputError(f"{folder}: is of another sweep, with other {', '.join(different)}; give another folder")
    study.set_user_attr("about", about)
    for trial in study.get_trials(states=[optuna.trial.TrialState.RUNNING]):
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
        if "settings" in trial.user_attrs:  # else it was stopped before it had begun
            study.enqueue_trial(trial.params, {"folder": trial.user_attrs["folder"]})
    return study


def _known(study: "Study") -> set[str]:
    """The folders of all trials."""
    return {trial.user_attrs["folder"] for trial in study.trials if "folder" in trial.user_attrs}


def _waiting(study: "Study") -> bool:
    return any(trial.state.name == "WAITING" for trial in study.trials)


def _tried(folder: Path, trial: Any) -> Tried:
    last = trial.intermediate_values.get(trial.last_step, math.nan)
    ended: dict[str, Literal["done", "given up", "failed"]] = {"COMPLETE": "done", "PRUNED": "given up"}
    score = math.nan if trial.state.name == "FAIL" else trial.value if trial.state.name == "COMPLETE" else last
    kept = trial.user_attrs
    return Tried(folder / kept["folder"], kept["settings"], ended.get(trial.state.name, "failed"), score)
