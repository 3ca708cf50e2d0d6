"""Whose turn it is: things in an order in which each comes after all that must be there before it."""

import heapq
from collections.abc import Callable, Mapping
from typing import Any


def awaited(before: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """What waits for each item, where `before` says what must be there before it."""
    after: dict[int, set[int]] = {item: set() for item in before}
    for item, needed in before.items():
        for other in needed:
            after[other].add(item)
    return after


def in_turn(before: Mapping[int, set[int]], rank: Callable[[int], Any]) -> list[int] | None:
    """All items, each after those that must be there before it, and of those whose turn it may be the one of least
    rank first; None if some wait for each other."""
    waits = {item: len(needed) for item, needed in before.items()}
    after = awaited(before)
    ready = [(rank(item), item) for item, count in waits.items() if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        _, item = heapq.heappop(ready)
        order.append(item)
        for other in after[item]:
            waits[other] -= 1
            if not waits[other]:
                heapq.heappush(ready, (rank(other), other))
    return order if len(order) == len(waits) else None
