"""Buying in the stock round (ledger ESP-3.2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import Accept, BuyShare, Decline, SellShares, StartCompany, TakeOver
from carril.engine.events import MoneyPaid
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from carril.titles.esp.common import RESERVED
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import extra, game, major, minor, privates, stock_round
from tests.table import at, cash, charter, cited, code, events, offered, phase, play


def table(name: str = "3", **more: Any) -> State:
    """Ana to act: MZA at par 80 and price 100, shares in the IPO and in the market."""
    state = phase(privates(game(**more)), name)
    state = major(state, "MZA", {"Ben": 3, "Ana": 2, POOL: 2}, par=80, column=10)
    return stock_round(cash(state, Ana=500, Ben=500, Cleo=500, Dan=500))


@rule("ESP-3.2-a")
def test_one_certificate_is_bought_in_a_turn() -> None:
    state = play(table(), BuyShare("MZA", IPO))
    assert state.acting == "Ben"
    assert cited(state, BuyShare("MZA", IPO, by="Ana")) == "ESP-3-c"
    assert play(table(), StartCompany("CM", 70)).acting == "Ben"


@rule("ESP-3.2-b")
def test_who_has_a_loan_buys_nothing() -> None:
    state = table()
    owing = {**state.players, "Ana": replace(state.players["Ana"], debt=1)}
    debtor = replace(state, players=owing)
    for action in (BuyShare("MZA", IPO), BuyShare("MZA", POOL), StartCompany("CM", 70)):
        assert code(debtor, action) == "in-debt"
        assert cited(debtor, action) == "ESP-3.2-b"
        assert code(state, action) == ""


@rule("ESP-3.2-c")
def test_the_full_price_is_paid_in_cash() -> None:
    state = table()
    assert code(cash(state, Ana=79), BuyShare("MZA", IPO)) == "cannot-pay"
    assert cited(cash(state, Ana=79), BuyShare("MZA", IPO)) == "ESP-3.2-c"
    assert code(cash(state, Ana=80), BuyShare("MZA", IPO)) == ""
    assert code(cash(state, Ana=99), BuyShare("MZA", POOL)) == "cannot-pay"
    assert code(cash(state, Ana=149), StartCompany("N", 75)) == "start-too-dear"
    assert code(cash(state, Ana=150), StartCompany("N", 75)) == ""
    assert code(cash(state, Ana=139), StartCompany("CM", 70)) == "start-too-dear"


@rule("ESP-3.2-d", "ESP-3.2-g")
def test_the_director_certificate_comes_first_and_sets_the_par_value() -> None:
    state = table()
    assert code(state, BuyShare("N", IPO)) == "president-first"
    assert cited(state, BuyShare("N", IPO)) == "ESP-3.2-g"
    started = play(state, StartCompany("N", 85))
    company = started.companies["N"]
    assert (company.owner, company.par, company.held("Ana")) == ("Ana", 85, 2)
    assert code(started, StartCompany("N", 85)) == "already-started"
    assert code(started, BuyShare("N", IPO)) == ""


@rule("ESP-3.2-d")
def test_the_director_of_private_7_is_not_in_the_ipo() -> None:
    state = extra(table(), director_7="CFLG")
    assert code(state, StartCompany("CFLG", 70)) == "director-elsewhere"
    assert code(state, StartCompany("CFEA", 70)) == ""


@rule("ESP-3.2-e", "ESP-3.2-f", "ESP-3.2-j")
def test_the_ipo_asks_par_and_the_market_the_price_both_for_the_bank() -> None:
    state = table()
    for source, cost in ((IPO, 80), (POOL, 100)):
        told = events(state, BuyShare("MZA", source))
        assert [e for e in told if isinstance(e, MoneyPaid)] == [
            MoneyPaid("Ana", "bank", cost, "share")
        ]
        bought = play(state, BuyShare("MZA", source))
        assert bought.players["Ana"].cash == 500 - cost
        assert bought.companies["MZA"].cash == 0
        assert bought.companies["MZA"].held("Ana") == 3
        left = state.companies["MZA"].held(source) - 1
        assert bought.companies["MZA"].held(source) == left
    empty = charter(state, "MZA", shares={"Ben": 5, "Ana": 4, IPO: 1})
    assert code(empty, BuyShare("MZA", POOL)) == "no-share-there"


@rule("ESP-3.2-h")
def test_nobody_buys_more_than_six_tenths() -> None:
    state = charter(table(), "MZA", shares={"Ana": 6, POOL: 2, IPO: 2}, owner="Ana")
    for source in (IPO, POOL):
        assert code(state, BuyShare("MZA", source)) == "share-limit"
        assert cited(state, BuyShare("MZA", source)) == "ESP-3.2-h"
    below = charter(state, "MZA", shares={"Ana": 5, POOL: 2, IPO: 3})
    assert code(below, BuyShare("MZA", IPO)) == code(below, BuyShare("MZA", POOL)) == ""


@rule("ESP-3.2-i")
def test_a_takeover_leads_above_six_tenths() -> None:
    state = minor(phase(privates(game()), "3"), "CM", "Ana")
    state = major(state, "MZA", {"Ana": 6}, cash=500)
    state = play(at(state, Takeovers("MZA")), TakeOver("CM"), Decline())
    assert state.companies["MZA"].held("Ana") == 7
    assert state.companies["CM"].closed


@rule("ESP-3.2-k")
def test_who_sold_a_company_in_this_round_does_not_buy_it() -> None:
    state = play(table(), SellShares("MZA", 1))
    for source in (IPO, POOL):
        assert code(state, BuyShare("MZA", source)) == "sold-this-round"
        assert cited(state, BuyShare("MZA", source)) == "ESP-3.2-k"
    later = play(state, StartCompany("CM", 70))
    assert code(later, BuyShare("MZA", POOL)) == ""  # Ben has sold nothing
    for name in ("Ben", "Cleo", "Dan"):
        assert later.acting == name
        option = next(
            StartCompany(s, 70) for s in ("SC", "AC", "MZ", "ZP") if not later.companies[s].started
        )
        later = play(later, option)
    assert later.acting == "Ana"  # and still not in a later turn
    assert code(later, BuyShare("MZA", POOL)) == "sold-this-round"
    fresh = stock_round(later, "Ana", turn=3)
    assert code(fresh, BuyShare("MZA", POOL)) == ""


@rule("ESP-3.2-l", "ESP-3.2.2-m")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_southern_majors_are_on_offer_from_phase_3(edition: str) -> None:
    early = stock_round(cash(privates(game(edition=edition)), Ana=500))
    early = extra(early, director_7="")
    assert code(early, StartCompany("N", 80)) == "south-not-yet"
    assert cited(early, StartCompany("N", 80)) == "ESP-3.2-l"
    names = {getattr(option, "company", "") for option in offered(early, StartCompany)}
    northern = {"FdLR", "FdSB", "CFEA", "CFLG"}
    assert names == northern | {"SC", "CM", "AC", "MZ", "ZP", "MS"}
    assert code(phase(early, "3"), StartCompany("N", 80)) == ""
    assert code(early, StartCompany("SFVA", 80)) == "no-such-stock"  # not in this game


@rule("ESP-3.2-m")
def test_the_reserved_share_is_not_for_sale() -> None:
    state = table(edition="en")
    shares = {"Ben": 4, "Ana": 5, RESERVED: 1}
    state = charter(state, "MZA", shares=shares, owner="Ana")
    assert code(state, BuyShare("MZA", RESERVED)) == "reserved-share"
    assert cited(state, BuyShare("MZA", RESERVED)) == "ESP-3.2-m"
    assert code(state, BuyShare("MZA", IPO)) == "no-share-there"
    more = charter(state, "MZA", shares={"Ben": 4, "Ana": 4, IPO: 1, RESERVED: 1})
    assert code(more, BuyShare("MZA", IPO)) == ""


@rule("ESP-3.2-i", "ESP-3.2-m")
def test_the_reserved_share_goes_to_the_director_of_a_minor() -> None:
    state = minor(phase(privates(game(edition="en")), "3"), "CM", "Ben")
    state = extra(state, ran=("CM",))
    state = major(state, "MZA", {"Ana": 6, "Ben": 3, RESERVED: 1}, cash=500)
    state = play(at(state, Takeovers("MZA")), TakeOver("CM"), Accept(), Decline())
    assert dict(state.companies["MZA"].shares) == {"Ana": 6, "Ben": 4}
