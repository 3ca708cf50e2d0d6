"""Other shapes of the same environment, for the libraries that want them."""

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from brickbybrick.envs.actions import PivotOffset
from brickbybrick.envs.construction_env import ConstructionEnv
from brickbybrick.envs.observation import Observation
from brickbybrick.errors import whole_number


class FlatActions(gymnasium.Wrapper[Observation, np.int64, Observation, npt.NDArray[np.int64]], RecordConstructorArgs):
    """One number for an action: pivot * |offsets| + offset. Has the `action_masks()` that MaskablePPO asks for."""

    def __init__(self, env: gymnasium.Env[Observation, npt.NDArray[np.int64]]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)  # type: ignore[misc]
        assert isinstance(env.action_space, spaces.MultiDiscrete)
        self.action_space = spaces.Discrete(int(env.action_space.nvec.prod()))
        self._offsets = int(env.action_space.nvec[1])

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._flat(info)

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        assert isinstance(self.action_space, spaces.Discrete)
        number = whole_number(action, "an action", 0, int(self.action_space.n) - 1)
        pair = np.array(divmod(number, self._offsets))
        observation, reward, terminated, truncated, info = self.env.step(pair)  # type: ignore[arg-type]
        return observation, float(reward), terminated, truncated, self._flat(info)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are valid now, as (action,)."""
        assert isinstance(self.env.unwrapped, ConstructionEnv)
        return self.env.unwrapped.action_mask().reshape(-1).astype(bool)

    def _flat(self, info: dict[str, object]) -> dict[str, object]:
        return {**info, "action_mask": np.asarray(info["action_mask"]).reshape(-1)}


class MaskObservation(
    gymnasium.Wrapper[Observation, npt.NDArray[np.int64], Observation, npt.NDArray[np.int64]], RecordConstructorArgs
):
    """The mask as `action_mask` in the observation too, where RLlib and TorchRL look for it; flat where actions are."""

    def __init__(self, env: gymnasium.Env[Observation, npt.NDArray[np.int64]]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        self.observation_space = masked_space(env.observation_space, env.action_space)  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        observation, info = self.env.reset(seed=seed, options=options)
        return self._masked(observation, info), info

    def step(self, action: npt.NDArray[np.int64]) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._masked(observation, info), float(reward), terminated, truncated, info

    def _masked(self, observation: Observation, info: dict[str, object]) -> Observation:
        return {**observation, "action_mask": np.asarray(info["action_mask"])}


def masked_space(observations: spaces.Space[Observation], actions: spaces.Space[npt.NDArray[np.int64]]) -> spaces.Dict:
    """The space of observations with a mask of the actions among them."""
    assert isinstance(observations, spaces.Dict)
    shape = actions.mask_shape if isinstance(actions, PivotOffset) else (int(spaces.flatdim(actions)),)
    return spaces.Dict({**observations.spaces, "action_mask": spaces.Box(0, 1, shape, np.int8)})


class GraphObservation(
    gymnasium.ObservationWrapper[dict[str, object], npt.NDArray[np.int64], Observation], RecordConstructorArgs
):
    """The bricks as a `spaces.Graph` of the size they have, instead of padded arrays.

    Two directed edges for each pair of bricks in stud contact; an edge's features are the difference of the two
    centres (sender minus receiver) and whether the directions differ.
    """

    def __init__(self, env: gymnasium.Env[Observation, npt.NDArray[np.int64]]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ObservationWrapper.__init__(self, env)
        padded = env.observation_space
        assert isinstance(padded, spaces.Dict)
        nodes = padded["nodes"]
        assert isinstance(nodes, spaces.Box)
        low, high = nodes.low[0], nodes.high[0]
        graph = spaces.Graph(
            node_space=spaces.Box(low, high, dtype=np.int16), edge_space=spaces.Box(2 * low, 2 * high, dtype=np.int16)
        )
        others = {key: space for key, space in padded.items() if key not in ("nodes", "neighbours", "n_bricks")}
        self.observation_space = spaces.Dict({"graph": graph, **others})

    def observation(self, observation: Observation) -> dict[str, object]:
        bricks = int(observation["n_bricks"])
        nodes = np.asarray(observation["nodes"], np.int16)[:bricks]
        neighbours = np.asarray(observation["neighbours"], np.int64)[:bricks]
        receivers, place = np.nonzero(neighbours >= 0)
        senders = neighbours[receivers, place]
        edges = nodes[senders] - nodes[receivers]
        edges[:, 3] = nodes[senders, 3] ^ nodes[receivers, 3]
        links = np.stack([senders, receivers], axis=1).astype(np.int32)  # (edge, 2)
        # Gymnasium's Graph spells "no edges" as None.
        graph = spaces.GraphInstance(nodes, edges if len(edges) else None, links if len(edges) else None)
        others = {key: value for key, value in observation.items() if key not in ("nodes", "neighbours", "n_bricks")}
        return {"graph": graph, **others}
