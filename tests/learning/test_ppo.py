"""PPO: advantages by hand, a toy that is solved, and tests that leave learning alone."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from learning.small import SMALL, small, weights

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.learning.config import TrainConfig, preset
from brickbybrick.learning.learner import save_run
from brickbybrick.learning.ppo import Experience, Trainer, collect, estimate_advantages, room_for, update
from brickbybrick.policies.files import load_agent
from brickbybrick.policies.validation import Exact
from brickbybrick.targets.catalog import Task


def test_advantages_by_hand() -> None:
    """Three steps of two environments; the first environment's episode ends at the second step."""
    reward = torch.tensor([[1.0, 0.5], [2.0, 0.0], [4.0, 1.0]])
    value = torch.tensor([[0.5, 0.2], [1.0, 0.4], [2.0, 0.6]])
    done = torch.tensor([[False, False], [True, False], [False, False]])
    empty = torch.zeros(3, 2)
    experience = Experience(*[empty] * 7, value, reward, done, torch.zeros(3, 2), torch.zeros(3, 2), empty)
    experience = experience._replace(advantage=torch.zeros(3, 2), value_target=torch.zeros(3, 2))
    estimate_advantages(experience, torch.tensor([3.0, 0.8]), gamma=0.5, gae_lambda=0.9)
    third = 4 + 0.5 * 3 - 2
    second = 2 - 1.0  # nothing follows
    first = 1 + 0.5 * 1.0 - 0.5 + 0.45 * second
    other_third = 1 + 0.5 * 0.8 - 0.6
    other_second = 0 + 0.5 * 0.6 - 0.4 + 0.45 * other_third
    other_first = 0.5 + 0.5 * 0.4 - 0.2 + 0.45 * other_second
    by_hand = torch.tensor([[first, other_first], [second, other_second], [third, other_third]])
    torch.testing.assert_close(experience.value_target, by_hand + value)
    torch.testing.assert_close(experience.advantage, (by_hand - by_hand.mean()) / by_hand.std())


def test_there_is_room_for_the_largest_minibatch(shapes: Task) -> None:
    trainer = Trainer(TrainConfig(task="shapes", num_envs=4, rollout=8, minibatches=4, width=8), shapes, Exact(), "cpu")
    collect(trainer)
    bricks = trainer.experience.bricks.flatten().tolist()
    edges = [int((state >= 0).sum()) for state in trainer.experience.neighbours.flatten(0, 1)]
    order = torch.randperm(32).reshape(4, 8)
    most = [max(sum(counts[sample] for sample in part) for part in order.tolist()) for counts in (bricks, edges)]
    assert list(room_for(trainer.experience, order)) == most
    assert most[0] > 8  # there is more than the first brick to see
    assert most[1] > 0


def test_three_bricks_are_learned(stairs: Task) -> None:
    """The toy is solved: the likeliest actions build the stairs exactly."""
    config = replace(
        preset("paper", stairs),
        **{**SMALL, "num_envs": 16, "rollout": 16, "epochs": 4, "learning_rate": 2e-3},
        steps=12_000,
        frame="image",
    )
    trainer = Trainer(config, stairs, Exact())
    agent = GraphAgent(trainer.policy, stairs.offsets)
    for report in trainer.run():
        if report.done % 2048 == 0 and evaluate(agent, stairs.train.targets).iou[0] == 1:
            break
    assert evaluate(agent, stairs.train.targets).iou[0] == 1
    assert agent.build(stairs.train[0]).iou == 1


def test_testing_leaves_training_alone(shapes: Task) -> None:
    """Random numbers drawn for a test are not missing from training."""
    runs = []
    for tested in (False, True):
        trainer = Trainer(small(shapes), shapes, Exact())
        for _ in trainer.run():
            if tested:
                evaluate(GraphAgent(trainer.policy, shapes.offsets, sampled=True), shapes.test.targets)
        runs.append(weights(trainer.policy))
    assert torch.equal(*runs)


def test_a_run_counts_its_steps_and_says_when_to_test(shapes: Task) -> None:
    """256 bricks in iterations of 32; tested about three times, and at the end."""
    trainer = Trainer(small(shapes), shapes, Exact())
    reports = list(trainer.run())
    assert [report.done for report in reports] == list(range(32, 257, 32))
    assert [report.done for report in reports if report.due == "test"] == [64, 128, 192, 256]
    assert trainer.done == trainer.total == 256
    assert list(trainer.run()) == []  # a finished run is not redone


def test_a_loss_that_is_no_number_stops_the_run(shapes: Task, tmp_path: Path) -> None:
    trainer = Trainer(small(shapes), shapes, Exact())
    save_run(tmp_path / "good.safetensors", trainer)
    episodes = collect(trainer)
    estimate_advantages(trainer.experience, torch.zeros(4), 0.5, 0.9)
    trainer.experience.advantage.fill_(torch.nan)
    with pytest.raises(InputError, match="broke down after 0 steps"):
        trainer.report(episodes, update(trainer))
    assert load_agent(tmp_path / "good.safetensors").steps == 0
