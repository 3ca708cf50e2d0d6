"""Models with their sub-assemblies as .mpd files, which show how they are put together by hand.

Each chunk of the handwork is a sub-model of its own, upright as in the model and with its lowest corner at the origin;
one that is built several times is written once and referred to as often. `0 STEP` ends a step. Where the view turns,
`0 ROTSTEP` goes before it: programs that know it turn the view of the step that it ends, and keep it so until the next
one; the others, LeoCAD among them, take it for a comment. A chunk that is built upside down is shown so all along.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw import AUTHOR, header, in_lines, lift_of, line_of, one_line, reference
from brickbybrick.export.ldraw_places import HEIGHT, PITCH, TURNS, Move, direction_of, move_of
from brickbybrick.handwork.work import Handwork, Step

_Look = tuple[Any, ...]  # X, Y, Z, direction, part and colour
MAIN = "model.ldr"
MAIN_COLOUR = 16
HOLD = "0 // hold what is there after this step"


def to_mpd(construction: Construction, handwork: Handwork, views: Sequence[int] | None = None) -> bytes:
    """A model as the content of an .mpd file.

    Args:
        construction: The model. If bricks lie below layer 0, the file has the model lifted to stand on the ground.
        handwork: How it is put together.
        views: Quarter turns of the model in each step of `handwork.steps`, as `views_of` has them; none by default.
            What is built upside down was turned over about X before.
    """
    if not construction.bricks:
        raise InputError("a model without bricks cannot be saved: build something first")
    handwork.check(len(construction.bricks))
    if views is not None and len(views) != len(handwork.steps):
        raise InputError(f"{len(views)} views of {len(handwork.steps)} steps: give one for each")
    return in_lines(_Writer(construction, handwork, views or [0] * len(handwork.steps)).lines())


class _Writer:
    """A model that is being written, chunk by chunk."""

    def __init__(self, construction: Construction, handwork: Handwork, views: Sequence[int]) -> None:
        self.construction = construction
        self.handwork = handwork
        self.bricks = construction.bricks
        self.moves = [move_of(brick) for brick in construction.bricks]
        self.whole = len(handwork.chunks) - 1
        self.names: dict[int, str] = {self.whole: MAIN}  # of the chunks that are written, in their order
        self.homes: dict[int, Move] = {}
        self.views: dict[int, list[int]] = {}  # of the steps of each chunk
        for (number, _), view in zip(handwork.steps, views, strict=True):
            self.views.setdefault(number, []).append(view)

    def lines(self) -> list[str]:
        """All of the file: the whole model first, as the standard asks for, each chunk after what it is part of."""
        lines: list[str] = []
        todo = [self.whole]
        for number in todo:
            before = set(self.names)
            inside = self._steps(number)
            todo += [chunk for chunk in self.names if chunk not in before]
            lines += [f"0 FILE {self.names[number]}", *self._header(number), *inside, "0 NOFILE"]
        return lines

    def _header(self, number: int) -> list[str]:
        if number == self.whole:
            return header(self.construction)
        name = self.names[number]
        manner = ", built upside down" if self.handwork.chunks[number].turned else ""
        return [
            f"0 {name.removesuffix('.ldr').capitalize()}{manner}",
            f"0 Name: {name}",
            f"0 Author: {one_line(self.construction.builder) or AUTHOR}",
            "0 !LDRAW_ORG Unofficial_Model",
        ]

    def _steps(self, number: int) -> list[str]:
        chunk = self.handwork.chunks[number]
        lines: list[str] = []
        shown = _view(False, 0)
        for step, view in zip(chunk.steps, self.views[number], strict=True):
            lines += self._step(step, number)
            if (view_now := _view(chunk.turned, view)) != shown:
                lines.append(view_now)
                shown = view_now
            lines.append("0 STEP")
        if number == self.whole and self.construction.others:
            lines += [*(line_of(other, lift_of(self.bricks)) for other in self.construction.others), "0 STEP"]
        return lines if shown == _view(False, 0) else [*lines, _view(False, 0)]

    def _step(self, step: Step, number: int) -> list[str]:
        """The chunks and the bricks of a step, as they lie in the chunk that it belongs to."""
        home = self._home(number)
        lines = []
        for chunk in step.chunks:
            original, move = self._original(chunk)
            if original not in self.names:
                self.names[original] = f"assembly-{len(self.names)}.ldr"
            lines.append(reference(MAIN_COLOUR, _from(home, move), self.names[original]))
        for index in step.bricks:
            name = line_of(self.bricks[index]).rpartition(" ")[2]
            lines.append(reference(self.bricks[index].colour, _from(home, self.moves[index]), name))
        return [*lines, HOLD] if step.hold else lines

    def _home(self, number: int) -> Move:
        """Where the origin of a chunk is in the model: at its lowest corner; the whole model is lifted at most."""
        if number not in self.homes:
            bricks = [self.bricks[index] for index in self.handwork.bricks_of(number)]
            x, y, z = (min(getattr(brick, axis) for brick in bricks) for axis in "xyz")
            x, y, z = (0, 0, -lift_of(bricks)) if number == self.whole else (x, y, z)
            self.homes[number] = Move((float(PITCH * x), float(-HEIGHT * z), float(PITCH * y)))
        return self.homes[number]

    def _original(self, number: int) -> tuple[int, Move]:
        """The chunk whose sub-model shows this one, and where that is in the model: its own unless it is a copy."""
        original = number
        while (before := self.handwork.chunks[original].copy_of) is not None:
            original = before
        move = None if original == number else self._copied(original, number)
        return (number, self._home(number)) if move is None else (original, move)

    def _copied(self, original: int, copy: int) -> Move | None:
        """How a chunk's sub-model is put where its copy is; None if it is no copy to the brick and its colour."""
        home, bricks = self._home(original), self.handwork.bricks_of(original)
        there = self._looks(self.handwork.bricks_of(copy), Move())
        for turn in reversed(TURNS):
            turned = self._looks(bricks, Move(turn=turn).of(_back(home)))
            x, y, z = (end - start for end, start in zip(_corner(there), _corner(turned), strict=True))
            move = Move((x, y, z), turn)
            if self._looks(bricks, move.of(_back(home))) == there:
                return move
        return None

    def _looks(self, bricks: Sequence[int], move: Move) -> Counter[_Look]:
        """What bricks look like that are moved: where each is, in which direction, of which part and colour."""
        moved = [(self.bricks[index], move.of(self.moves[index])) for index in bricks]
        return Counter((*at.place, direction_of(brick.shape, at.turn), brick.part, brick.colour) for brick, at in moved)


def _corner(looks: Counter[_Look]) -> tuple[float, float, float]:
    x, y, z = (min(look[axis] for look in looks) for axis in range(3))
    return x, y, z


def _back(home: Move) -> Move:
    x, y, z = home.place
    return Move((-x, -y, -z))


def _from(home: Move, move: Move) -> Move:
    """A move as it is told from a home, which is not turned."""
    return _back(home).of(move)


def _view(turned: bool, quarters: int) -> str:
    """The line that turns the view, from how often the model is turned by a quarter, anticlockwise seen from above.

    Programs turn the model about Z, then Y, then X, and about Y the other way round. One that was turned over before is
    turned about Y first, in their way, and over then: which is the same.
    """
    if not turned and quarters % 4 == 0:
        return "0 ROTSTEP END"
    return f"0 ROTSTEP {180 if turned else 0} {90 * ((quarters if turned else -quarters) % 4)} 0 REL"
