"""MaskablePPO of sb3-contrib on the compiled batch.

Run it with: python examples/stable_baselines.py [STEPS] [ENVIRONMENTS]
"""

import sys

from sb3_contrib import MaskablePPO

from brickbybrick.envs.stable_baselines import CompiledVecEnv


def main(steps: int = 20_000, num_envs: int = 64) -> None:
    envs = CompiledVecEnv(num_envs, "mnist-3")
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=16, batch_size=256, gamma=0.5, seed=0, device="cpu")
    model.learn(steps)
    ious = [episode["iou"] for episode in play(model, CompiledVecEnv(20, "mnist-3", split="test"))]
    print(f"{len(ious)} unseen digits, IoU {sum(ious) / len(ious):.3f}")


def play(model: MaskablePPO, envs: CompiledVecEnv) -> list[dict[str, float]]:
    """What is told of the first episode of each environment."""
    envs.seed(0)
    seen, ended = envs.reset(), {}
    while len(ended) < envs.num_envs:
        actions, _ = model.predict(seen, action_masks=envs.action_masks(), deterministic=True)
        seen, _, over, infos = envs.step(actions)
        for env in over.nonzero()[0]:
            ended.setdefault(int(env), infos[env])
    return list(ended.values())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
