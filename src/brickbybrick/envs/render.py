"""Pictures and text of a construction under way, beside the target that the agent is given."""

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import fill, front_view, three_views
from brickbybrick.picture import contact_sheet, draw, image_of_view, paint
from brickbybrick.targets.target import Target


def picture(construction: Construction, target: Target, side: int = 320) -> npt.NDArray[np.uint8]:
    """The target's views and the model beside them, as (height, width, 3)."""
    views = [image_of_view(view, (side // len(target.images),) * 2) for view in target.images]
    model = paint(draw(construction, colours="steps"), (side, side))
    return np.asarray(contact_sheet([[contact_sheet([[view] for view in views], gap=2), model]], gap=4))


def text(construction: Construction, target: Target) -> str:
    """The target's views as characters: `#` built as wanted, `.` still missing, `x` built where nothing is wanted."""
    size = construction.bricks[0].size if construction.bricks else BRICK_2X4
    lifted = (brick.pose._replace(z=brick.z + target.lift) for brick in construction.bricks)
    built = fill(size, lifted, target.hull.shape)
    shown = front_view(built)[None] if len(target.images) == 1 else three_views(built)
    lines = []
    for row in range(target.images.shape[1]):
        characters = np.where(
            target.images[:, row], np.where(shown[:, row], "#", "."), np.where(shown[:, row], "x", " ")
        )
        lines.append(" | ".join("".join(view) for view in characters))
    iou = "?" if construction.iou is None else f"{construction.iou:.3f}"
    return "\n".join([f"{target.name}: {len(construction.bricks)} of {construction.budget} bricks, IoU {iou}", *lines])
