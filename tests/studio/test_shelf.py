"""How long targets are kept, how many, and how large they may be together."""

from dataclasses import replace

import numpy as np

from brickbybrick.order import Order
from brickbybrick.studio.gallery import example
from brickbybrick.studio.sent import Sent
from brickbybrick.studio.shelf import Kept, Shelf
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import Target, TargetSet


def kept(target: Target) -> Kept:
    return Kept(Wanted(target), example(target), Order())


def test_a_shelf_is_bounded_and_forgets(flat_targets: TargetSet) -> None:
    now = 0.0
    shelf = Shelf(most=3, seconds=10, clock=lambda: now)
    all_kept = [kept(target) for target in flat_targets]
    names = [shelf.put(each) for each in all_kept]
    assert len(set(names)) == 3
    assert all(len(name) >= 20 for name in names)
    assert shelf.get(names[0]) is all_kept[0]
    shelf.put(all_kept[0])
    assert shelf.get(names[1]) is None  # it was not asked for longest
    assert len(shelf) == 3
    now = 9
    assert shelf.get(names[0]) is all_kept[0]
    now = 15
    assert shelf.get(names[0]) is all_kept[0]
    assert len(shelf) == 1
    now = 26
    assert shelf.get(names[0]) is None
    assert shelf.get("nothing") is None


def test_what_was_sent_counts_once_however_often_it_is_read(flat_targets: TargetSet) -> None:
    target = flat_targets[0]
    room = kept(target).room
    assert room == target.images.nbytes + target.hull.nbytes + target.volume.nbytes
    painted = replace(target, paint=np.zeros((*target.hull.shape, 4), np.uint8))
    assert kept(painted).room == room + 4 * target.hull.size
    shelf = Shelf(room=10_000 + 10 * room)
    file = Sent("picture", "large.png", (("large.png", bytes(10_000)),))
    names = [shelf.put(Kept(Wanted(target), file, Order())) for _ in range(10)]
    assert shelf.taken() == 10_000 + 10 * room
    shelf.put(Kept(Wanted(target), file, Order()))
    assert [shelf.get(name) is None for name in names] == [True] + [False] * 9
    other = Sent("picture", "other.png", (("other.png", bytes(10_000)),))
    last = shelf.put(Kept(Wanted(target), other, Order()))  # all that was read from the first gives way
    assert shelf.taken() <= shelf.room
    assert shelf.get(last) is not None
    huge = Sent("picture", "huge.png", (("huge.png", bytes(50_000)),))
    assert shelf.get(shelf.put(Kept(Wanted(target), huge, Order()))) is not None  # alone, whatever it takes
    assert len(shelf) == 1
