"""The runs that a director may choose from where the best run is required.

Paying tolls is the director's choice, and so is, of equal runs, from which sources cubes are
taken: others profit from what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from carril.engine.runs.revenue import CardUse, cards_used, route_names, route_stops
from carril.engine.runs.tolls import paid_tolls, settled, with_payment
from carril.engine.runs.types import Answer, Run, RunProblem

Solve = Callable[..., Answer]
"""Returns the best run of a problem; the search may start from a `known` run."""

FEW_SETS = 15
"""Where a purse cannot pay all tolls: the most sets of those it can pay that are searched first."""
SEARCHES = 8
"""How many searches for equal runs with other cubes one question may cost."""


def runs_to_choose(problem: RunProblem, solve: Solve) -> Iterator[Run]:
    """Yield the best run that pays no toll, then the best for each payment that raises the value.

    Each of them is followed by runs of the same value that take their cubes from other sources.
    """
    searches = iter(range(SEARCHES))
    for paid, run in _Payments(problem, solve).worthwhile():
        for other in _equal_runs(settled(problem, paid), run, solve, searches):
            yield with_payment(problem, other, paid)


# --- tolls ---------------------------------------------------------------------------------


class _Best(NamedTuple):
    """The best run for which the tolls `allowed` may be paid, and the tolls it pays."""

    allowed: frozenset[str]
    paid: frozenset[str]
    value: int
    run: Run


class _Payments:
    """Finds the sets of tolls that are worth paying."""

    def __init__(self, problem: RunProblem, solve: Solve) -> None:
        self.problem, self.solve = problem, solve
        self.known: list[_Best] = []

    def best(self, allowed: frozenset[str]) -> _Best:
        """Return the best run for which these tolls may be paid.

        It is known if it is worth as much as the best run for more tolls.
        """
        lower = [found for found in self.known if found.paid <= allowed]
        upper = [found for found in self.known if allowed <= found.allowed]
        for found in lower:
            if any(found.value >= more.value for more in upper):
                return found
        known = max(lower, key=lambda found: found.value, default=None)
        answer = self.solve(settled(self.problem, allowed), known=known.run if known else None)
        run = answer.runs[0]
        paid = frozenset(paid_tolls(with_payment(self.problem, run, allowed)))
        self.known.append(_Best(allowed, paid, answer.value, run))
        return self.known[-1]

    def worthwhile(self) -> Iterator[tuple[frozenset[str], Run]]:
        """Yield no toll, and each set that can be paid and is worth more than its subsets."""
        least = self.best(frozenset())
        yield frozenset(), least.run
        todo = self._largest()
        seen, judged = set(todo), set[frozenset[str]]()
        for allowed in todo:
            found = self.best(allowed)
            if found.value <= least.value:
                continue
            fewer = [allowed - {key} for key in sorted(found.paid)]
            todo += [each for each in fewer if each not in seen]
            seen.update(fewer)
            if found.paid not in judged and self._is_worthwhile(found):
                yield found.paid, found.run
            judged.add(found.paid)

    def _largest(self) -> list[frozenset[str]]:
        """Return sets that hold every set that can be paid: as small as possible, if they are few.

        They are empty if nothing can be paid.
        """
        tolls = {stop.key: stop.toll for stop in self.problem.stops if stop.toll}
        purse = self.problem.rules.purse
        most = len(tolls) if purse < 0 or not tolls else purse // min(tolls.values())
        if most >= len(tolls) or comb(len(tolls), most) > FEW_SETS:
            return [frozenset(tolls)]
        return [frozenset(keys) for keys in combinations(tolls, most)]

    def _is_worthwhile(self, found: _Best) -> bool:
        costs = {stop.key: stop.toll for stop in self.problem.stops}
        if 0 <= self.problem.rules.purse < sum(costs[key] for key in found.paid):
            return False
        return all(self.best(found.paid - {key}).value < found.value for key in found.paid)


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
