"""Agents that learn as one learn what each would by itself."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from learning.small import small, weights
from torch import Tensor

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.learning.ppo import Experience, Trainer, learn_from
from brickbybrick.learning.team import Team
from brickbybrick.learning.validation import make_validator
from brickbybrick.policies.graph_network import Room
from brickbybrick.policies.validation import Exact
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import TargetSet


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def tasks(flat_targets: TargetSet) -> list[Task]:
    """Of unequal size: what is spare in the smaller one must count for nothing."""
    every, one = flat_targets, TargetSet(tuple(flat_targets)[1:2])
    return [Task(name, offset_set("mnist"), 30, targets, targets) for name, targets in (("all", every), ("one", one))]


def trainers(tasks: list[Task]) -> list[Trainer]:
    return [Trainer(replace(small(task), seed=seed), task, Exact()) for seed, task in enumerate(tasks)]


def cut(tensor: Tensor, like: Tensor) -> Tensor:
    return tensor[tuple(slice(size) for size in like.shape)]


def test_a_step_of_a_team_is_the_step_of_each_member(tasks: list[Task]) -> None:
    """The same experience, learned from together and alone, by the gradient of the ordinary trainer."""
    members, alone = trainers(tasks), trainers(tasks)
    team = Team(members)
    next(team.run())
    for member, other in zip(members, alone, strict=True):
        other.experience = Experience(
            *(cut(part, like).clone() for part, like in zip(member.experience, other.experience, strict=True))
        )
        other.policy.load_state_dict(member.policy.state_dict())
        other.recall({name: cut(value, other.memory()[name]) for name, value in member.memory().items()})
    for part in torch.randperm(team.config.samples).reshape(team.config.minibatches, -1)[:3]:
        team.chosen.copy_(part.expand_as(team.chosen))
        told = team.learn(Room(1_000, 5_000))
        for other, losses in zip(alone, told, strict=True):
            other.chosen.copy_(part)
            torch.testing.assert_close(learn_from(other, other.judge, other.optimiser), losses, rtol=1e-4, atol=1e-6)
    for member, other in zip(members, alone, strict=True):
        torch.testing.assert_close(weights(member.policy), weights(other.policy), rtol=0, atol=4e-5)  # Adam moved 3e-4
        assert not torch.equal(weights(member.policy), weights(trainers(tasks)[0].policy))


def test_members_choose_by_their_own_weights_what_is_valid(tasks: list[Task]) -> None:
    members = trainers(tasks)
    team = Team(members)
    next(team.run())
    for number, member in enumerate(members):
        experience = member.experience
        pivots, offsets = experience.actions.unbind(-1)
        chosen = experience.mask.flatten(0, 1)[torch.arange(pivots.numel()), pivots.flatten(), offsets.flatten()]
        assert chosen.all()
        team._look()
        placed = team.place_bricks(team._needed)
        member.observer.look()
        seen = member.observer.observation
        judged = member.policy.judge(seen, member.observer.valid, placed.actions[number])
        torch.testing.assert_close(judged.log_prob, placed.log_prob[number], rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(judged.value, placed.value[number], rtol=1e-4, atol=1e-5)


def test_a_stopped_team_goes_on_as_if_nothing_had_happened(tasks: list[Task], tmp_path: Path) -> None:
    whole = trainers(tasks)
    torch.manual_seed(5)
    for reports in Team(whole).run():
        if reports[0].done == 2 * whole[0].config.samples:
            for number, member in enumerate(whole):
                save_run(tmp_path / f"{number}.safetensors", member)
    again = trainers(tasks)
    for number, member in enumerate(again):
        load_run(tmp_path / f"{number}.safetensors", member)
    for _ in Team(again).run():
        pass
    for one, other in zip(whole, again, strict=True):
        assert one.done == other.done == one.total
        assert torch.equal(weights(one.policy), weights(other.policy))


def test_who_is_not_alike_is_refused(tasks: list[Task]) -> None:
    ahead, behind = trainers(tasks)
    ahead.done = ahead.config.samples
    with pytest.raises(InputError, match="as far as each other"):
        Team([ahead, behind])
    direct = Trainer(small(tasks[0]), tasks[0], make_validator("direct", tasks[0].offsets))
    with pytest.raises(InputError, match="exact masks only"):
        Team([direct, direct])


def test_advantages_are_measured_by_each_members_own(tasks: list[Task]) -> None:
    members = trainers(tasks)
    next(Team(members).run())
    for member in members:
        advantage = member.experience.advantage
        assert advantage.mean().item() == pytest.approx(0, abs=1e-5)
        assert advantage.std().item() == pytest.approx(1, abs=1e-3)
