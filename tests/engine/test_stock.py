"""The stock round with companies that no title has yet: no president, or minors with shares."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.actions import (
    BuyShare,
    IssueShares,
    Pass,
    Range,
    RedeemShares,
    SellShares,
    StartCompany,
)
from carril.engine.events import PriceMoved
from carril.engine.figures import Limit, ShareLimits
from carril.engine.launch import shares_to_float, start_cost
from carril.engine.market import price
from carril.engine.registry import TITLES
from carril.engine.shares import Source, share_certificates, share_cost, sold_out
from carril.engine.state import IPO, POOL, TREASURY, Marker, State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.stock import StockRound
from carril.engine.tables import Launch, Tables
from carril.titles.eu.title import EU
from tests.table import (
    NAMES,
    at,
    cash,
    code,
    corporation,
    events,
    offered,
    own_minors,
    play,
    stock_round,
)

NAME = "a title with other companies"
LED_BY_NOBODY, SMALL, MAJOR = "FS", "1", "SNCF"


def other_tables() -> Tables:
    """Return tables with a company without president and a minor of five shares."""
    companies = dict(EU.tables.companies)
    fixed = {"president_units": 0, "price_falls": False}
    companies[LED_BY_NOBODY] = replace(companies[LED_BY_NOBODY], **fixed)
    companies[SMALL] = replace(
        companies[SMALL],
        units=5,
        president_units=2,
        start_units=2,
        launch=(Launch(3), Launch(2, "5", capital=5)),
    )
    limits = replace(
        EU.tables.figures.share_limit,
        kinds={"minor": ShareLimits(player=Limit(60), pool=Limit(certificates=2))},
    )
    figures = replace(EU.tables.figures, share_limit=limits)
    return replace(EU.tables, companies=companies, figures=figures)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = changed(
        EU.stock,
        sources=(*EU.stock.sources, Source(IPO, at_par=True)),
        start_refusal=lambda state, player, symbol: None,
    )
    title = changed(
        EU, name=NAME, tables=other_tables(), stock=stock, certificates=share_certificates
    )
    monkeypatch.setitem(TITLES, NAME, title)


def table(**shares: int) -> State:
    """Return a stock round in which the company without president is in the game."""
    state = own_minors(start(NAME, NAMES[:3], seed=1, seated=True), {})
    state = corporation(state, LED_BY_NOBODY, {"": 0} | shares, price=100)
    state = corporation(state, MAJOR, {"Ben": 3})
    return stock_round(cash(state, Ana=1000))


def small(**more: Any) -> State:
    """Return a stock round in which the minor with shares can be started."""
    state = table()
    minor = replace(state.companies[SMALL], closed=False, shares={TREASURY: 5}, **more)
    return replace(state, companies={**state.companies, SMALL: minor})


def test_a_company_without_president_is_bought_and_never_started() -> None:
    state = table()
    assert code(state, StartCompany(LED_BY_NOBODY, 100)) == "no-president"
    assert BuyShare(LED_BY_NOBODY, TREASURY, by="Ana") in state.options()
    after = play(state, BuyShare(LED_BY_NOBODY, TREASURY))
    company = after.companies[LED_BY_NOBODY]
    assert (company.held("Ana"), company.owner, company.cash) == (1, "", 100)
    assert after.title.certificates(after, "Ana") == 1


def test_each_share_without_president_is_a_certificate() -> None:
    state = table(Ana=4)
    assert state.title.certificates(state, "Ana") == 4
    assert state.companies[LED_BY_NOBODY].owner == ""


def test_all_shares_of_a_company_without_president_can_be_sold() -> None:
    state = table(Ana=4)
    ranges = [option for option in offered(state, SellShares) if isinstance(option, Range)]
    assert [option.most for option in ranges] == [4]
    told = events(state, SellShares(LED_BY_NOBODY, 4))
    assert not any(isinstance(event, PriceMoved) for event in told)
    after = play(state, SellShares(LED_BY_NOBODY, 4))
    assert (after.companies[LED_BY_NOBODY].held(POOL), price(after, LED_BY_NOBODY)) == (4, 100)
    assert code(after, BuyShare(LED_BY_NOBODY, POOL)) == "sold-this-round"


def test_a_price_falls_where_the_table_says_so() -> None:
    state = stock_round(table(), "Ben")
    assert any(isinstance(event, PriceMoved) for event in events(state, SellShares(MAJOR, 1)))


def test_a_company_without_president_and_price_is_not_for_sale() -> None:
    state = table()
    company = replace(state.companies[LED_BY_NOBODY], started=False)
    state = replace(state, companies={**state.companies, LED_BY_NOBODY: company})
    assert code(state, BuyShare(LED_BY_NOBODY, TREASURY)) == "no-such-stock"


def test_a_sold_out_company_without_president_rises() -> None:
    state = table(Ana=5, Ben=5)
    state = at(state, StockRound("Ana", passes=2))
    told = events(state, Pass())
    assert [e.company for e in told if isinstance(e, PriceMoved)] == [LED_BY_NOBODY]


def test_a_minor_with_shares_is_started_and_floats_on_its_own_terms() -> None:
    state = small()
    assert (start_cost(state, SMALL, 100), shares_to_float(state, SMALL)) == (200, 3)
    assert shares_to_float(replace(state, phase="5"), SMALL) == 2
    state = replace(state, markers=(*state.markers, Marker(SMALL, 2, 4)))
    minor = replace(state.companies[SMALL], started=True, owner="Ana", par=100)
    minor = replace(minor, shares={"Ana": 2, TREASURY: 3})
    state = stock_round(replace(state, companies={**state.companies, SMALL: minor}), "Ben")
    after = play(state, BuyShare(SMALL, TREASURY))
    assert after.companies[SMALL].floated
    assert after.title.certificates(after, "Ana") == 1


def test_a_minor_with_shares_is_offered_at_every_par_value() -> None:
    state = small()
    prices = [o.price for o in offered(state, StartCompany) if o.company == SMALL]  # type: ignore[union-attr]
    assert prices == [par.price for par in state.tables.pars]


def test_limits_are_counted_by_kind_in_percent_and_certificates() -> None:
    tables = table().tables
    assert tables.share_limit("player", SMALL) == 3
    assert tables.share_limit("pool", SMALL) == 2
    assert tables.share_limit("pool", MAJOR) == 5
    assert tables.share_limit("player", "2") == tables.companies["2"].units


def test_a_share_costs_par_or_its_price_by_its_source() -> None:
    state = table()
    company = replace(state.companies[MAJOR], par=70)
    state = replace(state, companies={**state.companies, MAJOR: company})
    assert [share_cost(state, MAJOR, place) for place in (IPO, TREASURY, POOL)] == [70, 100, 100]


def test_a_deal_of_a_company_can_be_limited_to_one_share() -> None:
    state = corporation(table(), "DR", {"Ana": 4, POOL: 3})
    state = at(cash(state, DR=500), DealStock("DR", one_deal=True, most=1))
    assert [option.most for option in state.options() if isinstance(option, Range)] == [1, 1]
    assert code(state, IssueShares(2)) == code(state, RedeemShares(2)) == "deal-too-large"
    assert play(state, RedeemShares(1)).agenda == ()


def test_a_source_can_be_closed_for_one_company(monkeypatch: pytest.MonkeyPatch) -> None:
    title = TITLES[NAME]
    closed = Source(TREASURY, closed=lambda state, symbol: "reserved-share" * (symbol == MAJOR))
    stock = changed(title.stock, sources=(closed, Source(POOL)))
    monkeypatch.setitem(TITLES, NAME, changed(title, stock=stock))
    state = table()
    assert code(state, BuyShare(MAJOR, TREASURY)) == "reserved-share"
    assert code(state, BuyShare(LED_BY_NOBODY, TREASURY)) == ""


def test_shares_in_a_closed_source_prevent_a_rise_unless_they_count_as_sold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title = TITLES[NAME]
    for counts in (False, True):
        source = Source(IPO, closed=lambda state, symbol: "reserved-share", counts_as_sold=counts)
        stock = changed(title.stock, sources=(Source(TREASURY), Source(POOL), source))
        monkeypatch.setitem(TITLES, NAME, changed(title, stock=stock))
        state = table(Ana=5, Ben=4)
        company = replace(state.companies[LED_BY_NOBODY], shares={"Ana": 5, "Ben": 4, IPO: 1})
        state = replace(state, companies={**state.companies, LED_BY_NOBODY: company})
        assert (LED_BY_NOBODY in sold_out(state)) == counts


def test_a_company_is_offered_from_its_phase_on(monkeypatch: pytest.MonkeyPatch) -> None:
    title = TITLES[NAME]
    late = replace(title.tables.companies[MAJOR], offered_from="4")
    tables = replace(title.tables, companies={**title.tables.companies, MAJOR: late})
    monkeypatch.setitem(TITLES, NAME, changed(title, tables=tables))
    state = table()
    assert state.phase == "2"
    assert code(state, BuyShare(MAJOR, TREASURY)) == "not-offered-yet"
    assert code(replace(state, phase="4"), BuyShare(MAJOR, TREASURY)) == ""


def test_a_title_can_act_on_a_purchase(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    title = TITLES[NAME]
    stock = changed(title.stock, bought=lambda move, symbol: seen.append(symbol))
    monkeypatch.setitem(TITLES, NAME, changed(title, stock=stock))
    table().apply(BuyShare(LED_BY_NOBODY, TREASURY))
    assert seen == [LED_BY_NOBODY]
