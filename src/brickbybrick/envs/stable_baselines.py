"""The compiled batch as a `VecEnv` of Stable-Baselines3, which otherwise steps one environment after the other, or
keeps one in each process."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from brickbybrick.envs.construction_env import ConstructionVectorEnv
from brickbybrick.errors import InputError
from brickbybrick.targets.catalog import Task


class CompiledVecEnv(VecEnv):
    """Many constructions with one number for an action, pivot * |offsets| + offset, and the `action_masks` that
    MaskablePPO asks for. The info of an episode's last step has what `Monitor` would tell, and the IoU.

    Args:
        num_envs: Environments side by side.
        task: What to build, as for `ConstructionEnv`.
        options: Others of `ConstructionVectorEnv`.
    """

    def __init__(self, num_envs: int, task: Task | str | Path = "mnist-0", **options: Any) -> None:
        # Stable-Baselines3 keeps an observation past the next step, so that it has to be a copy.
        self.env = ConstructionVectorEnv(num_envs, task, autoreset_mode=AutoresetMode.SAME_STEP, copy=True, **options)
        self._offsets = len(self.env.sim.offsets)
        actions = self.env.sim.max_bricks * self._offsets
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.env.single_observation_space, spaces.Discrete(actions))

    def reset(self) -> VecEnvObs:
        seeds = [seed for seed in self._seeds if seed is not None]
        wanted = np.array([options.get("target", -1) for options in self._options])
        seen, _ = self.env.reset(seed=seeds or None, options={"target": wanted})
        self._reset_seeds()
        self._reset_options()
        return dict(seen)

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        pairs = np.stack(np.divmod(self._actions, self._offsets), axis=-1)
        returns = self.env.sim.state.episode_return + 0.0
        seen, rewards, over, _, info = self.env.step(pairs)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for env in np.flatnonzero(over).tolist():
            last: Any = info["final_info"]
            episode = {"r": float(returns[env] + rewards[env]), "l": int(last["n_bricks"][env]) - 1, "t": 0.0}
            ended = {"episode": episode, "iou": float(last["iou"][env]), "TimeLimit.truncated": False}
            infos[env] = {**ended, "terminal_observation": info["final_obs"][env]}  # type: ignore[index]
        return dict(seen), rewards.astype(np.float32), over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are valid now, (env, action)."""
        return self.env.window.info["action_mask"].reshape(self.num_envs, -1).astype(bool)

    def close(self) -> None:
        self.env.close()

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        return [value(*method_args, **method_kwargs) for value in self._each(method_name, indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        return self._each(attr_name, indices)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ARG002
        raise InputError(f"{attr_name} is of all environments at once: give it when the batch is made")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:  # noqa: ARG002
        return [False for _ in self._chosen(indices)]

    def _chosen(self, indices: VecEnvIndices) -> Iterable[int]:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def _each(self, name: str, indices: VecEnvIndices) -> list[Any]:
        """An attribute of some environments. They have few: everything else is the batch's."""
        if name == "action_masks":
            masks = self.action_masks()
            return [lambda env=env: masks[env] for env in self._chosen(indices)]
        if name == "render_mode":
            return [None for _ in self._chosen(indices)]
        raise AttributeError(f"environments of a compiled batch have no {name}")
