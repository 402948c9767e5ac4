"""Solver against exhaustive search on many small boards.

python -m tests.routes.full --boards 5000
"""

from __future__ import annotations

import argparse
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace
from rich.progress import track

from carril.engine.runs import RunProblem
from carril.routes import solve, solver
from tests.routes.brute import best_value
from tests.routes.kinds import TITLES, board

FORCED: tuple[dict[str, Any], ...] = (
    {"_SMALL": solver._SMALL},
    {"_SMALL": 0},
    {"_SMALL": 0, "_FIRST_LIMIT": 1},
)
"""Settings with which small boards are searched like large ones: the diagrams have only routes that
can be part of a better run; the first product fails, so that all other methods are used."""


def enlarged(problem: RunProblem, count: int) -> RunProblem:
    """Return the problem with `count` trains: each as often as it takes."""
    trains = problem.trains * count
    return replace(problem, trains=trains[:count])


def compare(number: int) -> bool:
    """Whether board `number` has a route and few enough to try all; a difference raises.

    Every fifth board has three or four trains, most of them equal.
    """
    title, payable = TITLES[number % len(TITLES)], number % 7 == 0
    problem = board(title, number)
    if number % 5 == 0:
        problem = enlarged(problem, 3 + number // 5 % 2)
    expected = best_value(problem, payable)
    if expected is None:
        return False
    known = solve(problem, payable=not payable).runs[0]
    for settings in FORCED:
        with patch.multiple(solver, **settings):
            answers = [
                solve(problem, payable=payable),
                solve(problem, payable=payable, known=known),
            ]
        for answer in answers:
            text = f"board {number} ({title}): solver {answer.value}, exhaustive search {expected}"
            assert (answer.value, answer.optimal) == (expected, True), text
    return expected > 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0)
    wanted = parser.parse_args()
    tried, number = 0, wanted.first
    for _ in track(range(wanted.boards), description="boards"):
        while not compare(number):
            number += 1
        tried, number = tried + 1, number + 1
    skipped = number - wanted.first - tried
    print(f"{tried} boards, no difference ({skipped} had too many routes, or none)")


if __name__ == "__main__":
    main()
