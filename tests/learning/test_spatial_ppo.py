"""B3+'s network by rewards alone: what it keeps, that it learns, and that a run goes on where it was stopped."""

from pathlib import Path

import numpy as np
import pytest
import torch
from learning.small import weights
from policies.begun import few

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.evaluation import evaluate
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.learning.spatial_ppo import SpatialTrainer, SpatialTraining
from brickbybrick.policies.spatial import SpatialPolicy

TINY = {"num_envs": 8, "rollout": 4, "minibatches": 4, "epochs": 2, "width": 4, "layers": 2, "evaluations": 3}


@pytest.mark.parametrize("name", ["mnist-3", "random"])
def test_what_was_chosen_could_be(name: str) -> None:
    """Places are free, their probabilities are those of the policy that drew them, and rewards add up to returns."""
    task = few(name, 4)
    trainer = SpatialTrainer(SpatialTraining(task=name, **TINY, steps=32), task)
    with torch.no_grad():
        trainer._collect()
    played = trainer.played
    for step in range(4):
        assert bool(played.free[step].flatten(1).gather(1, played.place[step][:, None]).all())
        scene = trainer._scene(*(part[step] for part in played[:4]))
        with torch.no_grad():
            log_probs, value = trainer._weighed(scene)
        torch.testing.assert_close(log_probs.gather(1, played.place[step][:, None])[:, 0], played.log_prob[step])
        torch.testing.assert_close(value, played.value[step])
    state = trainer.sim.state
    going = ~played.done.any(dim=0).numpy()  # whose first episode is not over
    assert going.any()
    np.testing.assert_allclose(state.episode_return[going], played.reward.sum(dim=0).numpy()[going], atol=1e-6)


def test_it_learns_from_rewards_alone() -> None:
    """In seconds, from 24 digits, to build far better than at random."""
    task = few("mnist-0", 24)
    config = SpatialTraining(
        task="mnist-0", steps=12_288, num_envs=64, rollout=16, minibatches=16, epochs=4, width=16, layers=4
    )
    trainer = SpatialTrainer(config, task)
    untaught = SpatialAgent(SpatialPolicy(trainer.policy.config), task.offsets)
    before = evaluate(untaught, task.train.targets).iou.mean()
    reports = list(trainer.run())
    assert reports[-1].done == 12_288
    assert evaluate(trainer.builder(), task.train.targets).iou.mean() > before + 0.15


def test_a_run_that_was_stopped_goes_on_exactly(tmp_path: Path) -> None:
    task = few("mnist-3", 5)
    config = SpatialTraining(task="mnist-3", steps=96, **TINY)
    unbroken = SpatialTrainer(config, task)
    reports = unbroken.run()
    next(reports)
    save_run(tmp_path / "run.safetensors", unbroken)
    list(reports)
    torch.manual_seed(5)
    again = SpatialTrainer(config, task)
    load_run(tmp_path / "run.safetensors", again)
    assert again.done == 32
    list(again.run())
    assert torch.equal(weights(again.policy), weights(unbroken.policy))
    assert torch.equal(weights(again.critic), weights(unbroken.critic))
