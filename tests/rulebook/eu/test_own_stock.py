"""A corporation's dealings in its own stock, the last step of its turn."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import BuyShare, IssueShares, Pass, Range, RedeemShares
from carril.engine.events import DividendPaid
from carril.engine.market import marker
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.earnings import Earnings as PayOut
from carril.rules.marker import rule
from tests.rulebook.eu.endgames import dealing, empty_game, needy, prices
from tests.table import (
    at,
    cash,
    cited,
    code,
    corporation,
    offered,
    operate,
    pass_until,
    play,
    stock_round,
)


def sncf(held: dict[str, int], *, at: tuple[int, int] = (2, 4), **more: Any) -> State:
    """SNCF with a train and a price, and KPEV behind it."""
    state = needy(held, at=at, trains=("4",), **more)
    return corporation(state, "KPEV", {"Ben": 5}, price=70, trains=("4",))


@rule("EU-4.4.8-a")
def test_a_corporation_sells_treasury_shares_as_the_last_step_of_its_turn() -> None:
    state = dealing(cash(sncf({"Ana": 5}), SNCF=10), "SNCF")
    assert [o.most for o in offered(state, IssueShares) if isinstance(o, Range)] == [5]
    assert code(state, IssueShares(0)) == "not-in-treasury"
    assert code(state, IssueShares(6)) == "not-in-treasury"
    after = play(state, IssueShares(2))
    assert after.companies["SNCF"].shares == {"Ana": 5, "treasury": 3, "pool": 2}
    assert after.companies["SNCF"].cash == 210
    assert after.step.subject == "KPEV"
    assert total(after) == 12000


@rule("EU-4.4.8-a")
def test_no_sale_in_the_first_operating_round() -> None:
    """Reported as #6276: no share issue in the first operation."""
    state = sncf({"Ana": 5, "pool": 2}, operated=False)
    first = dealing(cash(state, SNCF=500), "SNCF")
    assert code(first, IssueShares(1)) == "issue-first-turn"
    assert cited(first, IssueShares(1)) == "EU-4.4.8-a"
    assert offered(first, IssueShares) == []
    second = pass_until(play(first, Pass()), DealStock)
    while second.step.subject != "SNCF":
        second = pass_until(play(second, Pass()), DealStock)
    assert str(second.round) == "OR 2.2"
    assert code(second, IssueShares(1)) == ""


@rule("EU-4.4.8-b")
def test_the_sale_pays_the_price_before_it_falls_one_row_for_each_share() -> None:
    """Reported as #6277: the price falls for each share issued."""
    state = dealing(sncf({"Ana": 5, "pool": 1}, at=(1, 5)), "SNCF")
    assert prices(state, "SNCF") == [122]
    after = play(state, IssueShares(4))
    assert after.companies["SNCF"].cash == 488
    found = marker(after, "SNCF")
    assert found is not None
    assert (found.row, found.column) == (4, 5)  # four rows down would leave the column
    assert prices(after, "SNCF") == [90]
    one = play(state, IssueShares(1))
    assert prices(one, "SNCF") == [110]


@rule("EU-4.4.8-b")
def test_the_sale_may_not_bring_more_than_half_into_the_pool() -> None:
    state = dealing(sncf({"Ana": 3, "pool": 3}), "SNCF")
    assert code(state, IssueShares(3)) == "pool-full"
    after = play(state, IssueShares(2))
    assert after.companies["SNCF"].held("pool") == 5


@rule("EU-4.4.8-c")
def test_a_corporation_buys_its_shares_back_and_the_price_stays() -> None:
    state = dealing(cash(sncf({"Ana": 5, "pool": 4}), SNCF=350), "SNCF")
    bank = state.bank
    after = play(state, RedeemShares(3))
    assert after.companies["SNCF"].shares == {"Ana": 5, "pool": 1, "treasury": 4}
    assert after.companies["SNCF"].cash == 50
    assert after.bank == bank + 300
    assert prices(after, "SNCF") == [100]


@rule("EU-4.4.8-c")
def test_it_may_buy_back_in_its_first_operating_round() -> None:
    state = cash(sncf({"Ana": 5, "pool": 5}, operated=False), SNCF=350)
    after = play(dealing(state, "SNCF"), RedeemShares(2))
    assert after.companies["SNCF"].held("treasury") == 2
    assert after.companies["SNCF"].cash == 150


@rule("EU-4.4.8-c")
def test_only_shares_of_the_pool_are_bought_back() -> None:
    state = dealing(cash(sncf({"Ana": 5, "Ben": 4, "pool": 1}), SNCF=900), "SNCF")
    assert code(state, RedeemShares(2)) == "not-in-pool"
    assert code(state, RedeemShares(0)) == "not-in-pool"
    assert code(state, RedeemShares(1)) == ""


@rule("EU-4.4.8-d")
def test_who_has_bought_may_not_sell() -> None:
    state = dealing(cash(sncf({"Ana": 5, "pool": 3}), SNCF=200), "SNCF")
    bought = play(state, RedeemShares(1))
    assert code(bought, IssueShares(1)) == "deal-both-ways"
    assert cited(bought, IssueShares(1)) == "EU-4.4.8-d"
    assert code(bought, RedeemShares(1)) == ""
    assert play(bought, RedeemShares(1)).companies["SNCF"].held("pool") == 1


@rule("EU-4.4.8-d")
def test_who_has_sold_may_not_buy() -> None:
    state = dealing(cash(sncf({"Ana": 5, "pool": 3}), SNCF=500), "SNCF")
    assert code(state, RedeemShares(1)) == ""
    sold = play(state, IssueShares(1))
    assert code(sold, RedeemShares(1)) == "not-now"
    assert sold.step.subject == "KPEV"


@rule("EU-4.4.8-e")
def test_the_treasury_alone_pays_for_shares_bought_back() -> None:
    state = dealing(cash(sncf({"Ana": 5, "pool": 3}), SNCF=299, Ana=1000), "SNCF")
    assert code(state, RedeemShares(3)) == "treasury-short"
    assert cited(state, RedeemShares(3)) == "EU-4.4.8-e"
    after = play(state, RedeemShares(2))
    assert (after.companies["SNCF"].cash, after.players["Ana"].cash) == (99, 1000)


@rule("EU-4.4.8-f")
def test_a_corporation_does_not_deal_in_the_stock_of_others() -> None:
    state = corporation(sncf({"Ana": 5, "pool": 1}), "FS", {"Cleo": 5, "pool": 5}, price=82)
    state = dealing(cash(state, SNCF=900), "SNCF")
    assert code(state, BuyShare("FS", "pool")) == "not-now"
    after = play(state, RedeemShares(1))
    assert after.companies["FS"].shares == {"Cleo": 5, "pool": 5}
    assert all("SNCF" not in company.shares for company in after.companies.values())


@rule("EU-4.4.8-g")
def test_shares_bought_back_earn_dividends_for_the_corporation() -> None:
    state = cash(sncf({"Ana": 5, "pool": 5}), SNCF=300)
    state = play(dealing(state, "SNCF"), RedeemShares(3))
    assert state.companies["SNCF"].cash == 0
    told = at(state, PayOut("SNCF", 180))
    option = next(o for o in told.options() if getattr(o, "kind", "") == "full")
    assert not isinstance(option, Range)
    outcome = told.apply(option)
    assert DividendPaid("SNCF", "full", 180, 0) in outcome.events
    assert outcome.state.companies["SNCF"].cash == 54


@rule("EU-4.4.8-g")
def test_shares_bought_back_can_be_bought_from_the_corporation() -> None:
    state = cash(sncf({"Ana": 5, "pool": 5}), SNCF=300, Ben=500)
    state = play(dealing(state, "SNCF"), RedeemShares(3))
    state = stock_round(state, "Ben")
    after = play(state, BuyShare("SNCF", "treasury"))
    assert after.companies["SNCF"].cash == 100
    assert after.companies["SNCF"].held("treasury") == 2


@rule("EU-4.4.8-g")
def test_shares_bought_back_keep_a_corporation_from_being_sold_out() -> None:
    base = empty_game()
    for held, expected in (({"Ana": 5, "Ben": 5}, 110), ({"Ana": 5, "Ben": 4}, 100)):
        state = corporation(base, "SNCF", held, at=(2, 4), trains=("4",))
        state = stock_round(cash(state, Ana=0, Ben=0, Cleo=0))
        for _ in range(3):
            if state.round.kind == "SR":
                state = play(state, Pass())
        assert state.round.kind == "OR"
        assert prices(state, "SNCF") == [expected]


@rule("EU-4.4-f", "EU-4.4.8-a")
def test_dealing_waits_for_the_train_step() -> None:
    state = operate(cash(sncf({"Ana": 5}), SNCF=900), "SNCF")
    assert code(state, IssueShares(1)) == "not-now"
    state = pass_until(state, DealStock)
    assert code(state, IssueShares(1)) == ""
