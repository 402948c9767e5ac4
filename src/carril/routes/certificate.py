"""Decodes paths through diagrams into a run, and has it checked independently."""

from __future__ import annotations

from collections import Counter

from carril.engine.runs.legality import check
from carril.engine.runs.paths import place_names
from carril.engine.runs.revenue import beyond_stop, route_names, route_stops, value
from carril.engine.runs.types import Route, Run, RunProblem, Stop, Train, Value
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.train_set import Path
from carril.routes.diagram.exact import Diagram
from carril.routes.graph.contraction import SegmentGraph


def decode(coupling: CouplingTerms, diagrams: list[Diagram], paths: list[Path]) -> Run:
    """Return the run of some paths, its routes in the order of the problem's trains."""
    problem = coupling.problem
    labels: list[int] = []
    routes: list[Route | None] = []
    for diagram, path in zip(diagrams, paths, strict=True):
        node = 0
        for arcs, arc in zip(diagram.arcs, path, strict=True):
            node = arcs.target[arc]
        labels.append(diagram.coupling_labels[node])
        routes.append(_decode_route(diagram, path))
    order = _order(problem, routes)
    run = Run(tuple(route for index in order if (route := routes[index]) is not None))
    names = dict(zip(order, route_names(run), strict=True))
    extras = _extras(coupling, diagrams, routes, names, tuple(labels))
    return Run(run.routes, tuple(sorted(extras)))


def certify(problem: RunProblem, run: Run) -> Value:
    """Return the value of a run, computed by the engine after its checker has accepted it."""
    fault = check(problem, run)
    assert fault is None, f"the solver made an illegal run: {fault} {run}"
    return value(problem, run)


def _order(problem: RunProblem, routes: list[Route | None]) -> list[int]:
    """Return the indices of routes that run, by train as the problem lists them, then by path."""
    names = [train.name for train in problem.trains]
    running = [index for index, route in enumerate(routes) if route is not None]

    def rank(index: int) -> tuple[int, tuple[str, ...]]:
        route = routes[index]
        assert route is not None
        return names.index(route.train), route.path

    return sorted(running, key=rank)


def _extras(
    coupling: CouplingTerms,
    diagrams: list[Diagram],
    routes: list[Route | None],
    names: dict[int, str],
    labels: tuple[int, ...],
) -> list[tuple[str, str]]:
    """Return how the cards are used and which tolls are paid."""
    problem = coupling.problem
    cubes = coupling.cubes(labels)
    assert cubes is not None
    extras: list[tuple[str, str]] = []
    for index, name in names.items():
        relaxation, route = diagrams[index].objective.relaxation, routes[index]
        train, card = relaxation.train, relaxation.card
        if card is None or route is None:
            continue
        stops = route_stops(problem, route)
        if card.doubles:
            key = _doubled(card.doubles, stops)
            if key:
                extras.append((card.name, key))
        elif cubes[index]:
            extras.append((card.name, " ".join([name, *_loads(problem, cubes[index])])))
        elif _needs_card(train, stops):
            extras.append((card.name, name))
    tolls = coupling.tolls(labels)
    assert tolls is not None
    return extras + [("toll", problem.stops[stop].key) for stop in tolls]


def _loads(problem: RunProblem, cubes: dict[int, int]) -> list[str]:
    return [f"{problem.rules.cubes[source][0]}={n}" for source, n in sorted(cubes.items()) if n]


def _needs_card(train: Train, stops: list[Stop]) -> bool:
    """Return whether the train has no room for these stops without its card."""
    return beyond_stop(train, None, stops) is None


def _doubled(kinds: tuple[str, ...], stops: list[Stop]) -> str:
    """Return the most valuable stop that may count twice, the first of equals."""
    candidates = [stop for stop in stops if stop.kind in kinds]
    return max(candidates, key=lambda stop: stop.value).key if candidates else ""


def _decode_route(diagram: Diagram, path: Path) -> Route | None:
    """Return the route of one path; None for a train that stays idle."""
    layered = diagram.layered
    graph, points = layered.graph, layered.problem.points
    used: list[int] = []
    for layer, arcs, arc in zip(layered.layers, diagram.arcs, path, strict=True):
        for index, number in enumerate(layer.starting):
            if arcs.segments[arc] >> index & 1:
                used.append(number)
    if not used:
        return None
    degrees = Counter(p for n in used for p in (graph.segments[n].a, graph.segments[n].b))
    ends = [p for p, degree in degrees.items() if degree == 1 and points[p].kind == "stop"]
    start = min(ends, key=lambda point: points[point].stop)
    trail = _trail(graph, start, set(used), -1)
    assert trail is not None
    pieces: list[int] = []
    here = start
    for number in trail:
        segment = graph.segments[number]
        pieces += segment.pieces if segment.a == here else segment.pieces[::-1]
        here = graph.other_end(number, here)
    names = place_names(layered.problem, start, tuple(pieces))
    return Route(diagram.objective.relaxation.train.name, names)


def _trail(graph: SegmentGraph, here: int, left: set[int], last: int) -> list[int] | None:
    """Return all segments of `left` as one trail from `here`, or None if there is none.

    Diagrams do not record how segments are paired at junctions, so the pairs are found again.
    """
    if not left:
        return [] if graph.problem.points[here].kind == "stop" else None
    side = graph.problem.points[here].kind == "side"
    for number in graph.incident[here]:
        if number not in left:
            continue
        if side and last >= 0 and graph.end_hex(last, here) == graph.end_hex(number, here):
            continue
        rest = _trail(graph, graph.other_end(number, here), left - {number}, number)
        if rest is not None:
            return [number, *rest]
    return None
