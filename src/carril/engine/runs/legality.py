"""Checks whether a run is legal, and finds what is wrong with it if not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from carril.engine.runs.paths import Place, Track, track_of
from carril.engine.runs.revenue import CardUse, beyond_stop, cards_used, route_stops
from carril.engine.runs.tolls import TOLL, paid_tolls, tolls_due, unneeded_payment
from carril.engine.runs.types import BadProblem, Fault, Route, Run, RunProblem, Stop, Train


def check(problem: RunProblem, run: Run) -> Fault | None:
    """Return the first fault of `run`, or None if it is legal.

    A run without routes is legal: trains may stay idle. Whether a title demands
    the best run is the title's question, not this one's.
    """
    track = track_of(problem)
    return next(_faults(problem, track, run), None)


def _faults(problem: RunProblem, track: Track, run: Run) -> Iterator[Fault]:
    """Yield every fault, the most basic first."""
    yield from _train_faults(problem, run)
    trains = {train.name: train for train in problem.trains}
    cards = cards_used(problem, run)
    for route in run.routes:
        yield from _place_faults(track, route)
        yield from _stop_faults(problem, trains[route.train], route)
    yield from _track_faults(problem, track, run, trains)
    yield from _card_faults(problem, run, cards)
    for index, route in enumerate(run.routes):
        use = next((use for use in cards if use.route == index), None)
        stops = route_stops(problem, route)
        if beyond_stop(trains[route.train], use.card if use else None, stops) is None:
            yield Fault("too-many-stops", {"train": route.train, "stops": len(stops)})
    yield from _cube_faults(problem, run, cards)
    yield from _toll_faults(problem, run)


def _train_faults(problem: RunProblem, run: Run) -> Iterator[Fault]:
    owned: dict[str, int] = {}
    for train in problem.trains:
        owned[train.name] = owned.get(train.name, 0) + 1
    for route in run.routes:
        if route.train not in owned:
            yield Fault("no-such-train", {"train": route.train})
        owned[route.train] -= 1
        if owned[route.train] < 0:
            yield Fault("train-runs-twice", {"train": route.train})


def _place_faults(track: Track, route: Route) -> Iterator[Fault]:
    places = track.places(route)
    if isinstance(places, str):
        yield Fault("no-such-place", {"train": route.train, "place": places})
        return
    stops = [stop for _, stop in places if stop >= 0]
    if len(stops) < 2:
        yield Fault("too-few-stops", {"train": route.train, "stops": len(stops)})
        return
    for _, stop in (places[0], places[-1]):
        if stop < 0:
            yield Fault("no-stop-at-end", {"train": route.train})


def _stop_faults(problem: RunProblem, train: Train, route: Route) -> Iterator[Fault]:
    """Yield the faults that follow from the list of stops alone."""
    stops = route_stops(problem, route)
    yield from _repeats(train, stops)
    for stop in stops[1:-1]:
        if not stop.through:
            code = "passes-through" if stop.kind == "city" else f"passes-{stop.kind}"
            yield Fault(code, {"train": train.name, "stop": stop.key})
    if not any(stop.token for stop in stops):
        yield Fault("route-no-station", {"train": train.name})
    for stop in stops:
        for tag in train.bars:
            if stop.matches(tag):
                yield Fault("stop-barred", {"train": train.name, "stop": stop.key, "tag": tag})
    for limit in problem.rules.limits:
        counted = stops[1:-1] if limit.inner else stops
        count = sum(stop.matches(limit.tag) for stop in counted)
        if count > limit.count:
            yield Fault("too-many-of-kind", {"train": train.name, "tag": limit.tag, "count": count})
    yield from _missing(train.name, train.must, stops)


def _repeats(train: Train, stops: list[Stop]) -> Iterator[Fault]:
    seen: set[str] = set()
    groups: dict[str, str] = {}
    for stop in stops:
        if stop.key in seen:
            yield Fault("stop-twice", {"train": train.name, "stop": stop.key})
        seen.add(stop.key)
        if stop.once and stop.once in groups:
            facts: dict[str, str | int] = {"train": train.name, "stop": stop.key}
            yield Fault("stop-excluded", facts | {"by": groups[stop.once]})
        groups[stop.once] = stop.key


def _missing(train: str, must: Iterable[str], stops: list[Stop]) -> Iterator[Fault]:
    for tag in must:
        if not any(stop.matches(tag) for stop in stops):
            yield Fault("must-visit", {"train": train, "tag": tag})


def _track_faults(
    problem: RunProblem, track: Track, run: Run, trains: dict[str, Train]
) -> Iterator[Fault]:
    """Yield a fault unless each route has track, and all of them together."""
    choices: list[list[int]] = []
    for route in run.routes:
        places = track.places(route)
        assert not isinstance(places, str)
        fits = [track.resources(way) for way in track.fits(places, trains[route.train])]
        if not fits:
            yield _untraced(track, route, places)
        choices.append(fits)
    if not _disjoint(choices, 0, 0):
        culprit = next(n for n in range(len(choices)) if not _disjoint(choices[: n + 1], 0, 0))
        yield Fault("track-shared", {"train": run.routes[culprit].train})


def _untraced(track: Track, route: Route, places: list[Place]) -> Fault:
    """Return why no track fits: the gauge, track used twice, or a missing connection."""
    if next(track.fits(places, None), None) is not None:
        return Fault("wrong-gauge", {"train": route.train})
    if next(track.fits(places, None, apart=False), None) is not None:
        return Fault("tile-twice", {"train": route.train})
    for index in range(1, len(places)):
        for start in range(index):
            stretch = places[start : index + 1]
            whole = stretch[0][1] >= 0 and stretch[-1][1] >= 0
            whole = whole and all(stop < 0 for _, stop in stretch[1:-1])
            if whole and next(track.fits(stretch, None, again=True), None) is None:
                facts: dict[str, str | int] = {"train": route.train}
                facts |= {"from": route.path[start], "to": route.path[index]}
                return Fault("not-connected", facts)
    return Fault("track-used-twice", {"train": route.train})


def _disjoint(choices: list[list[int]], index: int, used: int) -> bool:
    """Return whether one way of each route can be chosen so that no track is shared."""
    if index == len(choices):
        return True
    return any(
        not mask & used and _disjoint(choices, index + 1, used | mask) for mask in choices[index]
    )


def _card_faults(problem: RunProblem, run: Run, cards: list[CardUse]) -> Iterator[Fault]:
    owned = [card.name for card in problem.rules.extras]
    for name, _ in run.extras:
        if name == TOLL:
            continue
        if name not in owned:
            yield Fault("no-such-extra", {"extra": name})
            return
        owned.remove(name)
    carrying: set[int] = set()
    for use in cards:
        facts: dict[str, str | int] = {"extra": use.card.name}
        if use.route < 0:
            code = f"{use.card.name}-not-on-route" if use.card.doubles else "no-such-train"
            yield Fault(code, facts | {"stop": use.doubled})
            return
        if use.route in carrying:
            yield Fault("two-extras", facts | {"train": run.routes[use.route].train})
        carrying.add(use.route)
        yield from _card_route_faults(problem, run.routes[use.route], use)


def _card_route_faults(problem: RunProblem, route: Route, use: CardUse) -> Iterator[Fault]:
    card = use.card
    facts: dict[str, str | int] = {"extra": card.name, "train": route.train}
    stops = route_stops(problem, route)
    if card.trains and route.train not in card.trains:
        yield Fault("wrong-train", facts)
    yield from _missing(route.train, card.must, stops)
    if card.doubles:
        stop = next((stop for stop in stops if stop.key == use.doubled), None)
        if stop is None or stop.kind not in card.doubles:
            yield Fault(f"{card.name}-wrong-stop", facts | {"stop": use.doubled})


def _cube_faults(problem: RunProblem, run: Run, cards: list[CardUse]) -> Iterator[Fault]:
    left = dict(problem.rules.cubes)
    for use in cards:
        card = use.card
        facts: dict[str, str | int] = {"extra": card.name, "cubes": sum(use.cubes.values())}
        if sum(use.cubes.values()) > card.capacity:
            yield Fault("card-overloaded", facts | {"capacity": card.capacity})
        if card.capacity and (not use.cubes or min(use.cubes.values()) < 1):
            yield Fault("card-empty", facts)
        stops = route_stops(problem, run.routes[use.route])
        for source, count in use.cubes.items():
            if not any(stop.matches(source) for stop in stops):
                yield Fault("source-not-on-route", facts | {"source": source})
            left[source] = left.get(source, 0) - count
            if left[source] < 0:
                yield Fault("no-cubes-left", facts | {"source": source})


def _toll_faults(problem: RunProblem, run: Run) -> Iterator[Fault]:
    paid = paid_tolls(run)
    due = tolls_due(problem, run)
    for route, (stops, free) in zip(run.routes, due, strict=True):
        unpaid = sorted(stops.difference(paid))
        if len(unpaid) > free:
            yield Fault("toll-unpaid", {"train": route.train, "stop": unpaid[-1]})
    unneeded = unneeded_payment(due, paid)
    if unneeded is not None or len(set(paid)) < len(paid):
        yield Fault("toll-unused", {"stop": unneeded or paid[-1]})
    costs = {stop.key: stop.toll for stop in problem.stops}
    spent = sum(costs[key] for key in paid)
    if 0 <= problem.rules.purse < spent:
        yield Fault("toll-too-dear", {"tolls": spent, "treasury": problem.rules.purse})


def validate(problem: RunProblem) -> None:
    """Raise BadProblem, naming the part, if the problem contradicts itself."""
    keys = [stop.key for stop in problem.stops]
    if len(set(keys)) < len(keys):
        raise BadProblem("two stops of the problem have the same key")
    seen: set[int] = set()
    for number, point in enumerate(problem.points):
        if point.kind not in ("stop", "junction", "side"):
            raise BadProblem(f"point {number}: unknown kind {point.kind!r}")
        if point.kind == "stop" and not 0 <= point.stop < len(keys):
            raise BadProblem(f"point {number}: there is no stop {point.stop}")
        if point.kind == "stop" and point.stop in seen:
            raise BadProblem(f"point {number}: stop {keys[point.stop]} has two points")
        if point.kind == "stop":
            seen.add(point.stop)
    for number, piece in enumerate(problem.pieces):
        if not (0 <= piece.a < len(problem.points) and 0 <= piece.b < len(problem.points)):
            raise BadProblem(f"piece {number} in {piece.hex}: it joins no two points")
        if piece.a == piece.b:
            raise BadProblem(f"piece {number} in {piece.hex}: both its ends are one point")
    _validate_trains(problem)


def _validate_ends(problem: RunProblem, ends: str) -> None:
    """Check that a route can visit only one of the ends of a bonus in a hex."""
    tagged = [stop for stop in problem.stops if ends and stop.matches(ends)]
    for one, two in product(tagged, tagged):
        if one.key < two.key and one.hex == two.hex and not (one.once == two.once != ""):
            text = f"{one.key} and {two.key} are both {ends!r} ends of one hex"
            raise BadProblem(f"{text}: give them the same `once`")


def _validate_trains(problem: RunProblem) -> None:
    named: dict[str, Train] = {}
    for train in problem.trains:
        if named.setdefault(train.name, train) != train:
            raise BadProblem(f"two different trains are named {train.name!r}")
        if not train.room or any(room.count < -1 for room in train.room):
            raise BadProblem(f"train {train.name!r} has no room for stops, or a negative one")
        if train.factor < 1 or train.free_tolls < 0:
            raise BadProblem(f"train {train.name!r}: factor and free tolls may not be negative")
    for bonus in problem.rules.bonuses:
        _validate_ends(problem, bonus.ends)
    if any(stop.value < 0 or stop.treasury < 0 or stop.toll < 0 for stop in problem.stops):
        raise BadProblem("a stop has a negative value, treasury value or toll")
