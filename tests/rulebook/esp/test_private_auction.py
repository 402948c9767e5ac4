"""The auction of the privates (ledger ESP-2.3)."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, Pass, StartCompany
from carril.engine.events import LotSold, MoneyPaid, OrderDealt
from carril.engine.state import State
from carril.engine.steps.auction import Auction as PrivateAuction
from carril.rules.marker import rule
from carril.titles.esp.auction import AuctionOver
from carril.titles.esp.common import certificates, esp
from tests.rulebook.esp.bidding import auctioned, lot, to_private, win
from tests.rulebook.esp.positions import game, privates
from tests.table import at, cash, cited, code, events, offered, play


@rule("ESP-2.3-a")
def test_the_privates_are_sold_one_by_one_in_order() -> None:
    state = game()
    seen = []
    while isinstance(state.step, PrivateAuction):
        seen.append(state.step.private)
        assert state.round.kind == "Auction"
        state = win(state)
    assert seen == ["P1", "P2", "P3", "P4", "P5", "P6", "P7"]
    done = play(state, StartCompany(esp(state).director_7, 70))
    assert all(esp(done).privates.values())
    assert str(done.round) == "SR 1"


@rule("ESP-2.3-b")
def test_each_private_is_opened_by_the_next_player_whoever_won() -> None:
    state = game()
    openers = []
    for _ in range(7):
        openers.append(lot(state).opener)
        assert state.acting == lot(state).opener
        state = play(state, Pass())  # the opener passes, the next in order wins
        state = win(state)
    assert openers == ["Ana", "Ben", "Cleo", "Dan", "Ana", "Ben", "Cleo"]


@rule("ESP-2.3-c")
def test_the_opening_bid_is_at_least_face_value_and_a_multiple_of_five() -> None:
    state = game()
    assert code(state, Bid(22)) == "opening-step"
    assert cited(state, Bid(22)) == "ESP-2.3-c"
    assert code(state, Bid(15)) == "opening-too-low"
    assert code(state, Bid(20)) == code(state, Bid(25)) == ""
    assert code(game(edition="en"), Bid(10)) == ""
    assert code(game(edition="en"), Bid(5)) == "opening-too-low"


@rule("ESP-2.3-d")
def test_a_later_bid_is_higher_by_a_multiple_of_five() -> None:
    state = play(game(), Bid(30))
    assert code(state, Bid(30)) == code(state, Bid(34)) == "raise-too-low"
    assert code(state, Bid(37)) == "raise-step"
    assert cited(state, Bid(37)) == "ESP-2.3-d"
    assert code(state, Bid(35)) == code(state, Bid(100)) == ""


@rule("ESP-2.3-e")
def test_nobody_bids_more_than_he_has() -> None:
    state = cash(game(), Ana=52)
    assert code(state, Bid(55)) == "bid-above-cash"
    assert cited(state, Bid(55)) == "ESP-2.3-e"
    assert code(state, Bid(50)) == ""


@rule("ESP-2.3-f", "ESP-2.3-g")
def test_who_passes_is_out_of_this_auction_only() -> None:
    state = play(game(), Pass(), Bid(20))
    assert state.acting == "Cleo"
    state = play(state, Bid(25), Pass())
    assert state.acting == "Ben"  # neither Ana, the opener, nor Dan is asked again
    state = play(state, Bid(30))
    assert state.acting == "Cleo"
    sold = play(state, Pass())
    assert lot(sold).private == "P2"
    assert lot(sold).out == ()
    asked = []
    for _ in range(4):
        asked.append(sold.acting)
        sold = play(sold, Bid(lot(sold).bid + 5 if lot(sold).bid else 60))
    assert asked == ["Ben", "Cleo", "Dan", "Ana"]


@rule("ESP-2.3-h")
def test_the_highest_bidder_pays_the_bank_and_takes_the_private() -> None:
    state = play(game(), Bid(20), Bid(40), Pass(), Pass())
    assert esp(state).privates["P1"] == ""
    happened = events(state, Pass())
    assert LotSold("Ben", "P1", 40) in happened
    assert MoneyPaid("Ben", "bank", 40, "private") in happened
    sold = play(state, Pass())
    assert esp(sold).privates["P1"] == "Ben"
    assert [p.cash for p in sold.players.values()] == [650, 610, 650, 650]


@rule("ESP-2.3-h")
def test_what_lies_with_a_private_goes_with_it() -> None:
    state = win(to_private(game(), "P6"), 200)
    assert state.companies["CRB"].held("Ben") == 1
    state = win(state)
    done = play(state, StartCompany(esp(state).director_7, 80))
    assert done.companies[esp(state).director_7].held("Cleo") == 2
    assert done.companies[esp(state).director_7].owner == "Cleo"


@rule("ESP-2.3-i", "ESP-2.3-j")
@pytest.mark.parametrize(("edition", "prices"), [("de", [20, 15, 10, 5]), ("en", [10, 5])])
def test_private_1_falls_by_five_and_at_nothing_goes_to_the_opener(
    edition: str, prices: list[int]
) -> None:
    state = game(edition=edition)
    for price in prices:
        assert (lot(state).least, state.acting) == (price, "Ana")
        assert code(state, Bid(price)) == ""
        if price > 5:
            assert code(state, Bid(price - 5)) == "opening-too-low"
        state = play(state, Pass(), Pass(), Pass(), Pass())
    assert esp(state).privates["P1"] == "Ana"
    assert state.players["Ana"].cash == 650
    assert (lot(state).private, state.acting) == ("P2", "Ben")


@rule("ESP-2.3-k", "ESP-A8")
def test_when_all_pass_on_a_later_private_the_privates_pay_and_it_begins_again() -> None:
    state = to_private(game(), "P3")  # Ana has private 1, Ben private 2
    before = {name: p.cash for name, p in state.players.items()}
    for times in range(1, 4):
        state = play(state, Pass(), Pass(), Pass(), Pass())
        assert (lot(state).private, lot(state).least, state.acting) == ("P3", 70, "Cleo")
        gained = {name: p.cash - before[name] for name, p in state.players.items()}
        assert gained == {"Ana": 5 * times, "Ben": 10 * times, "Cleo": 0, "Dan": 0}
    state = win(state)
    assert state.acting == "Dan"  # private 4 is opened by the next after that opener


@rule("ESP-2.3-l")
def test_privates_count_as_certificates() -> None:
    state = privates(game(), P1="Ana", P2="Ana", P3="Ben")
    assert [certificates(state, name) for name in ("Ana", "Ben", "Cleo")] == [2, 1, 0]


def dealt(**amounts: int) -> list[str]:
    """Return the order after the auction with these sums left."""
    state: State = cash(game(), **amounts)
    return list(at(state, AuctionOver()).players)


@rule("ESP-2.3-m", "ESP-2.3-n")
def test_the_order_cards_go_to_the_poorest_first_and_ties_stay() -> None:
    assert dealt(Ana=300, Ben=120, Cleo=120, Dan=500) == ["Ben", "Cleo", "Ana", "Dan"]
    assert dealt(Ana=100, Ben=100, Cleo=100, Dan=100) == ["Ana", "Ben", "Cleo", "Dan"]
    assert dealt(Ana=400, Ben=300, Cleo=200, Dan=180) == ["Dan", "Cleo", "Ben", "Ana"]


@rule("ESP-2.3-m")
def test_the_first_card_begins_the_first_stock_round() -> None:
    state = auctioned(game())
    amounts = [player.cash for player in state.players.values()]
    assert amounts == sorted(amounts)
    assert state.acting == next(iter(state.players)) == state.priority
    last = win(to_private(game(), "P7"))
    told = events(last, StartCompany(esp(last).director_7, 70))
    assert OrderDealt(tuple(state.players)) in told


@rule("ESP-2.2-bb", "ESP-DE-3.1-f", "ESP-E11", "ESP-A3", "ESP-A4")
def test_the_winner_of_private_7_sets_the_par_value_at_once() -> None:
    state = win(to_private(game(), "P7"))
    symbol = esp(state).director_7
    assert state.acting == "Cleo"
    prices = [option.price for option in offered(state, StartCompany)]  # type: ignore[union-attr]
    assert prices == [70, 75, 80, 85, 90]
    assert code(state, StartCompany(symbol, 95)) == "par-not-yet"
    other = next(s for s in ("FdLR", "FdSB", "CFEA", "CFLG") if s != symbol)
    assert code(state, StartCompany(other, 80)) == "par-of-private-7"
    assert code(state, Pass()) == "not-now"
    done = play(state, StartCompany(symbol, 90))
    company = done.companies[symbol]
    assert (company.owner, company.par, company.held("Cleo")) == ("Cleo", 90, 2)
    assert done.players["Cleo"].cash == state.players["Cleo"].cash  # the bid has paid for it
    assert not company.floated


@rule("ESP-2.2-bb")
def test_the_director_with_private_7_cannot_be_bought_otherwise() -> None:
    state = game(edition="en")
    last = win(to_private(state, "P7"))
    symbol = esp(last).director_7
    assert code(last, StartCompany(symbol, 100)) == ""  # in English 100 is open at once
    done = play(last, StartCompany(symbol, 100))
    assert code(done, StartCompany(symbol, 70)) == "already-started"
