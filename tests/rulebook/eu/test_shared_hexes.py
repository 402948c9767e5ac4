"""Several tokens of one corporation in Paris, Berlin or Vienna, until the brown tile."""

from __future__ import annotations

import pytest

from carril.engine.actions import Accept, ExchangeMinor, LayTile, MergeMinor, Pass, StartCompany
from carril.engine.events import TokenRemoved
from carril.engine.state import State
from carril.rules.marker import rule
from tests.table import (
    cash,
    corporation,
    events,
    game,
    operate,
    own_minors,
    phase,
    play,
    stock_round,
    tiles,
    tokens,
)


def led(symbol: str, **placed: tuple[tuple[str, ...], ...]) -> State:
    """Ana leads a corporation in phase 5 with these tokens on the map and two to spare."""
    state = phase(own_minors(game(), {}), "5")
    state = corporation(state, symbol, {"Ana": 5}, trains=("5",), tokens=2)
    return tokens(state, **placed)


@rule("EU-4.3-j")
@pytest.mark.parametrize(
    ("first", "second", "place"), [("1", "3", "A10"), ("9", "7", "J5"), ("11", "6", "K14")]
)
def test_by_merger_a_corporation_gets_two_tokens_in_one_hex(
    first: str, second: str, place: str
) -> None:
    """They stand in separate circles and both stay (reported as #7108, PR #6903)."""
    state = own_minors(game(), {first: "Ana", second: "Ana", "8": "Ana"})
    state = stock_round(cash(state, Ana=500, Ben=500))
    state = play(state, StartCompany("SNCF", 70), MergeMinor(first))
    state = play(state, Pass(), Pass(), Pass())
    assert state.acting == "Ana"
    after = play(state, ExchangeMinor(second, "SNCF", "treasury"), Accept())
    assert after.board.tokens[place] == (("SNCF",), ("SNCF",))
    assert after.companies["SNCF"].tokens == 3


def test_two_tokens_in_one_hex_outlive_the_green_tile() -> None:
    """Green Berlin still keeps its cities apart (reported as #7108, PR #6903)."""
    state = led("DR", J5=(("DR",), ("DR",)))
    after = play(operate(state, "DR"), LayTile("J5", "581", 0))
    assert sorted(after.board.tokens["J5"]) == [(), ("DR",), ("DR",)]
    assert after.companies["DR"].tokens == 2


@rule("EU-4.3-k")
@pytest.mark.parametrize("place", ["J5", "K14"])
def test_brown_berlin_or_vienna_leaves_a_corporation_one_token(place: str) -> None:
    """The surplus token can be used again (reported as #7108, PR #6903)."""
    state = led("DR", **{place: (("DR",), ("NS",), ("DR",))})
    state = corporation(state, "NS", {"Ben": 5}, price=70, tokens=4)
    state = operate(tiles(state, **{place: ("581", 0)}), "DR")
    lay = LayTile(place, "584", 0)
    assert events(state, lay).count(TokenRemoved("DR", place)) == 1
    after = play(state, lay)
    assert after.board.tokens[place] == (("DR", "NS"),)
    assert after.companies["DR"].tokens == 3
    assert after.companies["NS"].tokens == 4


@rule("EU-4.3-k")
def test_single_tokens_of_three_corporations_all_stay_in_brown_vienna() -> None:
    state = led("DR", K14=(("DR",), ("NS",), ("FS",)))
    state = operate(tiles(state, K14=("581", 0)), "DR")
    after = play(state, LayTile("K14", "584", 0))
    assert after.board.tokens["K14"] == (("DR", "NS", "FS"),)
    assert after.companies["DR"].tokens == 2


@rule("EU-4.3-l")
def test_brown_paris_lets_a_corporation_keep_a_token_in_each_half() -> None:
    state = led("SNCF", A10=(("SNCF",), ("SNCF",)))
    state = operate(tiles(state, A10=("580", 3)), "SNCF")
    after = play(state, LayTile("A10", "583", 3))
    assert after.board.tokens["A10"] == (("SNCF",), ("SNCF",))
    assert after.companies["SNCF"].tokens == 2


@rule("EU-4.3-l")
def test_brown_paris_never_holds_two_tokens_of_one_corporation_in_one_half() -> None:
    # two tokens in one half cannot come about by play, so the position is made by hand
    state = led("SNCF", A10=(("SNCF", "SNCF"), ("NS",)))
    state = operate(tiles(state, A10=("580", 3)), "SNCF")
    after = play(state, LayTile("A10", "583", 3))
    assert after.board.tokens["A10"] == (("SNCF",), ("NS",))
    assert after.companies["SNCF"].tokens == 3
