"""Selling shares and changes of director (ledger CUBA-VI.4, VI.9, IXa.3-a)."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyShare, SellShares
from carril.engine.events import PresidentChanged, PriceMoved
from carril.engine.market import price
from carril.engine.state import IPO, POOL, TREASURY, State
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import game, major, minor, stock_round
from tests.table import charter, cited, code, events, offered, play


def holdings(symbol: str, **shares: int) -> State:
    """Return a stock round in which Ana acts; the first holder directs the company."""
    make = minor if symbol in ("HG", "JU") else major
    return stock_round(make(game(4), symbol, shares))


@rule("CUBA-VI.4-a")
def test_nothing_is_sold_in_the_first_stock_round() -> None:
    state = stock_round(major(game(4), "MS", {"Ana": 4}), turn=1)
    assert code(state, SellShares("MS", 1)) == "no-sales-yet"
    assert cited(state, SellShares("MS", 1)) == "CUBA-VI.4-a"
    assert not offered(state, SellShares)


@rule("CUBA-VI.4-b")
def test_shares_of_a_company_that_has_not_operated_are_not_sold() -> None:
    state = stock_round(major(game(4), "MS", {"Ana": 4}, operated=False))
    assert code(state, SellShares("MS", 1)) == "not-operated"
    assert cited(state, SellShares("MS", 1)) == "CUBA-VI.4-b"
    central = charter(game(4), "FC", shares={"Ana": 2, IPO: 8})
    assert code(stock_round(central), SellShares("FC", 1)) == "not-operated"
    operated = stock_round(charter(central, "FC", operated=True))
    assert code(operated, SellShares("FC", 2)) == ""


@rule("CUBA-VI.4-c", "CUBA-VI.9-c", "CUBA-C20")
@pytest.mark.parametrize(("symbol", "held"), [("MS", 4), ("HG", 3)])
def test_the_directors_certificate_never_goes_to_the_pool(symbol: str, held: int) -> None:
    """It is 20% of a major and 40% of a minor, two shares either way."""
    state = holdings(symbol, Ana=held, Ben=1)
    assert code(state, SellShares(symbol, held - 2)) == ""
    assert code(state, SellShares(symbol, held - 1)) == "no-heir"
    assert cited(state, SellShares(symbol, held - 1)) == "CUBA-VI.9-c"


@rule("CUBA-VI.4-i", "CUBA-VI.9-c")
def test_a_certificate_alone_is_sold_in_part_only_with_an_exchange() -> None:
    assert code(holdings("MS", Ana=2, Ben=1), SellShares("MS", 1)) == "no-heir"
    state = holdings("MS", Ana=2, Ben=2)
    after = play(state, SellShares("MS", 1))
    assert after.companies["MS"].owner == "Ben"
    assert after.companies["MS"].shares == {"Ana": 1, "Ben": 2, POOL: 1, TREASURY: 6}


@rule("CUBA-VI.4-d")
def test_the_pool_holds_five_certificates_at_most() -> None:
    state = holdings("MS", Ana=5, pool=3)
    assert code(state, SellShares("MS", 2)) == ""
    assert code(state, SellShares("MS", 3)) == "pool-full"
    assert cited(state, SellShares("MS", 3)) == "CUBA-VI.4-d"
    assert code(holdings("HG", Ana=3, Ben=2), SellShares("HG", 1)) == ""


@rule("CUBA-VI.4-e")
def test_sold_shares_can_be_bought_from_the_pool() -> None:
    state = play(holdings("MS", Ana=4), SellShares("MS", 2), BuyShare("FC", IPO))
    assert state.companies["MS"].held(POOL) == 2
    assert code(state, BuyShare("MS", POOL)) == ""


@rule("CUBA-VI.4-f", "CUBA-IXa.3-a", "CUBA-VI.4-h", "CUBA-IXa.1-a")
def test_the_price_moves_after_the_sale_one_step_for_each_share() -> None:
    state = holdings("MS", Ana=5)  # at 80
    after = play(state, SellShares("MS", 3))
    assert after.players["Ana"].cash == 680 + 3 * 80
    # 80, 75, 70, 65
    assert price(after, "MS") == 65


@rule("CUBA-IXa.3-a", "CUBA-C48")
def test_a_certificate_of_a_minor_is_one_step() -> None:
    state = holdings("HG", Ana=3)
    after = play(state, SellShares("HG", 1))
    assert after.players["Ana"].cash == 680 + 80
    assert price(after, "HG") == 75


@rule("CUBA-VI.4-g")
def test_the_seller_chooses_the_order_and_each_sale_is_settled_first() -> None:
    state = major(game(4), "MS", {"Ana": 4})
    state = stock_round(major(state, "CVC", {"Ana": 4}))
    one = play(state, SellShares("CVC", 1))
    assert (one.players["Ana"].cash, price(one, "CVC"), price(one, "MS")) == (760, 75, 80)
    both = play(one, SellShares("MS", 1))
    assert (both.players["Ana"].cash, price(both, "MS")) == (840, 75)
    # a second sale of the same company is at the new price
    again = play(both, SellShares("CVC", 1))
    assert (again.players["Ana"].cash, price(again, "CVC")) == (840 + 75, 70)


@rule("CUBA-VI.4-h", "CUBA-VII.3.12-i")
def test_sales_of_the_state_railway_leave_its_price() -> None:
    state = charter(game(4), "FC", shares={"Ana": 3, IPO: 7}, operated=True)
    found = events(stock_round(state), SellShares("FC", 3))
    assert not any(isinstance(event, PriceMoved) for event in found)
    after = play(stock_round(state), SellShares("FC", 3))
    assert after.players["Ana"].cash == 680 + 3 * 50
    assert price(after, "FC") == 50


@rule("CUBA-VI.9-a")
def test_a_larger_holder_becomes_director_and_an_equal_one_does_not() -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 3, "Ana": 2}))
    equal = play(state, BuyShare("MS", TREASURY))
    assert equal.companies["MS"].owner == "Ben"
    state = stock_round(major(game(4), "MS", {"Ben": 3, "Ana": 3}))
    more = play(state, BuyShare("MS", TREASURY))
    assert more.companies["MS"].owner == "Ana"
    assert PresidentChanged("MS", "Ben", "Ana") in events(state, BuyShare("MS", TREASURY))


@rule("CUBA-VI.9-b", "CUBA-VI.9-f", "CUBA-C20")
@pytest.mark.parametrize("symbol", ["MS", "HG"])
def test_the_old_director_gets_two_shares_for_the_certificate(symbol: str) -> None:
    state = holdings(symbol, Ben=2, Ana=2, pool=1)
    assert [state.title.certificates(state, name) for name in ("Ben", "Ana")] == [1, 2]
    after = play(state, BuyShare(symbol, POOL))
    assert after.companies[symbol].owner == "Ana"
    assert (after.companies[symbol].held("Ben"), after.companies[symbol].held("Ana")) == (2, 3)
    # Ben: one certificate became two; Ana: 2 shares and 1 bought less 2 given, and the director's
    assert [after.title.certificates(after, name) for name in ("Ben", "Ana")] == [2, 2]


@rule("CUBA-VI.9-c")
def test_a_director_sells_below_a_holder_of_two_shares_without_consent() -> None:
    state = holdings("MS", Ana=4, Ben=2)
    after = play(state, SellShares("MS", 3))
    assert after.companies["MS"].owner == "Ben"
    assert after.companies["MS"].shares == {"Ana": 1, "Ben": 2, POOL: 3, TREASURY: 4}
    assert after.acting == "Ana"  # nobody is asked


@rule("CUBA-VI.9-d")
def test_of_equal_holders_the_next_in_order_after_the_old_director_takes_over() -> None:
    state = stock_round(major(game(4), "MS", {"Cleo": 3, "Ben": 2, "Dan": 2}), "Cleo")
    assert play(state, SellShares("MS", 2)).companies["MS"].owner == "Dan"
    state = stock_round(major(game(4), "MS", {"Dan": 3, "Ben": 2, "Cleo": 2}), "Dan")
    assert play(state, SellShares("MS", 2)).companies["MS"].owner == "Ben"


@rule("CUBA-VI.9-f", "CUBA-VI.3-e")
def test_an_exchange_may_lift_the_old_director_above_the_limit() -> None:
    """The exchange itself is never refused; the old director sells down later (G35)."""
    state = game(4)
    for symbol in ("Oe", "CVC", "NPP"):
        state = major(state, symbol, {"Ben": 6})
    state = major(state, "SdC", {"Ben": 5})
    state = stock_round(major(state, "MS", {"Ben": 2, "Ana": 2}))
    assert state.title.certificates(state, "Ben") == 3 * 5 + 4 + 1 == 20
    after = play(state, BuyShare("MS", TREASURY))
    assert after.title.certificates(after, "Ben") == 21
    assert after.acting == "Ben"
    assert code(after, BuyShare("FC", IPO)) == "must-sell-certificates"
