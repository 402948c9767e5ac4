"""The runs that a director may choose from where the best run is required.

Paying tolls is the director's choice, and so is, of equal runs, from which sources cubes are
taken: others profit from what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product

from msgspec.structs import replace

from carril.engine.runs.revenue import CardUse, cards_used, route_names, route_stops
from carril.engine.runs.tolls import paid_tolls, paying, settled
from carril.engine.runs.types import Answer, Run, RunProblem

Solve = Callable[[RunProblem], Answer]
"""Returns the best run of a problem."""
Payments = Callable[[RunProblem], Iterable[Answer]]
"""Returns the best run that pays no toll, and the best for each payment that is worth it."""

SEARCHES = 8
"""How many searches for equal runs with other cubes one question may cost."""


def runs_to_choose(problem: RunProblem, solve: Solve, payments: Payments) -> Iterator[Run]:
    """Yield the best run that pays no toll, then the best for each payment that raises the value.

    Each of them is followed by runs of the same value that take their cubes from other sources.
    """
    searches = iter(range(SEARCHES))
    for answer in payments(problem):
        paid = paid_tolls(answer.runs[0])
        unpaid = paying(answer.runs[0], ())
        for other in _equal_runs(settled(problem, paid), unpaid, solve, searches):
            yield paying(other, paid)


# --- cubes ---------------------------------------------------------------------------------

Taken = tuple[int, ...]
"""How many cubes are taken from each source of a problem."""


def _equal_runs(
    problem: RunProblem, run: Run, solve: Solve, searches: Iterator[int]
) -> Iterator[Run]:
    """Yield a run and others of its value that take other numbers of cubes from the sources.

    As far as `searches` allow, one of them takes as few from each source as any run of that value.
    """
    found = _reloaded(problem, run)
    todo = list(_replaceable(problem, next(iter(found))))
    while todo:
        source = todo.pop()
        least = _least(problem, found, source)
        if not least or next(searches, None) is None:
            continue
        fewer = dict(problem.rules.cubes) | {source: least - 1}
        answer = solve(replace(problem, rules=replace(problem.rules, cubes=tuple(fewer.items()))))
        if answer.value == solve(problem).value:
            for taken, other in _reloaded(problem, answer.runs[0]).items():
                found.setdefault(taken, other)
            todo.append(source)
    yield from found.values()


def _replaceable(problem: RunProblem, taken: Taken) -> Iterator[str]:
    """Yield the sources whose cubes may be replaced by those that others have left."""
    cubes = problem.rules.cubes
    left = {
        name
        for (name, count), used in zip(cubes, taken, strict=True)
        if count > used and any(stop.matches(name) for stop in problem.stops)
    }
    for (name, _), used in zip(cubes, taken, strict=True):
        if used and left - {name}:
            yield name


def _least(problem: RunProblem, found: Collection[Taken], source: str) -> int:
    """Return the least number of cubes that a run takes from a source."""
    index = [name for name, _ in problem.rules.cubes].index(source)
    return min(taken[index] for taken in found)


def _reloaded(problem: RunProblem, run: Run) -> dict[Taken, Run]:
    """Return a run, and for all other numbers of cubes by source one with the same routes."""
    uses = cards_used(problem, run)
    loaded = sum(sum(use.cubes.values()) for use in uses)
    sources = dict(problem.rules.cubes)
    own = _taken(problem, uses)
    found = {own: run}
    for loads in product(*(_loads(problem, run, use) for use in uses)):
        changed = [use._replace(cubes=load) for use, load in zip(uses, loads, strict=True)]
        taken = _taken(problem, changed)
        if sum(taken) == loaded and all(
            count <= left for count, left in zip(taken, sources.values(), strict=True)
        ):
            found.setdefault(taken, _written(run, changed))
    return found


def _taken(problem: RunProblem, uses: list[CardUse]) -> Taken:
    return tuple(sum(use.cubes.get(source, 0) for use in uses) for source, _ in problem.rules.cubes)


def _loads(problem: RunProblem, run: Run, use: CardUse) -> list[dict[str, int]]:
    """Return all loads of a card on its route; a card that carries no cubes has one."""
    if not use.cubes:
        return [{}]
    stops = route_stops(problem, run.routes[use.route])
    sources = [
        (name, count)
        for name, count in problem.rules.cubes
        if any(stop.matches(name) for stop in stops)
    ]
    most = use.card.capacity
    return [
        {name: count for (name, _), count in zip(sources, counts, strict=True) if count}
        for counts in product(*(range(min(count, most) + 1) for _, count in sources))
        if 1 <= sum(counts) <= most
    ]


def _written(run: Run, uses: list[CardUse]) -> Run:
    """Return a run whose cards are loaded like this."""
    names = route_names(run)
    loaded = [
        (use.card.name, " ".join([names[use.route], *(f"{s}={n}" for s, n in use.cubes.items())]))
        for use in uses
        if use.cubes
    ]
    cards = [use.card.name for use in uses if use.cubes]
    others = list(run.extras)
    for name in cards:
        others.remove(next(extra for extra in others if extra[0] == name and "=" in extra[1]))
    return replace(run, extras=tuple(sorted([*others, *loaded])))
