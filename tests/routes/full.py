"""Solver against exhaustive search on many small boards.

python -m tests.routes.full --boards 5000
"""

from __future__ import annotations

import argparse
from unittest.mock import patch

from rich.progress import track

from carril.routes import solve, solver
from tests.routes.brute import best_value
from tests.routes.kinds import TITLES, board


def compare(number: int) -> bool:
    """Whether board `number` has a route and few enough to try all; a difference raises.

    Boards are small, and the search would draw up all their routes: it is also made to choose
    those that can be part of a better run, and to begin with a run that is known.
    """
    title, payable = TITLES[number % 3], number % 7 == 0
    problem = board(title, number)
    expected = best_value(problem, payable)
    if expected is None:
        return False
    known = solve(problem, payable=not payable).runs[0]
    for small in (solver._SMALL, 0):
        with patch.object(solver, "_SMALL", small):
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
