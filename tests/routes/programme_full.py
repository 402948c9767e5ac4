"""Solver against the integer programme on late positions.

python -m tests.routes.programme_full --positions 50         recorded 18EU games
python -m tests.routes.programme_full --island 150           generated on the map of 18Cuba
python -m tests.routes.programme_full --played 18Cuba        late runs in games of bots
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rich.progress import track

from carril.bots import Dice
from carril.cli.playing import begin, play_out
from carril.cli.recorded import claims, state_before
from carril.engine.figures import SetupDef
from carril.engine.registry import title_named
from carril.engine.runs import RunProblem, paid_tolls, payments_within_budget, settled
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


def played(title: str, count: int, seed: int) -> list[tuple[str, int, RunProblem]]:
    """Runs of late positions in games of bots, the same number for each set-up.

    Where tolls can be paid, one question for each payment that is worth it.
    """
    setups = title_named(title).tables.setups
    each = -(-count // len(setups))
    found: list[tuple[str, int, RunProblem]] = []
    for setup in setups:
        problems = dict.fromkeys(_late_runs(title, setup, seed))
        hardest = sorted(problems, key=lambda one: -len(one.trains) - bool(one.rules.cubes))
        found += [
            (f"{setup.players} {setup.variants}", n, one) for n, one in enumerate(hardest[:each])
        ]
    return found[:count]


def _late_runs(title: str, setup: SetupDef, seed: int) -> Iterator[RunProblem]:
    game, seats = begin(title, setup.players, "greedy", seed, list(setup.variants))
    play_out(game, seats, Dice(seed))
    for claim in claims(game):
        if claim.number > len(game) // 2:
            state = state_before(game, claim)
            problem = state.title.run_problem(state, claim.company)
            for answer in payments_within_budget(problem):
                yield settled(problem, paid_tolls(answer.runs[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--island", type=int, default=0, help="instead of recorded games")
    parser.add_argument("--played", metavar="TITLE", default="", help="games of bots instead")
    parser.add_argument("--seed", type=int, default=1, help="of these games")
    parser.add_argument("--seconds", type=float, default=120, help="at most, for each programme")
    wanted = parser.parse_args()
    equal = open_ends = 0
    if wanted.played:
        found = played(wanted.played, wanted.positions, wanted.seed)
    else:
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
