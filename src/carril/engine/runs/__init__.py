"""Runs of trains: problems and answers, legality, revenue, and the best runs.

Steps of the engine need the best run, but the solver (`carril.routes`) is a package above the
engine and the same for every title; so `carril` passes it to `install` once, when it is imported.

>>> from carril.engine import runs
>>> two = runs.Train("2", (runs.Room(("city",), 2),))
>>> problem = runs.RunProblem(
...     stops=(
...         runs.Stop("A1.0", "A1", "city", 20, token=True),
...         runs.Stop("A3.0", "A3", "city", 30),
...     ),
...     points=(runs.Point("stop", "A1", 0), runs.Point("side", "A1"), runs.Point("stop", "A3", 1)),
...     pieces=(runs.Piece(0, 1, "A1"), runs.Piece(1, 2, "A3")),
...     trains=(two,),
... )
>>> run = runs.Run((runs.Route("2", ("A1.0", "A3.0")),))
>>> runs.check(problem, run), runs.value(problem, run).total
(None, 50)
>>> runs.check(problem, runs.Run((runs.Route("3", ("A1.0", "A3.0")),))).code
'no-such-train'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import msgspec

from carril.engine.cache import Cache
from carril.engine.runs.choices import runs_to_choose
from carril.engine.runs.legality import check, validate
from carril.engine.runs.paths import Track, place_names
from carril.engine.runs.revenue import route_value, value
from carril.engine.runs.tolls import can_pay, paid_tolls, paying, settled, with_payment
from carril.engine.runs.types import (
    Answer,
    BadProblem,
    Bonus,
    Fault,
    Limit,
    Piece,
    Point,
    Room,
    Route,
    RouteValue,
    Rules,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
    Value,
    in_words,
)

__all__ = [
    "Answer",
    "BadProblem",
    "Bonus",
    "Fault",
    "Limit",
    "Piece",
    "Point",
    "Room",
    "Route",
    "RouteValue",
    "Rules",
    "Run",
    "RunCard",
    "RunProblem",
    "Solver",
    "Stop",
    "Track",
    "Train",
    "Value",
    "best",
    "best_within_budget",
    "both_within_budget",
    "check",
    "forget",
    "in_words",
    "install",
    "paid_tolls",
    "payments_within_budget",
    "place_names",
    "route_value",
    "runs_to_choose",
    "settled",
    "using",
    "validate",
    "value",
    "with_payment",
]


class Solver(Protocol):
    """The functions of `carril.routes`."""

    def solve(
        self,
        problem: RunProblem,
        budget: int | None = None,
        count: int = 1,
        payable: bool = False,
        known: Run | None = None,
        ties: bool = False,
    ) -> Answer:
        """Return the best `count` runs; with `ties` only those worth as much as the best."""

    def solve_both(self, problem: RunProblem, budget: int | None = None) -> tuple[Answer, Answer]:
        """Return the runs with the greatest total and with the greatest payable part."""

    def solve_payments(
        self, problem: RunProblem, budget: int | None = None, least: int = 0
    ) -> tuple[Answer, ...]:
        """Return the best run for each payment of tolls that earns more than `least`."""


BUDGET = 200_000
"""Nodes that one decision of a game may cost: about two seconds with the compiled solver."""

_answers: Cache[tuple[int, Answer]] = Cache(512)
"""By problem, budget and unit: how many runs were asked for, and the answer."""
_proven: Cache[Answer] = Cache(512)
"""By problem: the best run for the greatest total, proven, whatever the budget was."""
_payments: Cache[tuple[Answer, ...]] = Cache(64)
"""By problem: the best run for each payment that is worth it."""
_solver: Solver | None = None
_chosen: ContextVar[Solver | None] = ContextVar("solver", default=None)


def install(solver: Solver) -> None:
    """Use this solver from now on."""
    global _solver
    _solver = solver
    forget()


@contextmanager
def using(solver: Solver) -> Iterator[None]:
    """Use another solver in this context, for example one that searches in other processes.

    It must give the same answers, or raise an error.
    """
    before = _chosen.set(solver)
    try:
        yield
    finally:
        _chosen.reset(before)


def forget() -> None:
    """Empty the caches of answers."""
    _answers.clear()
    _proven.clear()
    _payments.clear()


def best(
    problem: RunProblem,
    budget: int | None = None,
    count: int = 1,
    payable: bool = False,
    ties: bool = False,
) -> Answer:
    """Return the best runs of `problem`, cached; an answer with more runs than asked for will do.

    With `ties` runs that are worth less than the best are not looked for. The search for the
    greatest payable part starts from the run with the greatest total, and has the part of the
    budget that was not needed for it.
    """
    key = (problem, budget, payable)
    asked, answer = _answers.find(key) or (0, None)
    if asked < count and ties:
        asked, answer = _answers.find((*key, ties)) or (0, None)
    if count == 1 and answer is None:
        answer = _proven_within(key)
        asked = int(answer is not None)
    if answer is None or asked < count:
        known = None
        if payable:
            most = best(problem, budget)
            known, budget = most.runs[0], budget and max(1, budget - most.nodes)
        answer = _installed().solve(problem, budget, count, payable, known, ties)
        _answers.put((*key, ties) if ties else key, (count, answer))
        if ties and not _answers.find(key):
            _answers.put(key, (1, answer))
        if count == 1 and not payable and answer.optimal:
            _proven.put(problem, answer)
    if len(answer.runs) > count:
        return msgspec.structs.replace(answer, runs=answer.runs[:count])
    return answer


def _proven_within(key: tuple[RunProblem, int | None, bool]) -> Answer | None:
    """Return the answer that was proven with another budget, if this one is enough to prove it.

    A budget only stops a search, so the same search with another one takes the same course.
    """
    problem, budget, payable = key
    answer = None if payable else _proven.find(problem)
    if answer is None or (budget and answer.nodes > budget):
        return None
    _answers.put(key, (1, answer))
    return answer


def best_within_budget(
    problem: RunProblem, count: int = 1, payable: bool = False, ties: bool = False
) -> Answer:
    """Return the best runs that one decision may wait for; not proven if `BUDGET` is exhausted.

    Every part of a game asks this question, so that all of them know the same runs.
    """
    return best(problem, BUDGET, count, payable, ties)


def both_within_budget(problem: RunProblem) -> tuple[Answer, Answer]:
    """Return the runs with the greatest total and payable part that one decision may wait for."""
    keys = [(problem, BUDGET, payable) for payable in (False, True)]
    total, payable = (_answers.find(key) for key in keys)
    if total and payable:
        return total[1], payable[1]
    answers = _installed().solve_both(problem, BUDGET)
    for key, answer in zip(keys, answers, strict=True):
        _answers.put(key, (1, answer))
    return answers


def payments_within_budget(problem: RunProblem) -> tuple[Answer, ...]:
    """Return the best run that pays no toll, then the best for each payment that is worth it.

    Their values are gross of tolls. Each is also the answer to the question for the best run that
    may pay these tolls and no others, and is kept as such.
    """
    unpaid = best_within_budget(settled(problem, ()))
    if not can_pay(problem):
        return (unpaid,)
    found = _payments.find(problem)
    if found is None:
        found = _installed().solve_payments(problem, BUDGET, unpaid.value)
        found = tuple(answer for answer in found if answer.value > unpaid.value)
        _payments.put(problem, found)
    for answer in found:
        if answer.optimal:
            _keep_as_settled(problem, answer)
    return (unpaid, *found)


def _keep_as_settled(problem: RunProblem, answer: Answer) -> None:
    run = answer.runs[0]
    paid = paid_tolls(run)
    key = (settled(problem, paid), BUDGET, False)
    if not _answers.find(key):
        tolls = sum(stop.toll for stop in problem.stops if stop.key in paid)
        runs, treasury = (paying(run, ()),), answer.treasury + tolls
        same = msgspec.structs.replace(answer, runs=runs, treasury=treasury)
        _answers.put(key, (1, same))


def _installed() -> Solver:
    solver = _chosen.get() or _solver
    if solver is None:
        raise RuntimeError("no route solver is installed: import carril")
    return solver
