"""What a company reaches through stops that are opened for it, one after the other or at once."""

from __future__ import annotations

from itertools import combinations

import pytest

from carril.bots import Dice, bot_named
from carril.cli.playing import NAMES, play_out
from carril.engine.board import tokens_of
from carril.engine.network import Walk, passable, reach
from carril.engine.state import State
from carril.engine.tile import GAUGES, STOP
from carril.notation.save import Game


def last_position(title: str, players: int, seed: int) -> State:
    game = Game.begin(title, NAMES[:players], seed)
    play_out(game, dict.fromkeys(NAMES[:players], bot_named("random")), Dice(seed))
    return game.position(len(game))


@pytest.mark.parametrize(("title", "players"), [("18EU", 3), ("18Cuba", 6)])
def test_stops_opened_one_by_one_give_the_walk_with_all_of_them_open(
    title: str, players: int
) -> None:
    state = last_position(title, players, 3)
    tables, board = state.tables, state.board
    longer = 0
    for company in state.companies:
        starts = list(tokens_of(board, company))
        gauge = tables.companies[company].gauge
        blocking = [
            stop
            for other in state.companies
            for stop in tokens_of(board, other)
            if not passable(tables, board, company, *stop)
        ]
        stops = sorted(set(blocking))[:6]
        for size in range(len(stops) + 1):
            for opened in map(frozenset, combinations(stops, size)):
                walk = Walk(tables, board, company, starts, GAUGES[gauge], opened)
                walk.follow([(at, STOP + city, -1, walk.usable) for at, city in starts])
                found = reach(tables, board, company, passes=opened)
                assert found == walk.reach(), (company, sorted(opened))
                longer += found != reach(tables, board, company)
    assert longer > 10
