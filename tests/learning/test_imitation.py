"""Learning the sequences that random objects were put together by."""

from pathlib import Path

import numpy as np
import pytest
import torch
from learning.small import weights

from brickbybrick.errors import InputError
from brickbybrick.learning.imitation import ImitationConfig, Imitator, demonstrate
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.targets.random_assembly import assembled_targets


def test_demonstrations_are_the_sequences() -> None:
    objects = assembled_targets(6)
    steps, views = demonstrate(objects)
    assert len(steps.target) == sum(len(each.actions) for each in objects)
    assert len(views.images) == 6
    chosen = steps.mask[torch.arange(len(steps.actions)), steps.actions[:, 0], steps.actions[:, 1]]
    assert chosen.all()  # what was done was valid
    for number, each in enumerate(objects):
        of_this = steps.target == number
        np.testing.assert_array_equal(steps.actions[of_this], each.actions)
        assert steps.bricks[of_this].tolist() == list(range(1, len(each.actions) + 1))


def test_a_few_sequences_are_learned_by_heart() -> None:
    """Taught two objects, the policy does in each state it was shown what was done there."""
    objects = assembled_targets(2)
    config = ImitationConfig(epochs=350, batch=11, learning_rate=7e-4, width=64)
    learner = Imitator(config, objects)
    losses = [report.figures["loss"] for report in learner.run()]
    assert losses[-1] < 0.1 * losses[0]
    steps, views = demonstrate(objects)
    with torch.no_grad():
        done = learner.policy.act(views.observation(*steps[:4]), steps.mask, greedy=True).actions
    assert (done == steps.actions).all(dim=1).float().mean() > 0.9


def test_impossible_settings() -> None:
    with pytest.raises(InputError, match="at least 1 epoch"):
        ImitationConfig(epochs=0)


def test_a_run_that_was_stopped_goes_on_exactly(tmp_path: Path) -> None:
    objects = assembled_targets(3)
    config = ImitationConfig(epochs=5, batch=16, width=8, evaluations=2)
    unbroken = Imitator(config, objects)
    stops: list[tuple[int, torch.Tensor]] = []
    for report in unbroken.run():
        if report.due:
            save_run(tmp_path / f"{report.done}.safetensors", unbroken)
        stops.append((report.done, weights(unbroken.policy)))
    saved = [int(path.stem) for path in sorted(tmp_path.iterdir())]
    assert saved == [2, 4, 5]
    for done in saved:
        torch.manual_seed(99)
        again = Imitator(config, objects)
        load_run(tmp_path / f"{done}.safetensors", again)
        assert again.done == done
        after = [(report.done, weights(again.policy)) for report in again.run()]
        assert [number for number, _ in after] == list(range(done + 1, 6))
        for (_, now), (_, wanted) in zip(after, stops[done:], strict=True):
            assert torch.equal(now, wanted)


def test_what_learned_by_imitation_signs_as_sl() -> None:
    learner = Imitator(ImitationConfig(epochs=1, width=8), assembled_targets(1))
    assert (learner.builder().name, learner.unit, learner.total) == ("sl", "epochs", 1)
