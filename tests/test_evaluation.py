"""Scores: the same alone and in a batch, of which targets, and who ended with an invalid action."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from brickbybrick.bounds.optimum import Optimum
from brickbybrick.builders.agent import GraphAgent
from brickbybrick.builders.base import Builder, RandomBuilder
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.builders.mason import MasonBuilder
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.validation import Direct
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import TargetSet

MNIST = offset_set("mnist")


def agent(**options: object) -> GraphAgent:
    torch.manual_seed(0)
    return GraphAgent(ActorCritic(ModelConfig(views=1, offsets=6, width=8)), MNIST, **options)  # type: ignore[arg-type]


BUILDERS = {"random": RandomBuilder(MNIST), "agent": agent(), "unmasked agent": agent(validator=Direct())}


@pytest.mark.parametrize("builder", BUILDERS.values(), ids=BUILDERS)
def test_scores_of_a_batch_are_those_of_each_alone(builder: Builder, flat_targets: TargetSet) -> None:
    together, alone = evaluate(builder, flat_targets), evaluate(builder, flat_targets, alone=True)
    assert together.built == alone.built
    assert together.columns() == alone.columns()
    np.testing.assert_array_equal(together.invalid, alone.invalid)
    for each in (together, alone):
        assert each.ms.shape == (3,)
        assert (each.ms > 0).all()
    assert len(set(together.ms.tolist())) == 1  # shared out evenly
    assert len(set(alone.ms.tolist())) > 1


def test_figures_are_those_of_the_bricks(flat_targets: TargetSet) -> None:
    scores = evaluate(GreedyBuilder(MNIST), flat_targets)
    for number, target in enumerate(flat_targets):
        poses = scores.built[number].poses
        assert scores.iou[number] == pytest.approx(iou(BRICK_2X4, poses, target.volume))
        assert scores.bricks[number] == len(poses)
    assert scores.means() == {
        "iou": pytest.approx(scores.iou.mean()),
        "return": pytest.approx(scores.episode_return.mean()),
        "bricks": pytest.approx(scores.bricks.mean()),
        "invalid": 0.0,
    }
    assert scores.ms_per_brick == pytest.approx(scores.ms.sum() / (scores.bricks.sum() - 3))  # the first is given
    assert scores.columns()["target"] == ["square", "ring", "stroke"]


def test_an_episode_that_ends_with_an_invalid_action_is_told_of(flat_targets: TargetSet) -> None:
    """Without masks: such an episode ends with bricks left, and what was placed before is sound."""
    targets = list(flat_targets) * 5
    scores = evaluate(agent(validator=Direct(), sampled=True, seed=1), targets)
    assert 0 < scores.invalid.mean() == scores.means()["invalid"]
    for target, built, invalid in zip(targets, scores.built, scores.invalid, strict=True):
        assert invalid == (len(built.bricks) < target.budget)
        assembly = Assembly(offsets=MNIST)
        for pose in built.poses:
            assembly.put(pose)  # refuses bricks that overlap or lie underground
    assert not evaluate(agent(), targets).invalid.any()


def test_some_targets_are_spread_over_all() -> None:
    """All digits follow each other by their class: every tenth target, and not the first ten."""
    test = load_task("mnist").test
    scores = evaluate(RandomBuilder(MNIST), test, most=10)
    assert [target.name.partition("/")[0] for target in scores.targets] == [f"mnist-{digit}" for digit in range(10)]
    assert [built.target for built in scores.built] == [target.name for target in scores.targets]
    assert len(evaluate(RandomBuilder(MNIST), test[:3], most=10).targets) == 3


def test_a_part_of_scores_is_as_if_only_that_were_built(flat_targets: TargetSet) -> None:
    whole = evaluate(GreedyBuilder(MNIST), flat_targets)
    part, own = whole[1:], evaluate(GreedyBuilder(MNIST), flat_targets.targets[1:])
    assert part.columns() == own.columns()
    assert len(part.ms) == len(part.invalid) == 2


def test_builders_that_play_no_episodes_have_scores_too(flat_targets: TargetSet) -> None:
    scores = evaluate(MasonBuilder(), flat_targets.targets[:1])
    assert scores.iou[0] == scores.built[0].iou == 1
    assert not scores.invalid.any()


def test_a_share_is_of_what_can_be_reached(flat_targets: TargetSet) -> None:
    scores = evaluate(GreedyBuilder(MNIST), flat_targets)
    optima = [Optimum(best, best, "volume", construction=None, seconds=0.0) for best in scores.iou.tolist()]
    assert scores.share_of(optima) == 1
    twice = [replace(best, bound=2 * best.bound) for best in optima]
    assert scores.share_of(twice) == pytest.approx(0.5)


def test_nothing_to_build_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to build"):
        evaluate(RandomBuilder(MNIST), [])
