"""Cards and tolls of a run that the player draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from carril.engine.runs import Route, Run, RunCard, RunProblem, check, value
from carril.engine.runs.revenue import route_names, route_stops
from carril.engine.runs.tolls import TOLL, cheapest_payment, tolls_due
from carril.engine.state import State
from carril.page.places import key_name
from carril.page.words import Words

AUTO, UNUSED = "", "-"
"""Choices other than places: wherever the card earns most, and nowhere."""

Extras = tuple[tuple[str, str], ...]


def carried(
    problem: RunProblem, routes: tuple[Route, ...], wishes: Sequence[str], paid: Extras = ()
) -> Extras:
    """Return the cards with their places: as chosen, otherwise where the run is legal and best.

    `wishes` has a place for each card of the company, in order. Where one is missing, or the routes
    no longer visit the place, the best place is used. `paid` are the tolls of the run.
    """
    found: Extras = ()
    for number, card in enumerate(problem.rules.extras):
        open_to = places(problem, routes, card)
        wish = wishes[number] if number < len(wishes) else AUTO
        if wish == UNUSED:
            continue
        tried = [wish] if wish in open_to else open_to
        ways = [found] * (wish not in open_to) + [(*found, (card.name, at)) for at in tried]
        found = max(
            ways, key=lambda extras: _worth(problem, routes, (*extras, *paid)), default=found
        )
    return (*found, *paid)


def _worth(problem: RunProblem, routes: tuple[Route, ...], extras: Extras) -> int:
    """Return what a run earns, or -1 if it is illegal."""
    run = Run(routes, extras)
    return -1 if check(problem, run) else value(problem, run).total


def places(problem: RunProblem, routes: tuple[Route, ...], card: RunCard) -> list[str]:
    """Return where a card can go: stops that it can double, or trains that run, with its load."""
    if card.doubles:
        kinds = {stop.key: stop.kind for stop in problem.stops}
        visited = dict.fromkeys(place for route in routes for place in route.path)
        return [place for place in visited if kinds.get(place) in card.doubles]
    names = list(zip(routes, route_names(Run(routes)), strict=True))
    fits = [
        (route, name) for route, name in names if route.train in (card.trains or (route.train,))
    ]
    if card.capacity:
        return [f"{name} {load}" for route, name in fits for load in _loads(problem, route, card)]
    return [name for _, name in fits] if card.room else []


def _loads(problem: RunProblem, route: Route, card: RunCard) -> list[str]:
    """Return what a card can carry on a route, the fullest loads first."""
    stops = route_stops(problem, route)
    sources = [
        (name, count)
        for name, count in problem.rules.cubes
        if any(stop.matches(name) for stop in stops)
    ]
    counts = product(*(range(min(count, card.capacity) + 1) for _, count in sources))
    loads = sorted((one for one in counts if 1 <= sum(one) <= card.capacity), key=lambda c: -sum(c))
    return [
        " ".join(f"{name}={n}" for (name, _), n in zip(sources, load, strict=True) if n)
        for load in loads
    ]


def fields(
    state: State,
    words: Words,
    problem: RunProblem,
    routes: tuple[Route, ...],
    wishes: Sequence[str],
) -> Iterator[dict[str, Any]]:
    """Yield a list of choices for each card that can be used."""
    for number, card in enumerate(problem.rules.extras):
        open_to = places(problem, routes, card)
        wish = wishes[number] if number < len(wishes) else AUTO
        name = words.name("extra", card.name)
        choices = [
            (AUTO, words.say("run.card-auto")),
            *((place, place_words(state, words, place)) for place in open_to),
            (UNUSED, words.say("run.card-unused")),
        ]
        yield {
            "number": number,
            "label": words.say("run.card-doubles" if card.doubles else "run.card-with", card=name),
            "choices": choices,
            "now": wish if wish == UNUSED or wish in open_to else AUTO,
        }


def place_words(state: State, words: Words, place: str) -> str:
    """Return where a card is used: a stop, or a train with what is loaded."""
    train, *load = place.split(" ")
    if "." in train and not load:
        return key_name(state, place)
    named = words.say("run.train", train=train)
    if not load:
        return named
    cubes = ((box.rpartition("=")[0], int(box.rpartition("=")[2])) for box in load)
    carried_ = ", ".join(words.say("run.cubes", count=n, source=source) for source, n in cubes)
    return words.say("run.loaded", train=named, cubes=carried_)


# --- tolls -----------------------------------------------------------------------------------


def payments(
    problem: RunProblem, routes: tuple[Route, ...], wishes: Mapping[str, bool]
) -> tuple[tuple[str, ...], Extras]:
    """Return the tolled stops that routes pass, and those that are paid for.

    What is not in `wishes` is paid where it has to be, as cheaply as possible.
    """
    due = tolls_due(problem, Run(routes))
    passed = tuple(sorted({stop for one in due for stop in one.stops}))
    wanted = {stop for stop in passed if wishes.get(stop)}
    costs = {
        stop.key: 0 if stop.key in wanted else stop.toll
        for stop in problem.stops
        if stop.key in passed and wishes.get(stop.key, True)
    }
    needed = cheapest_payment(due, costs, problem.rules.purse) or ()
    return passed, tuple((TOLL, stop) for stop in passed if stop in wanted or stop in needed)


def toll_boxes(
    state: State, words: Words, problem: RunProblem, passed: Sequence[str], paid: Extras
) -> list[dict[str, Any]]:
    """Return a box to tick for each toll that can be paid."""
    costs = {stop.key: stop.toll for stop in problem.stops}
    return [
        {
            "stop": stop,
            "label": words.say(
                "run.pass", place=key_name(state, stop), cost=words.money(costs[stop])
            ),
            "paid": (TOLL, stop) in paid,
        }
        for stop in passed
    ]
