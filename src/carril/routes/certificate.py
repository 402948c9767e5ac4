"""From paths through diagrams back to a run that people read, checked before it is given out."""

from __future__ import annotations

from collections import Counter

from carril.engine.runs.legality import check
from carril.engine.runs.paths import place_names
from carril.engine.runs.revenue import beyond_stop, route_names, route_stops, value
from carril.engine.runs.types import Route, Run, RunProblem, Stop, Train, Value
from carril.routes.combine import Path
from carril.routes.diagram import Diagram
from carril.routes.network import Network
from carril.routes.settle import Settlement


def run_of(settlement: Settlement, diagrams: list[Diagram], paths: list[Path]) -> Run:
    """The run of some paths, its routes in the order of the problem's trains."""
    problem = settlement.problem
    shared: list[int] = []
    routes: list[Route | None] = []
    for diagram, path in zip(diagrams, paths, strict=True):
        node = 0
        for arcs, arc in zip(diagram.arcs, path, strict=True):
            node = arcs.target[arc]
        shared.append(diagram.settled[node])
        routes.append(_route(diagram, path))
    order = _order(problem, routes)
    run = Run(tuple(route for index in order if (route := routes[index]) is not None))
    names = dict(zip(order, route_names(run), strict=True))
    extras = _extras(settlement, diagrams, routes, names, tuple(shared))
    return Run(run.routes, tuple(sorted(extras)))


def certified(problem: RunProblem, run: Run) -> Value:
    """The value of a run, after the engine's own checker has passed it."""
    fault = check(problem, run)
    assert fault is None, f"the search made an illegal run: {fault} {run}"
    return value(problem, run)


def _order(problem: RunProblem, routes: list[Route | None]) -> list[int]:
    """Numbers of the routes that run, by train as the problem lists them, then by path."""
    names = [train.name for train in problem.trains]
    running = [index for index, route in enumerate(routes) if route is not None]

    def rank(index: int) -> tuple[int, tuple[str, ...]]:
        route = routes[index]
        assert route is not None
        return names.index(route.train), route.path

    return sorted(running, key=rank)


def _extras(
    settlement: Settlement,
    diagrams: list[Diagram],
    routes: list[Route | None],
    names: dict[int, str],
    shared: tuple[int, ...],
) -> list[tuple[str, str]]:
    problem = settlement.problem
    boxes = problem.rules.cubes
    loads = settlement.loads(shared)
    assert loads is not None
    extras: list[tuple[str, str]] = []
    for index, name in names.items():
        diagram, route = diagrams[index], routes[index]
        if diagram.view.fit.extra is None or route is None:
            continue
        stops = route_stops(problem, route)
        if diagram.view.fit.extra.doubles:
            key = _doubled(diagram.view.fit.extra.doubles, stops)
            if key:
                extras.append((diagram.view.fit.extra.name, key))
        elif loads[index]:
            cubes = [f"{boxes[box][0]}={n}" for box, n in sorted(loads[index].items()) if n]
            extras.append((diagram.view.fit.extra.name, " ".join([name, *cubes])))
        elif _needs(diagram.view.fit.train, stops):
            extras.append((diagram.view.fit.extra.name, name))
    tolls = settlement.tolls(shared)
    assert tolls is not None
    return extras + [("toll", problem.stops[stop].key) for stop in tolls]


def _needs(train: Train, stops: list[Stop]) -> bool:
    """Whether the train could not hold these stops without its card."""
    return beyond_stop(train, None, stops) is None


def _doubled(kinds: tuple[str, ...], stops: list[Stop]) -> str:
    """The most valuable stop that may count twice, the first of equals."""
    fitting = [stop for stop in stops if stop.kind in kinds]
    return max(fitting, key=lambda stop: stop.value).key if fitting else ""


def _route(diagram: Diagram, path: Path) -> Route | None:
    """The route of one path; None for a train that stays idle."""
    network = diagram.network
    used: list[int] = []
    for layer, arcs, arc in zip(network.layers, diagram.arcs, path, strict=True):
        for index, number in enumerate(layer.new):
            if arcs.taken[arc] >> index & 1:
                used.append(number)
    if not used:
        return None
    calls = Counter(p for n in used for p in (network.segments[n].a, network.segments[n].b))
    points = network.problem.points
    ends = [p for p, count in calls.items() if count == 1 and points[p].kind == "stop"]
    start = min(ends, key=lambda point: points[point].stop)
    line = _trail(network, start, set(used), -1)
    assert line is not None
    pieces: list[int] = []
    here = start
    for number in line:
        segment = network.segments[number]
        pieces += segment.pieces if segment.a == here else segment.pieces[::-1]
        here = network.far(number, here)
    return Route(diagram.view.fit.train.name, place_names(network.problem, start, tuple(pieces)))


def _trail(network: Network, here: int, left: set[int], last: int) -> list[int] | None:
    """All segments of `left` in one line from `here`; the pairs at junctions are found anew."""
    if not left:
        return [] if network.problem.points[here].kind == "stop" else None
    side = network.problem.points[here].kind == "side"
    for number in network.at[here]:
        if number not in left:
            continue
        if side and last >= 0 and network.end_hex(last, here) == network.end_hex(number, here):
            continue
        rest = _trail(network, network.far(number, here), left - {number}, number)
        if rest is not None:
            return [number, *rest]
    return None
