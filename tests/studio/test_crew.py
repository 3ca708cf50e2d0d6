"""Threads that come back, threads that do not, and the program that ends all the same."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from studio.conversation import wait_for

from brickbybrick.studio.crew import BusyError, Crew, OverdueError

SHORT = 0.1  # seconds


@pytest.fixture
def free() -> Iterator[threading.Event]:
    """What stuck threads wait for; set in the end, so that none outlives its test."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew("test", 2, most_lost=3)
    yield crew
    crew.close()


async def do_all(crew: Crew, *works: object, seconds: float = 10) -> list[object]:
    return await asyncio.gather(*(crew.do(work, seconds) for work in works), return_exceptions=True)  # type: ignore[arg-type]


def test_work_is_done_on_as_many_threads_as_there_are(crew: Crew) -> None:
    both = threading.Barrier(2, timeout=5)  # passed only by two at once
    assert sorted(asyncio.run(do_all(crew, both.wait, both.wait))) == [0, 1]  # type: ignore[type-var]
    names = asyncio.run(do_all(crew, *[lambda: threading.current_thread().ident] * 20))
    assert len(set(names)) <= 2


def test_what_goes_wrong_is_raised_where_it_is_waited_for(crew: Crew) -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(crew.do(lambda: 1 // 0, 5))
    assert asyncio.run(crew.do(lambda: 1, 5)) == 1


def test_stuck_threads_are_replaced_and_come_back_to_end(crew: Crew, free: threading.Event) -> None:
    start = time.monotonic()
    stuck = asyncio.run(do_all(crew, free.wait, free.wait, seconds=SHORT))
    assert [type(each) for each in stuck] == [OverdueError, OverdueError]
    assert time.monotonic() - start < 5
    assert crew.lost == 2
    assert asyncio.run(do_all(crew, *[lambda: "done"] * 8)) == ["done"] * 8  # by those that took their turns
    free.set()
    wait_for(lambda: crew.lost == 0)
    assert sum(thread.name == "test" for thread in threading.enumerate()) == 2


def test_a_thread_that_spins_in_python_is_replaced_too(crew: Crew, free: threading.Event) -> None:
    def spin() -> None:
        while not free.is_set():
            pass

    with pytest.raises(OverdueError):
        asyncio.run(crew.do(spin, SHORT))
    assert asyncio.run(crew.do(lambda: 1, 5)) == 1


def test_threads_stuck_for_those_who_left_are_replaced_when_others_come(crew: Crew, free: threading.Event) -> None:
    async def leave() -> None:
        begun = threading.Barrier(3, timeout=5)
        waiting = [asyncio.ensure_future(crew.do(lambda: (begun.wait(), free.wait()), SHORT)) for _ in range(2)]
        await asyncio.sleep(0)  # for both to be queued
        begun.wait()
        for each in waiting:
            each.cancel()

    asyncio.run(leave())
    assert asyncio.run(crew.do(lambda: 1, 5)) == 1
    assert crew.lost == 2


def test_waiting_for_a_thread_does_not_count(crew: Crew) -> None:
    """Ten things of 0.2 s on two threads: the last is begun after 0.8 s, and none takes the 0.8 s that it may."""
    assert asyncio.run(do_all(crew, *[lambda: time.sleep(0.2)] * 10, seconds=0.8)) == [None] * 10


def test_what_was_not_begun_is_dropped_with_whoever_waits(crew: Crew, free: threading.Event) -> None:
    begun = []

    async def leave() -> None:
        holding = [asyncio.ensure_future(crew.do(free.wait, 30)) for _ in range(2)]
        dropped = asyncio.ensure_future(crew.do(lambda: begun.append(1), 30))
        await asyncio.sleep(SHORT)
        dropped.cancel()
        await asyncio.sleep(SHORT)
        free.set()
        await asyncio.gather(*holding)

    asyncio.run(leave())
    asyncio.run(do_all(crew, *[lambda: None] * 2))
    assert not begun


def test_too_many_lost_threads_are_told_until_they_end(crew: Crew, free: threading.Event) -> None:
    """Also to those who were waiting: of twenty stuck things no more are begun than it takes to know."""
    ends = [type(end) for end in asyncio.run(do_all(crew, *[free.wait] * 20, seconds=SHORT))]
    assert set(ends) == {OverdueError, BusyError}
    assert crew.most_lost <= crew.lost == ends.count(OverdueError) < crew.most_lost + crew.threads
    with pytest.raises(BusyError, match="restart the studio"):
        asyncio.run(crew.do(lambda: 1, 5))
    free.set()
    wait_for(lambda: crew.lost == 0)
    assert asyncio.run(crew.do(lambda: 1, 5)) == 1


def test_a_closed_crew_ends_what_it_is_at_and_begins_nothing() -> None:
    crew, done = Crew("closing", 1), []
    begun = crew.submit(lambda: (time.sleep(SHORT), done.append("begun")), 5)
    wait_for(begun.running)
    queued = crew.submit(lambda: done.append("queued"), 5)
    crew.close()
    crew.join(5)
    assert done == ["begun"]
    assert queued.cancelled()
    with pytest.raises(RuntimeError):
        crew.submit(lambda: None, 5)


def test_a_program_ends_although_a_thread_does_not() -> None:
    """In compiled code that never ends and does not give Python a chance to ask it to."""
    script = """
import asyncio, numba, numpy as np
from brickbybrick.studio.crew import Crew, OverdueError

@numba.njit(nogil=True)
def spin(numbers):
    while True:
        numbers[0] = numbers[0] * 1103515245 + 12345
        if numbers[1] != 0:
            return

crew, numbers = Crew("stuck", 1), np.zeros(2, np.int64)
spin(np.ones(2, np.int64))
try:
    asyncio.run(crew.do(lambda: spin(numbers), 0.1))
except OverdueError:
    print(asyncio.run(crew.do(lambda: "goes on", 5)))
crew.close()
crew.join(5)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "goes on\n"
