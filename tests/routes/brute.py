"""Exhaustive search, slow and plain, written without looking at the solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from carril.engine.runs import RunCard, RunProblem, Stop, Train, route_value
from carril.engine.runs.revenue import beyond_stop


class Option:
    """One route of one train with one card (or none) and one doubled stop (or none)."""

    def __init__(self, mask: int, payable: int, treasury: int, stops: list[Stop]) -> None:
        self.mask, self.payable, self.treasury, self.stops = mask, payable, treasury, stops


Taken = tuple[int, Train, Option]


def paths(problem: RunProblem, train: Train) -> Iterator[tuple[int, list[Stop]]]:
    """Resources and stops of every line of track between two stops."""
    at: list[list[int]] = [[] for _ in problem.points]
    for number, piece in enumerate(problem.pieces):
        if not train.gauges or piece.gauge in train.gauges:
            at[piece.a].append(number)
            at[piece.b].append(number)
    starts = [(i, point.stop) for i, point in enumerate(problem.points) if point.kind == "stop"]
    for index, stop in starts:
        for mask, found in extend(problem, at, index, -1, 0, [stop]):
            if found[0] < found[-1]:
                yield mask, [problem.stops[number] for number in found]


def extend(
    problem: RunProblem, at: list[list[int]], here: int, last: int, mask: int, stops: list[int]
) -> Iterator[tuple[int, list[int]]]:
    """This line, if it ends in a second stop, and every longer one."""
    point = problem.points[here]
    if point.kind == "stop" and len(stops) > 1:
        yield mask, stops
        if not problem.stops[point.stop].through:
            return
    for number in at[here]:
        piece = problem.pieces[number]
        if point.kind == "side" and problem.pieces[last].hex == piece.hex:
            continue
        far = piece.b if piece.a == here else piece.a
        beyond = problem.points[far]
        bits = 1 << number | (1 << (len(problem.pieces) + far) if beyond.exclusive else 0)
        if bits & mask or (beyond.kind == "stop" and beyond.stop in stops):
            continue
        more = [*stops, beyond.stop] if beyond.kind == "stop" else stops
        yield from extend(problem, at, far, number, mask | bits, more)


def legal(problem: RunProblem, train: Train, card: RunCard | None, stops: list[Stop]) -> bool:
    words = [stop.once for stop in stops if stop.once]
    must = (*train.must, *(card.must if card else ()))
    return (
        any(stop.token for stop in stops)
        and len(words) == len(set(words))
        and all(any(stop.matches(tag) for stop in stops) for tag in must)
        and not any(stop.matches(tag) for stop in stops for tag in train.bars)
        and all(
            sum(s.matches(n.tag) for s in (stops[1:-1] if n.inner else stops)) <= n.count
            for n in problem.rules.limits
        )
        and beyond_stop(train, card, stops) is not None
    )


def apart(problem: RunProblem, mask: int) -> bool:
    """Whether the pieces of a line exclude each other nowhere."""
    words = [p.once for number, p in enumerate(problem.pieces) if p.once and mask >> number & 1]
    return len(words) == len(set(words))


def options(problem: RunProblem, train: Train, card: RunCard | None) -> list[Option]:
    found = []
    for mask, stops in paths(problem, train):
        if not legal(problem, train, card, stops) or not apart(problem, mask):
            continue
        if not payable(problem) and sum(s.toll > 0 for s in stops[1:-1]) > train.free_tolls:
            continue
        for doubled in ["", *(s.key for s in stops if card and s.kind in card.doubles)]:
            value = route_value(problem, train, stops, card, doubled)
            found.append(Option(mask, value.payable, value.treasury, stops))
    return found


def payable(problem: RunProblem) -> bool:
    """Whether the purse is enough for some toll, or there is none."""
    purse, tolls = problem.rules.purse, [stop.toll for stop in problem.stops if stop.toll]
    return purse < 0 or not tolls or min(tolls) <= purse


def cubes(wagons: list[tuple[int, Option]], left: dict[str, int]) -> int | None:
    """The most cubes the wagons can carry, at least one each."""
    if not wagons:
        return 0
    (capacity, option), rest = wagons[0], wagons[1:]
    mills = [mill for mill in left if any(stop.matches(mill) for stop in option.stops)]
    best: int | None = None
    for load in product(*(range(left[mill] + 1) for mill in mills)):
        if not 1 <= sum(load) <= capacity:
            continue
        after = left | {mill: left[mill] - n for mill, n in zip(mills, load, strict=True)}
        more = cubes(rest, after)
        if more is not None and (best is None or more + sum(load) > best):
            best = more + sum(load)
    return best


def toll(problem: RunProblem, chosen: list[tuple[Train, Option]]) -> int | None:
    """The least sum of tolls, if the purse allows it."""
    costs = {stop.key: stop.toll for stop in problem.stops if stop.toll}
    best: int | None = None
    for bits in range(1 << len(costs)):
        paid = {key for index, key in enumerate(costs) if bits >> index & 1}
        due = [
            (sum(s.toll > 0 and s.key not in paid for s in option.stops[1:-1]), train.free_tolls)
            for train, option in chosen
        ]
        cost = sum(costs[key] for key in paid)
        if all(count <= free for count, free in due) and (best is None or cost < best):
            best = cost
    purse = problem.rules.purse
    return best if best is not None and (purse < 0 or best <= purse) else None


def best_value(problem: RunProblem, payable: bool, limit: int = 60_000) -> int | None:
    """The greatest value; None if there are more than `limit` sets of routes."""
    cards: tuple[RunCard | None, ...] = (None, *dict.fromkeys(problem.rules.extras))
    tables = {
        (train.name, index): options(problem, train, card)
        for train in problem.trains
        for index, card in enumerate(cards)
        if card is None or not card.trains or train.name in card.trains
    }
    sets = 1
    for train in problem.trains:
        sets *= 1 + sum(len(tables.get((train.name, index), [])) for index in range(len(cards)))
    if sets > limit:
        return None
    best = 0

    def choose(
        index: int, mask: int, left: list[RunCard], taken: list[tuple[int, Train, Option]]
    ) -> None:
        nonlocal best
        if index == len(problem.trains):
            best = max(best, worth(problem, cards, taken, payable))
            return
        choose(index + 1, mask, left, taken)
        train = problem.trains[index]
        for number, card in enumerate(cards):
            if card is not None and card not in left:
                continue
            rest = list(left)
            if card is not None:
                rest.remove(card)
            for option in tables.get((train.name, number), []):
                if not option.mask & mask:
                    entry = (number, train, option)
                    choose(index + 1, mask | option.mask, rest, [*taken, entry])

    choose(0, 0, list(problem.rules.extras), [])
    return best


def worth(
    problem: RunProblem,
    cards: tuple[RunCard | None, ...],
    taken: list[Taken],
    payable: bool,
) -> int:
    rules = problem.rules
    wagons = []
    for number, _, option in taken:
        card = cards[number]
        if card is not None and card.capacity:
            wagons.append((card.capacity, option))
    loaded = cubes(wagons, dict(rules.cubes))
    cost = toll(problem, [(train, option) for _, train, option in taken])
    if loaded is None or cost is None:
        return 0
    pays = sum(option.payable for _, _, option in taken) + loaded * rules.cube_value
    pays += rules.premium if pays > 0 else 0
    return pays if payable else pays + sum(o.treasury for _, _, o in taken) - cost
