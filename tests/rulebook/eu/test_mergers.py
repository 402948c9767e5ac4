"""Minors that join a started corporation in a stock round."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import (
    Accept,
    BuyShare,
    Decline,
    ExchangeMinor,
    MergeMinor,
    Pass,
    PlaceToken,
    SellShares,
    StartCompany,
)
from carril.engine.state import State
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.stock import StockRound
from carril.rules.marker import rule
from carril.titles.eu.merging import TokenChoice
from tests.table import (
    at,
    cash,
    charter,
    cited,
    code,
    corporation,
    game,
    own_minors,
    pass_until,
    phase,
    play,
    stock_round,
    tiles,
    tokens,
)

TO_PRAGUE = {"I6": ("7", 4), "J7": ("202", 0), "J9": ("9", 0), "J11": ("57", 0)}
"""Berlin's western circle, Dresden, Prague."""

ROUND_PARIS = {
    "C8": ("202", 0),
    "B7": ("58", 5),
    "A8": ("8", 4),
    "A10": ("580", 3),
    "B9": ("7", 0),
    "B11": ("7", 2),
    "A12": ("8", 3),
    "B13": ("58", 0),
    "B15": ("9", 0),
    "B17": ("201", 3),
}
"""Brussels, Lille, northern Paris, round to southern Paris, Dijon, Lyon: one line of track."""

BY_HAMBURG = {
    "D3": ("201", 5),
    "E4": ("8", 2),
    "F3": ("4", 1),
    "H3": ("8", 0),
    "H5": ("8", 3),
    "I6": ("8", 2),
}
"""Amsterdam, Bremen, Hamburg, Berlin's western circle."""


def unoperated(owners: dict[str, str], symbol: str, shares: dict[str, int], **more: Any) -> State:
    """Minors of these owners, and a corporation started but neither floated nor operated."""
    state = own_minors(game(), owners)
    fields: dict[str, Any] = {"floated": False, "operated": False, "tokens": 4} | more
    state = corporation(state, symbol, shares, **fields)
    return cash(state, Ana=500, Ben=500, Cleo=500, Dan=500)


def berlin(minor_owner: str = "Ben") -> State:
    """Ana leads the DR with its token in Berlin east; minors 7 (Berlin west), 4 (Dresden)."""
    state = unoperated({"7": minor_owner, "4": minor_owner, "15": minor_owner}, "DR", {"Ana": 3})
    return tokens(state, J5=(("DR",), ("7",)))


@rule("EU-4.3-d", "EU-4.3-e")
def test_any_player_may_exchange_a_minor_for_a_share_instead_of_buying() -> None:
    state = stock_round(cash(berlin(), m7=70, DR=40), "Ben")
    after = play(state, ExchangeMinor("7", "DR", "treasury"), Decline())
    assert after.companies["DR"].held("Ben") == 1
    assert after.companies["DR"].held("treasury") == 6
    assert after.companies["DR"].cash == 110
    assert after.companies["DR"].trains == ("2",)
    assert after.players["Ben"].cash == 500
    assert after.acting == "Cleo"


@rule("EU-4.3-d")
def test_the_president_may_exchange_a_further_minor_on_a_later_turn() -> None:
    state = own_minors(game(), {"7": "Ana", "9": "Ana"})
    state = stock_round(cash(state, Ana=500, Ben=500, Cleo=500, Dan=500))
    state = play(state, StartCompany("DR", 70), MergeMinor("9"))
    assert state.acting == "Ben"
    state = play(state, Pass(), Pass(), Pass())
    assert state.acting == "Ana"
    after = play(state, ExchangeMinor("7", "DR", "treasury"), Accept())
    assert after.companies["DR"].held("Ana") == 4


@rule("EU-4.3-d")
def test_a_player_exchanges_only_his_own_minors() -> None:
    state = stock_round(berlin(), "Cleo")
    assert code(state, ExchangeMinor("7", "DR", "treasury")) == "not-your-minor"
    assert cited(state, ExchangeMinor("7", "DR", "treasury")) == "EU-4.3-d"
    assert code(stock_round(state, "Ben"), ExchangeMinor("7", "DR", "treasury")) == ""


@rule("EU-4.3-e")
def test_a_minor_in_the_same_hex_needs_no_track() -> None:
    state = unoperated({"3": "Ben", "15": "Ben"}, "SNCF", {"Ana": 3})
    state = stock_round(tokens(state, A10=(("SNCF",), ("3",))), "Ben")
    assert code(state, ExchangeMinor("3", "SNCF", "treasury")) == ""
    assert code(state, ExchangeMinor("15", "SNCF", "treasury")) == "minor-not-connected"
    assert cited(state, ExchangeMinor("15", "SNCF", "treasury")) == "EU-4.3-e"


@rule("EU-4.3-e")
def test_a_minor_elsewhere_needs_a_line_of_track_to_a_token() -> None:
    state = tokens(berlin(), J5=((), ("DR",)))
    state = stock_round(charter(state, "7", closed=True, owner=""), "Ben")
    merge = ExchangeMinor("4", "DR", "treasury")
    assert code(state, merge) == "minor-not-connected"
    assert code(tiles(state, I6=("7", 4)), merge) == "minor-not-connected"
    assert code(tiles(state, **TO_PRAGUE), merge) == ""


@rule("EU-4.3-f", "EU-A-26")
def test_a_connecting_line_does_not_visit_two_circles_of_one_hex() -> None:
    state = phase(unoperated({"2": "Ben"}, "SNCF", {"Ana": 3}), "3")
    state = stock_round(tiles(state, **ROUND_PARIS), "Ben")
    merge = ExchangeMinor("2", "SNCF", "treasury")
    in_lyon = tokens(state, B17=(("SNCF",),))
    south = tokens(state, A10=((), ("SNCF",)))
    north = tokens(state, A10=(("SNCF",), ()))
    assert code(in_lyon, merge) == "minor-not-connected"
    assert code(south, merge) == "minor-not-connected"
    assert code(north, merge) == ""


@rule("EU-A-26")
def test_track_and_tokens_use_plain_reach_even_round_through_one_hex() -> None:
    state = phase(own_minors(game(), {}), "3")
    state = tiles(corporation(state, "SNCB", {"Ana": 5}, tokens=4), **ROUND_PARIS)
    state = at(tokens(state, C8=(("SNCB",),)), PlaceStation("SNCB"))
    assert code(state, PlaceToken("B17", 0)) == ""
    apart = tiles(state, B9=("8", 1))
    assert code(apart, PlaceToken("B17", 0)) == "city-not-reached"


def prague() -> State:
    """The KPEV's token in Prague, the DR unfloated; Ben's minors 7 (Berlin west), 4 (Dresden)."""
    state = unoperated({"4": "Ben", "7": "Ben"}, "KPEV", {"Ana": 3})
    state = corporation(state, "DR", {"Cleo": 3}, price=82, floated=False, operated=False)
    return stock_round(tokens(tiles(state, **TO_PRAGUE), J11=(("KPEV",),), J7=((),)), "Ben")


@rule("EU-4.3-f", "EU-A-47")
def test_a_connecting_line_does_not_pass_a_city_full_of_others() -> None:
    state = prague()
    merge = ExchangeMinor("7", "KPEV", "treasury")
    assert code(state, merge) == ""
    # a minor of the same owner is another company like any other
    assert code(tokens(state, J7=(("4",),)), merge) == "minor-not-connected"
    # a second circle that is open lets the line through, a filled one does not
    brown = tiles(state, J7=("582", 0))
    assert code(tokens(brown, J7=(("4",),)), merge) == ""
    assert code(tokens(brown, J7=(("4", "NS"),)), merge) == "minor-not-connected"


@rule("EU-A-47", "EU-4.3-x")
def test_the_token_of_an_unfloated_corporation_blocks_a_connecting_line() -> None:
    state = tokens(prague(), J7=(("DR",),))
    assert code(state, ExchangeMinor("7", "KPEV", "treasury")) == "minor-not-connected"
    # but to reach it is to be connected to it
    assert code(state, ExchangeMinor("7", "DR", "treasury")) == ""


@rule("EU-A-27")
def test_the_line_is_traced_as_the_minor_would_run_it() -> None:
    # KPEV could run from Prague through its own Dresden to Berlin; the minor need not go so far
    both = tokens(prague(), J7=(("KPEV",),))
    assert code(both, ExchangeMinor("7", "KPEV", "treasury")) == ""
    # minor 4 passes through its own Dresden, where minor 7 ends
    home = tokens(prague(), J7=(("4",),))
    assert code(home, ExchangeMinor("4", "KPEV", "treasury")) == ""
    # a city full of others is where the line ends, even for the corporation's own sake
    assert code(home, ExchangeMinor("7", "KPEV", "treasury")) == "minor-not-connected"


def test_a_line_through_hamburg_connects_a_minor() -> None:
    """Hamburg is run through like a city, for mergers too (reported as #11299, PR #7007)."""
    state = unoperated({"12": "Ben"}, "KPEV", {"Ana": 3})
    state = tokens(tiles(state, **BY_HAMBURG), J5=((), ("KPEV",)))
    merge = ExchangeMinor("12", "KPEV", "treasury")
    assert code(stock_round(state, "Ben"), merge) == ""
    assert code(stock_round(tiles(state, F3=("4", 0)), "Ben"), merge) == "minor-not-connected"


def test_a_line_does_not_go_on_beyond_london() -> None:
    """Hamburg alone of the off-map places is run through (reported as PR #7007)."""
    state = phase(unoperated({"2": "Ben"}, "SNCF", {"Ana": 3}), "3")
    track = {"C8": ("202", 0), "B7": ("4", 2), "A8": ("9", 0), "A10": ("580", 3)}
    state = tokens(tiles(state, **track), A10=(("SNCF",), ()))
    merge = ExchangeMinor("2", "SNCF", "treasury")
    assert code(stock_round(state, "Ben"), merge) == "minor-not-connected"
    direct = tiles(state, B7=("58", 5), A8=("8", 4))
    assert code(stock_round(direct, "Ben"), merge) == ""


@rule("EU-4.3-g", "EU-4.3-i")
def test_the_president_chooses_whether_to_take_over_the_token() -> None:
    """The owner of the minor is not asked (reported as #7235, #9265, #8624)."""
    state = stock_round(cash(berlin(), DR=40), "Ben")
    asked = play(state, ExchangeMinor("7", "DR", "treasury"))
    assert isinstance(asked.step, TokenChoice)
    assert asked.acting == "Ana"
    taken = play(asked, Accept())
    assert taken.board.tokens["J5"] == (("DR",), ("DR",))
    assert taken.companies["DR"].tokens == 3
    assert taken.companies["DR"].cash == 40
    declined = play(asked, Decline())
    assert declined.board.tokens["J5"] == (("DR",), ())
    assert declined.companies["DR"].tokens == 4
    assert declined.companies["7"].closed


@rule("EU-4.3-h")
def test_without_a_spare_token_the_minors_token_is_just_removed() -> None:
    """No question is asked that has one answer only (reported as #9265)."""
    state = stock_round(charter(berlin(), "DR", tokens=0), "Ben")
    after = play(state, ExchangeMinor("7", "DR", "treasury"))
    assert after.board.tokens["J5"] == (("DR",), ())
    assert after.companies["7"].closed
    assert after.companies["DR"].held("Ben") == 1
    assert after.acting == "Cleo"


@rule("EU-4.3-h")
def test_the_fourth_further_minor_takes_the_last_token() -> None:
    state = stock_round(charter(berlin(), "DR", tokens=1), "Ben")
    after = play(state, ExchangeMinor("7", "DR", "treasury"), Accept())
    assert after.companies["DR"].tokens == 0
    assert after.board.tokens["J5"] == (("DR",), ("DR",))


@rule("EU-A-30")
def test_a_second_token_in_one_city_is_not_offered() -> None:
    state = phase(unoperated({"8": "Ben"}, "KKÖ", {"Ana": 3}), "5")
    state = tiles(state, M16=("582", 0))
    state = tokens(state, M16=(("8", "KKÖ"),))
    after = play(stock_round(state, "Ben"), ExchangeMinor("8", "KKÖ", "treasury"))
    assert after.board.tokens["M16"] == (("KKÖ",),)
    assert after.companies["KKÖ"].tokens == 4
    assert not isinstance(after.step, TokenChoice)
    # the neighbouring case: a circle of another city in the same hex is a choice
    assert isinstance(
        play(stock_round(berlin(), "Ben"), ExchangeMinor("7", "DR", "treasury")).step, TokenChoice
    )


@rule("EU-4.3-m")
def test_outside_the_final_exchange_a_corporation_that_has_operated_takes_no_minor() -> None:
    state = stock_round(berlin(), "Ben")
    merge = ExchangeMinor("7", "DR", "treasury")
    assert code(state, merge) == ""
    operated = charter(state, "DR", operated=True, floated=True)
    assert code(operated, merge) == "has-operated"
    assert cited(operated, merge) == "EU-4.3-m"
    # floated, but its first operating round is still to come
    assert code(charter(state, "DR", floated=True), merge) == ""


@rule("EU-4.3-n")
def test_an_unfloated_corporation_takes_minors_and_buyers_in_a_later_stock_round() -> None:
    """Started in one set, joined in the next (reported as #7414, PR #6276)."""
    state = own_minors(game(2), {"7": "Ben", "9": "Ana"})
    state = charter(charter(state, "7", trains=()), "9", trains=())
    state = stock_round(cash(state, Ana=500, Ben=500))
    state = play(state, StartCompany("DR", 70), Pass(), Pass())
    assert state.round.kind == "OR"
    state = pass_until(state, StockRound)
    assert str(state.round) == "SR 3"
    assert not state.companies["DR"].operated
    if state.acting == "Ana":
        state = play(state, Pass())
    assert code(state, BuyShare("DR", "treasury")) == ""
    after = play(state, ExchangeMinor("7", "DR", "treasury"), Accept())
    assert after.companies["DR"].held("Ben") == 1
    assert after.board.tokens["J5"] == (("DR",), ("DR",))


@rule("EU-A-49")
def test_no_exchange_when_neither_treasury_nor_pool_has_a_share() -> None:
    state = unoperated({"7": "Ben"}, "DR", {"Ana": 4, "Ben": 3, "Cleo": 3}, floated=True)
    state = stock_round(tokens(state, J5=(("DR",), ("7",))), "Ben")
    for source in ("treasury", "pool", "none"):
        assert code(state, ExchangeMinor("7", "DR", source)) == "no-share-there"
    left = charter(state, "DR", shares={"Ana": 4, "Ben": 3, "Cleo": 2, "treasury": 1})
    assert code(left, ExchangeMinor("7", "DR", "treasury")) == ""
    assert code(left, ExchangeMinor("7", "DR", "none")) == "no-share-there"


def test_in_exchange_for_a_market_share_bank_and_pool_get_the_assets() -> None:
    """The corporation gets nothing, and no token is offered to it (reported as #9805)."""
    state = unoperated({"7": "Ben"}, "DR", {"Ana": 5, "pool": 5}, floated=True)
    state = cash(tokens(state, J5=(("DR",), ("7",))), m7=80)
    state = stock_round(state, "Ben")
    bank, pool = state.bank, len(state.depot.pool)
    after = play(state, ExchangeMinor("7", "DR", "pool"))
    assert after.companies["DR"].held("Ben") == 1
    assert after.companies["DR"].held("pool") == 4
    assert (after.companies["DR"].cash, after.companies["DR"].trains) == (0, ())
    assert after.bank == bank + 80
    assert after.depot.pool.count("2") == 1
    assert len(after.depot.pool) == pool + 1
    assert after.board.tokens["J5"] == (("DR",), ())


def test_a_merger_leaves_the_pullman_of_an_uninvolved_company_alone() -> None:
    """Only the merging companies are looked at (reported as #8398)."""
    state = phase(berlin(), "3")
    state = corporation(state, "NS", {"Cleo": 5}, price=82, trains=("3", "P"))
    state = charter(state, "15", trains=("2", "P"))
    after = play(stock_round(state, "Ben"), ExchangeMinor("7", "DR", "treasury"), Accept())
    assert after.companies["NS"].trains == ("3", "P")
    assert after.companies["15"].trains == ("2", "P")


def test_above_60_percent_before_the_first_operation_nothing_is_stuck() -> None:
    """Who cannot sell yet need not sell; he may pass and act (reported as #9987)."""
    state = unoperated({"7": "Ana"}, "DR", {"Ana": 6}, floated=True)
    state = corporation(state, "NS", {"Cleo": 5}, price=82)
    state = stock_round(tokens(state, J5=(("DR",), ("7",))))
    state = play(state, ExchangeMinor("7", "DR", "treasury"), Decline())
    assert state.companies["DR"].held("Ana") == 7
    again = stock_round(state)
    assert code(again, SellShares("DR", 1)) == "not-operated"
    assert code(again, Pass()) == ""
    assert code(again, BuyShare("DR", "treasury")) == "share-limit"
    assert code(again, BuyShare("NS", "treasury")) == ""
    later = charter(again, "DR", operated=True)
    assert code(later, Pass()) == "must-sell"
    assert code(later, SellShares("DR", 1)) == ""


@pytest.mark.parametrize("answer", [Accept(), Decline()])
def test_either_answer_about_the_token_ends_the_turn_of_the_exchanging_player(
    answer: Accept | Decline,
) -> None:
    """Also right after taking a treasury share (reported as #8624)."""
    state = stock_round(berlin(), "Ben")
    after = play(state, ExchangeMinor("7", "DR", "treasury"), answer)
    assert after.acting == "Cleo"
    assert after.companies["7"].closed
    assert after.companies["7"].trains == ()
