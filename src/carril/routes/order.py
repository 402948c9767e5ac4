"""An order of points in which few segments are open at any time.

The search costs about three times as much for each open segment more, so the cost
of an order is the sum of 3 to the power of the open segments after each point. A
small network gets a quick answer; the larger the cost, the longer a better order
is looked for. Everything is decided by whole numbers, the same on every machine.
"""

from __future__ import annotations

_QUICK = 12
"""Starting points that are always tried."""
_THOROUGH = 30_000
"""Cost from which many starting points and all habits are tried."""
_MANY = 24
_PATIENT = 300_000
"""Cost from which single points are moved about as well."""
_WINDOW = 20
_HABITS = 4


def narrow_order(near: dict[int, list[int]]) -> list[int]:
    """Order the points of one connected part; `near` has the far ends of all segments.

    >>> narrow_order({1: [2], 2: [1, 3], 3: [2]})
    [1, 2, 3]
    """
    starts = sorted(near, key=lambda point: (len(near[point]), point))
    step = max(1, len(starts) // _QUICK)
    cost, order = _sweep(near, starts[0], 0, -1)
    for start in starts[step::step][: _QUICK - 1]:
        cost, order = _better(near, start, 0, cost, order)
    if cost > _THOROUGH:
        for start in starts[:: max(1, len(starts) // _MANY)]:
            for habit in range(_HABITS):
                cost, order = _better(near, start, habit, cost, order)
    if cost > _PATIENT:
        return _polish(near, order, cost)
    return order


def _better(
    near: dict[int, list[int]], start: int, habit: int, cost: int, order: list[int]
) -> tuple[int, list[int]]:
    """The order that one more sweep finds, if it costs less."""
    found = _sweep(near, start, habit, cost)
    return found if found[1] else (cost, order)


def _sweep(near: dict[int, list[int]], start: int, habit: int, limit: int) -> tuple[int, list[int]]:
    """Take the point that opens the fewest segments; habits differ in minding the oldest.

    No order is given as soon as it costs `limit` (-1: no limit).
    """
    order: list[int] = []
    open_at: dict[int, int] = {start: 0}
    age: dict[int, int] = {start: 0}
    done: set[int] = set()
    width = 0
    cost = 0
    while open_at:
        point = _next(near, open_at, age, len(order), habit)
        width += len(near[point]) - 2 * open_at.pop(point)
        cost += 3**width
        if limit >= 0 and cost >= limit:
            return cost, []
        done.add(point)
        order.append(point)
        for far in near[point]:
            if far not in done:
                open_at[far] = open_at.get(far, 0) + 1
                age.setdefault(far, len(order))
    return cost, order


def _next(
    near: dict[int, list[int]], open_at: dict[int, int], age: dict[int, int], now: int, habit: int
) -> int:
    best = -1
    best_key = (0, 0)
    for point, opened in open_at.items():
        more = len(near[point]) - 2 * opened
        if habit == 0:
            key = (more, -opened)
        elif habit == 1:
            key = (more, age[point])
        else:
            key = (12 * more - (now - age[point]) * (habit - 1), 0)
        if best < 0 or (key, point) < (best_key, best):
            best, best_key = point, key
    return best


def _polish(near: dict[int, list[int]], order: list[int], cost: int) -> list[int]:
    """Move one point at a time to where it costs least, until none helps."""
    for _ in range(3):
        before = cost
        for point in list(order):
            at = order.index(point)
            rest = order[:at] + order[at + 1 :]
            first = max(0, at - _WINDOW)
            last = min(len(rest), at + _WINDOW)
            found, where = _best_place(near, rest, point, first, last)
            if found < cost:
                cost = found
                order = [*rest[:where], point, *rest[where:]]
        if cost == before:
            break
    return order


def _best_place(
    near: dict[int, list[int]], rest: list[int], point: int, first: int, last: int
) -> tuple[int, int]:
    """The cost of the best place for `point` between two places, and that place.

    The cost is a sum over the gaps of the order; with the point before or behind a
    gap, its own segments count as open or not, so one pass reckons all places.
    """
    place = {other: index for index, other in enumerate(rest)}
    width = 0
    widths: list[int] = []
    for index, other in enumerate(rest):
        for far in near[other]:
            if far != point:
                width += 1 if place[far] > index else -1
        widths.append(width)
    degree = len(near[point])
    passed = [0] * (len(rest) + 1)
    for far in near[point]:
        passed[place[far] + 1] += 1
    for index in range(len(rest)):
        passed[index + 1] += passed[index]
    without = [0] * (len(rest) + 1)
    behind = [0] * (len(rest) + 1)
    for index in range(len(rest)):
        count = passed[index + 1]
        without[index + 1] = without[index] + 3 ** (widths[index] + count)
        behind[index + 1] = behind[index] + 3 ** (widths[index] + degree - count)
    best, where = -1, first
    for index in range(first, last + 1):
        width = widths[index - 1] if index else 0
        own = 3 ** (width + degree - passed[index])
        total = without[index] + own + behind[-1] - behind[index]
        if best < 0 or total < best:
            best, where = total, index
    return best, where
