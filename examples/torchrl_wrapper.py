"""TorchRL's GymWrapper: a flat action, and the mask in the observation, which ActionMask keeps to.

Run it with: python examples/torchrl_wrapper.py [STEPS]
"""

import sys

import gymnasium
from torchrl.envs import ActionMask, GymWrapper, TransformedEnv

from brickbybrick.envs.wrappers import FlatActions, MaskObservation


def main(steps: int = 200) -> None:
    env = MaskObservation(FlatActions(gymnasium.make("brickbybrick:brickbybrick/Mnist-v0", digit=3)))
    env = TransformedEnv(GymWrapper(env, categorical_action_encoding=True), ActionMask())
    env.set_seed(0)
    played = env.rollout(steps, break_when_any_done=False)
    ended = int(played["next", "done"].sum())
    chosen = played["action_mask"].gather(1, played["action"][:, None])
    print(f"{len(played)} steps, {ended} episodes, {int((chosen == 0).sum())} invalid actions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
