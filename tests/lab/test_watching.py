"""Games of planners are watched for moves that no good player would make."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain
from carril.lab.arena import schedule
from carril.lab.timing import summaries, timed
from carril.lab.watching import Watcher, watch
from tests.bots.test_planner import played


@pytest.mark.parametrize("title", ["18EU", "18ESP", "18Cuba"])
def test_planners_make_no_silly_moves(title: str) -> None:
    (match,) = schedule(title, ("planner",), 1, 4, seed=32)
    assert watch(match) == ()


def test_a_train_of_the_wrong_gauge_is_noticed() -> None:
    state = played("18ESP", "greedy", "OR 3.1")
    tables = state.tables.companies
    north = next(
        one
        for one in state.companies.values()
        if tables[one.symbol].region == "north" and one.owner
    )
    watcher = Watcher()
    there = replace(state, agenda=(replace(state.step, company=north.symbol),))
    after = replace(
        there,
        companies={
            **there.companies,
            north.symbol: replace(north, trains=(*north.trains, "3")),
        },
    )
    watcher.look(1, there, BuyTrain("3", "stack", 200), after)
    assert [one.kind for one in watcher.found] == ["useless-train"]


def test_every_decision_is_timed() -> None:
    (match,) = schedule("18EU", ("random",), 1, 2, seed=1)
    game = timed(match)
    (figures,) = summaries([game])
    assert figures.count == len(game.decisions) > 100
    assert 0 <= figures.median <= figures.percentile_99 <= figures.most <= game.seconds * 1000
