"""Equations of springs between bricks, solved for thousands of bricks in a second.

The stiffness of a solid model ties every brick to all others, and taking it apart directly fills up memory and minutes.
Conjugate gradients take many steps where a push has to travel from brick to brick; so the bricks are also grouped into
blocks, and each step first moves and tilts whole blocks, for which a small system is solved directly.
"""

from collections.abc import Callable

import numpy as np
from scipy.sparse import bsr_array, csc_array, csr_array, eye_array
from scipy.sparse.linalg import LinearOperator, cg, splu

from brickbybrick.geometry.statics import HEIGHT, Floats, Statics

ROWS = 5  # of a brick: the force up, the moments around x and y, the forces along x and y
DIRECTLY = 600  # bricks up to which taking the equations apart is faster
SLACK = 1e-9  # what keeps equations solvable that leave a model free to slide, small beside their stiffness of about 1
BLOCK = 8.0  # studs along a side
PRECISION = 2e-7  # weights of a 2x4 by which forces may miss the balance
MOST_STEPS = 3_000


def solved(stiffness: csc_array, wanted: Floats, statics: Statics) -> Floats:
    """The solution of springs' equations (5 * brick,); the best that was found if they have none."""
    if len(statics.bricks) <= DIRECTLY:
        safe = csc_array(stiffness + SLACK * eye_array(stiffness.shape[0]))
        direct = splu(safe, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        exact: Floats = direct.solve(wanted)
        return exact
    by_rows = csr_array(stiffness)
    nearly = LinearOperator(stiffness.shape, _nearly_solved(by_rows, statics))
    solution: Floats = cg(by_rows, wanted, rtol=0.0, atol=PRECISION, maxiter=MOST_STEPS, M=nearly)[0]
    return solution


def _nearly_solved(stiffness: csr_array, statics: Statics) -> Callable[[Floats], Floats]:
    """A rough solution of the equations: each brick by itself, and all blocks as if they were rigid."""
    rigid = _rigid_blocks(statics)
    coarse = csc_array(rigid.T @ stiffness @ rigid)
    blocks = splu(csc_array(coarse + SLACK * coarse.diagonal().max() * eye_array(coarse.shape[0])))
    parts = bsr_array(stiffness, blocksize=(ROWS, ROWS))
    row = np.repeat(np.arange(len(statics.bricks)), np.diff(parts.indptr))
    own = np.zeros((len(statics.bricks), ROWS, ROWS))
    own[row[row == parts.indices]] = parts.data[row == parts.indices]
    inverse = np.linalg.inv(own + SLACK * np.eye(ROWS))
    apart, together = csr_array(rigid), csr_array(rigid.T)

    def nearly(forces: Floats) -> Floats:
        alone = np.einsum("bij,bj->bi", inverse, forces.reshape(-1, ROWS)).ravel()
        return np.asarray(alone + apart @ blocks.solve(together @ forces))

    return nearly


def _rigid_blocks(statics: Statics) -> csc_array:
    """What each brick does where a block moves up, along x or along y, or tilts around x or y: (5 * brick, 5 * block).

    These are the motions that no spring inside a block feels. A brick tilts as its block does; away from the middle it
    also moves, up by where it lies, and aside by how high.
    """
    bricks = np.arange(len(statics.bricks))
    heights = (statics.layers + statics.heights / 2) * HEIGHT
    place = np.column_stack([statics.centres, heights])  # (brick, 3)
    _, block, count = np.unique(place // BLOCK, axis=0, return_inverse=True, return_counts=True)
    block = block.reshape(-1)
    middle = np.column_stack([np.bincount(block, axis) / count for axis in place.T])
    x, y, z = (place - middle[block]).T
    one = np.ones(len(bricks))
    # Row of the brick, motion of the block, how far.
    entries = (
        (0, 0, one),
        (3, 1, one),
        (4, 2, one),
        (1, 3, one),
        (0, 3, y),
        (4, 3, -z),
        (2, 4, one),
        (0, 4, -x),
        (3, 4, z),
    )
    values = np.concatenate([far for *_, far in entries])
    rows = np.concatenate([ROWS * bricks + row for row, *_ in entries])
    columns = np.concatenate([ROWS * block + motion for _, motion, _ in entries])
    return csc_array((values, (rows, columns)), shape=(ROWS * len(bricks), ROWS * len(count)))
