"""Many constructions at once as a `gymnasium.vector.VectorEnv`, stepped by compiled code in one call."""

from pathlib import Path

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from brickbybrick.envs.actions import PivotOffset
from brickbybrick.envs.construction_env import (
    ConstructionEnv,
    MaskKind,
    checked_actions,
    checked_mask_kind,
    infos,
    task_simulator,
)
from brickbybrick.envs.observation import Observation, observation_space, observe, observe_one
from brickbybrick.envs.simulator import Reward
from brickbybrick.errors import InputError
from brickbybrick.targets.catalog import Split, Task

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Infos = dict[str, object]


class ConstructionVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[np.generic]]):
    """`num_envs` environments as `ConstructionEnv` describes them; row i behaves as that one does with seed + i.

    Args:
        num_envs: Environments side by side.
        autoreset_mode: When an episode that is over begins anew: at the next step, whose action is then ignored
            (Gymnasium's default); in the same step, with the last observation and info of the old episode in
            `info["final_obs"]` and `info["final_info"]`; or when `reset(options={"reset_mask": ...})` says so.
        threads: Threads that share the batch. Results do not depend on it.
        task, split, data, reward, budget, ground, max_bricks, mask: As for `ConstructionEnv`.
    """

    metadata = {**ConstructionEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        task: Task | str | Path = "mnist-0",
        *,
        split: Split = "train",
        data: str | None = None,
        reward: Reward = "gated",
        budget: int | None = None,
        ground: bool = True,
        max_bricks: int | None = None,
        mask: MaskKind = "exact",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise InputError("a vector of environments is not rendered: make a single one to look at it")
        self.sim = task_simulator(
            task, split, data, num_envs,
            max_bricks=max_bricks, reward=reward, budget=budget, ground=ground, threads=threads,
        )  # fmt: skip
        self.num_envs = num_envs
        self.render_mode = None
        if autoreset_mode not in [known for mode in AutoresetMode for known in (mode, mode.value)]:
            raise InputError(f"no autoreset mode {autoreset_mode!r}: choose NextStep, SameStep or Disabled")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.mask_kind = checked_mask_kind(mask)
        self.single_observation_space = observation_space(self.sim)
        self.single_action_space = PivotOffset(self.sim.max_bricks, len(self.sim.offsets))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, Infos]:
        """Starts episodes.

        Args:
            seed: One number, or one for each environment.
            options: `target`: which target each environment builds (env,), -1 for a random one. `reset_mask`: which
                environments to reset (env,), the others go on.
        """
        options = options or {}
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**62))
        where, wanted = options.get("reset_mask"), options.get("target")
        if isinstance(wanted, int):
            wanted = np.full(self.num_envs, wanted)
        self.sim.reset(where, wanted, seed)  # type: ignore[arg-type]
        self._begun = True
        return self._seen()

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Observation, Floats, Flags, Flags, Infos]:
        """Takes an action in each environment."""
        sim, state = self.sim, self.sim.state
        actions = checked_actions(np.asarray(actions), sim)
        if not self._begun:
            raise InputError("no episode is under way: call reset() before the first step")
        finished = state.done.copy()  # before the step
        if self.autoreset_mode == AutoresetMode.DISABLED and finished.any():
            raise InputError(
                "an episode is over: reset it with reset(options={'reset_mask': ...}) before the next step"
            )
        sim.step(actions)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and finished.any():
            sim.reset(finished)
        rewards, terminated = state.reward.copy(), state.done.copy()
        observation, info = self._seen()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            observation, info = self._renewed(observation, info, terminated)
        return observation, rewards, terminated, np.zeros_like(terminated), info

    def close_extras(self, **kwargs: object) -> None:  # noqa: ARG002 - Gymnasium's signature
        """Ends the threads."""
        self.sim.close()

    def _seen(self) -> tuple[Observation, Infos]:
        return observe(self.sim), dict(infos(self.sim, self.mask_kind))

    def _renewed(self, last: Observation, last_info: Infos, over: Flags) -> tuple[Observation, Infos]:
        """Begins new episodes where one is over, keeping what was last seen of it."""
        observation, info = last, last_info
        if over.any():
            self.sim.reset(over)
            observation, info = self._seen()
        final_obs = np.full(self.num_envs, None, dtype=object)  # Gymnasium keeps them one by one
        for env in np.flatnonzero(over).tolist():
            final_obs[env] = observe_one(last, env)
        kept = {"final_obs": final_obs, "_final_obs": over, "final_info": last_info, "_final_info": over}
        return observation, {**info, **kept}
