"""Buying shares and the limits (ledger CUBA-IV.4, VI.1, VI.3, VI.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyShare, Pass, SellShares, StartCompany
from carril.engine.events import PriceMoved
from carril.engine.market import price
from carril.engine.registry import TITLES
from carril.engine.state import IPO, POOL, TREASURY, State
from carril.engine.title import Title
from carril.rules.marker import rule
from tests.rulebook.cuba.opening import PARS
from tests.rulebook.cuba.positions import game, major, minor, priced, stock_round
from tests.rulebook.cuba.test_setup import SETUPS
from tests.table import cash, charter, cited, code, events, offered, phase, play


@rule("CUBA-VI.1-a", "CUBA-VI.1-b")
def test_a_player_sells_any_number_then_buys_one_certificate() -> None:
    state = major(game(4), "MS", {"Ana": 4})
    state = major(state, "CVC", {"Ana": 4})
    state = stock_round(state)
    state = play(state, SellShares("MS", 1), SellShares("CVC", 2), BuyShare("FC", IPO))
    # the purchase ends the turn: no second purchase, no sale after it
    assert state.acting == "Ben"
    assert cited(state, SellShares("MS", 1, by="Ana")) == "CUBA-V-b"
    assert cited(state, BuyShare("FC", IPO, by="Ana")) == "CUBA-V-b"


@rule("CUBA-VI.1-c")
def test_players_do_not_trade_with_each_other() -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 4}))
    assert code(state, BuyShare("MS", "Ben")) == "no-share-there"
    assert code(state, SellShares("MS", 1)) == "not-held"
    assert cited(state, SellShares("MS", 1)) == "CUBA-VI.1-c"


@rule("CUBA-VI.5-a", "CUBA-IV.4-c")
def test_the_first_certificate_of_a_major_is_the_directors() -> None:
    state = stock_round(game(4), turn=1)
    assert code(state, BuyShare("MS", IPO)) == "president-first"
    assert cited(state, BuyShare("MS", IPO)) == "CUBA-IV.4-c"
    state = play(state, StartCompany("MS", 70))
    assert code(state, BuyShare("MS", IPO)) == ""
    assert code(state, StartCompany("MS", 70)) == "already-started"
    assert cited(state, StartCompany("MS", 70)) == "CUBA-VI.5-a"
    assert code(state, BuyShare("XX", IPO)) == "no-such-stock"
    assert code(state, StartCompany("XX", 70)) == "no-such-stock"


@rule("CUBA-IV.4-d", "CUBA-VI.8-k", "CUBA-C55")
def test_the_fec_is_offered_from_phase_4() -> None:
    state = stock_round(phase(game(4), "3"))
    assert code(state, StartCompany("FEC", 70)) == "not-offered-yet"
    assert code(state, BuyShare("FEC", IPO)) == "not-offered-yet"
    assert cited(state, StartCompany("FEC", 70)) == "CUBA-IV.4-d"
    assert "FEC" not in {getattr(option, "company", "") for option in state.options()}
    state = stock_round(phase(game(4), "4"))
    assert code(state, StartCompany("FEC", 70)) == ""
    state = play(state, StartCompany("FEC", 80))
    assert code(state, BuyShare("FEC", IPO)) == ""


@rule("CUBA-VI.5-b", "CUBA-G31")
def test_majors_are_bought_from_the_offering_then_from_treasury_and_pool() -> None:
    before = stock_round(major(game(4), "MS", {"Ben": 4}, floated=False, operated=False))
    assert code(before, BuyShare("MS", IPO)) == ""
    assert code(before, BuyShare("MS", TREASURY)) == "no-share-there"
    assert cited(before, BuyShare("MS", TREASURY)) == "CUBA-VI.5-b"
    after = stock_round(major(game(4), "MS", {"Ben": 4, POOL: 2}))
    assert code(after, BuyShare("MS", IPO)) == "no-share-there"
    assert code(after, BuyShare("MS", TREASURY)) == code(after, BuyShare("MS", POOL)) == ""


@rule("CUBA-VI.5-d", "CUBA-C52")
def test_the_state_railway_is_bought_from_its_offering_and_the_pool() -> None:
    state = stock_round(charter(game(4), "FC", shares={IPO: 7, POOL: 3}), turn=1)
    assert code(state, BuyShare("FC", IPO)) == code(state, BuyShare("FC", POOL)) == ""
    assert code(state, BuyShare("FC", TREASURY)) == "no-share-there"
    assert code(state, StartCompany("FC", 70)) == "no-president"
    after = play(state, BuyShare("FC", POOL))
    assert after.companies["FC"].owner == ""


@rule("CUBA-VI.5-e")
@pytest.mark.parametrize("place", [TREASURY, POOL])
def test_a_share_costs_the_present_price_wherever_it_comes_from(place: str) -> None:
    state = stock_round(priced(major(game(4), "MS", {"Ben": 4, POOL: 1}, value=80), "MS", 120))
    after = play(state, BuyShare("MS", place))
    assert after.players["Ana"].cash == 680 - 120


@rule("CUBA-VI.5-e", "CUBA-VI.5-f")
def test_shares_of_offering_and_pool_pay_the_bank() -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 3}, value=90, floated=False, operated=False))
    after = play(state, BuyShare("MS", IPO))
    assert (after.players["Ana"].cash, after.bank) == (680 - 90, state.bank + 90)
    assert after.companies["MS"].cash == 0
    state = stock_round(major(game(4), "CVC", {"Ben": 4, POOL: 1}, value=90))
    after = play(state, BuyShare("CVC", POOL))
    assert (after.bank, after.companies["CVC"].cash) == (state.bank + 90, 0)


@rule("CUBA-VI.5-f", "CUBA-C17")
def test_a_treasury_share_pays_the_major() -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 4}, value=90))
    after = play(state, BuyShare("MS", TREASURY))
    assert (after.companies["MS"].cash, after.bank) == (90, state.bank)


@rule("CUBA-C17")
def test_the_other_reading_of_c17_is_one_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 4}, value=90))
    figures = state.tables.figures
    readings = replace(figures.readings, treasury_share_pays_company=False)  # type: ignore[attr-defined]
    other = replace(figures, readings=readings)
    title: Title = TITLES["18Cuba"]
    source = title.stock.sources[1]
    tables = replace(state.tables, figures=other)
    monkeypatch.setitem(state.setup.__dict__, "tables", tables)
    assert not source.pays_company(state)
    after = play(state, BuyShare("MS", TREASURY))
    assert (after.companies["MS"].cash, after.bank) == (0, state.bank + 90)


@rule("CUBA-VI.5-g")
def test_a_purchase_is_paid_in_full_from_cash() -> None:
    state = major(game(4), "MS", {"Ben": 4}, value=90)
    assert code(stock_round(cash(state, Ana=89)), BuyShare("MS", TREASURY)) == "cannot-pay"
    assert cited(stock_round(cash(state, Ana=89)), BuyShare("MS", TREASURY)) == "CUBA-VI.5-g"
    assert code(stock_round(cash(state, Ana=90)), BuyShare("MS", TREASURY)) == ""
    # a director's certificate at 75 costs 150
    poor = stock_round(cash(state, Ana=149))
    assert code(poor, StartCompany("CVC", 75)) == "start-too-dear"
    assert cited(poor, StartCompany("CVC", 75)) == "CUBA-VI.5-g"
    assert code(poor, StartCompany("CVC", 70)) == ""


@rule("CUBA-VI.5-h", "CUBA-IV.4-e")
@pytest.mark.parametrize("symbol", ["MS", "FC", "HG"])
def test_nobody_buys_more_than_60_percent(symbol: str) -> None:
    state = game(4)
    if symbol == "MS":
        state = major(state, "MS", {"Ana": 6, POOL: 2})
    elif symbol == "HG":
        state = minor(state, "HG", {"Ana": 3, POOL: 1})
    else:
        state = charter(state, "FC", shares={"Ana": 6, POOL: 2, IPO: 2}, operated=True)
    state = stock_round(state)
    assert code(state, BuyShare(symbol, POOL)) == "share-limit"
    assert cited(state, BuyShare(symbol, POOL)) == "CUBA-VI.5-h"
    state = play(state, Pass())
    assert code(state, BuyShare(symbol, POOL)) == ""  # Ben has none


@rule("CUBA-VI.5-i")
def test_who_sold_shares_does_not_buy_them_back_in_the_round() -> None:
    state = stock_round(major(game(4), "MS", {"Ana": 4, "Ben": 2}))
    state = play(state, SellShares("MS", 1))
    assert code(state, BuyShare("MS", POOL)) == "sold-this-round"
    assert cited(state, BuyShare("MS", TREASURY)) == "CUBA-VI.5-i"
    state = play(state, BuyShare("FC", IPO), Pass(), Pass(), Pass())
    assert state.acting == "Ana"
    assert code(state, BuyShare("MS", POOL)) == "sold-this-round"
    assert code(stock_round(state, turn=3), BuyShare("MS", POOL)) == ""


@rule("CUBA-VI.3-a", "CUBA-C53")
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("2e", 20),
        ("2h", 24),
        ("2c", 35),
        ("3e", 22),
        ("3h", 25),
        ("4", 20),
        ("5", 17),
        ("6", 15),
    ],
)
def test_certificate_limits(name: str, limit: int) -> None:
    players, variants = SETUPS[name]
    assert game(players, variants=variants).tables.setup.certificates == limit


def holding(count: int) -> State:
    """Return a stock round of four players in which Ana has this many certificates, at least 11."""
    state = game(4)
    for symbol in ("Oe", "MS"):
        state = major(state, symbol, {"Ana": 6})  # 20% and four of 10%: 5 certificates each
    left = count - 10
    for symbol in ("CVC", "NPP", "SdC"):
        held = min(6, left + 1) if left else 0
        if held:
            state = major(state, symbol, {"Ana": held})
            left -= held - 1
    assert state.title.certificates(state, "Ana") == count
    return stock_round(state)


@rule("CUBA-VI.3-a", "CUBA-VI.3-b")
def test_a_purchase_beyond_the_limit_is_refused() -> None:
    state = holding(19)
    assert code(state, BuyShare("FC", IPO)) == ""
    full = holding(20)
    assert code(full, BuyShare("FC", IPO)) == "certificate-limit"
    assert cited(full, BuyShare("FC", IPO)) == "CUBA-VI.3-a"
    assert code(full, StartCompany("TSS", 70)) == "certificate-limit"


@rule("CUBA-VI.3-b")
def test_a_directors_certificate_counts_as_one() -> None:
    state = major(game(4), "MS", {"Ana": 3})  # 20% and one of 10%
    state = minor(state, "HG", {"Ana": 3})  # 40% and one of 20%
    state = minor(state, "JU", {"Ben": 3, "Ana": 2})  # two of 20%
    state = charter(state, "FC", shares={"Ana": 4, IPO: 6})
    assert state.title.certificates(state, "Ana") == 2 + 2 + 2 + 4
    assert state.title.certificates(state, "Ben") == 2


@rule("CUBA-VI.3-e", "CUBA-G35")
def test_a_player_above_the_limit_sells_down_before_anything_else() -> None:
    state = holding(20)
    over = stock_round(charter(state, "FC", shares={"Ana": 1, IPO: 9}, operated=False))
    assert over.title.certificates(over, "Ana") == 21
    for action in (Pass(), BuyShare("FC", IPO), StartCompany("TSS", 70)):
        assert code(over, action) == "must-sell-certificates"
        assert cited(over, action) == "CUBA-VI.3-e"
    assert {type(option).__name__ for option in over.options()} == {"Range"}
    after = play(over, SellShares("MS", 1))
    assert after.acting == "Ana"
    assert code(after, Pass()) == ""


@rule("CUBA-VI.3-e")
def test_above_the_limit_with_nothing_to_sell_the_game_goes_on() -> None:
    state = holding(20)
    for symbol in ("Oe", "MS", "CVC", "NPP", "SdC"):
        state = charter(state, symbol, operated=False)
    over = stock_round(charter(state, "FC", shares={"Ana": 1, IPO: 9}, operated=False))
    # she can neither sell nor buy, so she passes and Ben is asked
    assert over.acting == "Ben"


@rule("CUBA-IXa.3-d")
def test_a_purchase_never_moves_a_price() -> None:
    state = stock_round(major(game(4), "MS", {"Ben": 4, POOL: 2}))
    for place in (TREASURY, POOL):
        found = events(state, BuyShare("MS", place))
        assert not any(isinstance(event, PriceMoved) for event in found)
    assert price(play(state, BuyShare("MS", POOL)), "MS") == 80


@rule("CUBA-VI.8-a")
def test_a_major_starts_at_70_to_100_for_twice_the_price() -> None:
    state = stock_round(game(4), turn=1)
    assert [option for option in offered(state, StartCompany) if option.company == "MS"] == [  # type: ignore[union-attr]
        StartCompany("MS", par, by="Ana") for par in PARS
    ]
    for wrong in (65, 72, 105):
        assert code(state, StartCompany("MS", wrong)) == "no-par"
        assert cited(state, StartCompany("MS", wrong)) == "CUBA-VI.8-a"
    after = play(state, StartCompany("MS", 95))
    assert (after.players["Ana"].cash, after.bank) == (680 - 190, state.bank + 190)
    assert after.companies["MS"].shares == {"Ana": 2, IPO: 8}
    assert after.companies["MS"].owner == "Ana"


@rule("CUBA-VI.8-b", "CUBA-IXa.1-b")
def test_the_marker_is_set_at_once_under_those_there() -> None:
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 90), StartCompany("CVC", 90))
    assert [marker.company for marker in state.markers] == ["FC", "MS", "CVC"]
    assert price(state, "MS") == price(state, "CVC") == 90
    assert code(state, BuyShare("MS", IPO)) == ""
