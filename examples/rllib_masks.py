"""PPO of RLlib, with a module that keeps to the mask that MaskObservation puts into the observation.

Run it with: python examples/rllib_masks.py [ITERATIONS]
"""

import sys

import gymnasium
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec, apis
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune import register_env
from torch import nn

from brickbybrick.envs.wrappers import FlatActions, MaskObservation


class Masked(TorchRLModule, apis.ValueFunctionAPI):
    def setup(self) -> None:
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(196, 64), nn.ReLU(), nn.Linear(64, self.action_space.n + 1))

    def _forward(self, batch, **_):
        logits = self.layers(batch["obs"]["images"].float())[:, :-1]  # the last is the value
        return {"action_dist_inputs": logits.masked_fill(batch["obs"]["action_mask"] == 0, -1e9)}

    def compute_values(self, batch, embeddings=None):  # noqa: ARG002 - RLlib's signature
        return self.layers(batch["obs"]["images"].float())[:, -1]


def main(iterations: int = 10) -> None:
    register_env("digits", lambda _: MaskObservation(FlatActions(gymnasium.make("brickbybrick:brickbybrick/Mnist-v0"))))
    config = PPOConfig().environment("digits").env_runners(num_env_runners=0).training(train_batch_size=512)
    ppo = config.rl_module(rl_module_spec=RLModuleSpec(Masked)).build_algo()
    returns = [ppo.train()["env_runners"]["episode_return_mean"] for _ in range(iterations)]
    invalid = sum(episode.get_infos(-1)["invalid_action"] for episode in ppo.env_runner.sample(num_episodes=20))
    print(f"return {returns[-1]:.3f}, {invalid} invalid actions in 20 episodes")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
