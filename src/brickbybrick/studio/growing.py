"""One model under construction: begun by anyone, continued by a builder brick by brick, judged at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.building import coloured, remarked
from brickbybrick.colours import RED
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.kit import Plan, plan
from brickbybrick.geometry.brick import BRICK_2X4, Cell, Pose
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.studio.descriptions import View, views_of
from brickbybrick.studio.verdicts import told_at_the_end
from brickbybrick.targets.inputs import Wanted

SEEN = ((0, 2), (1, 2), (0, 1))  # the axes that run across and up each view: front, side, top


@dataclass(frozen=True)
class News:
    """A brick that was just placed, and what became of the model: what the page is told."""

    index: int
    brick: PlacedBrick
    iou: float
    views: list[View]


class GrowingModel:
    """A model that a builder goes on with from the bricks that are already there.

    Args:
        builder: Who builds.
        wanted: What is to be built.
        bricks: What was placed so far, in any way that leaves every brick room; the builder begins if there is none.
        budget: Bricks at most, those included; the target's own if not given.
        colours: Of the bricks to come, in turn.
    """

    def __init__(
        self,
        builder: EpisodeBuilder,
        wanted: Wanted,
        bricks: Sequence[PlacedBrick] = (),
        budget: int | None = None,
        colours: Sequence[int] = (RED,),
    ) -> None:
        _check_kind(bricks)
        poses = [in_layers(brick.pose) for brick in bricks]
        # An agent counts places from the first brick, so a model that others began has a start of its own.
        self.target = replace(
            wanted.target,
            budget=wanted.target.budget if budget is None else budget,
            start=poses[0] if poses else wanted.target.start,
        )
        _check(bricks, self.target.budget)
        self.builder, self.wanted, self.colours, self.given = builder, wanted, colours, tuple(bricks)
        self.sim = builder.begin([self.target], by_hand=True)
        self.sim.place(0, poses[1:])
        self._images = np.zeros_like(self.target.images)  # (view, row, column) what the model looks like so far
        show(self._images, poses, self.target.lift)
        self._begun = self.sim.construction(0, builder.name)
        self._placed: list[tuple[PlacedBrick, float]] = []  # bricks, and the IoU with each

    def bricks(self) -> Iterator[News]:
        """Builds to the end, and tells of each brick when it is placed."""
        if not self.given:
            yield self._newest()
        count = self._count()
        for _ in self.builder.steps(self.sim):
            if self._count() > count:  # a builder that errs ends without a brick
                count = self._count()
                yield self._newest()

    def finish(self) -> Plan:
        """The model that the builder has built, judged."""
        return plan(remarked(self._coloured(self.sim.construction(0, self.builder.name)), self.wanted), self.target)

    def so_far(self, note: str) -> Plan:
        """The model as far as it was told of, judged; for a builder that was stopped and may still be at it."""
        begun, placed = self._begun, list(self._placed)
        bricks = (*begun.bricks, *(brick for brick, _ in placed if brick.step >= len(begun.bricks)))
        iou = placed[-1][1] if placed else begun.iou
        notes = (*begun.notes, note, *self.wanted.notes)
        there = replace(begun, bricks=bricks, iou=iou, episode_return=None, notes=notes)
        return plan(self._coloured(there), self.target)

    def _coloured(self, built: Construction) -> Construction:
        """A model in the colours that were asked for, and what was given in its own."""
        before = [replace(brick, step=step) for step, brick in enumerate(self.given)]
        return replace(built, bricks=(*before, *coloured(built, self.colours).bricks[len(before) :]))

    def _count(self) -> int:
        return int(self.sim.state.packed.bricks[0])

    def _newest(self) -> News:
        index = self._count() - 1
        pose = Pose(*self.sim.state.packed.placed[0, index, :4].tolist())
        show(self._images, [pose], self.target.lift)
        colour = self.colours[index % len(self.colours)]
        brick = PlacedBrick(str(BRICK_2X4), *in_plates(pose), colour=colour, step=index)
        iou = float(self.sim.state.iou[0])
        self._placed.append((brick, iou))
        return News(index, brick, iou, views_of(self._images))


def show(images: npt.NDArray[np.bool_], poses: Sequence[Pose], lift: int) -> None:
    """Adds bricks to a model's views (view, row, column), which have the frame of its target's, pixel for pixel.

    What lies outside the frame is not shown, however deep a flat target's bricks reach.
    """
    for pose in poses:
        along_x, along_y = BRICK_2X4.extent(pose.d)
        spans = ((pose.x, along_x), (pose.y, along_y), (pose.z + lift, 1))
        # What lies before the first cell is cut off here; what lies behind the last, a slice leaves out itself.
        x_y_z = [slice(max(0, first), max(0, first + length)) for first, length in spans]
        for image, (across, up) in zip(images, SEEN, strict=False):
            image[::-1].T[x_y_z[across], x_y_z[up]] = True  # a window onto the image, the lowest row first


def in_layers(pose: Pose) -> Pose:
    """A pose of a model as agents have it, who count layers of bricks."""
    return pose._replace(z=pose.z // BRICK_HIGH)


def in_plates(pose: Pose) -> Pose:
    """The other way round."""
    return pose._replace(z=pose.z * BRICK_HIGH)


def _check_kind(bricks: Sequence[PlacedBrick]) -> None:
    for index, brick in enumerate(bricks):
        if brick.part != str(BRICK_2X4):
            raise InputError(f"brick {index + 1} is a {brick.part}: agents build with {BRICK_2X4} alone")
        if brick.z % BRICK_HIGH:
            raise InputError(f"brick {index + 1} lies between two layers of bricks: agents build without plates")


def _check(bricks: Sequence[PlacedBrick], budget: int) -> None:
    """What the simulator does not check: the number, and the first brick."""
    if len(bricks) > budget:
        raise InputError(f"{len(bricks)} bricks are there and the budget is {budget}: raise it or take some away")
    if bricks and bricks[0].z < 0:
        raise InputError("brick 1 is below the ground: place it in layer 0 or above")


def candidates(model: GrowingModel, masked: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Where the next brick can go and how likely it goes there, the likeliest first; and where it cannot, and why.

    Different pairs of a pivot and an offset can lead to one place: their probabilities add up, and the likeliest of
    them is named.
    """
    advice = model.builder.advice(model.sim)
    if not model.given:
        first = {"part": str(BRICK_2X4), **in_plates(model.target.start)._asdict(), "pivot": None, "offset": None}
        return {"candidates": [{**first, "probability": 1.0 if advice else None}], "masked": []}
    mask, poses = model.sim.mask(), _joined_poses(model)  # (brick, offset), (brick, offset, 4)
    shares = advice.probabilities[0, : len(mask)] if advice else np.zeros(mask.shape)
    actions, sums = _distinct(poses, mask, shares)
    found = [
        {**_place(poses, actions[k]), "probability": float(sums[k]) if advice else None}
        for k in np.argsort(-sums, kind="stable")
    ]
    return {"candidates": found, "masked": list(_masked(model, poses, mask)) if masked else []}


def _joined_poses(model: GrowingModel) -> npt.NDArray[np.int64]:
    """The pose that each action leads to, (brick, offset, 4)."""
    placed = np.array([in_layers(brick.pose) for brick in model.given], np.int64)  # (brick, 4)
    poses = model.sim.rel.shift[placed[:, 3]]  # (brick, offset, 4)
    poses[..., :3] += placed[:, None, :3]
    return poses


def _distinct(
    poses: npt.NDArray[np.int64], chosen: npt.NDArray[np.bool_], shares: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Of the chosen actions the likeliest for each place (place, 2), and the share of each place (place,)."""
    actions = np.argwhere(chosen)
    if not len(actions):
        return actions, np.zeros(0)
    actions = actions[np.argsort(-shares[chosen], kind="stable")]
    _, first, place = np.unique(poses[*actions.T], axis=0, return_index=True, return_inverse=True)
    sums = np.zeros(len(first))
    np.add.at(sums, place.reshape(-1), shares[*actions.T])
    return actions[first], sums


def _place(poses: npt.NDArray[np.int64], action: npt.NDArray[np.int64]) -> dict[str, Any]:
    pivot, offset = (int(number) for number in action)
    x, y, z, d = in_plates(Pose(*poses[pivot, offset].tolist()))
    return {"part": str(BRICK_2X4), "x": x, "y": y, "z": z, "d": d, "pivot": pivot, "offset": offset}


def _masked(model: GrowingModel, poses: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]) -> Iterator[dict[str, Any]]:
    given = [in_layers(brick.pose) for brick in model.given]
    owner: dict[Cell, int] = {cell: index for index, pose in enumerate(given) for cell in BRICK_2X4.cells(pose)}
    actions, _ = _distinct(poses, ~mask, np.zeros(mask.shape))
    for action in actions:
        pose = Pose(*poses[*action].tolist())
        reason = "it would be below the ground"
        if pose.z >= 0:
            reason = f"brick {min(owner[cell] for cell in BRICK_2X4.cells(pose) if cell in owner) + 1} is in the way"
        yield {**_place(poses, action), "reason": reason}


def finished(model: GrowingModel, note: str | None = None) -> dict[str, Any]:
    """The last thing that the page is told of a build; with a note on why the builder was stopped, if it was."""
    about = told_at_the_end(model.finish() if note is None else model.so_far(note))
    if note is not None:
        about["sentences"].insert(0, f"{note[0].upper()}{note[1:]}.")
    return about
