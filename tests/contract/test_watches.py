"""The watches see what they are there for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril import start as begin
from carril.engine.actions import Pass, RunTrains
from carril.engine.events import (
    LoanRepaid,
    LoanTaken,
    MoneyPaid,
    SharesMoved,
    TrainBought,
    TrainDiscarded,
)
from carril.engine.runs import Route
from carril.engine.state import BANK, State
from tests.contract.watches import Spain

PASS = Pass(by="Ana")


@pytest.fixture
def start() -> State:
    return begin("18ESP", ["Ana", "Ben", "Cleo"], seed=1)


def owing(state: State, debt: int) -> State:
    ana = replace(state.players["Ana"], debt=debt)
    return replace(state, players={**state.players, "Ana": ana})


def test_debt_grows_only_by_a_loan(start: State) -> None:
    after = owing(start, 100)
    Spain().see(start, PASS, [LoanTaken("Ana", 100)], after)
    with pytest.raises(AssertionError, match="owes 100, not 0"):
        Spain().see(start, PASS, [], after)


def test_debt_does_not_vanish(start: State) -> None:
    before = owing(start, 100)
    repaid = LoanRepaid("Ana", 100, 50)
    Spain().see(before, PASS, [repaid, MoneyPaid("Ana", BANK, 150, "loan repaid")], start)
    for events in ([], [repaid], [repaid, MoneyPaid("Ana", BANK, 100, "loan repaid")]):
        with pytest.raises(AssertionError):
            Spain().see(before, PASS, events, start)


def test_goals_pay_six_times_par_at_most(start: State) -> None:
    symbol = next(s for s, company in start.companies.items() if company.kind == "major")
    company = replace(start.companies[symbol], par=100)
    after = replace(start, companies={**start.companies, symbol: company})
    watch = Spain()
    for number in (1, 2, 3):
        watch.see(after, PASS, [MoneyPaid(BANK, symbol, number * 100, "goal")], after)
    with pytest.raises(AssertionError, match="got 700 for goals"):
        watch.see(after, PASS, [MoneyPaid(BANK, symbol, 100, "goal")], after)


def test_a_minor_keeps_the_train_that_it_has_bought(start: State) -> None:
    minor = next(symbol for symbol, c in start.companies.items() if c.kind == "minor")
    bought = TrainBought(minor, "5", "stack", 500)
    Spain().see(start, PASS, [bought], start)
    Spain().see(start, PASS, [bought, TrainDiscarded(minor, "3")], start)
    with pytest.raises(AssertionError, match="lost the 5 that it has bought"):
        Spain().see(start, PASS, [bought, TrainDiscarded(minor, "5")], start)


def test_shares_move_only_of_companies_in_the_game(start: State) -> None:
    Spain().see(start, PASS, [SharesMoved("N", "reserved", "ipo", 1)], start)
    with pytest.raises(AssertionError, match="TBF"):
        Spain().see(start, PASS, [SharesMoved("TBF", "reserved", "ipo", 1)], start)


def test_trains_keep_to_their_gauge(start: State) -> None:
    tables = start.title.tables
    north = next(
        h.id for h in tables.hexes.values() if {p.gauge for p in h.print.paths} == {"narrow"}
    )
    narrow = next(t.name for t in tables.trains.values() if t.gauge == "narrow")
    broad = next(t.name for t in tables.trains.values() if t.gauge == "broad")
    run = RunTrains((Route(narrow, (north,)),), by="Ana")
    Spain().see(start, run, [], start)
    with pytest.raises(AssertionError, match="wrong gauge"):
        Spain().see(start, RunTrains((Route(broad, (north,)),), by="Ana"), [], start)
    with pytest.raises(AssertionError, match="one gauge"):
        Spain().see(start, RunTrains((Route(f"{broad}|{narrow}", (north,)),), by="Ana"), [], start)
