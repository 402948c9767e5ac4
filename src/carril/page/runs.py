"""Runs on the page: lines on the map, stops with their values, and runs drawn by clicking."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from carril.draw import RouteLine
from carril.engine.actions import RunTrains
from carril.engine.runs import Route, Run, RunProblem, Track, Value, place_names, value
from carril.engine.runs.tolls import TOLL
from carril.engine.state import State
from carril.page.places import key_name
from carril.page.run_cards import place_words
from carril.page.words import Words

# Colours of the trains of a run; each also has its own dash pattern.
COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#e65100", "#6a1b9a", "#00838f")


def problem_of(state: State, company: str) -> RunProblem:
    """Return the run problem of a company."""
    return state.title.run_problem(state, company)


def lines(words: Words, worth: Value, routes: Sequence[Route]) -> tuple[RouteLine, ...]:
    """Return the routes of a run as lines for the map."""
    return tuple(
        RouteLine(
            COLOURS[index % len(COLOURS)],
            route.path,
            words.say("run.line", train=route.train, value=words.money(part.payable)),
        )
        for index, (route, part) in enumerate(zip(routes, worth.routes, strict=True))
    )


def run_model(state: State, words: Words, action: RunTrains) -> dict[str, Any]:
    """Return the view model of a run: each train, and each stop with its value.

    Tolls are paid apart: they are not taken off the total.
    """
    problem = problem_of(state, state.step.subject)
    worth = value(problem, Run(action.routes, action.extras))
    return {
        "total": worth.total + worth.tolls,
        "treasury": worth.treasury + worth.tolls,
        "tolls": worth.tolls,
        "premium": worth.premium,
        "extras": [_extra(state, words, name, where) for name, where in action.extras],
        "routes": [
            {
                "train": part.train,
                "colour": index % len(COLOURS),
                "stops": [(key_name(state, key), paid + kept) for key, paid, kept in part.stops],
                "bonuses": [(words.name("bonus", name), amount) for name, amount in part.bonuses],
                "value": part.payable + part.treasury,
            }
            for index, part in enumerate(worth.routes)
        ],
        "lines": lines(words, worth, action.routes),
    }


def _extra(state: State, words: Words, name: str, where: str) -> str:
    """Return how a card is used, or which stop is passed for a toll."""
    if name == TOLL:
        return words.say("run.paid", place=key_name(state, where))
    key = "run.extra-with" if " " in where or "." not in where else "run.extra"
    return words.say(key, extra=words.name("extra", name), place=place_words(state, words, where))


def traced(problem: RunProblem, train: str, stops: Sequence[str]) -> Route:
    """Return the route of a train that visits these stops, along the shortest track between them.

    If there is no such track, the path consists of the stops, and the check explains the error.
    """
    track = Track(problem)
    used: list[int] = []
    known = [key for key in stops if key in track.stop_of]
    if len(known) < len(stops) or len(stops) < 2:
        return Route(train, tuple(stops))
    for a, b in pairwise(known):
        ends = (track.point_of[track.stop_of[a]], track.point_of[track.stop_of[b]])
        way = _way(track, ends, frozenset(used))
        if way is None:
            return Route(train, tuple(stops))
        used += way
    start = track.point_of[track.stop_of[known[0]]]
    return Route(train, place_names(problem, start, tuple(used)))


def _way(track: Track, ends: tuple[int, int], used: frozenset[int]) -> list[int] | None:
    """Return the shortest track between two stops that passes through no other stop, or None."""
    start, goal = ends
    before: dict[tuple[int, int], tuple[int, int] | None] = {(start, -1): None}
    queue = deque([(start, -1)])
    while queue:
        node = queue.popleft()
        if node[0] == goal and node[1] >= 0:
            return _back(before, node)
        if node[0] != start and track.problem.points[node[0]].kind == "stop":
            continue
        for number, far in _onward(track, node, used):
            if (far, number) not in before:
                before[far, number] = node
                queue.append((far, number))
    return None


def _onward(track: Track, node: tuple[int, int], used: frozenset[int]) -> list[tuple[int, int]]:
    """Return the next pieces of track and their far ends; trains do not reverse at a hex side."""
    here, last = node
    pieces = track.problem.pieces
    side = track.problem.points[here].kind == "side"
    found = []
    for number in track.at[here]:
        back = side and last >= 0 and pieces[number].hex == pieces[last].hex
        if number not in used and number != last and not back:
            piece = pieces[number]
            found.append((number, piece.b if piece.a == here else piece.a))
    return found


def _back(
    before: dict[tuple[int, int], tuple[int, int] | None], node: tuple[int, int]
) -> list[int]:
    way: list[int] = []
    step: tuple[int, int] | None = node
    while step is not None and step[1] >= 0:
        way.append(step[1])
        step = before[step]
    return way[::-1]
