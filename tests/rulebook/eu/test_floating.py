"""When a corporation floats, what it gets for its unsold shares, and what it discards."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import (
    BuyShare,
    Decline,
    DiscardTrain,
    ExchangeMinor,
    Pass,
    PlaceToken,
)
from carril.engine.events import CompanyFloated
from carril.engine.market import price
from carril.engine.state import Round, State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.eu.exchange import FinalExchange
from tests.table import (
    at,
    cash,
    code,
    corporation,
    events,
    game,
    operate,
    own_minors,
    pass_until,
    phase,
    play,
    stock_round,
    tiles,
    tokens,
)


def started(shares: dict[str, int], **more: Any) -> State:
    """The FS started at 82 with its token in Milan, not floated; everybody has 500."""
    state = own_minors(game(), {})
    fields: dict[str, Any] = {"price": 82, "floated": False, "operated": False, "tokens": 4} | more
    state = corporation(state, "FS", shares, **fields)
    state = tokens(state, E18=(("FS",),))
    return cash(state, Ana=500, Ben=500, Cleo=500, Dan=500)


@rule("EU-4.3-o")
def test_the_fifth_share_in_the_hands_of_players_floats_a_corporation() -> None:
    state = stock_round(started({"Ana": 3}), "Ben")
    fourth = state.apply(BuyShare("FS", "treasury"))
    assert not fourth.state.companies["FS"].floated
    assert CompanyFloated("FS") not in fourth.events
    fifth = fourth.state.apply(BuyShare("FS", "treasury"))
    assert fifth.state.companies["FS"].floated
    assert CompanyFloated("FS") in fifth.events


@rule("EU-4.3-o")
def test_an_exchange_floats_a_corporation_too() -> None:
    state = own_minors(game(), {"7": "Ben"})
    state = corporation(state, "DR", {"Ana": 4}, floated=False, operated=False, tokens=4)
    state = stock_round(tokens(state, J5=(("DR",), ("7",))), "Ben")
    assert CompanyFloated("DR") in events(state, ExchangeMinor("7", "DR", "treasury"))


@rule("EU-4.3-p")
@pytest.mark.parametrize("name", ["2", "3", "4"])
def test_before_phase_5_unsold_shares_stay_in_the_treasury(name: str) -> None:
    state = stock_round(phase(started({"Ana": 4}), name), "Ben")
    floated = play(state, BuyShare("FS", "treasury"))
    company = floated.companies["FS"]
    assert company.floated
    assert (company.held("treasury"), company.held("pool")) == (5, 0)
    assert company.cash == 82
    later = play(floated, BuyShare("FS", "treasury"))
    assert later.companies["FS"].cash == 164
    assert later.bank == floated.bank


@rule("EU-4.3-r")
def test_started_before_phase_5_and_floated_after_it_is_monetised() -> None:
    state = stock_round(cash(phase(started({"Ana": 4}), "5"), FS=30), "Ben")
    before = state.bank
    after = play(state, BuyShare("FS", "treasury"))
    company = after.companies["FS"]
    assert (company.held("treasury"), company.held("pool")) == (0, 5)
    assert company.cash == 30 + 82 + 5 * 82
    assert after.bank == before - 5 * 82
    assert price(after, "FS") == 82


@rule("EU-4.3-r")
def test_the_bank_pays_the_starting_value_not_the_price() -> None:
    state = phase(started({"Ana": 4}, at=(2, 4)), "6")
    after = play(stock_round(state, "Ben"), BuyShare("FS", "treasury"))
    assert after.companies["FS"].cash == 100 + 5 * 82


@rule("EU-4.3-r")
def test_floated_in_the_final_exchange_it_is_monetised_as_well() -> None:
    state = own_minors(game(), {"7": "Ben", "8": "Cleo"})
    state = corporation(state, "DR", {"Ana": 4}, price=70, floated=False, operated=False, tokens=4)
    state = phase(tokens(state, J5=(("DR",), ("7",))), "5")
    state = at(cash(state, m7=20), FinalExchange("Ben"), round_=Round("FER", 4))
    # the single possibility is taken by itself; the president is asked about the token
    after = play(state, Decline())
    company = after.companies["DR"]
    assert company.floated
    assert company.held("pool") == 5
    assert company.cash == 20 + 5 * 70


@rule("EU-4.3-w")
def test_a_started_unfloated_corporation_does_not_operate() -> None:
    state = started({"Ana": 4})
    state = corporation(state, "DR", {"Ben": 5}, price=70, trains=("3",), tokens=4)
    state = tokens(state, J7=(("DR",),))
    assert state.title.order(state) == ["DR"]
    played = at(state, OperatingRound(), round_=Round("OR", 2, 1))
    assert played.step.subject == "DR"
    played = pass_until(play(played, Pass()), LayTrack)
    # the next round has begun, again with the DR
    assert str(played.round) == "OR 2.2"
    assert played.step.subject == "DR"
    assert price(played, "FS") == 82
    assert not played.companies["FS"].operated


def test_when_nobody_can_buy_and_nobody_operates_the_players_are_still_asked() -> None:
    """Such rounds would follow each other for ever if all of them were passed by themselves."""
    state = cash(started({"Ana": 4}), Ana=0, Ben=0, Cleo=0, Dan=0)
    state = stock_round(state)
    assert (str(state.round), state.acting) == ("SR 2", "Ana")
    assert state.options() == (Pass(by="Ana"),)
    after = play(state, Pass(), Pass(), Pass(), Pass())
    assert (str(after.round), after.acting) == ("SR 3", "Ana")


@rule("EU-4.3-x")
@pytest.mark.parametrize("floated", [False, True])
def test_the_token_of_a_started_corporation_blocks_floated_or_not(floated: bool) -> None:
    # the NS in Turin reaches Milan, where the FS fills the only circle, and Genoa lies beyond
    state = tiles(started({"Ana": 4}, floated=floated), D19=("57", 1), E18=("201", 0))
    state = corporation(state, "NS", {"Ben": 5}, price=70, tokens=4)
    state = tokens(tiles(state, E20=("57", 0)), D19=(("NS",),))
    genoa = PlaceToken("E20", 0)
    # no city can be had, so the step is over before it began
    assert isinstance(play(operate(state, "NS"), Pass()).step, BuyTrains)
    freed = play(operate(tokens(state, E18=((),)), "NS"), Pass())
    assert code(freed, genoa) == ""


def many_trains() -> State:
    """In phase 4, the FS owns five trains, a Pullman among them; the NS has one."""
    state = phase(started({"Ana": 5}, floated=True, trains=("3", "4", "3", "P", "4")), "4")
    return corporation(state, "NS", {"Ben": 5}, price=70, trains=("3",), tokens=5)


@rule("EU-4.3-q")
def test_trains_above_the_limit_are_discarded_at_the_end_of_the_stock_round() -> None:
    state = stock_round(many_trains(), "Dan")
    pullmans = state.depot.pool.count("P")
    assert len(state.companies["FS"].trains) == 5
    state = play(state, Pass(), Pass(), Pass())
    assert len(state.companies["FS"].trains) == 5
    state = play(state, Pass())
    # the Pullman has gone first, without a choice; one more train must go
    assert isinstance(state.step, DiscardTrains)
    assert state.acting == "Ana"
    assert state.companies["FS"].trains == ("3", "4", "3", "4")
    assert state.depot.pool.count("P") == pullmans + 1
    assert code(state, Pass()) == "not-now"
    assert code(state, DiscardTrain("P")) == "no-such-train-owned"
    after = play(state, DiscardTrain("4"))
    assert after.companies["FS"].trains == ("3", "3", "4")
    assert after.depot.pool.count("4") == 1
    assert not isinstance(after.step, DiscardTrains)
    assert after.companies["NS"].trains == ("3",)


@rule("EU-4.3-q")
def test_within_the_limit_nothing_is_discarded() -> None:
    state = phase(started({"Ana": 5}, floated=True, trains=("3", "3", "P")), "4")
    state = play(stock_round(state, "Dan"), Pass(), Pass(), Pass(), Pass())
    assert state.companies["FS"].trains == ("3", "3", "P")
    assert not isinstance(state.step, DiscardTrains)
