"""Pieces that exclude each other in a route, and limits that spare its two ends."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from carril.engine import runs
from carril.engine.runs import Limit, RunProblem
from carril.routes import solve
from tests.routes.brute import best_value
from tests.routes.kinds import board


def changed(seed: int) -> RunProblem:
    """A board on which some pieces share a word and one pass at most is crossed."""
    problem, draw = board("18ESP", seed), Random(seed)
    words = ("", "", "red", "blue", "green")
    pieces = tuple(replace(piece, once=draw.choice(words)) for piece in problem.pieces)
    limits = (Limit("pass", draw.randrange(2), inner=True), Limit("town", 1, inner=True))
    rules = replace(problem.rules, limits=(*limits, *problem.rules.limits[1:]))
    return replace(problem, pieces=pieces, rules=rules)


@pytest.mark.parametrize("block", range(5))
def test_equals_exhaustive_search(block: int) -> None:
    paid = fewer = 0
    for seed in range(40 * block, 40 * block + 40):
        problem = changed(seed)
        expected = best_value(problem, False)
        if expected is None:
            continue
        answer = solve(problem)
        assert (answer.value, answer.optimal) == (expected, True), seed
        assert runs.check(problem, answer.runs[0]) is None
        paid += expected > 0
        free = replace(problem, pieces=tuple(replace(piece, once="") for piece in problem.pieces))
        fewer += expected < solve(free).value
    assert paid > 3
    assert fewer > 0, "the words make a difference on some board"
