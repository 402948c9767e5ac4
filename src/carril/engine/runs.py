"""Runs of trains: types, checker, value, and the door to the route solver.

The engine never imports the solver: the package root hands it over by `install`,
and the engine asks by `best`.

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

from typing import Protocol

import msgspec

from carril.engine.cache import Cache
from carril.engine.runs_check import check, validate
from carril.engine.runs_path import Track, place_names
from carril.engine.runs_types import (
    Answer,
    BadProblem,
    Bonus,
    Extra,
    Fault,
    Limit,
    Piece,
    Point,
    Room,
    Route,
    RouteValue,
    Rules,
    Run,
    RunProblem,
    Stop,
    Train,
    Value,
    in_words,
)
from carril.engine.runs_value import route_value, value

__all__ = [
    "Answer",
    "BadProblem",
    "Bonus",
    "Extra",
    "Fault",
    "Limit",
    "Piece",
    "Point",
    "Room",
    "Route",
    "RouteValue",
    "Rules",
    "Run",
    "RunProblem",
    "Solver",
    "Stop",
    "Track",
    "Train",
    "Value",
    "best",
    "check",
    "forget",
    "in_words",
    "install",
    "place_names",
    "route_value",
    "validate",
    "value",
]


class Solver(Protocol):
    """What `install` takes: the exact search of `carril.routes`."""

    def __call__(
        self,
        problem: RunProblem,
        budget: int | None = None,
        count: int = 1,
        payable: bool = False,
        known: Run | None = None,
    ) -> Answer:
        """The best `count` runs; see `carril.routes.solve`."""


_answers: Cache[tuple[int, Answer]] = Cache(512)
"""By problem, budget and unit: how many runs were asked for, and the answer."""
_installed: list[Solver] = []


def install(solver: Solver) -> None:
    """Make `solver` the one that `best` asks."""
    _installed[:] = [solver]
    _answers.clear()


def forget() -> None:
    """Empty the cache of answers."""
    _answers.clear()


def best(
    problem: RunProblem, budget: int | None = None, count: int = 1, payable: bool = False
) -> Answer:
    """The best runs of `problem`; the same question again, or for fewer runs, costs nothing.

    The search for the greatest dividend begins with the run that has the greatest total.
    """
    if not _installed:
        raise RuntimeError("no route solver is installed: call carril.engine.runs.install")
    key = (problem, budget, payable)
    asked, answer = _answers.find(key) or (0, None)
    if answer is None or asked < count:
        known = best(problem).runs[0] if payable and budget is None else None
        answer = _installed[0](problem, budget, count, payable, known)
        _answers.put(key, (count, answer))
    if len(answer.runs) > count:
        return msgspec.structs.replace(answer, runs=answer.runs[:count])
    return answer
