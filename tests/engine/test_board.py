"""Tokens on the board."""

from __future__ import annotations

import pytest

from carril.engine.board import place_token
from carril.engine.move import Move
from tests.table import charter, game, tokens


def test_a_token_needs_a_free_circle_unless_it_stands_next_to_others() -> None:
    state = game()
    one, other = list(state.companies)[:2]
    at = next(h.id for h in state.tables.hexes.values() if [c.slots for c in h.print.stops] == [1])
    full = tokens(charter(state, one, tokens=1), **{at: ((other,),)})
    with pytest.raises(AssertionError, match=rf"no free circle in {at}\.0"):
        place_token(Move(full), one, at, 0)
    move = Move(full)
    place_token(move, one, at, 0, beside=True)
    assert move.state.board.tokens[at] == ((other, one),)
    assert move.state.companies[one].tokens == 0
