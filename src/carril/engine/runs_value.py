"""What routes and runs earn, and which stops fit in which trains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from carril.engine.runs_types import (
    Bonus,
    Extra,
    Room,
    Route,
    RouteValue,
    Run,
    RunProblem,
    Stop,
    Train,
    Value,
)


def room_caps(rooms: Sequence[Room], kinds: Sequence[str]) -> list[tuple[frozenset[str], int]]:
    """Which kinds together have how many places at most: stops fit if no cap is exceeded.

    By Hall's theorem stops can be spread over the rooms when, for each set of
    rooms, no more stops depend on just these rooms than they hold.

    >>> [(sorted(kinds), cap) for kinds, cap in room_caps(
    ...     [Room(("city", "town"), 1), Room(("town",), 2)], ["city", "town"])]
    [(['city'], 1), (['city', 'town'], 3)]
    """
    return list(_room_caps(tuple(rooms), tuple(kinds)))


@lru_cache(maxsize=1024)
def _room_caps(
    rooms: tuple[Room, ...], kinds: tuple[str, ...]
) -> tuple[tuple[frozenset[str], int], ...]:
    """Few trains and few sets of kinds exist, and each route of each run asks."""
    best: dict[frozenset[str], int] = {}
    for size in range(len(rooms) + 1):
        for numbers in combinations(range(len(rooms)), size):
            chosen = [rooms[number] for number in numbers]
            if any(room.count < 0 for room in chosen):
                continue
            others = [room for number, room in enumerate(rooms) if number not in numbers]
            bound = frozenset(k for k in kinds if not any(k in room.kinds for room in others))
            cap = sum(room.count for room in chosen)
            if bound and cap < best.get(bound, cap + 1):
                best[bound] = cap
    return tuple(
        (bound, cap)
        for bound, cap in best.items()
        if not any(bound < more and best[more] <= cap for more in best)
    )


def fits(rooms: Sequence[Room], stops: Sequence[Stop]) -> bool:
    """Whether all stops find a place in the rooms."""
    kinds = [stop.kind for stop in stops]
    return all(
        sum(kind in bound for kind in kinds) <= cap
        for bound, cap in room_caps(rooms, sorted(set(kinds)))
    )


def beyond_stop(train: Train, extra: Extra | None, stops: Sequence[Stop]) -> int | None:
    """Which stop stands beyond the range: its index, -1 for none, None if they do not fit."""
    rooms = train.room + (extra.room if extra else ())
    if fits(rooms, stops):
        return -1
    best: int | None = None
    for index, stop in enumerate(stops):
        if extra is None or stop.kind not in extra.beyond:
            continue
        if fits(rooms, [*stops[:index], *stops[index + 1 :]]) and (
            best is None or stop.value < stops[best].value
        ):
            best = index
    return best


def bonus_amount(bonus: Bonus, stops: Sequence[Stop]) -> int:
    """What one bonus pays on a route with these stops; 0 if it is not earned."""
    if not all(any(stop.matches(tag) for stop in stops) for tag in bonus.has):
        return 0
    if bonus.ends and not (
        stops[0].matches(bonus.ends)
        and stops[-1].matches(bonus.ends)
        and stops[0].hex != stops[-1].hex
    ):
        return 0
    stations = min(sum(stop.token for stop in stops), bonus.cap)
    return bonus.amount + bonus.per_token * stations


def route_value(
    problem: RunProblem,
    train: Train,
    stops: Sequence[Stop],
    extra: Extra | None = None,
    doubled: str = "",
    cubes: int = 0,
) -> RouteValue:
    """What one legal route earns with the extra card it carries."""
    beyond = beyond_stop(train, extra, stops)
    lines: list[tuple[str, int, int]] = []
    bonuses: list[tuple[str, int]] = []
    for index, stop in enumerate(stops):
        value = 0 if index == beyond else stop.value * train.factor
        lines.append((stop.key, value, stop.treasury))
        if doubled == stop.key and extra is not None:
            bonuses.append((extra.name, value))
    if cubes and extra is not None:
        bonuses.append((extra.name, cubes * problem.rules.cube_value))
    for bonus in problem.rules.bonuses:
        amount = bonus_amount(bonus, stops)
        if amount:
            bonuses.append((bonus.name, amount))
    payable = sum(value for _, value, _ in lines) + sum(amount for _, amount in bonuses)
    treasury = sum(treasury for _, _, treasury in lines)
    return RouteValue(train.name, tuple(lines), tuple(bonuses), payable, treasury)


def route_stops(problem: RunProblem, route: Route) -> list[Stop]:
    """The stops of a route, in order."""
    keys = {stop.key: stop for stop in problem.stops}
    return [keys[text] for text in route.path if text in keys]


class Load:
    """How one card is used in a run: by which route, on which stop, with which cubes."""

    def __init__(self, extra: Extra, route: int, doubled: str, cubes: dict[str, int]) -> None:
        """Card `extra` on route number `route`."""
        self.extra = extra
        self.route = route
        self.doubled = doubled
        self.cubes = cubes


def route_names(run: Run) -> list[str]:
    """How the extras of a run name its routes: "8", then "8/2" for the second 8.

    >>> route_names(Run((Route("8", ("A", "B")), Route("8", ("C", "D")))))
    ['8', '8/2']
    """
    seen: dict[str, int] = {}
    names = []
    for route in run.routes:
        seen[route.train] = seen.get(route.train, 0) + 1
        count = seen[route.train]
        names.append(route.train if count == 1 else f"{route.train}/{count}")
    return names


def loads(problem: RunProblem, run: Run) -> list[Load]:
    """The cards in use, each with its route (-1 if it names none of the run)."""
    cards = list(problem.rules.extras)
    names = route_names(run)
    taken: set[int] = set()
    found: list[Load] = []
    for name, detail in run.extras:
        card = next((card for card in cards if card.name == name), None)
        if card is None:
            continue
        cards.remove(card)
        if card.doubles:
            on = [i for i, route in enumerate(run.routes) if detail in route.path]
            route = next((i for i in on if i not in taken), on[0] if on else -1)
            found.append(Load(card, route, detail, {}))
        else:
            train, *boxes = detail.split(" ")
            route = names.index(train) if train in names else -1
            found.append(Load(card, route, "", _cubes(boxes)))
        taken.add(route)
    return found


def _cubes(boxes: list[str]) -> dict[str, int]:
    """Read "mill:HG=2"; a text that is no such pair counts as no cube of it."""
    cubes: dict[str, int] = {}
    for box in boxes:
        mill, _, count = box.rpartition("=")
        cubes[mill or box] = int(count) if count.isdigit() else 0
    return cubes


def value(problem: RunProblem, run: Run) -> Value:
    """What a legal run earns, stop by stop. Ask `check` first: this does not refuse."""
    trains = {train.name: train for train in problem.trains}
    carried = {load.route: load for load in loads(problem, run)}
    lines = []
    for index, route in enumerate(run.routes):
        load = carried.get(index)
        lines.append(
            route_value(
                problem,
                trains[route.train],
                route_stops(problem, route),
                load.extra if load else None,
                load.doubled if load else "",
                sum(load.cubes.values()) if load else 0,
            )
        )
    costs = {stop.key: stop.toll for stop in problem.stops}
    tolls = sum(costs.get(detail, 0) for name, detail in run.extras if name == "toll")
    payable = sum(line.payable for line in lines)
    premium = problem.rules.premium if payable > 0 else 0
    treasury = sum(line.treasury for line in lines) - tolls
    payable += premium
    return Value(payable + treasury, payable, treasury, tuple(lines), tolls, premium)
