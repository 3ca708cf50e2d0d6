"""The simulator as a batched environment of TorchRL, played by a small policy that keeps to the mask.

Run it with: python examples/torchrl_batch.py [STEPS] [ENVIRONMENTS]
"""

import sys
import time

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from brickbybrick.envs.torchrl import ConstructionTorchEnv


def main(steps: int = 200, num_envs: int = 64) -> None:
    env = ConstructionTorchEnv(num_envs, "mnist-3")
    env.set_seed(0)
    layers = nn.Sequential(nn.Flatten(), nn.Linear(14 * 14, 64), nn.ReLU(), nn.Linear(64, env.action_spec.n))
    logits = TensorDictModule(lambda images: layers(images.float()), in_keys=["images"], out_keys=["logits"])
    known = {"logits": "logits", "mask": "action_mask"}
    policy = ProbabilisticActor(logits, known, spec=env.action_spec, distribution_class=MaskedCategorical)
    start = time.perf_counter()
    with torch.no_grad():
        played = env.rollout(steps, policy, break_when_any_done=False)  # (env, step)
    rate = played.numel() / (time.perf_counter() - start)
    ended, invalid = (int(played["next", key].sum()) for key in ("done", "invalid_action"))
    print(f"{played.numel()} steps, {ended} episodes, {invalid} invalid actions, {rate:,.0f} steps/s")
    env.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
