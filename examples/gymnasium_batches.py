"""Many environments as Gymnasium puts them together, one by one or in processes, and as our compiled batch.

Run it with: python examples/gymnasium_batches.py [STEPS]
"""

import sys
import time

import gymnasium

ID = "brickbybrick:brickbybrick/Mnist-v0"  # the part before the colon is imported


def main(steps: int = 200, num_envs: int = 8) -> None:
    for mode in ("sync", "async", "vector_entry_point"):
        envs = gymnasium.make_vec(ID, num_envs=num_envs, vectorization_mode=mode, digit=3)
        envs.action_space.seed(0)
        _, info = envs.reset(seed=0)
        ended = 0
        start = time.perf_counter()
        for _ in range(steps):
            actions = envs.action_space.sample(mask=info["action_mask"])
            _, _, terminated, _, info = envs.step(actions)
            ended += terminated.sum()
        rate = steps * num_envs / (time.perf_counter() - start)
        print(f"{mode}: {ended} episodes, {rate:,.0f} steps/s")
        envs.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
