"""The band around what is new in a picture: along which edges it goes, and when it is painted.

It waits until something is painted that may hide it. Studs on its own level do not: they would cut a band around a flat
brick into dashes.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from brickbybrick.bodies import STUD_HEIGHT, Floats, Outline
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.camera import View
from brickbybrick.geometry.faces import PLATE

Point = tuple[float, float]
Piece = tuple[Point, Point]  # a straight line in the picture


class Rim(NamedTuple):
    """Edges of one brick whose lowest ends are equally high."""

    brick: int
    pieces: tuple[Piece, ...]
    frame: Floats  # (2, 2) the corners around them in the picture
    far: Floats  # (3,) how far they reach away from the viewer along each axis, in studs and plates


class Bands:
    """Rims that wait to be painted."""

    def __init__(self, view: View) -> None:
        self._near = np.sign(view.to_viewer)  # (3,) which way along each axis is nearer
        self._waiting: list[Rim] = []

    def add(self, brick: int, outlines: Sequence[Outline], own: Collection[Cell]) -> None:
        """Around what is seen of a part: along edges that only one of its faces has, except where its face goes on in
        another part of those that the band goes around, whose cells are its own."""
        edges: Counter[frozenset[Point]] = Counter()
        found: dict[frozenset[Point], tuple[Floats, list[Piece]]] = {}
        for outline in outlines:
            if outline.corners is None or outline.normal is None:
                continue
            points = [(x, y) for x, y in outline.points.round(6).tolist()]
            for end, is_edge in enumerate(outline.edges):
                edge = frozenset((points[end - 1], points[end]))
                if is_edge and len(edge) == 2:
                    edges[edge] += 1
                    ends = [end - 1, end]
                    far = (self._near * outline.corners[ends]).min(axis=0)
                    found[edge] = far, _bare(outline.points[ends], outline.corners[ends], outline.normal, own)
        bare = [found[edge] for edge, faces in edges.items() if faces == 1 and found[edge][1]]
        for _, some in groupby(sorted(bare, key=lambda rim: float(rim[0][2])), key=lambda rim: float(rim[0][2])):
            rims = list(some)
            pieces = tuple(piece for _, run in rims for piece in run)
            ends_of = np.array(pieces).reshape(-1, 2)
            frame = np.array((ends_of.min(axis=0), ends_of.max(axis=0)))
            self._waiting.append(Rim(brick, pieces, frame, np.min([far for far, _ in rims], axis=0)))

    def hidden_by(self, outlines: Sequence[Outline], box: Sequence[float]) -> list[Rim]:
        """Those that have to be painted before a body in a box, from x, y, z to x, y, z, since it or its studs may hide
        them: it reaches nearer to the viewer along every axis."""
        if not self._waiting or not outlines:
            return []
        near = (self._near * np.array(box).reshape(2, 3)).max(axis=0)
        points = np.concatenate([outline.points for outline in outlines])
        low, high = points.min(axis=0) - (0, STUD_HEIGHT), points.max(axis=0)
        hidden: list[Rim] = []
        left: list[Rim] = []
        for rim in self._waiting:
            meets = bool((rim.frame[0] <= high).all() and (low <= rim.frame[1]).all())
            (hidden if meets and bool((near > rim.far).all()) else left).append(rim)
        self._waiting = left
        return hidden

    def rest(self) -> list[Rim]:
        """Those that nothing hides."""
        return self._waiting


def _bare(seen: Floats, ends: Floats, normal: Floats, own: Collection[Cell]) -> list[Piece]:
    """The pieces of a face's edge, stud by stud, beyond which there is no cell of one's own.

    Args:
        seen: (2, 2) where it begins and ends in the picture.
        ends: (2, 3) and in the model, in studs and plates; the face is at its left as seen from outside.
        normal: Of the face.
        own: The cells.
    """
    along = ends[1] - ends[0]
    beyond = np.cross(along * (1, 1, PLATE), normal)
    beyond /= np.abs(beyond).max()
    count = max(1, round(float(np.abs(along).max())))
    bare = []
    for piece in range(count):
        place = ends[0] + along * (piece + 0.5) / count + 0.25 * beyond
        cells = [tuple(np.floor(place + side * normal).astype(int).tolist()) for side in (-0.25, 0.25)]
        bare.append(not any(cell in own for cell in cells))
    return list(_joined(seen, bare))


def _joined(seen: Floats, bare: Sequence[bool]) -> Iterator[Piece]:
    """Bare pieces of an edge that follow each other, as one."""
    for is_bare, run in groupby(range(len(bare)), key=lambda piece: bare[piece]):
        if is_bare:
            places = list(run)
            first, last = (seen[0] + (seen[1] - seen[0]) * share / len(bare) for share in (places[0], places[-1] + 1))
            yield (float(first[0]), float(first[1])), (float(last[0]), float(last[1]))
