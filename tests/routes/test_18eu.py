"""Recorded 18EU games: never below what players claimed, equal to an integer programme."""

from __future__ import annotations

import pytest

from carril.engine import runs
from carril.engine.runs import RunProblem
from carril.routes import solve
from tests.routes import eu, programme

pytestmark = pytest.mark.skipif(
    not eu.GAMES.exists(), reason="the folder shared/ with facts and recorded games is not here"
)
NAMES = eu.games() if eu.GAMES.exists() else []


@pytest.mark.parametrize("game", NAMES)
def test_never_below_the_claimed_revenue(game: str) -> None:
    for line, company, problem, claimed, _ in eu.trace_runs(game):
        answer = solve(problem)
        assert answer.optimal
        assert answer.value >= claimed, (game, line, company, answer)
        assert runs.check(problem, answer.runs[0]) is None


def late(game: str, count: int) -> list[RunProblem]:
    """The last runs of a game."""
    return [problem for _, _, problem, _, _ in eu.trace_runs(game)][-count:]


def test_equals_the_integer_programme() -> None:
    proven = 0
    for game in NAMES:
        for problem in late(game, 2):
            expected = programme.best_value(problem)
            if expected is not None:
                assert expected == solve(problem).value, game
                proven += 1
    assert proven >= len(NAMES), "the programme proves at least one position of each game"
