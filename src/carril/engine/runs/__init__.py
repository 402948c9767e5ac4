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
from carril.engine.runs.tolls import paid_tolls, settled, with_payment
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
    ) -> Answer:
        """Return the best `count` runs."""

    def solve_both(self, problem: RunProblem, budget: int | None = None) -> tuple[Answer, Answer]:
        """Return the runs with the greatest total and with the greatest payable part."""


BUDGET = 200_000
"""Nodes that one decision of a game may cost: about two seconds with the compiled solver."""

_answers: Cache[tuple[int, Answer]] = Cache(512)
"""By problem, budget, unit and known run: how many runs were asked for, and the answer."""
_solver: Solver | None = None
_chosen: ContextVar[Solver | None] = ContextVar("solver", default=None)


def install(solver: Solver) -> None:
    """Use this solver from now on."""
    global _solver
    _solver = solver
    _answers.clear()


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
    """Empty the cache of answers."""
    _answers.clear()


def best(
    problem: RunProblem,
    budget: int | None = None,
    count: int = 1,
    payable: bool = False,
    known: Run | None = None,
) -> Answer:
    """Return the best runs of `problem`, cached; an answer with more runs than asked for will do.

    The search for the greatest total may start from a `known` run. That for the greatest payable
    part starts from the run with the greatest total, and has the part of the budget that was not
    needed for it.
    """
    key = (problem, budget, payable, known)
    asked, answer = _answers.find(key) or (0, None)
    if answer is None or asked < count:
        start = known
        if payable:
            most = best(problem, budget)
            start, budget = most.runs[0], budget and max(1, budget - most.nodes)
        answer = _installed().solve(problem, budget, count, payable, start)
        _answers.put(key, (count, answer))
        plain = (*key[:3], None)
        if known is not None and answer.optimal and not _answers.find(plain):
            _answers.put(plain, (count, answer))  # whatever a proven value was found from
    if len(answer.runs) > count:
        return msgspec.structs.replace(answer, runs=answer.runs[:count])
    return answer


def best_within_budget(
    problem: RunProblem, count: int = 1, payable: bool = False, known: Run | None = None
) -> Answer:
    """Return the best runs that one decision may wait for; not proven if `BUDGET` is exhausted.

    Every part of a game asks this question, so that all of them know the same runs.
    """
    return best(problem, BUDGET, count, payable, known)


def both_within_budget(problem: RunProblem) -> tuple[Answer, Answer]:
    """Return the runs with the greatest total and payable part that one decision may wait for."""
    keys = [(problem, BUDGET, payable, None) for payable in (False, True)]
    total, payable = (_answers.find(key) for key in keys)
    if total and payable:
        return total[1], payable[1]
    answers = _installed().solve_both(problem, BUDGET)
    for key, answer in zip(keys, answers, strict=True):
        _answers.put(key, (1, answer))
    return answers


def _installed() -> Solver:
    solver = _chosen.get() or _solver
    if solver is None:
        raise RuntimeError("no route solver is installed: import carril")
    return solver
