"""The simulator as a batched environment of TorchRL, which otherwise wraps environments one by one, or keeps one in
each process. Tensors are made of the simulator's own arrays; devices other than the CPU are the caller's business."""

from pathlib import Path

import numpy as np
import torch
from gymnasium import spaces
from tensordict import TensorDict, TensorDictBase
from torch import Tensor
from torchrl.data import Binary, Bounded, Categorical, Composite, TensorSpec, Unbounded
from torchrl.envs import EnvBase

from brickbybrick.envs.construction_env import task_simulator
from brickbybrick.envs.observation import MaskKind, Window, observation_space
from brickbybrick.envs.simulator import Reward
from brickbybrick.errors import InputError, whole_number
from brickbybrick.targets.catalog import Split, Task

TOLD = ("iou", "target_id", "invalid_action")  # of the info, what is seen as well


class ConstructionTorchEnv(EnvBase):  # type: ignore[misc]  # TorchRL has no types
    """Many constructions with one number for an action, pivot * |offsets| + offset, and the `action_mask` (env, action)
    that TorchRL's `ActionMask` goes by.

    - Observation: what `ConstructionEnv` shows, `action_mask`, and what there is to tell: `iou`, `target_id`,
      `invalid_action`. The IoU is measured on the target's volume, which an agent that sees images must not know.
    - Reward and end: as for `ConstructionEnv`. TorchRL resets those whose episode is over.
    - `set_seed(n)` gives environment i the seed n + i; without it the seed is drawn from PyTorch's generator.

    Examples:
        >>> from torchrl.envs import ActionMask, TransformedEnv
        >>> env = TransformedEnv(ConstructionTorchEnv(64, "mnist-3"), ActionMask())
        >>> played = env.rollout(100, break_when_any_done=False)  # (env, step)

    Args:
        num_envs: Environments side by side.
        task: What to build, as for `ConstructionEnv`.
        split, data, reward, budget, ground, max_bricks, mask: As for `ConstructionEnv`.
        threads: Threads that share the batch. Results do not depend on it.
        copy: Whether what is seen is the caller's to keep, which `rollout`, collectors and every step that resets by
            itself rely on. If not, it lies in the arrays that the next step or reset writes to, always the same ones:
            for loops that read what they see before they go on.
    """

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
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.sim = task_simulator(
            task, split, data, num_envs,
            max_bricks=max_bricks, reward=reward, budget=budget, ground=ground, threads=threads,
        )  # fmt: skip
        super().__init__(device="cpu", batch_size=[num_envs])
        self.window, self.copy = Window(self.sim, mask), copy
        actions = self.sim.max_bricks * len(self.sim.offsets)
        told = {name: self.window.info[name] for name in ("action_mask", *TOLD)}
        arrays = {name: torch.from_numpy(values) for name, values in (self.window.observation | told).items()}
        flat = arrays["action_mask"].view(num_envs, actions).view(torch.bool)  # the same bytes
        self._seen = {**arrays, "action_mask": flat}  # (env, ...)
        self._pairs = np.zeros((num_envs, 2), np.int64)
        self.observation_spec = Composite(
            {name: self._batched(space) for name, space in observation_space(self.sim).items()},
            action_mask=Binary(actions, shape=(num_envs, actions), dtype=torch.bool),
            iou=Bounded(0.0, 1.0, shape=(num_envs,), dtype=torch.float64),
            target_id=Bounded(0, len(self.sim.targets) - 1, shape=(num_envs,), dtype=torch.int32),
            invalid_action=Categorical(2, shape=(num_envs,), dtype=torch.bool),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(actions, shape=(num_envs,))
        self.reward_spec = Unbounded(shape=(num_envs, 1))
        self._set_seed(int(torch.randint(2**31, ())))

    def close(self, **options: bool) -> None:
        """Ends the threads."""
        self.sim.close()
        super().close(**options)

    def _batched(self, space: spaces.Space[object]) -> TensorSpec:
        """What holds for an array (env, ...) of which each row is in a space of Gymnasium."""
        if isinstance(space, spaces.Discrete):
            return Categorical(int(space.n), shape=self.batch_size)
        assert isinstance(space, spaces.Box)
        low, high = torch.from_numpy(space.low), torch.from_numpy(space.high)
        shape = (*self.batch_size, *space.shape)
        return Bounded(low.expand(shape), high.expand(shape), shape=shape, dtype=low.dtype)

    def _reset(self, tensordict: TensorDictBase | None = None, target: Tensor | int = -1, **_: object) -> TensorDict:
        """Starts episodes, of `target` if that is given, one for each environment (env,) or one for all."""
        begun = None if tensordict is None else tensordict.get("_reset", None)
        where = None if begun is None else begun.reshape(self.sim.num_envs).numpy()
        self.sim.reset(where, torch.as_tensor(target).expand(self.sim.num_envs).numpy())
        self.window.look()
        return TensorDict(self._shown(), self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        actions, offsets, most = tensordict["action"].numpy(), len(self.sim.offsets), self.action_spec.n
        if actions.min() < 0 or actions.max() >= most:
            raise InputError(f"an action outside the action space: they are 0 to {most - 1}")
        np.divmod(actions, offsets, self._pairs[:, 0], self._pairs[:, 1])
        self.window.play(self._pairs, renew=False)
        seen, state = self._shown(), self.sim.state
        reward, over = torch.from_numpy(state.reward), torch.from_numpy(state.done.copy())
        ended = {"reward": reward.float()[:, None], "done": over[:, None], "terminated": over[:, None].clone()}
        return TensorDict(seen | ended, self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        self.sim.seed(whole_number(seed, "seed", 0, 2**64 - 1))

    def _shown(self) -> dict[str, Tensor]:
        return {name: values.clone() for name, values in self._seen.items()} if self.copy else self._seen
