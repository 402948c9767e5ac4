"""Solver against the integer programme on late positions.

python -m tests.routes.programme_full --positions 50         recorded 18EU games
python -m tests.routes.programme_full --island 150           generated on the map of 18Cuba
"""

from __future__ import annotations

import argparse

from rich.progress import track

from carril.engine.runs import RunProblem
from carril.routes import solve
from tests.routes import eu, programme
from tests.routes.cuba_map import late_problem


def late(count: int) -> list[tuple[str, int, RunProblem]]:
    """The last runs of all games, taken from each in turn, no question twice."""
    by_game = [
        [(game, line, problem) for line, _, problem, _, _ in eu.trace_runs(game)][::-1]
        for game in eu.games()
    ]
    found: dict[RunProblem, tuple[str, int, RunProblem]] = {}
    for place in range(max(len(runs) for runs in by_game)):
        for runs in by_game:
            if place < len(runs) and len(found) < count:
                found.setdefault(runs[place][2], runs[place])
    return list(found.values())


def island(count: int) -> list[tuple[str, int, RunProblem]]:
    """Generated positions with green, brown and grey tiles in turn."""
    return [("island", n, late_problem(n // 3, 1 + n % 3)) for n in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--island", type=int, default=0, help="instead of recorded games")
    parser.add_argument("--seconds", type=float, default=120, help="at most, for each programme")
    wanted = parser.parse_args()
    equal = open_ends = 0
    found = island(wanted.island) if wanted.island else late(wanted.positions)
    for game, line, problem in track(found, description="positions"):
        expected = programme.best_value(problem, wanted.seconds)
        answer = solve(problem)
        assert answer.optimal, (game, line)
        if expected is None:
            open_ends += 1
            continue
        text = f"{game} line {line}: solver {answer.value}, integer programme {expected}"
        assert answer.value == expected, text
        equal += 1
    print(f"{equal} positions, no difference ({open_ends} not proven by the programme in time)")


if __name__ == "__main__":
    main()
