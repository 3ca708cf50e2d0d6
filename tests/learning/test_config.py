"""The settings of a run: the paper's, and those that make no sense."""

from dataclasses import replace

import pytest
from learning.small import small

from brickbybrick.errors import InputError
from brickbybrick.learning.config import TrainConfig, agent_name, numbers, preset, with_settings
from brickbybrick.learning.spatial_ppo import SpatialTraining
from brickbybrick.policies.graph_network import VARIANTS
from brickbybrick.targets.catalog import Task, load_task


def test_the_papers_settings(shapes: Task) -> None:
    config = preset("paper", shapes)
    assert (config.num_envs, config.rollout, config.epochs, config.minibatches) == (8, 512, 6, 32)
    assert (config.clip, config.gae_lambda, config.entropy, config.value, config.gradient) == (0.2, 0.9, 0.01, 1, 0.5)
    assert (config.learning_rate, config.gamma, config.steps) == (1e-4, 0.5, 300_000)
    fast = preset("fast", shapes)
    assert fast.samples == config.samples == 4096
    assert replace(fast, num_envs=8, rollout=512) == config


def test_digits_take_a_smaller_network_and_fewer_steps_than_objects(shapes: Task) -> None:
    """Section 5 of the paper: 0.3 million steps at a discount of 0.5, and 0.5 million at 0.75."""
    digits, objects = preset("paper", shapes), preset("paper", load_task("random"))
    assert (digits.width, digits.steps, digits.gamma) == (64, 300_000, 0.5)
    assert (objects.width, objects.steps, objects.gamma) == (192, 500_000, 0.75)


def test_steps_are_rounded_up_to_whole_iterations(shapes: Task) -> None:
    assert preset("paper", shapes).iterations == 74  # 73 iterations of 4,096 are 299,008
    assert small(shapes, steps=1).iterations == 1


def test_an_agent_signs_with_the_name_of_its_ablation(shapes: Task) -> None:
    assert {agent_name(small(shapes, **changes)) for changes in VARIANTS.values()} == set(VARIANTS)
    assert agent_name(small(shapes, width=8, frame="image")) == "b3"


def test_impossible_settings_are_refused(shapes: Task) -> None:
    with pytest.raises(InputError, match="no preset"):
        preset("slow", shapes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="minibatches"):
        small(shapes, minibatches=5)
    for changes, says in (
        ({"epochs": 0}, "epochs is 0: give a whole number, from 1"),
        ({"num_envs": 2.5}, r"num_envs is 2\.5: give a whole number"),
        ({"reward": "praise"}, "'praise' is none of gated, plain, overlap"),
        ({"validation": "guessing"}, "'guessing' is none of exact, pretrained"),
    ):
        with pytest.raises(InputError, match=says):
            small(shapes, **changes)


def test_settings_of_ones_own_are_numbers_of_a_run(shapes: Task) -> None:
    config = with_settings(small(shapes), "gamma=0.9 epochs=3")
    assert config == replace(small(shapes), gamma=0.9, epochs=3)
    assert with_settings(config, "") == config
    assert {"learning_rate", "gamma", "width", "rounds", "minibatches"} <= set(numbers(TrainConfig))
    assert {"width", "layers", "clip"} <= set(numbers(SpatialTraining))
    assert not {"seed", "steps", "task", "frame", "node_features"} & set(numbers(TrainConfig))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("beauty=1", "no setting named 'beauty': choose from"),
        ("seed=1", "no setting named 'seed'"),
        ("gamma=much", "gamma is 'much': give a number"),
        ("epochs=1.5", "epochs is '1.5': give a whole number"),
        ("gamma=-0.1", "gamma is -0.1: give a number from 0 to 1"),
        ("learning_rate=inf", "learning_rate is inf: give a number from 1e-12 to 1"),
        ("epochs=0", "epochs is 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(shapes: Task, given: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        with_settings(small(shapes), given)
