"""Vertex ordering: an order of points in which the frontier stays narrow.

Each further segment in the frontier makes the search about three times as expensive, so the cost
of an order is the sum of 3**width over its points. Minimising the width is the cutwidth problem,
which is NP-hard; this is a greedy sweep from several starting points, followed by a local search
that moves single points. A small graph gets a quick answer; the more an order costs, the longer a
better one is looked for. All decisions are made with integers, so every machine finds the same.
"""

from __future__ import annotations

_QUICK_STARTS = 12
"""Starting points that are always tried."""
_THOROUGH_COST = 30_000
"""Cost from which more starting points and all selection rules are tried."""
_THOROUGH_STARTS = 24
_LOCAL_SEARCH_COST = 300_000
"""Cost from which a local search follows."""
_WINDOW = 20
"""How far the local search moves a point."""
_RULES = 4
_LEXICOGRAPHIC = 1 << 20
"""Factor that makes one number of two, of which the first is compared first."""

Adjacency = dict[int, list[int]]
"""For each point the other ends of its segments."""


def narrow_order(adjacency: Adjacency) -> list[int]:
    """Return an order of the points of one connected component.

    >>> narrow_order({1: [2], 2: [1, 3], 3: [2]})
    [1, 2, 3]
    """
    starts = sorted(adjacency, key=lambda point: (len(adjacency[point]), point))
    step = max(1, len(starts) // _QUICK_STARTS)
    cost, order = _sweep(adjacency, starts[0], 0, -1)
    for start in starts[step::step][: _QUICK_STARTS - 1]:
        cost, order = _improved(adjacency, start, 0, cost, order)
    if cost > _THOROUGH_COST:
        for start in starts[:: max(1, len(starts) // _THOROUGH_STARTS)]:
            for rule in range(_RULES):
                cost, order = _improved(adjacency, start, rule, cost, order)
    if cost > _LOCAL_SEARCH_COST:
        return _local_search(adjacency, order, cost)
    return order


def order_cost(adjacency: Adjacency, order: list[int]) -> int:
    """Return the sum of 3**width over the points of an order.

    >>> order_cost({1: [2], 2: [1, 3], 3: [2]}, [1, 2, 3])
    7
    """
    position = {point: index for index, point in enumerate(order)}
    width = cost = 0
    for index, point in enumerate(order):
        for neighbour in adjacency[point]:
            width += 1 if position[neighbour] > index else -1
        cost += 3**width
    return cost


def _improved(
    adjacency: Adjacency, start: int, rule: int, cost: int, order: list[int]
) -> tuple[int, list[int]]:
    """Return the order of one more sweep if it costs less, else the one given."""
    found = _sweep(adjacency, start, rule, cost)
    return found if found[1] else (cost, order)


def _sweep(adjacency: Adjacency, start: int, rule: int, limit: int) -> tuple[int, list[int]]:
    """Build an order greedily; return its cost and the order.

    The order is empty if it would cost `limit` or more (-1: no limit).
    """
    order: list[int] = []
    closing: dict[int, int] = {start: 0}
    since: dict[int, int] = {start: 0}
    done: set[int] = set()
    width = 0
    cost = 0
    while closing:
        point = _next_point(adjacency, closing, since, len(order), rule)
        width += len(adjacency[point]) - 2 * closing.pop(point)
        cost += 3**width
        if limit >= 0 and cost >= limit:
            return cost, []
        done.add(point)
        order.append(point)
        for neighbour in adjacency[point]:
            if neighbour not in done:
                closing[neighbour] = closing.get(neighbour, 0) + 1
                since.setdefault(neighbour, len(order))
    return cost, order


def _next_point(
    adjacency: Adjacency, closing: dict[int, int], since: dict[int, int], now: int, rule: int
) -> int:
    """Return the point that widens the frontier least.

    `closing` has the candidates and how many frontier segments each of them closes. The rules
    differ in how much they prefer candidates that have been waiting `since` long ago.
    """
    best = -1
    best_key = 0
    for point, closed in closing.items():
        growth = len(adjacency[point]) - 2 * closed
        if rule == 0:
            key = growth * _LEXICOGRAPHIC - closed
        elif rule == 1:
            key = growth * _LEXICOGRAPHIC + since[point]
        else:
            key = 12 * growth - (now - since[point]) * (rule - 1)
        if best < 0 or key < best_key or (key == best_key and point < best):
            best, best_key = point, key
    return best


def _local_search(adjacency: Adjacency, order: list[int], cost: int) -> list[int]:
    """Move one point at a time to its cheapest position, until no move helps."""
    for _ in range(3):
        before = cost
        for point in list(order):
            at = order.index(point)
            rest = order[:at] + order[at + 1 :]
            first = max(0, at - _WINDOW)
            last = min(len(rest), at + _WINDOW)
            found, position = _best_position(adjacency, rest, point, first, last)
            if found < cost:
                cost = found
                order = [*rest[:position], point, *rest[position:]]
        if cost == before:
            break
    return order


def _best_position(
    adjacency: Adjacency, rest: list[int], point: int, first: int, last: int
) -> tuple[int, int]:
    """Return the lowest cost with `point` inserted between two positions, and its position.

    The cost is a sum over the gaps of the order. A gap before the point is crossed by the point's
    segments to earlier neighbours, a gap after it by those to later ones, so prefix sums give the
    cost of all positions in one pass.
    """
    position = {other: index for index, other in enumerate(rest)}
    width = 0
    widths: list[int] = []
    for index, other in enumerate(rest):
        for neighbour in adjacency[other]:
            if neighbour != point:
                width += 1 if position[neighbour] > index else -1
        widths.append(width)
    degree = len(adjacency[point])
    earlier = [0] * (len(rest) + 1)
    for neighbour in adjacency[point]:
        earlier[position[neighbour] + 1] += 1
    for index in range(len(rest)):
        earlier[index + 1] += earlier[index]
    before = [0] * (len(rest) + 1)
    after = [0] * (len(rest) + 1)
    for index in range(len(rest)):
        count = earlier[index + 1]
        before[index + 1] = before[index] + 3 ** (widths[index] + count)
        after[index + 1] = after[index] + 3 ** (widths[index] + degree - count)
    best, best_at = -1, first
    for index in range(first, last + 1):
        width = widths[index - 1] if index else 0
        own = 3 ** (width + degree - earlier[index])
        total = before[index] + own + after[-1] - after[index]
        if best < 0 or total < best:
            best, best_at = total, index
    return best, best_at
