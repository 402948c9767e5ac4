"""Section VII.3.3: a company issues or redeems one share in its turn."""

from __future__ import annotations

import pytest

from carril.engine.actions import IssueShares, Pass, Range, RedeemShares
from carril.engine.market import price
from carril.engine.state import Round, State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.operating import EndTurn
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import four_companies
from tests.table import at, cash, charter, cited, code, offered, play

ISSUE, REDEEM = IssueShares(1), RedeemShares(1)


def dealing(company: str, money: int = 0, **shares: int) -> State:
    """Put a company into its step for own stock, as its turn has it."""
    state = cash(four_companies(), **{company: money})
    if shares:
        state = charter(state, company, shares=shares)
    (step,) = [one for one in state.title.turn(state, company) if isinstance(one, DealStock)]
    return at(state, EndTurn(company), step, round_=Round("OR", 2, 1, 1))


@rule("CUBA-VII.3.3-a")
def test_one_share_one_way_once() -> None:
    state = dealing("MS", 200, Ana=5, treasury=4, pool=1)
    for action in (IssueShares(2), RedeemShares(2)):
        assert (code(state, action), cited(state, action)) == ("deal-too-large", "CUBA-VII.3.3-a")
    amounts = [(o.least, o.most) for o in state.options() if isinstance(o, Range)]
    assert amounts == [(1, 1), (1, 1)]
    for first in (ISSUE, REDEEM):
        after = play(state, first)
        assert not any(isinstance(step, DealStock) for step in after.agenda)


@rule("CUBA-VII.3.3-b")
@pytest.mark.parametrize("company", ["HG", "MS"])
def test_minors_and_majors_deal(company: str) -> None:
    assert code(dealing(company), ISSUE) == ""
    state = dealing("HG", 200, Ana=3, pool=2)
    assert code(state, REDEEM) == ""


@rule("CUBA-VII.3.3-b", "CUBA-IV.5-a")
def test_the_fc_never_deals() -> None:
    state = four_companies()
    assert not any(isinstance(step, DealStock) for step in state.title.turn(state, "FC"))


@rule("CUBA-VII.3.3-c")
def test_an_issue_pays_the_price_which_then_falls_one_step() -> None:
    """Price 90: treasury +90, new price 85. A minor's certificate at 80 brings 80."""
    state = play(dealing("MS"), ISSUE)
    assert (state.companies["MS"].cash, price(state, "MS")) == (90, 85)
    assert (state.companies["MS"].held("treasury"), state.companies["MS"].held("pool")) == (3, 1)
    minor = play(dealing("HG"), ISSUE)
    assert (minor.companies["HG"].cash, price(minor, "HG")) == (80, 75)


@rule("CUBA-VII.3.3-d", "CUBA-C43", "CUBA-IXa.3-d")
def test_a_redemption_costs_the_price_which_stays() -> None:
    state = dealing("MS", 90, Ana=5, treasury=4, pool=1)
    bank = state.bank
    after = play(state, REDEEM)
    assert (after.companies["MS"].cash, price(after, "MS"), after.bank) == (0, 90, bank + 90)
    poor = dealing("MS", 89, Ana=5, treasury=4, pool=1)
    assert (code(poor, REDEEM), cited(poor, REDEEM)) == ("treasury-short", "CUBA-VII.3.3-d")


@rule("CUBA-VII.3.3-e")
def test_the_pool_holds_five_certificates_at_most() -> None:
    state = dealing("MS", 100, Ana=4, treasury=1, pool=5)
    assert code(state, ISSUE) == "pool-full"
    assert offered(state, IssueShares) == []
    assert code(dealing("MS", 100, Ana=5, treasury=1, pool=4), ISSUE) == ""


@rule("CUBA-VII.3.3-f")
@pytest.mark.parametrize("action", [ISSUE, REDEEM])
def test_both_are_possible_in_the_first_turn(action: IssueShares | RedeemShares) -> None:
    state = dealing("MS", 100, Ana=5, treasury=4, pool=1)
    assert code(charter(state, "MS", operated=False), action) == ""


@rule("CUBA-VII.3.3-g")
def test_the_director_stays() -> None:
    state = dealing("MS", 100, Ana=2, Cleo=2, treasury=5, pool=1)
    for action in (ISSUE, REDEEM):
        assert play(state, action).companies["MS"].owner == "Ana"


@rule("CUBA-VII.3.1-b", "CUBA-G33")
def test_the_step_is_optional() -> None:
    state = play(dealing("MS", 100), Pass())
    assert state.companies["MS"].held("treasury") == 4


@rule("CUBA-VI.8-j", "CUBA-VI.8-h", "CUBA-VI.8-i", "CUBA-C10")
def test_tokens_unlocked_by_an_issue_stay_unlocked() -> None:
    """40% in the treasury: two stations. 30%: three (60). 10%: three. 0%: four (80).

    A redemption in between does not lock the third one again.
    """
    state = dealing("MS", 0, Ana=5, Cleo=1, treasury=4)
    state = play(state, ISSUE)
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (3, 1)
    state = play(dealing_again(state), REDEEM)
    assert state.companies["MS"].held("treasury") == 4
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (3, 1)
    last = charter(state, "MS", shares={"Ana": 5, "Cleo": 3, "treasury": 2})
    last = play(dealing_again(last), ISSUE)
    assert (last.companies["MS"].tokens, last.companies["MS"].locked) == (3, 1)
    last = play(dealing_again(last), ISSUE)
    assert (last.companies["MS"].tokens, last.companies["MS"].locked) == (4, 0)


def dealing_again(state: State) -> State:
    """Put MS into its step for own stock in its next turn."""
    return at(state, EndTurn("MS"), DealStock("MS", one_deal=True, most=1))
