"""Turns of the stock round and selling shares (ledger ESP-3, ESP-3.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyShare,
    Pass,
    Range,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.events import MoneyPaid, PriceMoved
from carril.engine.market import price
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from carril.titles.esp.common import certificates
from tests.rulebook.esp.bidding import auctioned
from tests.rulebook.esp.positions import game, major, minor, privates, stock_round
from tests.table import cash, charter, cited, code, events, offered, phase, play


def column(value: int) -> int:
    """Return the column of a price."""
    return game().title.tables.rows[0].index(value)


def table(**more: Any) -> State:
    """Ana to act in phase 3: MZA at 144 with 20% in the market, A at 100, FdSB not operated."""
    state = phase(privates(game(**more), P1="Ana"), "3")
    state = major(state, "MZA", {"Ana": 5, "Ben": 2, POOL: 2}, column=column(144))
    state = major(state, "A", {"Ben": 4, "Ana": 3}, column=column(100))
    state = major(state, "FdSB", {"Cleo": 3, "Ana": 2}, operated=False)
    return stock_round(cash(state, Ana=500, Ben=500, Cleo=500, Dan=500))


def indebted(state: State, player: str, debt: int) -> State:
    """Give a player a debt."""
    return replace(
        state, players={**state.players, player: replace(state.players[player], debt=debt)}
    )


# --- turns ------------------------------------------------------------------------------------


@rule("ESP-3-a")
def test_a_turn_is_sales_and_repayment_and_then_one_purchase() -> None:
    state = indebted(table(), "Ana", 100)
    sold = play(state, SellShares("MZA", 2), SellShares("A", 1), RepayLoan(100))
    assert sold.acting == "Ana"
    bought = play(sold, BuyShare("FdSB", IPO))
    assert bought.acting == "Ben"
    assert bought.players["Ana"].cash == 500 + 2 * 144 - 150 + 100 - 80
    # who has bought is no longer on turn, so he cannot sell
    assert cited(bought, SellShares("MZA", 1, by="Ana")) == "ESP-3-c"
    assert play(table(), BuyShare("A", IPO)).acting == "Ben"  # a purchase without sales


@rule("ESP-3-a")
def test_loans_are_repaid_once_in_a_turn() -> None:
    state = play(indebted(table(), "Ana", 100), RepayLoan(100))
    assert code(state, RepayLoan(1)) == "repaid-this-turn"
    assert cited(state, RepayLoan(1)) == "ESP-3-a"
    part = play(indebted(table(), "Ana", 100), RepayLoan(40))
    assert (part.players["Ana"].debt, part.players["Ana"].cash) == (60, 500 - 60)
    assert part.acting == "Ben"  # a debtor who has sold and repaid can do nothing more


@rule("ESP-3-a", "ESP-E60")
@pytest.mark.parametrize(("edition", "refused"), [("de", True), ("en", False), ("es", False)])
def test_in_german_the_sales_come_before_the_repayment(edition: str, refused: bool) -> None:
    state = indebted(table(edition=edition), "Ana", 100)
    assert code(state, SellShares("A", 1)) == ""
    repaid = play(state, RepayLoan(100))
    assert code(repaid, SellShares("A", 1)) == ("repaid-before" if refused else "")
    assert bool(offered(repaid, SellShares)) is not refused
    assert code(repaid, BuyShare("A", IPO)) == ""


@rule("ESP-3-b", "ESP-3-d", "ESP-3-e")
def test_the_round_ends_when_all_pass_in_succession() -> None:
    state = play(table(), Pass(), Pass(), Pass())
    assert (state.acting, str(state.round)) == ("Dan", "SR 2")
    acted = play(state, BuyShare("A", IPO))
    asked = []
    for _ in range(3):
        asked.append(acted.acting)
        acted = play(acted, Pass())
    assert asked == ["Ana", "Ben", "Cleo"]  # those who passed are asked again
    assert (acted.acting, str(acted.round)) == ("Dan", "SR 2")  # and so is he who acted
    assert code(acted, BuyShare("A", IPO)) == ""
    assert play(acted, Pass()).round.kind == "OR"
    assert play(state, Pass()).round.kind == "OR"


@rule("ESP-3-c")
def test_the_turns_follow_the_order_cards() -> None:
    state = table()
    order = ["Cleo", "Ana", "Dan", "Ben"]
    state = replace(state, players={name: state.players[name] for name in order})
    state = stock_round(state, "Cleo")
    asked = []
    for _ in range(3):
        asked.append(state.acting)
        assert cited(state, Pass(by="Ben")) == "ESP-3-c"
        state = play(state, Pass())
    assert [*asked, state.acting] == order


@rule("ESP-3-f")
def test_a_sale_or_a_repayment_is_not_a_pass() -> None:
    for state in (table(), indebted(table(), "Ana", 100)):
        state = play(state, Pass(), Pass(), Pass(), BuyShare("A", IPO))
        debt = state.players["Ana"].debt
        state = play(state, RepayLoan(debt) if debt else SellShares("A", 1), Pass())
        state = play(state, Pass(), Pass(), Pass())
        assert (state.acting, str(state.round)) == ("Ana", "SR 2")
        assert play(state, Pass()).round.kind == "OR"


@rule("ESP-3-g")
def test_certificates_are_bought_and_shares_move_the_price() -> None:
    state = table()
    started = play(state, StartCompany("N", 100))
    assert certificates(started, "Ana") == certificates(state, "Ana") + 1
    assert started.companies["N"].held("Ana") == 2
    assert started.acting == "Ben"
    sold = play(state, SellShares("MZA", 3))  # three steps for three shares
    assert price(sold, "MZA") == 126
    assert sold.companies["MZA"].held("Ana") == 2


# --- selling ----------------------------------------------------------------------------------


@rule("ESP-3.1-a", "ESP-3.1-i", "ESP-3.1-j", "ESP-3.1-m")
def test_three_shares_at_144_bring_432_and_the_price_falls_to_126() -> None:
    state = table()
    told = events(state, SellShares("MZA", 3))
    assert MoneyPaid("bank", "Ana", 432, "shares") in told
    assert PriceMoved("MZA", 144, 126, "sale") in told
    sold = play(state, SellShares("MZA", 3))
    assert sold.players["Ana"].cash == 932
    assert sold.companies["MZA"].held(POOL) == 5
    # one by one the price falls between the sales
    singly = play(state, SellShares("MZA", 1), SellShares("MZA", 1), SellShares("MZA", 1))
    assert singly.players["Ana"].cash == 500 + 144 + 138 + 132
    assert price(singly, "MZA") == 126


@rule("ESP-3.1-j")
def test_three_shares_at_250_bring_750_and_the_price_falls_to_222() -> None:
    state = major(phase(privates(game()), "3"), "MCP", {"Ana": 5}, column=column(250))
    state = play(stock_round(cash(state, Ana=0)), SellShares("MCP", 3))
    assert (state.players["Ana"].cash, price(state, "MCP")) == (750, 222)


@rule("ESP-3.1-b")
def test_the_open_market_holds_no_more_than_half_of_a_company() -> None:
    state = table()
    assert code(state, SellShares("MZA", 4)) == "pool-full"
    assert cited(state, SellShares("MZA", 4)) == "ESP-3.1-b"
    assert code(state, SellShares("MZA", 3)) == ""
    fuller = charter(state, "MZA", shares={"Ana": 5, "Ben": 2, POOL: 3})
    assert code(fuller, SellShares("MZA", 3)) == "pool-full"
    assert code(fuller, SellShares("MZA", 2)) == ""


@rule("ESP-3.1-c", "ESP-3.1-d")
def test_the_director_sells_his_last_fifth_only_to_an_heir() -> None:
    state = table()
    alone = charter(state, "MZA", shares={"Ana": 4, "Ben": 1, "Cleo": 1, IPO: 4})
    assert code(alone, SellShares("MZA", 3)) == "no-heir"
    assert cited(alone, SellShares("MZA", 3)) == "ESP-3.1-d"
    assert code(alone, SellShares("MZA", 2)) == ""
    heir = charter(state, "MZA", shares={"Ana": 4, "Ben": 2, IPO: 4})
    sold = play(heir, SellShares("MZA", 4))
    assert sold.companies["MZA"].owner == "Ben"
    assert sold.companies["MZA"].held(POOL) == 4
    # in the market lie ordinary certificates: each is bought as one share
    bought = play(sold, Pass(), BuyShare("MZA", POOL))
    assert bought.companies["MZA"].held("Ben") == 3


@rule("ESP-3.1-e")
def test_shares_of_a_company_that_never_operated_are_not_sold() -> None:
    state = table()
    assert code(state, SellShares("FdSB", 1)) == "not-operated"
    assert cited(state, SellShares("FdSB", 1)) == "ESP-3.1-e"
    assert code(charter(state, "FdSB", operated=True), SellShares("FdSB", 1)) == ""


@rule("ESP-3.1-e", "ESP-3.1-h", "ESP-2.2-az")
def test_nothing_is_sold_in_the_first_stock_round() -> None:
    state = auctioned(game())
    for _ in range(4):
        assert offered(state, SellShares) == []
        state = play(state, Pass())


@rule("ESP-3.1-f", "ESP-2.2-d")
def test_privates_change_hands_in_no_stock_round() -> None:
    state = table()
    assert code(state, BuyPrivate("P1", 10)) == "not-now"
    assert code(play(state, Pass()), BuyPrivate("P1", 10)) == "not-now"
    assert code(state, SellShares("P1", 1)) == "no-such-stock"
    assert code(state, SellShares("A", 1)) == ""


@rule("ESP-3.1-g")
def test_a_minor_is_not_sold() -> None:
    state = minor(table(), "CM", "Ana")
    assert code(state, SellShares("CM", 1)) == "minor-not-sold"
    assert cited(state, SellShares("CM", 1)) == "ESP-3.1-g"


@rule("ESP-3.1-h", "ESP-2.2-az")
def test_the_share_of_private_6_is_not_sold_before_there_is_a_par_value() -> None:
    state = charter(table(), "CRB", shares={"Ana": 1, IPO: 9})
    assert code(state, SellShares("CRB", 1)) == "no-such-stock"
    assert cited(state, SellShares("CRB", 1)) == "ESP-3.1-h"
    # later it is a share like others: sold once the company has operated
    begun = major(state, "CRB", {"Ben": 3, "Ana": 1}, operated=False)
    assert code(begun, SellShares("CRB", 1)) == "not-operated"
    assert code(charter(begun, "CRB", operated=True), SellShares("CRB", 1)) == ""


@rule("ESP-3.1-k")
def test_at_50_the_price_does_not_fall() -> None:
    state = phase(privates(game()), "3")
    for value, after in ((50, 50), (55, 50), (65, 50), (70, 55)):
        one = major(state, "MZA", {"Ana": 6}, column=column(value))
        sold = play(stock_round(cash(one, Ana=0)), SellShares("MZA", 3))
        assert (price(sold, "MZA"), sold.players["Ana"].cash) == (after, 3 * value)


@rule("ESP-3.1-l", "ESP-A10")
def test_shares_of_several_companies_are_sold_in_any_order() -> None:
    state = table()
    ranges = {
        option.action.company: option.most
        for option in offered(state, SellShares)
        if isinstance(option, Range) and isinstance(option.action, SellShares)
    }
    assert ranges == {"MZA": 3, "A": 3}
    sales = (SellShares("MZA", 2), SellShares("A", 3))
    for order in (sales, sales[::-1]):
        sold = play(state, *order)
        assert sold.players["Ana"].cash == 500 + 288 + 300
        assert (price(sold, "MZA"), price(sold, "A")) == (132, 85)
    between = play(state, SellShares("MZA", 1), SellShares("A", 1), SellShares("MZA", 1))
    assert between.players["Ana"].cash == 500 + 144 + 100 + 138
