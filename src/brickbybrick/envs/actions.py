"""The space of actions: pairs (pivot, offset), drawn with a mask over pairs.

Gymnasium's `MultiDiscrete` takes one mask for the pivot and one for the offset, but which offsets are valid depends on
the pivot. This space takes `info["action_mask"]` as it is, of one environment and of many.
"""

from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from brickbybrick.errors import InputError

Weights = npt.NDArray[np.integer] | npt.NDArray[np.floating]  # ([env,] pivot, offset)
if TYPE_CHECKING:
    Pairs = spaces.MultiDiscrete[np.int64]
else:
    Pairs = spaces.MultiDiscrete  # which takes no type in older releases of Gymnasium


class PivotOffset(Pairs):
    """A brick already placed and how the next one is joined to it: `MultiDiscrete([bricks, offsets])`.

    Args:
        bricks: Room for bricks, which are the pivots.
        offsets: Ways to join two bricks.
        num_envs: Environments that take an action each, for a space of (env, 2); one of (2,) if not given.
        seed: Of what is drawn.
    """

    def __init__(
        self, bricks: int, offsets: int, num_envs: int | None = None, seed: int | np.random.Generator | None = None
    ) -> None:
        pair = np.array([bricks, offsets])
        super().__init__(pair if num_envs is None else np.tile(pair, (num_envs, 1)), seed=seed)
        self.mask_shape = (*self.shape[:-1], bricks, offsets)

    def sample(  # type: ignore[override]  # Gymnasium's masks of each component are taken too
        self,
        mask: Weights | tuple[npt.NDArray[np.int8], ...] | None = None,
        probability: Weights | tuple[npt.NDArray[np.float64], ...] | None = None,
    ) -> npt.NDArray[np.int64]:
        """Draws an action, of each environment where there are several.

        Args:
            mask: ([env,] pivot, offset), as `info["action_mask"]`: each pair that is not 0 is as likely as the others.
                Where all are 0, as after an episode's end, the pair is (0, 0).
            probability: ([env,] pivot, offset), how likely each pair is; what it adds up to does not matter.
        """
        weights = probability if mask is None else mask
        if weights is None or isinstance(weights, tuple) or (mask is not None and probability is not None):
            drawn: npt.NDArray[np.int64] = super().sample(mask, probability)  # type: ignore[arg-type]
            return drawn
        if np.shape(weights) != self.mask_shape:
            raise InputError(
                f"a mask of shape {np.shape(weights)}: give info['action_mask'], of shape {self.mask_shape}"
            )
        *envs, bricks, offsets = self.mask_shape
        flat = np.asarray(weights, np.float64).reshape(*envs, bricks * offsets)
        up_to = np.cumsum(flat if mask is None else flat != 0, axis=-1)  # ([env,] pair)
        draw = self.np_random.random(self.shape[:-1]) * up_to[..., -1]
        pair = (up_to > draw[..., None]).argmax(axis=-1)
        return np.stack([pair // offsets, pair % offsets], axis=-1)


@batch_space.register(PivotOffset)
def _batched(space: PivotOffset, n: int = 1) -> PivotOffset:
    """What Gymnasium makes of the action spaces of n environments; without it, a `Box` that takes no mask."""
    bricks, offsets = space.mask_shape
    return PivotOffset(bricks, offsets, n, seed=deepcopy(space.np_random))
