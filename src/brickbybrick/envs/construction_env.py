"""One construction at a time as a `gymnasium.Env`, and many at once, stepped by compiled code in one call, as a
`gymnasium.vector.VectorEnv`."""

from pathlib import Path

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from brickbybrick.construction import Construction
from brickbybrick.envs import kernels
from brickbybrick.envs.actions import PivotOffset
from brickbybrick.envs.observation import (
    MaskKind,
    Observation,
    Window,
    copied,
    observation_space,
    of_one,
    painted,
    written,
)
from brickbybrick.envs.simulator import Reward, Simulator
from brickbybrick.errors import InputError, whole_number
from brickbybrick.targets.catalog import Split, Task, load_task

Info = dict[str, object]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class ConstructionEnv(gymnasium.Env[Observation, npt.NDArray[np.int64]]):
    """Build a target out of 2x4 bricks, one brick a step, knowing only its images.

    - Observation: a dictionary of padded arrays, see `observation.observation_space`: the bricks placed as the nodes
      of a graph, their stud contacts as neighbour lists, the target's images, the first brick's place in them.
    - Action: (pivot, offset): a brick already placed, and how the new one is joined to it. `info["action_mask"]` says
      which pairs are valid, and `action_space.sample(mask=info["action_mask"])` draws one of them.
    - Reward: the change of IoU between the model and the target's volume, if at least half of the new brick lies
      inside the target, else 0.
    - End: the budget is used up, nothing can be placed, or an invalid action was chosen.
    - Info, after every reset and step: iou, delta_iou, n_bricks, invalid_action, target_id, action_mask.

    Examples:
        >>> import gymnasium, brickbybrick
        >>> env = gymnasium.make("brickbybrick/Mnist-v0", digit=3)
        >>> observation, info = env.reset(seed=0)
        >>> action = env.action_space.sample(mask=info["action_mask"])
        >>> observation, reward, terminated, truncated, info = env.step(action)

    Args:
        task: What to build: a task or its name, see `targets.catalog`.
        split: "train" or "test" targets.
        data: Folder of data that does not come with the package.
        reward, budget, ground, max_bricks: As for `Simulator`; `max_bricks` is the task's if not given.
        mask: "exact": the valid actions. "placed": all offsets of the bricks placed, so that invalid actions must be
            avoided by the agent itself.
        render_mode: "rgb_array", "ansi" or None.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's convention

    def __init__(
        self,
        task: Task | str | Path = "mnist-0",
        *,
        split: Split = "train",
        data: str | None = None,
        reward: Reward = "gated",
        budget: int | None = None,
        ground: bool = True,
        max_bricks: int | None = None,
        mask: MaskKind = "exact",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"no render mode {render_mode!r}: choose rgb_array, ansi or None")
        self.sim = task_simulator(
            task, split, data, 1, max_bricks=max_bricks, reward=reward, budget=budget, ground=ground
        )
        self.render_mode = render_mode
        self.observation_space = observation_space(self.sim)  # type: ignore[assignment]
        self.action_space = PivotOffset(self.sim.max_bricks, len(self.sim.offsets))
        self.window = Window(self.sim, mask)
        self._begun = False

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Observation, Info]:
        """Starts an episode; `options={"target": 7}` chooses the target."""
        wanted = whole_number((options or {}).get("target", -1), "target", -1, len(self.sim.targets) - 1)
        seed = None if seed is None else whole_number(seed, "seed", 0, 2**64 - 1)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self.sim.reset(targets=np.array([wanted]), seed=seed)
        self._begun = True
        self.window.look()
        return self._seen()

    def step(self, action: npt.NDArray[np.int64]) -> tuple[Observation, float, bool, bool, Info]:
        """Places a brick, or ends the episode if the action is invalid."""
        if self.sim.state.done[0]:
            raise InputError("no episode is under way: call reset() before the next step")
        self.window.play(checked_actions(np.asarray(action)[None], self.sim), renew=False)
        state = self.sim.state
        observation, info = self._seen()
        return observation, float(state.reward[0]), bool(state.done[0]), False, info

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Which actions are valid now, as (brick, offset)."""
        self.window.look()
        mask: npt.NDArray[np.int8] = self.window.info["action_mask"][0].astype(np.int8)
        return mask

    def construction(self) -> Construction:
        """What has been built so far."""
        return self.sim.construction(0)

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        target = self.sim.targets[int(self.sim.state.target[0])]
        if self.render_mode == "rgb_array":
            return painted(self.construction(), target)
        if self.render_mode == "ansi":
            return written(self.construction(), target)
        return None

    def _seen(self) -> tuple[Observation, Info]:
        return of_one(self.window.observation, 0), dict(of_one(self.window.info, 0))


class ConstructionVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[np.generic]]):
    """`num_envs` environments as `ConstructionEnv` describes them; row i behaves as that one does with seed + i.

    Args:
        num_envs: Environments side by side.
        autoreset_mode: When an episode that is over begins anew: at the next step, whose action is then ignored
            (Gymnasium's default); in the same step, with the last observation and info of the old episode in
            `info["final_obs"]` and `info["final_info"]`; or when `reset(options={"reset_mask": ...})` says so.
        threads: Threads that share the batch. Results do not depend on it.
        copy: Whether observations and infos are the caller's to keep. If not, they are the arrays that the next step
            writes to, which is faster, and `torch.from_numpy` reads them without a copy.
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
        copy: bool = True,
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
        self.window, self.copy = Window(self.sim, mask), copy
        self.single_observation_space = observation_space(self.sim)
        self.single_action_space = PivotOffset(self.sim.max_bricks, len(self.sim.offsets))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, Info]:
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
        self.window.look()
        return self._seen()

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Observation, Floats, Flags, Flags, Info]:
        """Takes an action in each environment."""
        sim, state = self.sim, self.sim.state
        actions = checked_actions(np.asarray(actions), sim)
        if not self._begun:
            raise InputError("no episode is under way: call reset() before the first step")
        if self.autoreset_mode == AutoresetMode.DISABLED and state.done.any():
            raise InputError(
                "an episode is over: reset it with reset(options={'reset_mask': ...}) before the next step"
            )
        self.window.play(actions, renew=self.autoreset_mode == AutoresetMode.NEXT_STEP)
        rewards, terminated = state.reward.copy(), state.done.copy()
        observation, info = self._seen()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            observation, info = self._renewed(observation, info, terminated)
        return observation, rewards, terminated, np.zeros_like(terminated), info

    def close_extras(self, **kwargs: object) -> None:  # noqa: ARG002 - Gymnasium's signature
        """Ends the threads."""
        self.sim.close()

    def _seen(self) -> tuple[Observation, Info]:
        observation, info = self.window.observation, self.window.info
        return (copied(observation), dict(copied(info))) if self.copy else (dict(observation), dict(info))

    def _renewed(self, last: Observation, last_info: Info, over: Flags) -> tuple[Observation, Info]:
        """Begins new episodes where one is over, keeping what was last seen of it."""
        final_obs = np.full(self.num_envs, None, dtype=object)  # Gymnasium keeps them one by one
        for env in np.flatnonzero(over).tolist():
            final_obs[env] = of_one(last, env)
        final_info = last_info if self.copy or not over.any() else dict(copied(self.window.info))
        observation, info = last, last_info
        if over.any():
            self.sim.reset(over)
            self.window.look(over)
            observation, info = self._seen()
        kept = {"final_obs": final_obs, "_final_obs": over, "final_info": final_info, "_final_info": over}
        return observation, {**info, **kept}


def task_simulator(
    task: Task | str | Path, split: Split, data: str | None, num_envs: int, *, max_bricks: int | None, **options: object
) -> Simulator:
    """The simulator of a task's targets."""
    if isinstance(task, str | Path):
        task = load_task(str(task), data)
    if not isinstance(task, Task):
        raise InputError(f"no task: {task!r}; give its name, the path of a folder, or a Task")
    room = task.max_bricks if max_bricks is None else max_bricks
    return Simulator(task.split(split), task.offsets, num_envs, max_bricks=room, **options)  # type: ignore[arg-type]


def checked_actions(actions: npt.NDArray[np.generic], sim: Simulator) -> npt.NDArray[np.int64]:
    """The actions (env, 2) as integers, or an error if one lies outside the action space."""
    if actions.shape != (sim.num_envs, 2) or actions.dtype.kind not in "iu":
        raise InputError(
            f"actions of shape {actions.shape} and type {actions.dtype}: "
            f"give whole numbers (pivot, offset) of shape {(sim.num_envs, 2)}"
        )
    whole = np.ascontiguousarray(actions, dtype=np.int64)
    if not kernels.all_within(whole, sim.max_bricks, len(sim.offsets)):
        raise InputError(
            f"an action outside the action space: pivots are 0 to {sim.max_bricks - 1}, "
            f"offsets 0 to {len(sim.offsets) - 1}"
        )
    return whole
