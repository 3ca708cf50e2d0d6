"""How fast Stable-Baselines3 plays and learns on the compiled batch, beside its own ways with as many environments.

Run it with: python examples/stable_baselines_speed.py [STEPS] [ENVIRONMENTS]
"""

import sys
import time

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

from brickbybrick.envs.stable_baselines import CompiledVecEnv
from brickbybrick.envs.wrappers import FlatActions


def play(envs: VecEnv, steps: int, generator: np.random.Generator) -> None:
    for _ in range(steps // envs.num_envs):
        masks = np.stack(envs.env_method("action_masks"))  # (env, action)
        envs.step((masks * generator.random(masks.shape)).argmax(axis=1))


def main(steps: int = 16_384, num_envs: int = 16) -> None:
    one_each = [lambda: FlatActions(gymnasium.make("brickbybrick:brickbybrick/Mnist-v0", digit=3))] * num_envs
    for way in (CompiledVecEnv, DummyVecEnv, SubprocVecEnv):
        envs = CompiledVecEnv(num_envs, "mnist-3") if way is CompiledVecEnv else way(one_each)
        ppo = MaskablePPO("MultiInputPolicy", envs, n_steps=32, batch_size=256, n_epochs=4, seed=0, device="cpu")
        ppo.learn(1)  # until everything is loaded
        start = time.perf_counter()
        play(envs, steps, np.random.default_rng(0))
        between = time.perf_counter()
        ppo.learn(steps)
        played, learned = steps / (between - start), steps / (time.perf_counter() - between)
        print(f"{way.__name__}: {played:,.0f} steps/s at random, {learned:,.0f} while MaskablePPO learns", flush=True)
        envs.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
