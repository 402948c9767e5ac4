"""Selling, buying and exchanging in the stock round (ledger EU-4.1.1, EU-4.1.2)."""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    Accept,
    BuyShare,
    Decline,
    ExchangeMinor,
    MergeMinor,
    Pass,
    Range,
    SellShares,
    StartCompany,
)
from carril.engine.events import MoneyPaid
from carril.engine.money import total
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import space, to_round, turn_of, why
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    game,
    offered,
    own_minors,
    play,
    stock_round,
    tokens,
)


def table() -> State:
    """Ana to act: she holds SNCF, KBS and FS; the first two have operated."""
    state = own_minors(game(3), {})
    state = corporation(state, "SNCF", {"Ana": 5, "pool": 1}, price=100, trains=("5",))
    state = corporation(state, "KBS", {"Ben": 4, "Ana": 3}, at=(3, 3), trains=("5",))
    state = corporation(state, "FS", {"Cleo": 3, "Ana": 2}, price=90, operated=False)
    state = tokens(state, E6=(("SNCF",),), G12=(("KBS",),), E18=(("FS",),))
    return stock_round(cash(state, Ana=300, Ben=300, Cleo=300))


# --- selling ----------------------------------------------------------------------------------


@rule("EU-4.1.1-a")
def test_any_number_of_any_corporations_in_any_order() -> None:
    state = charter(table(), "FS", operated=True)
    ranges = {
        option.action.company: (option.least, option.most)
        for option in offered(state, SellShares)
        if isinstance(option, Range) and isinstance(option.action, SellShares)
    }
    assert ranges == {"SNCF": (1, 3), "KBS": (1, 3), "FS": (1, 2)}
    blocks = (SellShares("SNCF", 2), SellShares("KBS", 3), SellShares("FS", 1))
    for order in (blocks, blocks[::-1]):
        sold = play(state, *order)
        held = [sold.companies[name].held("Ana") for name in ("SNCF", "KBS", "FS")]
        assert held == [3, 0, 1]
        assert sold.players["Ana"].cash == 300 + 200 + 3 * 82 + 90
        assert sold.acting == "Ben"  # nothing is left that Ana could do
    assert code(state, SellShares("KBS", 4)) == "not-held"
    assert code(state, SellShares("KBS", 0)) == "not-held"


@rule("EU-4.1.1-b")
def test_stock_of_a_corporation_that_has_not_operated_cannot_be_sold() -> None:
    state = table()
    assert code(state, SellShares("FS", 1)) == "not-operated"
    assert cited(state, SellShares("FS", 1)) == "EU-4.1.1-b"
    assert code(charter(state, "FS", operated=True), SellShares("FS", 1)) == ""


@rule("EU-4.1.1-c", "EU-4.1.1-e")
def test_a_block_is_paid_at_the_price_before_the_sale() -> None:
    state = table()
    sold = play(state, SellShares("SNCF", 3))
    assert sold.players["Ana"].cash == 300 + 300
    assert sold.bank == state.bank - 300
    assert sold.companies["SNCF"].held("pool") == 4
    assert sold.companies["SNCF"].cash == 0
    assert space(sold, "SNCF") == (5, 4)
    assert MoneyPaid("bank", "Ana", 300, "shares") in events(state, SellShares("SNCF", 3))


@rule("EU-4.1.1-d")
def test_a_corporation_is_sold_once_in_a_turn() -> None:
    state = play(table(), SellShares("KBS", 1))
    assert code(state, SellShares("KBS", 1)) == "sold-this-turn"
    assert cited(state, SellShares("KBS", 1)) == "EU-4.1.1-d"
    assert code(state, SellShares("SNCF", 1)) == ""
    next_turn = turn_of(play(state, Pass()), "Ana")
    assert code(next_turn, SellShares("KBS", 1)) == ""


@rule("EU-4.1.1-f")
def test_who_has_sold_may_not_buy_that_stock_for_the_rest_of_the_round() -> None:
    state = play(table(), SellShares("KBS", 1))
    for source in ("pool", "treasury"):
        assert code(state, BuyShare("KBS", source)) == "sold-this-round"
        assert cited(state, BuyShare("KBS", source)) == "EU-4.1.1-f"
    assert code(state, BuyShare("SNCF", "pool")) == ""
    ben = play(state, Pass())
    assert code(ben, BuyShare("KBS", "pool")) == ""  # Ben has not sold
    later = turn_of(play(ben, BuyShare("SNCF", "pool")), "Ana")
    assert str(later.round) == "SR 2"
    assert code(later, BuyShare("KBS", "pool")) == "sold-this-round"
    again = turn_of(to_round(later, "SR 3").state, "Ana")
    assert code(again, BuyShare("KBS", "pool")) == ""


@rule("EU-4.1.1-g", "EU-4.1.2-a")
def test_after_a_purchase_nothing_is_sold_or_bought_in_that_turn() -> None:
    state = table()
    bought = play(state, BuyShare("SNCF", "pool"))
    assert bought.acting == "Ben"
    assert why(bought, SellShares("KBS", 1, by="Ana")) == "not-your-turn"
    assert why(bought, BuyShare("SNCF", "treasury", by="Ana")) == "not-your-turn"
    assert why(bought, BuyShare("SNCF", "treasury", by="Ben")) == ""
    assert code(state, SellShares("KBS", 1)) == ""
    assert code(play(state, SellShares("KBS", 1)), BuyShare("SNCF", "pool")) == ""


# --- buying -----------------------------------------------------------------------------------


@rule("EU-4.1.2-a")
def test_a_purchase_is_one_certificate() -> None:
    state = table()
    bought = play(state, BuyShare("SNCF", "treasury"))
    assert bought.companies["SNCF"].held("Ana") == 6
    assert bought.title.certificates(bought, "Ana") == state.title.certificates(state, "Ana") + 1


@rule("EU-4.1.2-b", "EU-4.1.2-c")
@pytest.mark.parametrize(("source", "corporate", "bank"), [("treasury", 110, 0), ("pool", 0, 110)])
def test_a_share_costs_the_same_from_treasury_and_pool(
    source: str, corporate: int, bank: int
) -> None:
    state = own_minors(game(3), {})
    state = corporation(state, "SNCF", {"Ben": 3, "pool": 2}, at=(2, 5))
    state = stock_round(state)
    bought = play(state, BuyShare("SNCF", source))
    assert state.players["Ana"].cash - bought.players["Ana"].cash == 110
    assert bought.companies["SNCF"].cash == corporate
    assert bought.bank - state.bank == bank
    assert bought.companies["SNCF"].held(source) == state.companies["SNCF"].held(source) - 1


@rule("EU-4.1.2-b")
def test_a_share_that_is_not_there_cannot_be_bought() -> None:
    state = charter(table(), "SNCF", shares={"Ana": 5, "Ben": 3, "pool": 2})
    assert code(state, BuyShare("SNCF", "treasury")) == "no-share-there"
    assert cited(state, BuyShare("SNCF", "treasury")) == "EU-4.1.2-b"
    assert code(state, BuyShare("SNCF", "pool")) == ""


@rule("EU-4.1.2-d")
def test_the_presidents_certificate_is_bought_first() -> None:
    state = own_minors(cash(game(3), Ana=500, Ben=500), {"1": "Ana"})
    state = stock_round(state)
    assert code(state, BuyShare("SNCF", "treasury")) == "president-first"
    assert cited(state, BuyShare("SNCF", "treasury")) == "EU-4.1.2-d"
    started = play(state, StartCompany("SNCF", 70))
    assert started.companies["SNCF"].owner == "Ana"
    assert started.acting == "Ben"
    assert code(started, BuyShare("SNCF", "treasury")) == ""


@rule("EU-4.1.2-e")
def test_a_share_is_paid_in_full_from_cash() -> None:
    state = table()
    for source in ("treasury", "pool"):
        assert code(cash(state, Ana=99), BuyShare("SNCF", source)) == "cannot-pay"
        assert cited(cash(state, Ana=99), BuyShare("SNCF", source)) == "EU-4.1.2-e"
        assert code(cash(state, Ana=100), BuyShare("SNCF", source)) == ""


@rule("EU-4.1.2-f")
def test_players_never_buy_from_each_other() -> None:
    state = table()
    assert code(state, BuyShare("KBS", "Ben")) == "no-share-there"
    sources = {option.source for option in offered(state, BuyShare) if isinstance(option, BuyShare)}
    assert sources == {"treasury", "pool"}
    assert code(state, BuyShare("KBS", "treasury")) == ""


# --- exchanging -------------------------------------------------------------------------------


def paris(pool: int = 0, where: tuple[int, int] = (2, 4)) -> State:
    """Ben leads SNCF, new and with a token in Paris; Ana owns minor 3 beside it, with money."""
    state = own_minors(game(3), {"3": "Ana"})
    shares = {"Ben": 3, "pool": pool}
    state = corporation(state, "SNCF", shares, at=where, operated=False, trains=("2",))
    state = corporation(state, "KBS", {"Cleo": 3, "Ana": 3}, at=(3, 3), trains=("5",))
    state = tokens(state, A10=(("SNCF",), ("3",)), G12=(("KBS",),))
    state = charter(cash(state, m3=134, SNCF=40), "3", trains=("2", "3"))
    return stock_round(state)


EXCHANGE = ExchangeMinor("3", "SNCF", "treasury")


@rule("EU-4.1.2-g")
def test_an_exchange_takes_the_place_of_the_purchase() -> None:
    state = paris()
    swapped = play(state, SellShares("KBS", 1), EXCHANGE, Decline())
    assert swapped.acting == "Ben"
    assert why(swapped, BuyShare("SNCF", "treasury", by="Ana")) == "not-your-turn"
    bought = play(state, BuyShare("KBS", "treasury"))
    assert bought.acting == "Ben"
    assert why(bought, ExchangeMinor("3", "SNCF", "treasury", by="Ana")) == "not-your-turn"
    deciding = play(state, EXCHANGE)  # Ben decides about the token
    assert deciding.acting == "Ben"
    assert code(deciding, SellShares("KBS", 1)) == "not-now"


@rule("EU-4.1.2-g", "EU-4.1.3-f")
def test_only_in_a_start_an_exchange_comes_on_top() -> None:
    state = stock_round(own_minors(cash(game(3), Ana=500), {"1": "Ana", "3": "Ana"}))
    started = play(state, StartCompany("SNCF", 70), MergeMinor("3"))
    assert started.companies["SNCF"].held("Ana") == 3
    assert started.acting == "Ben"


@rule("EU-4.1.2-h")
@pytest.mark.parametrize("where", [(2, 4), (0, 16), (6, 0)])
def test_one_minor_is_one_share_at_any_price(where: tuple[int, int]) -> None:
    state = paris(where=where)
    swapped = play(cash(state, Ana=0), EXCHANGE, Accept())
    assert swapped.companies["SNCF"].held("Ana") == 1
    assert swapped.companies["SNCF"].held("treasury") == 6
    assert swapped.players["Ana"].cash == 0
    assert swapped.companies["SNCF"].cash == 40 + 134
    assert swapped.companies["3"].closed


@rule("EU-4.1.2-i")
def test_for_a_treasury_share_the_corporation_gets_what_the_minor_has() -> None:
    swapped = play(paris(pool=2), EXCHANGE, Decline())
    sncf = swapped.companies["SNCF"]
    assert (sncf.cash, sncf.trains) == (174, ("2", "2", "3"))
    assert (sncf.held("treasury"), sncf.held("pool")) == (4, 2)


@rule("EU-4.1.2-i")
def test_for_a_pool_share_bank_and_pool_get_what_the_minor_has() -> None:
    """Reported elsewhere as #9805."""
    state = paris(pool=2)
    swapped = play(state, ExchangeMinor("3", "SNCF", "pool"))
    sncf = swapped.companies["SNCF"]
    assert (sncf.cash, sncf.trains) == (40, ("2",))
    assert (sncf.held("treasury"), sncf.held("pool"), sncf.held("Ana")) == (5, 1, 1)
    assert swapped.bank - state.bank == 134
    assert sorted(swapped.depot.pool) == ["2", "3", *["P"] * 5]
    assert swapped.board.tokens["A10"] == (("SNCF",), ())
    assert total(swapped) == total(state)


@rule("EU-4.1.2-j")
def test_an_exchange_is_possible_where_a_purchase_is_not() -> None:
    state = charter(paris(), "SNCF", shares={"Ana": 6, "treasury": 4}, owner="Ana")
    assert code(state, BuyShare("SNCF", "treasury")) == "share-limit"
    assert code(state, EXCHANGE) == ""
    poor = cash(paris(), Ana=0)
    assert code(poor, BuyShare("SNCF", "treasury")) == "cannot-pay"
    assert code(poor, EXCHANGE) == ""
