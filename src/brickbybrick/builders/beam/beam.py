"""The search: a beam over sets of bricks, and rebuilding parts of the best model with a narrow one.

A beam keeps the most promising sets of n bricks and adds to each of them every brick that can be joined, for all n up
to the budget. What makes it strong here is that it counts sets, not sequences: the many orders in which one model can
be built are found by their hash and kept once. A set is promising by what its cells and the pixels it covers are
worth, and by half of what the best brick that its newest one makes room for is worth: bricks that only connect are
worth little themselves.

`improve` runs beams of growing width; after each it takes parts of the best model away and builds them anew, for as
long as the beam took. It is an endless sequence that does not depend on when it is stopped, so that more work never
makes a worse model, and the same work makes the same model. Work is counted in bricks that were looked at.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from brickbybrick.builders.beam.sites import Numbers, Sites
from brickbybrick.jit import GOLDEN, Bits, Ints, compiled, inlined, lowest_bit, mixed, next_bits, seeded

WIDEN = 4  # each beam is this many times as wide as the one before it
WIDEST = 1 << 16
ROOM = 1 << 28  # bytes that the sets of a beam may take
NARROW = 8  # sets kept while a part is rebuilt
MOST_REMOVED = 12  # bricks taken away at a time, less those that then hang in the air
PORTIONS = 8  # of the rebuilding that follows a beam: between them the limits are looked at
LEAST_PORTION = 1_000  # less work than this takes no longer than beginning it
TIE_BITS = 20


class Memory(NamedTuple):
    """Two generations of a beam's sets, and the next one as it is found."""

    free: Bits  # (generation, set, word) sites where a brick can be added, as bits
    taken: Bits  # (generation, set, word) sites that clash with a brick of the set
    seen: Bits  # (generation, set, word) pixels covered
    worth: Ints  # (generation, set)
    name: Bits  # (generation, set) the set's hash
    parent: Numbers  # (brick, set) the set that it comes from, and
    newest: Numbers  # (brick, set) the site that was added
    heap: Ints  # (set,) promises of the sets found so far, the least in front
    found_parent: Numbers  # (set,)
    found_site: Numbers  # (set,)
    found_name: Bits  # (set,)
    table: Bits  # (slot,) names of the sets found, 0 where there is none


class Found(NamedTuple):
    """The best model so far."""

    seconds: float  # since the search began
    work: int  # bricks looked at
    worth: int
    sites: Numbers  # (brick,) the bricks that were there, then those added in an order that can be built


def allocate(sites: Sites, bricks: int, width: int) -> Memory:
    """Memory for a beam that keeps `width` sets and adds up to `bricks` bricks."""
    words, pixel_words = -(-len(sites.poses) // 64), -(-len(sites.prizes) // 64)
    slots = 1 << (8 * width - 1).bit_length()
    return Memory(
        free=np.zeros((2, width, words), np.uint64),
        taken=np.zeros((2, width, words), np.uint64),
        seen=np.zeros((2, width, pixel_words), np.uint64),
        worth=np.zeros((2, width), np.int64),
        name=np.zeros((2, width), np.uint64),
        parent=np.zeros((bricks, width), np.int32),
        newest=np.zeros((bricks, width), np.int32),
        heap=np.zeros(width, np.int64),
        found_parent=np.zeros(width, np.int32),
        found_site=np.zeros(width, np.int32),
        found_name=np.zeros(width, np.uint64),
        table=np.zeros(slots, np.uint64),
    )


def most_sets(sites: Sites) -> int:
    """The widest beam that fits into the room there is, a power of `WIDEN`."""
    words = 2 * (2 * -(-len(sites.poses) // 64) + -(-len(sites.prizes) // 64))
    width = 1
    while width < WIDEST and WIDEN * width * words * 8 <= ROOM:
        width *= WIDEN
    return width


def improve(
    sites: Sites,
    bricks: int,
    seed: int,
    work: int | None = None,
    seconds: float | None = None,
    enough: int | None = None,
) -> Iterator[Found]:
    """Better and better models of so many bricks, until the work or the time is spent, or none can be better.

    The first model comes whatever the limits, and each model that follows is worth more than those before it. Where no
    brick can be added, the first is also the last.

    Args:
        sites: The places for bricks; those of the bricks already there, `sites.begun`, stay.
        bricks: How many there are to be in the end.
        seed: Of the choice among equals, and of what is rebuilt.
        work: Bricks to look at, about; no limit if not given.
        seconds: Time to take, about; no limit if not given.
        enough: What no model is worth more than, if that is known.
    """
    start, spent = time.perf_counter(), 0
    begun = np.arange(sites.begun, dtype=np.int32)
    model = begun
    if bricks <= sites.begun or not sites.begun:
        yield Found(0.0, 0, 0, model)
        return
    generator = seeded(1, seed)
    widest, width = most_sets(sites), 1
    narrow = allocate(sites, bricks, NARROW)
    best = -1

    def over() -> bool:
        if enough is not None and best >= enough:
            return True
        return (work is not None and spent >= work) or (seconds is not None and time.perf_counter() - start >= seconds)

    while True:
        memory = allocate(sites, bricks - sites.begun, width)
        added, worth, looked = grow(sites, begun, bricks - sites.begun, memory, int(next_bits(generator, 0)) >> 1)
        spent += looked
        if worth > best:
            model, best = np.concatenate([begun, added]), worth
            yield Found(time.perf_counter() - start, spent, best, model)
        if over() or not looked:  # where there is room for nothing, no beam will find any
            return
        until, portion = spent + looked, max(looked // PORTIONS, LEAST_PORTION)
        while spent < until:
            model, worth, looked = rebuild(sites, model, best, narrow, generator, portion)
            spent += looked
            if worth > best:
                best = worth
                yield Found(time.perf_counter() - start, spent, best, model)
            if over():
                return
        width = min(WIDEN * width, widest)


@inlined
def _has(bits: Bits, at: int, which: int, place: int) -> bool:
    return bool((bits[at, which, place >> 6] >> np.uint64(place & 63)) & np.uint64(1))


@inlined
def _newly_seen(pixels: Numbers, prizes: Ints, seen: Bits, at: int, which: int, site: int) -> int:
    """What the pixels are worth that a brick would be the first to cover."""
    gain = 0
    for k in range(pixels.shape[1]):
        pixel = pixels[site, k]
        if pixel < 0:
            break
        if not _has(seen, at, which, pixel):
            gain += prizes[pixel]
    return gain


@compiled
def _lay(sites: Sites, memory: Memory, at: int, which: int, site: int) -> None:
    """Adds a brick to a set."""
    clashes, joins, pixels = sites.clashes, sites.joins, sites.pixels
    free, taken, seen = memory.free, memory.taken, memory.seen
    memory.worth[at, which] += sites.worths[site] + _newly_seen(pixels, sites.prizes, seen, at, which, site)
    for k in range(clashes.shape[1]):
        other = clashes[site, k]
        if other < 0:
            break
        bit = np.uint64(1) << np.uint64(other & 63)
        taken[at, which, other >> 6] |= bit
        free[at, which, other >> 6] &= ~bit
    for k in range(joins.shape[1]):
        other = joins[site, k]
        if other < 0:
            break
        bit = np.uint64(1) << np.uint64(other & 63)
        free[at, which, other >> 6] |= bit & ~taken[at, which, other >> 6]
    for k in range(pixels.shape[1]):
        pixel = pixels[site, k]
        if pixel < 0:
            break
        seen[at, which, pixel >> 6] |= np.uint64(1) << np.uint64(pixel & 63)


@inlined
def _best_join(joins: Numbers, worths: Ints, taken: Bits, at: int, which: int, site: int) -> int:
    """What the best brick is worth that could be joined to one at this site."""
    best = 0
    for k in range(joins.shape[1]):
        other = joins[site, k]
        if other < 0:
            break
        if worths[other] > best and not _has(taken, at, which, other):
            best = worths[other]
    return best


@inlined
def _find_slot(table: Bits, name: np.uint64) -> int:
    """Where the name is, or could be put."""
    last = table.size - 1
    slot = np.int64(name & np.uint64(last))
    while table[slot] != 0 and table[slot] != name:
        slot = (slot + 1) & last
    return int(slot)


@compiled
def _keep(memory: Memory, count: int, promise: int, parent: int, site: int, name: np.uint64) -> None:
    """Puts a set into the heap of `count` sets, in place of the least promising one if it is full."""
    heap = memory.heap
    if count < heap.size:
        place = count
        while place > 0 and heap[(place - 1) >> 1] > promise:
            _move(memory, (place - 1) >> 1, place)
            place = (place - 1) >> 1
    else:
        place = 0
        while 2 * place + 1 < count:
            below = 2 * place + 1
            if below + 1 < count and heap[below + 1] < heap[below]:
                below += 1
            if heap[below] >= promise:
                break
            _move(memory, below, place)
            place = below
    heap[place], memory.found_name[place] = promise, name
    memory.found_parent[place], memory.found_site[place] = parent, site


@inlined
def _move(memory: Memory, place: int, to: int) -> None:
    memory.heap[to], memory.found_name[to] = memory.heap[place], memory.found_name[place]
    memory.found_parent[to], memory.found_site[to] = memory.found_parent[place], memory.found_site[place]


@compiled
def grow(sites: Sites, begun: Numbers, more: int, memory: Memory, seed: int) -> tuple[Numbers, int, int]:
    """The best `more` bricks to add to those begun, by a beam.

    Returns:
        The sites of the bricks added, fewer than asked for if there is no room for more; what the whole model is
        worth; how many bricks were looked at.
    """
    # Unpacked once: reading an array out of a record inside the loop costs a reference count each time.
    free, taken, seen, worth, name = memory.free, memory.taken, memory.seen, memory.worth, memory.name
    worths, hopes, joins, pixels, prizes = sites.worths, sites.hopes, sites.joins, sites.pixels, sites.prizes
    table, heap = memory.table, memory.heap
    words, width = free.shape[2], heap.size
    first = int(np.int64(0))  # of a type: a bare 0 would have what it is passed to compiled again for it
    free[0, 0], taken[0, 0], seen[0, 0], worth[0, 0], name[0, 0] = 0, 0, 0, 0, 0
    for k in range(begun.size):
        _lay(sites, memory, first, first, begun[k])
    sets, looked, placed = 1, 0, 0
    for depth in range(more):
        now, then = depth & 1, 1 - (depth & 1)
        count = used = first
        table[:] = 0
        for parent in range(sets):
            for w in range(words):
                word = free[now, parent, w]
                while word != 0:
                    site = 64 * w + lowest_bit(word)
                    word &= word - np.uint64(1)
                    looked += 1
                    if count == width and (worth[now, parent] + hopes[site] + 1) << TIE_BITS <= heap[0]:
                        continue
                    promise = worth[now, parent] + worths[site]
                    promise += _newly_seen(pixels, prizes, seen, now, parent, site)
                    if depth < more - 1:
                        promise += _best_join(joins, worths, taken, now, parent, site) >> 1
                    own = name[now, parent] ^ mixed(np.uint64(site + 1) * GOLDEN)
                    tie = mixed(own ^ np.uint64(seed)) >> np.uint64(64 - TIE_BITS)
                    promise = (promise << TIE_BITS) | np.int64(tie)
                    if count == width and promise <= heap[0]:
                        continue
                    slot = _find_slot(table, own)
                    if table[slot] == own:
                        continue
                    _keep(memory, count, promise, parent, site, own)
                    count = min(count + 1, width)
                    table[slot] = own
                    used += 1
                    if 2 * used > table.size:  # forgets the sets that others have pushed out
                        table[:] = 0
                        used = count
                        for k in range(count):
                            table[_find_slot(table, memory.found_name[k])] = memory.found_name[k]
        if count == 0:
            break
        for k in range(count):
            parent, site = memory.found_parent[k], memory.found_site[k]
            memory.parent[depth, k], memory.newest[depth, k] = parent, site
            for w in range(words):
                free[then, k, w] = free[now, parent, w]
                taken[then, k, w] = taken[now, parent, w]
            for w in range(seen.shape[2]):
                seen[then, k, w] = seen[now, parent, w]
            worth[then, k], name[then, k] = worth[now, parent], memory.found_name[k]
            _lay(sites, memory, then, k, site)
        sets, placed = count, depth + 1
    last = placed & 1
    best = 0
    for k in range(sets):
        if worth[last, k] > worth[last, best]:
            best = k
    added = np.empty(placed, np.int32)
    total, k = worth[last, best], best
    for depth in range(placed - 1, -1, -1):
        added[depth] = memory.newest[depth, k]
        k = memory.parent[depth, k]
    return added, total, looked


@compiled
def rebuild(
    sites: Sites, model: Numbers, worth: int, memory: Memory, generator: Bits, work: int
) -> tuple[Numbers, int, int]:
    """Takes parts of a model away and builds them anew, until `work` bricks were looked at. What is worth as much is
    taken too, so that the model can change its shape on the way to a better one."""
    poses, joins, fixed, bricks = sites.poses, sites.joins, sites.begun, model.size
    here = np.zeros(poses.shape[0], np.bool_)  # (site,) bricks that stay
    away = np.empty(bricks, np.int64)
    kept = np.empty(bricks, np.int32)
    looked = 0
    while looked < work:
        draw = next_bits(generator, 0)
        centre = poses[model[np.int64(draw % np.uint64(bricks))]]
        removed = 1 + int(np.int64((draw >> np.uint64(32)) % np.uint64(MOST_REMOVED)))
        for k in range(fixed, bricks):
            pose = poses[model[k]]
            # Twice the distance of centres, then a draw.
            distance = abs(2 * (pose[0] - centre[0]) + 2 * (pose[3] - centre[3]))
            distance += abs(2 * (pose[1] - centre[1]) - 2 * (pose[3] - centre[3])) + 3 * abs(pose[2] - centre[2])
            away[k] = (distance << 20) | np.int64(mixed(draw ^ np.uint64(k + 1)) >> np.uint64(44))
            here[model[k]] = True
        for _ in range(min(removed, bricks - fixed)):
            nearest = -1
            for k in range(fixed, bricks):
                if here[model[k]] and (nearest < 0 or away[k] < away[nearest]):
                    nearest = k
            here[model[nearest]] = False
        stay = fixed
        kept[:fixed] = model[:fixed]
        done = 0
        while done < stay:  # what is still joined to the bricks that were there from the first
            for k in range(joins.shape[1]):
                other = joins[kept[done], k]
                if other < 0:
                    break
                if here[other]:
                    here[other] = False
                    kept[stay] = other
                    stay += 1
            done += 1
        for k in range(fixed, bricks):
            here[model[k]] = False
        looked += bricks
        if bricks - stay > 2 * MOST_REMOVED:
            continue
        seed = int(np.int64(draw >> np.uint64(1)))
        added, total, more = grow(sites, kept[:stay], bricks - stay, memory, seed)
        looked += more
        if total >= worth and added.size == bricks - stay:
            worth = total
            model = kept.copy()
            model[stay:] = added
    return model, worth, looked
