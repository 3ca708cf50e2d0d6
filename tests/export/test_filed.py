"""Files with sub-models tell how a model is put together, as it was written or as another program has it."""

import random
from collections import Counter

from export.assembled import random_handwork, table
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.construction import Construction
from brickbybrick.export.ldraw import read_ldraw
from brickbybrick.export.mpd import to_mpd
from brickbybrick.handwork.work import Handwork

TURN = "1 0 0 0 1 0 0 0 1"
seeds = st.integers(0, 2**32).map(random.Random)


def chunks_of(model: Construction, work: Handwork) -> Counter[object]:
    """What is in each chunk and which way up it is built, and what is in each step of those that are no copies."""
    looks = [(brick.part, brick.pose, brick.colour) for brick in model.bricks]
    found: Counter[object] = Counter()
    for number, chunk in enumerate(work.chunks):
        found[chunk.turned, tuple(sorted(looks[brick] for brick in work.bricks_of(number)))] += 1
        if chunk.copy_of is None:
            steps = [tuple(sorted(looks[brick] for brick in work.added(step))) for step in chunk.steps]
            found["steps", tuple(steps)] += 1
    return found


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_handwork_comes_back(chance: random.Random) -> None:
    model, work = random_handwork(chance)
    back, filed = read_ldraw(to_mpd(model, work))
    filed.check(len(model.bricks))
    assert chunks_of(back, filed) == chunks_of(model, work)


def test_a_table_comes_back() -> None:
    model, work = table()
    back, filed = read_ldraw(to_mpd(model, work))
    assert [(len(chunk.steps), chunk.turned, chunk.copy_of) for chunk in filed.chunks] == [
        *((2, True, None), (2, True, 0), (2, True, 0), (2, True, 0)),
        (3, False, None),
    ]
    assert [len(filed.bricks_of(number)) for number in range(5)] == [4, 4, 4, 4, 19]
    assert chunks_of(back, filed) == chunks_of(model, work)


def test_parts_that_are_no_bricks_are_in_no_step() -> None:
    lines = ["0 FILE a.ldr", f"1 4 0 -24 0 {TURN} 3003.dat", "0 STEP", f"1 4 0 -48 0 {TURN} 3941.dat", "0 STEP"]
    lines += [f"1 4 0 0 0 {TURN} b.ldr", f"1 4 0 0 0 {TURN} c.ldr"]
    lines += ["0 FILE b.ldr", f"1 4 0 -72 0 {TURN} 4589.dat", "0 FILE c.ldr", f"1 4 0 -72 0 {TURN} 3003.dat"]
    _, filed = read_ldraw("\n".join(lines))
    filed.check(2)
    assert [[(step.bricks, step.chunks) for step in chunk.steps] for chunk in filed.chunks] == [
        [((1,), ())],
        [((0,), ()), ((), (0,))],
    ]
