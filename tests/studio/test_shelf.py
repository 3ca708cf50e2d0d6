"""How long targets are kept, and how many."""

from brickbybrick.studio.shelf import Shelf
from brickbybrick.targets.inputs import Wanted
from brickbybrick.targets.target import TargetSet


def test_a_shelf_is_bounded_and_forgets(flat_targets: TargetSet) -> None:
    now = 0.0
    shelf = Shelf(most=3, seconds=10, clock=lambda: now)
    wanted = [Wanted(target) for target in flat_targets]
    names = [shelf.put(each) for each in wanted]
    assert len(set(names)) == 3
    assert all(len(name) >= 20 for name in names)
    assert shelf.get(names[0]) is wanted[0]
    shelf.put(wanted[0])
    assert shelf.get(names[1]) is None  # it was not asked for longest
    assert len(shelf) == 3
    now = 9
    assert shelf.get(names[0]) is wanted[0]
    now = 15
    assert shelf.get(names[0]) is wanted[0]
    assert len(shelf) == 1
    now = 26
    assert shelf.get(names[0]) is None
    assert shelf.get("nothing") is None
