"""The homes of the minors where a hex has two circles, and the track that leaves them."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile
from carril.rules.marker import rule
from tests.table import code, game, operate, own_minors, sell_all_minors

LEAVES = {
    # minor: the hex its printed track leads to, a lay there, and one where the other leads
    "1": (LayTile("B9", "9", 1), LayTile("B11", "9", 2)),
    "3": (LayTile("B11", "9", 2), LayTile("B9", "9", 1)),
    "7": (LayTile("I6", "9", 1), LayTile("K4", "3", 0)),
    "9": (LayTile("K4", "3", 0), LayTile("I6", "9", 1)),
    "6": (LayTile("K12", "4", 0), LayTile("J17", "8", 2)),
    "11": (LayTile("J17", "8", 2), LayTile("K12", "4", 0)),
}


@rule("EU-A-46")
@pytest.mark.parametrize("minor", ["7", "9"])
def test_berlin_minor_7_leaves_to_the_south_west_and_9_to_the_north_east(minor: str) -> None:
    """Homes go by circle and track, not by compass name (reported as #7046, PR #7045)."""
    state = operate(own_minors(game(), {"7": "Ana", "9": "Ana"}), minor)
    own, other = LEAVES[minor]
    assert code(state, own) == ""
    assert code(state, other) == "not-connected"


@pytest.mark.parametrize("minor", ["6", "11"])
def test_vienna_minor_6_leaves_to_the_north_and_11_to_the_south(minor: str) -> None:
    """The two are the right way round (reported as #7081)."""
    state = operate(own_minors(game(), {"6": "Ana", "11": "Ana"}), minor)
    own, other = LEAVES[minor]
    assert code(state, own) == ""
    assert code(state, other) == "not-connected"


@pytest.mark.parametrize("minor", ["1", "3"])
def test_paris_minor_1_leaves_to_the_north_east_and_3_to_the_south_east(minor: str) -> None:
    state = operate(own_minors(game(), {"1": "Ana", "3": "Ana"}), minor)
    own, other = LEAVES[minor]
    assert code(state, own) == ""
    assert code(state, other) == "not-connected"


@rule("EU-A-46")
def test_the_sale_puts_each_token_of_paris_berlin_and_vienna_on_its_own_circle() -> None:
    state = sell_all_minors(game())
    assert state.board.tokens["A10"] == (("1",), ("3",))
    assert state.board.tokens["J5"] == (("9",), ("7",))
    assert state.board.tokens["K14"] == (("11",), ("6",))
