"""Other shapes of the environment, and Stable-Baselines3 as a client."""

import warnings

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS, random_valid
from gymnasium.utils.env_checker import check_env

from brickbybrick.envs.construction_env import ConstructionEnv
from brickbybrick.envs.wrappers import FlatActions, GraphObservation, MaskObservation
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("wrapper", [FlatActions, GraphObservation, MaskObservation])
def test_wrapped_environments_pass_too(wrapper: type[gymnasium.Wrapper], name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")  # that is the point
        check_env(wrapper(gymnasium.make(name)), skip_render_check=True)


def test_the_mask_is_in_the_observation_too() -> None:
    """As it is in the info: of pairs, and flat around a flat action."""
    pairs = MaskObservation(gymnasium.make(IDS[0]))
    flat = MaskObservation(FlatActions(gymnasium.make(IDS[0])))
    for env, shape in ((pairs, (45, 6)), (flat, (270,))):
        assert env.observation_space["action_mask"].shape == shape
        observation, info = env.reset(seed=0)
        for _ in range(3):
            np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
            assert env.observation_space.contains(observation)
            observation, _, _, _, info = env.step(env.action_space.sample(mask=observation["action_mask"]))


def test_the_graph_has_two_edges_for_each_contact() -> None:
    env = GraphObservation(gymnasium.make("brickbybrick/RandomAssembly-v0"))
    generator = np.random.default_rng(0)
    _, info = env.reset(seed=3)
    terminated = False
    while not terminated:
        observation, _, terminated, _, info = env.step(random_valid(info["action_mask"], generator))
    size, poses = BRICK_2X4, env.unwrapped.construction().poses
    contacts = {}
    for i, a in enumerate(poses):
        for j, b in enumerate(poses):
            if abs(a.z - b.z) == 1 and set(size.footprint(a)) & set(size.footprint(b)):
                difference = np.subtract(size.centre(a), size.centre(b)).tolist()
                contacts[i, j] = [*difference, int(a.d != b.d)]
    graph = observation["graph"]
    assert {tuple(link): edge.tolist() for link, edge in zip(graph.edge_links, graph.edges, strict=True)} == {
        (i, j): edge for (i, j), edge in contacts.items()
    }


def test_stable_baselines_trains_on_it() -> None:
    """A real client: 2,000 steps of MaskablePPO never meet an invalid action."""
    pytest.importorskip("sb3_contrib", reason="sb3_contrib is not installed: make test-clients")
    from sb3_contrib import MaskablePPO

    class Watch(gymnasium.Wrapper):
        invalid = 0

        def step(self, action):
            result = self.env.step(action)
            Watch.invalid += result[4]["invalid_action"]
            return result

        def action_masks(self):
            return self.env.action_masks()

    env = Watch(FlatActions(gymnasium.make(IDS[0], digit=1)))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=500, batch_size=250, n_epochs=2, seed=0, device="cpu")
    model.learn(2000)
    assert model.num_timesteps == 2000
    assert Watch.invalid == 0
    observation, _ = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
    assert env.action_masks()[action]


@pytest.mark.parametrize("action", [np.nan, 2.7, "1", -1, 270, None])
def test_flat_actions_outside_the_space_are_refused(action: object) -> None:
    env = FlatActions(ConstructionEnv("mnist-0"))
    env.reset(seed=0)
    with pytest.raises(InputError, match="action"):
        env.step(action)
