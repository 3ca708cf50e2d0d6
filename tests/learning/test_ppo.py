"""Learning: advantages by hand, a toy that is solved, runs that survive a kill."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from brickbybrick.experiments.training import read_log, train

from brickbybrick.errors import InputError
from brickbybrick.evaluation import Agent
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.checkpoint import load_agent, load_run, save_agent, save_run
from brickbybrick.learning.config import TrainConfig, preset
from brickbybrick.learning.ppo import Experience, collect, estimate_advantages, make_trainer, room_for, update
from brickbybrick.learning.validation import (
    Direct,
    Exact,
    Joint,
    Learned,
    Sampling,
    Validation,
    Validator,
    make_validator,
)
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import TargetSet, target_of_image

SMALL = {"num_envs": 4, "rollout": 8, "epochs": 2, "minibatches": 2, "width": 16, "tested": 3, "evaluations": 3}


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def shapes(flat_targets: TargetSet) -> Task:
    return Task("shapes", offset_set("mnist"), 30, flat_targets, flat_targets)


@pytest.fixture(scope="module")
def stairs() -> Task:
    """Three bricks, each one stud further to the right: 36 ways to build, one of which is right."""
    image = np.zeros((14, 14), bool)
    for step in range(3):
        image[10 - step, 5 + step : 7 + step] = True
    target = replace(target_of_image("stairs", image), budget=3)
    return Task("stairs", offset_set("mnist"), 3, TargetSet((target,)), TargetSet((target,)))


def small(task: Task, **changes: object) -> TrainConfig:
    return replace(preset("paper", task), **{**SMALL, "steps": 256, **changes})  # type: ignore[arg-type]


def test_advantages_by_hand() -> None:
    """Three steps of two environments; the first environment's episode ends at the second step."""
    reward = torch.tensor([[1.0, 0.5], [2.0, 0.0], [4.0, 1.0]])
    value = torch.tensor([[0.5, 0.2], [1.0, 0.4], [2.0, 0.6]])
    done = torch.tensor([[False, False], [True, False], [False, False]])
    empty = torch.zeros(3, 2)
    experience = Experience(*[empty] * 7, value, reward, done, torch.zeros(3, 2), torch.zeros(3, 2), empty)
    experience = experience._replace(advantage=torch.zeros(3, 2), outcome=torch.zeros(3, 2))
    estimate_advantages(experience, torch.tensor([3.0, 0.8]), gamma=0.5, gae_lambda=0.9)
    third = 4 + 0.5 * 3 - 2
    second = 2 - 1.0  # nothing follows
    first = 1 + 0.5 * 1.0 - 0.5 + 0.45 * second
    other_third = 1 + 0.5 * 0.8 - 0.6
    other_second = 0 + 0.5 * 0.6 - 0.4 + 0.45 * other_third
    other_first = 0.5 + 0.5 * 0.4 - 0.2 + 0.45 * other_second
    by_hand = torch.tensor([[first, other_first], [second, other_second], [third, other_third]])
    torch.testing.assert_close(experience.outcome, by_hand + value)
    torch.testing.assert_close(experience.advantage, (by_hand - by_hand.mean()) / by_hand.std())


def test_there_is_room_for_the_largest_minibatch(shapes: Task) -> None:
    trainer = make_trainer(
        TrainConfig(task="shapes", num_envs=4, rollout=8, minibatches=4, width=8), shapes, Exact(), "cpu"
    )
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
    trainer = make_trainer(config, stairs, Exact(), "cpu")
    agent = Agent(trainer.policy, stairs.offsets)
    for report in trainer.run():
        if report.steps % 2048 == 0 and agent.score(stairs.train.targets).iou[0] == 1:
            break
    assert agent.score(stairs.train.targets).iou[0] == 1
    assert agent.build(stairs.train[0]).iou == 1


def weights(path: Path) -> torch.Tensor:
    return torch.cat([p.flatten() for p in load_agent(path).policy.parameters()])


@pytest.mark.parametrize("validation", ["exact", "joint"])
def test_a_killed_run_ends_as_an_unbroken_one(shapes: Task, tmp_path: Path, validation: Validation) -> None:
    config = small(shapes, validation=validation)

    def way() -> Validator:
        return make_validator(validation, shapes.offsets, seed=3)

    train(config, shapes, way(), tmp_path / "unbroken")

    class KilledError(Exception):
        pass

    def kill(after: int):  # type: ignore[no-untyped-def]
        def progress(report, _record) -> None:  # type: ignore[no-untyped-def]
            if report.steps >= after:
                raise KilledError

        return progress

    for after in (64, 160, 200):  # also between two checkpoints
        with pytest.raises(KilledError):
            train(config, shapes, way(), tmp_path / "broken", progress=kill(after))
    train(config, shapes, way(), tmp_path / "broken")
    assert torch.equal(weights(tmp_path / "unbroken/agent.safetensors"), weights(tmp_path / "broken/agent.safetensors"))
    logs = [read_log(tmp_path / name / "log.jsonl") for name in ("unbroken", "broken")]
    for one, other in zip(*logs, strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}
    assert logs[0][-1]["steps"] == 256


def test_a_run_keeps_what_it_saw(shapes: Task, tmp_path: Path) -> None:
    seen = []
    train(small(shapes), shapes, Exact(), tmp_path, progress=lambda report, record: seen.append((report, record)))
    assert len(seen) == 8  # iterations
    records = read_log(tmp_path / "log.jsonl")
    assert records == [record for _, record in seen if record]
    assert {"steps", "seconds", "train_iou", "test_iou", "train_return", "test_return", "entropy"} <= set(records[0])
    assert json.loads((tmp_path / "config.json").read_text())["task"] == "shapes"


def test_a_finished_run_is_not_redone(shapes: Task, tmp_path: Path) -> None:
    train(small(shapes), shapes, Exact(), tmp_path)
    iterations = []
    train(small(shapes), shapes, Exact(), tmp_path, progress=lambda report, _: iterations.append(report))
    assert iterations == []


def test_testing_leaves_training_alone(shapes: Task) -> None:
    """Random numbers drawn for a test are not missing from training."""
    runs = []
    for tested in (False, True):
        trainer = make_trainer(small(shapes), shapes, Exact(), "cpu")
        for _ in trainer.run():
            if tested:
                Agent(trainer.policy, shapes.offsets, greedy=False).score(shapes.test.targets)
        runs.append(torch.cat([p.flatten() for p in trainer.policy.parameters()]))
    assert torch.equal(*runs)


def test_a_loss_that_is_no_number_stops_the_run(shapes: Task, tmp_path: Path) -> None:
    trainer = make_trainer(small(shapes), shapes, Exact(), "cpu")
    save_run(tmp_path / "good.safetensors", trainer)
    collect(trainer)
    estimate_advantages(trainer.experience, torch.zeros(4), 0.5, 0.9)
    trainer.experience.advantage.fill_(torch.nan)
    with pytest.raises(InputError, match="broke down"):
        update(trainer)
    assert load_agent(tmp_path / "good.safetensors").steps == 0


@pytest.mark.parametrize("damage", ["cut", "text", "version", "other", "missing"])
def test_checkpoints_that_cannot_be_used(shapes: Task, stairs: Task, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "run.safetensors"
    trainer = make_trainer(small(shapes), shapes, Exact(), "cpu")
    save_run(path, trainer)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:1000])
    elif damage == "text":
        path.write_text("not a checkpoint")
    elif damage == "version":
        path.write_bytes(path.read_bytes().replace(b'\\"version\\": 1', b'\\"version\\": 9'))
    elif damage == "other":
        trainer = make_trainer(small(stairs), stairs, Exact(), "cpu")
    else:
        save_agent(path, "b3", trainer.policy, trainer.config, 0)
    with pytest.raises(InputError) as caught:
        load_run(path, trainer)
    assert "\n" not in str(caught.value)
    assert "run.safetensors" in str(caught.value)


def test_an_agent_comes_back_from_disk(shapes: Task, tmp_path: Path) -> None:
    trainer = make_trainer(small(shapes), shapes, Exact(), "cpu")
    save_agent(tmp_path / "agent.safetensors", "me", trainer.policy, trainer.config, 7)
    saved = load_agent(tmp_path / "agent.safetensors")
    assert (saved.name, saved.config, saved.steps) == ("me", trainer.config, 7)
    before, after = (Agent(p, shapes.offsets).build_all(shapes.train.targets) for p in (trainer.policy, saved.policy))
    assert before == after


def test_ways_to_keep_invalid_actions_out(shapes: Task) -> None:
    """Exact masks never fail, checking some draws fails less than not checking, and the mask is obeyed."""
    policy = make_trainer(small(shapes), shapes, Exact(), "cpu").policy
    invalid = {}
    for way in (Exact(), Sampling(), Direct()):
        agent = Agent(policy, shapes.offsets, validator=way, greedy=False, seed=1)
        scores = agent.score(shapes.train.targets * 20)
        invalid[type(way).__name__] = scores.invalid.mean()
    assert invalid["Exact"] == 0
    assert invalid["Sampling"] < invalid["Direct"]


def test_a_networks_guess_is_the_mask(shapes: Task) -> None:
    """A network that takes only the first joint above for valid: the agent chooses nothing else."""
    torch.manual_seed(0)
    policy = make_trainer(small(shapes), shapes, Exact(), "cpu").policy
    network = ValidityNetwork(ValidityConfig(width=8))
    above = next(k for k, o in enumerate(offset_set("all").offsets) if (o.dx, o.dy, o.dz, o.d) == (0, 0, 1, 0))
    with torch.no_grad():
        network.offset_head.weight.zero_()
        network.offset_head.bias.fill_(-1)
        network.offset_head.bias[above] = 1
    bricks = Agent(policy, shapes.offsets, validator=Learned(network, shapes.offsets)).build(shapes.train[0]).bricks
    assert {(brick.x, brick.y) for brick in bricks} == {(bricks[0].x, bricks[0].y)}  # a tower


def test_a_network_beside_the_agent_learns_what_is_valid(shapes: Task) -> None:
    """After some iterations its guesses agree with the truth far better than at first."""
    validator = Joint(shapes.offsets, "cpu", seed=0)
    trainer = make_trainer(small(shapes, steps=2048), shapes, validator, "cpu")
    agreements = []
    for _ in trainer.run():
        seen = trainer.experience
        nodes, near, bricks, valid = (
            part.flatten(0, 1) for part in (seen.nodes, seen.neighbours, seen.bricks, seen.valid)
        )
        guess = validator.network.mask(nodes, near, bricks, validator.subset)
        placed = torch.arange(nodes.shape[1])[None, :] < bricks[:, None]
        agreements.append((guess == valid)[placed].float().mean().item())
    assert np.mean(agreements[-5:]) > np.mean(agreements[:3]) + 0.1


def test_unknown_ways_are_refused(shapes: Task) -> None:
    with pytest.raises(InputError, match="no validation named"):
        make_validator("guessing", shapes.offsets)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="validity network"):
        make_validator("pretrained", shapes.offsets)
    with pytest.raises(InputError, match="no preset"):
        preset("slow", shapes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="minibatches"):
        small(shapes, minibatches=5)


def test_the_papers_settings(shapes: Task) -> None:
    config = preset("paper", shapes)
    assert (config.num_envs, config.rollout, config.epochs, config.minibatches) == (8, 512, 6, 32)
    assert (config.clip, config.gae_lambda, config.entropy, config.value, config.gradient) == (0.2, 0.9, 0.01, 1, 0.5)
    assert (config.learning_rate, config.gamma, config.steps) == (1e-4, 0.5, 300_000)
    fast = preset("fast", shapes)
    assert fast.samples == config.samples == 4096
    assert replace(fast, num_envs=8, rollout=512) == config
