"""Loans of directors: who owes them, how they are repaid, what they cost."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import BuyShare, BuyTrain, Pass, Range, RepayLoan, SellShares
from carril.engine.events import LoanRepaid
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.esp.positions import major, stock_round
from tests.rulebook.esp.purchases import buying, company, empty
from tests.table import cash, charter, cited, code, events, offered, play


def debtor(debt: int, money: int = 1000, **more: Any) -> State:
    """Ana has a debt, and it is her turn in a stock round."""
    state = major(empty(**more), "N", {"Ana": 4, "Ben": 2})
    return stock_round(owing(cash(state, Ana=money), debt))


def owing(state: State, debt: int) -> State:
    """Give Ana a debt."""
    player = replace(state.players["Ana"], debt=debt)
    return replace(state, players={**state.players, "Ana": player})


@rule("ESP-4.7.2-a")
def test_a_debt_stays_with_the_player_when_the_director_changes() -> None:
    state = debtor(100)
    state = play(state, SellShares("N", 4))  # Ben leads N now
    assert state.companies["N"].owner == "Ben"
    assert state.players["Ana"].debt == 100
    assert state.players["Ben"].debt == 0


@rule("ESP-4.7.2-b")
def test_a_player_in_debt_borrows_again_on_the_same_terms() -> None:
    state = owing(cash(company(empty("4"), "N", money=200), Ana=99), 50)
    state = buying(state, "N")
    assert code(state, BuyTrain("4", "stack", 300, loan=2)) == "loan-exact"
    after = play(state, BuyTrain("4", "stack", 300, loan=1))
    assert after.players["Ana"].debt == 51


@rule("ESP-4.7.2-c")
def test_loans_are_repaid_in_ones_own_turn_of_a_stock_round_only() -> None:
    state = debtor(100)
    assert code(state, RepayLoan(100)) == ""
    others = play(state, Pass())
    assert others.acting == "Ben"
    assert code(others, RepayLoan(100)) == "no-such-debt"
    assert code(others, RepayLoan(100, by="Ana")) == "not-your-turn"
    operating = buying(owing(company(empty(), "N", trains=("3",), money=500), 100), "N")
    assert code(operating, RepayLoan(100)) == "not-now"


@rule("ESP-4.7.2-c")
def test_repaying_comes_before_the_purchase_and_may_follow_a_sale() -> None:
    state = play(debtor(100, money=90), SellShares("N", 1))  # 90 + 80
    state = play(state, RepayLoan(100))
    assert (state.players["Ana"].cash, state.players["Ana"].debt) == (20, 0)
    rich = play(debtor(100), RepayLoan(100))
    assert rich.acting == "Ana"
    assert play(rich, BuyShare("N", "ipo")).acting == "Ben"  # a purchase ends the turn


@rule("ESP-4.7.2-d", "ESP-E44")
def test_in_the_older_texts_the_whole_debt_is_repaid() -> None:
    for edition in ("en", "es"):
        state = debtor(101, edition=edition)
        assert code(state, RepayLoan(100)) == "whole-debt"
        assert cited(state, RepayLoan(100)) == "ESP-4.7.2-d"
        assert LoanRepaid("Ana", 101, 51) in events(state, RepayLoan(101))
        after = play(state, RepayLoan(101))
        assert (after.players["Ana"].cash, after.players["Ana"].debt) == (848, 0)
        assert code(debtor(101, money=152, edition=edition), RepayLoan(101)) == ""
        poor = debtor(101, money=151, edition=edition)
        assert code(poor, RepayLoan(101)) == "cannot-repay"


@rule("ESP-4.7.2-e")
def test_no_certificate_is_bought_in_debt() -> None:
    state = debtor(100)
    assert code(state, BuyShare("N", "ipo")) == "in-debt"
    assert cited(state, BuyShare("N", "ipo")) == "ESP-3.2-b"
    part = play(state, RepayLoan(99))
    assert part.acting != "Ana"  # 1 remains, so there is nothing left to do in this turn
    assert code(play(state, RepayLoan(100)), BuyShare("N", "ipo")) == ""


@rule("ESP-4.7.2-f")
def test_at_the_end_a_debt_of_75_costs_113() -> None:
    state = owing(cash(empty(), Ana=500), 75)
    assert state.title.worth(state, "Ana") == 500 - 113


@rule("ESP-4.7.2-g", "ESP-A42")
def test_interest_is_simple_and_does_not_grow() -> None:
    """Two loans of 1 are a debt of 2 and cost 3, also rounds later."""
    state = owing(cash(company(empty("4"), "N", money=200), Ana=99), 1)
    state = play(buying(state, "N"), BuyTrain("4", "stack", 300, loan=1))
    assert state.players["Ana"].debt == 2
    later = replace(state, round=replace(state.round, turn=9))
    assert later.title.worth(later, "Ana") == state.title.worth(state, "Ana")
    repaid = play(stock_round(cash(later, Ana=10), turn=9), RepayLoan(2))
    assert repaid.players["Ana"].cash == 7


@rule("ESP-DE-5.7.2-a", "ESP-E44")
def test_a_loan_may_be_repaid_in_part() -> None:
    state = debtor(100)
    assert LoanRepaid("Ana", 41, 21) in events(state, RepayLoan(41))
    after = play(state, RepayLoan(41))
    assert (after.players["Ana"].cash, after.players["Ana"].debt) == (1000 - 62, 59)
    assert code(state, RepayLoan(101)) == "no-such-debt"
    assert code(state, RepayLoan(0)) == "no-such-debt"


@rule("ESP-DE-5.7.2-a")
def test_as_much_is_offered_as_the_cash_repays() -> None:
    found = offered(debtor(100, money=62), RepayLoan)
    assert [(o.least, o.most) for o in found if isinstance(o, Range)] == [(1, 41)]
    assert code(debtor(100, money=61), RepayLoan(41)) == "cannot-repay"
    none = charter(debtor(100, money=0), "N")
    assert not offered(none, RepayLoan)
