"""The auction of the commissioners (ledger CUBA-VI.6-a to -i)."""

from __future__ import annotations

from carril.engine.actions import Bid, Pass
from carril.engine.events import LotSold, OrderDealt
from carril.engine.state import State
from carril.engine.steps.auction import Auction
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from tests.rulebook.cuba.opening import auctioned, sold
from tests.rulebook.cuba.positions import extra, game
from tests.table import cash, cited, code, events, offered, play


def lot(state: State) -> Auction:
    """Return the auction that is under way."""
    assert isinstance(state.step, Auction)
    return state.step


def at_the_last(**money: int) -> State:
    """Return the auction of the sixth commissioner among four players with this cash."""
    state = game(4)
    for _ in range(5):
        state = sold(state)
    return cash(state, **money)


@rule("CUBA-VI.6-a", "CUBA-VI.6-h", "CUBA-IV.1-m")
def test_the_commissioners_are_sold_one_by_one_in_order() -> None:
    state, seen = game(4), []
    while isinstance(state.step, Auction):
        seen.append(state.step.lot)
        state = sold(state)
    assert seen == ["K1", "K2", "K3", "K4", "K5", "K6"]
    assert all(cuba(state).commissioners.values())


@rule("CUBA-VI.6-b")
def test_auction_n_is_opened_by_the_holder_of_card_n_whatever_came_before() -> None:
    state, openers = game(4), []
    for _ in range(6):
        openers.append(state.acting)
        # the opener bids 0 and the next player wins with 5
        state = play(state, Bid(0), Bid(5), Pass(), Pass(), Pass())
    assert openers == ["Ana", "Ben", "Cleo", "Dan", "Ana", "Ben"]
    winners = list(cuba(state).commissioners.values())
    assert winners == ["Ben", "Cleo", "Dan", "Ana", "Ben", "Cleo"]


@rule("CUBA-VI.6-c")
def test_the_opener_must_bid_and_may_bid_nothing() -> None:
    state = game(4)
    assert code(state, Pass()) == "must-open"
    assert cited(state, Pass()) == "CUBA-VI.6-c"
    assert code(state, Bid(-5)) == "opening-too-low"
    assert code(state, Bid(0)) == ""
    assert code(play(state, Bid(0)), Pass()) == ""
    assert not offered(state, Pass)


@rule("CUBA-VI.6-c")
def test_an_opener_without_money_bids_nothing() -> None:
    state = cash(game(4), Ana=0)
    assert offered(state, Bid)
    state = play(state, Bid(0))
    assert state.acting == "Ben"


@rule("CUBA-VI.6-d", "CUBA-G11")
def test_bids_are_multiples_of_five_and_rise_by_five() -> None:
    state = game(4)
    assert code(state, Bid(12)) == "opening-step"
    assert cited(state, Bid(12)) == "CUBA-VI.6-d"
    state = play(state, Bid(10))
    assert code(state, Bid(10)) == code(state, Bid(14)) == "raise-too-low"
    assert code(state, Bid(17)) == "raise-step"
    assert cited(state, Bid(10)) == cited(state, Bid(17)) == "CUBA-VI.6-d"
    assert code(state, Bid(15)) == code(state, Bid(100)) == ""


@rule("CUBA-VI.6-e")
def test_no_bid_is_above_the_cash_of_the_bidder() -> None:
    state = game(4)  # 680 each
    assert code(state, Bid(685)) == "bid-above-cash"
    assert cited(state, Bid(685)) == "CUBA-VI.6-e"
    assert code(state, Bid(680)) == ""
    # after 680 nobody can bid 685: the others pass by themselves
    after = play(state, Bid(680))
    assert cuba(after).commissioners["K1"] == "Ana"


@rule("CUBA-VI.6-f", "CUBA-G11")
def test_who_passes_is_out_and_the_last_one_wins() -> None:
    state = play(game(4), Bid(0), Pass(), Bid(5), Pass())  # Ben and Dan are out
    assert state.acting == "Ana"
    state = play(state, Bid(10))
    assert state.acting == "Cleo"  # Ben is not asked again
    assert cited(state, Bid(15, by="Ben")) == "CUBA-V-b"
    state = play(state, Pass())
    assert cuba(state).commissioners["K1"] == "Ana"
    assert state.players["Ana"].cash == 680 - 10


@rule("CUBA-VI.6-g")
def test_the_winner_pays_the_bank_and_takes_the_card() -> None:
    free = sold(game(4))
    assert free.players["Ana"].cash == 680
    assert free.bank == 5280
    paid = play(game(4), Bid(35), Pass(), Pass())
    assert LotSold("Ana", "K1", 35) in events(paid, Pass())
    paid = play(paid, Pass())
    assert (paid.players["Ana"].cash, paid.bank) == (645, 5280 + 35)
    assert cuba(paid).commissioners["K1"] == "Ana"


@rule("CUBA-VI.6-i", "CUBA-VI.2-d")
def test_afterwards_the_order_is_by_least_cash_and_ties_stay() -> None:
    # Ben wins the sixth for nothing: Cleo has least, Ana and Dan keep their order, Ben has most
    state = at_the_last(Ana=500, Ben=600, Cleo=400, Dan=500)
    state = play(state, Bid(0), Pass(), Pass())
    last = events(state, Pass())
    assert OrderDealt(("Cleo", "Ana", "Dan", "Ben")) in last
    state = play(state, Pass())
    assert list(state.players) == ["Cleo", "Ana", "Dan", "Ben"]
    assert state.acting == state.priority == "Cleo"
    assert str(state.round) == "Draft"


@rule("CUBA-VI.6-i")
def test_the_price_of_the_sixth_counts_for_the_order() -> None:
    # Ben pays 200 of 600 and comes before Ana and Dan with 500
    state = at_the_last(Ana=500, Ben=600, Cleo=450, Dan=500)
    state = play(state, Bid(200), Pass(), Pass(), Pass())
    assert list(state.players) == ["Ben", "Cleo", "Ana", "Dan"]


@rule("CUBA-VI.3-c", "CUBA-IXa.1-e")
def test_commissioners_are_no_certificates_and_have_no_price() -> None:
    state = auctioned(game(4))
    assert [state.title.certificates(state, name) for name in state.players] == [0, 0, 0, 0]
    assert [marker.company for marker in state.markers] == ["FC"]
    bonuses = extra(state, bonuses={"M2": "Ana"}, concessions={"M1": "Ana"})
    assert state.title.certificates(bonuses, "Ana") == 0
