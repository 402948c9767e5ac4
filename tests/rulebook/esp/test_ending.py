"""RENFE: the second 8 train, the last rounds, the result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, DeclareDividend, Pass, RunTrains
from carril.engine.events import DividendPaid, TrainsRun
from carril.engine.market import price
from carril.engine.runs import Route
from carril.engine.state import Round, State
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from tests.rulebook.esp.positions import extra, major, memory, minor
from tests.rulebook.esp.purchases import buying, coast, company, empty, northwards
from tests.table import at, cash, charter, events, play

EIGHT = BuyTrain("8", "stack", 800)
OLDER = pytest.mark.parametrize("edition", ["en", "es"])


def near_the_end(eights: int = 1, number: int = 1, money: int = 900) -> State:
    """N of Ana is to buy the next 8; CFLG of Ben operates after it."""
    state = company(empty("8"), "N", trains=("6",), money=money, par=100)
    state = company(state, "CFLG", "Ben", trains=("5+6",), money=10)
    return buying(extra(state, eights=eights), "N", number, 3)


def passes(state: State, turns: int = 60) -> State:
    """Pass wherever something is asked until the round is another."""
    before = state.round
    for _ in range(turns):
        if state.round != before or state.finished:
            return state
        by = state.acting or ""
        done = state.refusal(Pass(by=by)) is None
        state = play(state, Pass() if done else _first(state))
    raise AssertionError("the round does not end")


def _first(state: State) -> RunTrains | DeclareDividend:
    option = state.options()[-1]
    assert isinstance(option, RunTrains | DeclareDividend)
    return option


# --- the end in sight --------------------------------------------------------------------


@rule("ESP-7-a", "ESP-E54")
def test_the_second_8_triggers_the_end_the_first_does_not() -> None:
    assert memory(play(near_the_end(0), EIGHT)).last_rounds == ""
    after = play(near_the_end(1), EIGHT)
    assert (memory(after).eights, memory(after).last_rounds) == (2, "due")
    narrow = play(near_the_end(1), BuyTrain("6+8", "stack", 800))
    assert memory(narrow).last_rounds == "due"


@rule("ESP-7-b")
def test_the_running_round_is_finished_and_the_others_dropped() -> None:
    state = play(near_the_end(1, number=1), EIGHT)
    assert state.step.subject == "CFLG"  # it still operates
    after = passes(state)
    assert str(after.round) == "SR 3"  # OR 2.2 and 2.3 are dropped
    assert memory(after).last_rounds == "on"
    without = passes(play(near_the_end(1), Pass()))
    assert str(without.round) == "OR 2.2"


@rule("ESP-7-b", "ESP-A56")
def test_a_train_is_exported_before_the_last_stock_round() -> None:
    after = passes(play(near_the_end(1, number=3), EIGHT))
    assert memory(after).eights == 3
    assert str(after.round) == "SR 3"


@rule("ESP-7-c")
def test_an_exported_second_8_brings_the_last_stock_round_at_once() -> None:
    state = extra(company(empty("8"), "N", trains=("8",)), eights=1)
    after = at(state, OperatingRound(("N",)), round_=Round("OR", 5, 3, 3))
    assert str(after.round) == "SR 6"
    assert memory(after).last_rounds == "on"


@rule("ESP-7-d")
def test_after_the_last_stock_round_come_exactly_three_rounds() -> None:
    state = extra(company(empty("8"), "N", trains=("8",), par=100), eights=1)
    state = company(state, "CFLG", "Ben", trains=("6+8",))
    state = at(state, OperatingRound(("N", "CFLG")), round_=Round("OR", 5, 3, 3))
    seen = [str(state.round)]
    while not state.finished:
        state = passes(state)
        seen.append(str(state.round))
    assert seen[:4] == ["SR 6", "OR 6.1", "OR 6.2", "OR 6.3"]
    assert state.ended == "RENFE"
    assert str(state.round) == "OR 6.3"


# --- the last operating round ------------------------------------------------------------


def last(state: State, symbol: str, earnings: int, number: int = 3) -> State:
    """Put a company before its dividend in a round of the last set."""
    state = extra(state, last_rounds="on", eights=2)
    steps = (OperatingRound((symbol,)), Earnings(symbol, earnings=earnings))
    return at(state, *steps, round_=Round("OR", 9, number, 3))


def running(state: State, symbol: str, number: int) -> State:
    """Put a company before its run in a round of the last set."""
    state = extra(state, last_rounds="on", eights=2)
    return at(state, OperatingRound((symbol,)), RunStep(symbol), round_=Round("OR", 9, number, 3))


COAST = RunTrains((Route("6+8", ("E1.0", "E3.0")),))


@rule("ESP-DE-8-a", "ESP-A54")
def test_in_the_last_round_northern_income_is_doubled() -> None:
    """Gijón pays 30, the harbour 40 to the treasury, which is not multiplied."""
    state = coast(company(empty("8"), "CFLG", trains=("6+8",)))
    assert TrainsRun("CFLG", 60, 40) in events(running(state, "CFLG", 3), COAST)
    assert TrainsRun("CFLG", 30, 40) in events(running(state, "CFLG", 2), COAST)


@rule("ESP-DE-8-a", "ESP-E51")
def test_430_count_860_and_the_price_goes_from_138_to_165() -> None:
    state = major(empty("8"), "CFLG", {"Ana": 5}, column=17, trains=("6+8",))
    assert price(state, "CFLG") == 138
    there = last(state, "CFLG", 2 * 430)
    assert DividendPaid("CFLG", "full", 860, 0) in events(there, DeclareDividend("full"))
    after = there.apply(DeclareDividend("full"))
    assert price(after.state, "CFLG") == 165
    assert after.state.players["Ana"].cash == there.players["Ana"].cash + 5 * 86
    early = last(state, "CFLG", 430, number=2).apply(DeclareDividend("full")).state
    assert price(early, "CFLG") == 151


@rule("ESP-DE-8-a", "ESP-A55")
def test_withholding_in_the_last_round_costs_two_columns() -> None:
    state = major(empty("8"), "CFLG", {"Ana": 5}, column=17, trains=("6+8",))
    after = last(state, "CFLG", 860).apply(DeclareDividend("withhold")).state
    assert price(after, "CFLG") == 115
    assert after.companies["CFLG"].cash == 860


@rule("ESP-7-e", "ESP-E51")
@OLDER
def test_in_the_older_texts_it_is_three_times_and_three_columns(edition: str) -> None:
    state = company(empty("8", edition=edition), "CFLG", trains=("6+8",), column=17)
    assert TrainsRun("CFLG", 90, 40) in events(running(coast(state), "CFLG", 3), COAST)
    assert TrainsRun("CFLG", 30, 40) in events(running(coast(state), "CFLG", 2), COAST)
    after = last(state, "CFLG", 900).apply(DeclareDividend("full")).state
    assert price(after, "CFLG") == 180


@rule("ESP-7-f")
@pytest.mark.parametrize("edition", ["de", "en"])
def test_southern_majors_are_not_affected(edition: str) -> None:
    state = northwards(company(empty("8", edition=edition), "N", trains=("8",), column=17))
    run = RunTrains((Route("8", ("F24.1", "E23", "E21.0")),))
    assert TrainsRun("N", 50, 0) in events(running(state, "N", 3), run)
    after = last(state, "N", 50).apply(DeclareDividend("full")).state
    assert price(after, "N") == 151


# --- the result --------------------------------------------------------------------------


@rule("ESP-7.1-a")
def test_the_result_is_cash_and_shares_less_the_debt_with_interest() -> None:
    state = major(empty("8"), "N", {"Ana": 5, "Ben": 3}, column=17)  # 138
    state = major(state, "CFLG", {"Ben": 2, "Ana": 1}, par=100)
    state = cash(state, Ana=321, Ben=50)
    ana = replace(state.players["Ana"], debt=101)
    state = replace(state, players={**state.players, "Ana": ana}, ended="RENFE")
    assert state.result is not None
    assert state.result["Ana"] == 321 + 5 * 138 + 100 - 152
    assert state.result["Ben"] == 50 + 3 * 138 + 2 * 100


@rule("ESP-7.1-b", "ESP-E52")
@OLDER
def test_a_frozen_minor_counts_twice_its_price(edition: str) -> None:
    state = minor(empty("5", edition=edition), "MS", "Ana", value=151)
    state = extra(cash(state, Ana=10), frozen=("MS",))
    assert state.title.worth(state, "Ana") == 10 + 302


@rule("ESP-7.1-c")
def test_money_and_trains_of_companies_count_nothing() -> None:
    state = cash(company(empty("8"), "N", par=100), Ana=5)
    rich = cash(charter(state, "N", trains=("8", "6")), N=5000)
    assert state.title.worth(state, "Ana") == rich.title.worth(rich, "Ana") == 405


def tied(edition: str, **shares: int) -> State:
    """Ana, Ben and Cleo in this order of cards, Ben and Cleo equal at the top."""
    state = empty("8", edition=edition)
    held = {"Ben": shares.get("Ben", 2), "Cleo": shares.get("Cleo", 2)}
    state = major(state, "CFLG", {name: n for name, n in held.items() if n}, column=20)
    state = cash(state, Ana=0)
    total = 1000
    money = {name: total - n * price(state, "CFLG") for name, n in held.items()}
    return replace(cash(state, **money), ended="RENFE")


@rule("ESP-DE-8.1-a", "ESP-E53")
def test_the_lowest_order_card_breaks_a_tie() -> None:
    state = tied("de", Ben=2, Cleo=4)
    assert list(state.result or {}) == ["Ben", "Cleo", "Ana"]
    assert state.winners == ("Ben",)
    names = ("Cleo", "Ana", "Ben")
    turned = replace(state, players={name: state.players[name] for name in names})
    assert turned.winners == ("Cleo",)
    assert list(turned.result or {}) == ["Cleo", "Ben", "Ana"]


@rule("ESP-7.1-d", "ESP-E53")
@OLDER
def test_shares_of_the_best_northern_major_break_a_tie(edition: str) -> None:
    state = tied(edition, Ben=2, Cleo=4)
    assert state.winners == ("Cleo",)
    assert list(state.result or {}) == ["Cleo", "Ben", "Ana"]
    assert tied(edition, Ben=3, Cleo=3).winners == ("Ben",)  # then the order card


@rule("ESP-7.1-d", "ESP-A65")
def test_of_two_northern_majors_with_one_price_the_first_to_operate_counts() -> None:
    state = major(tied("en", Ben=2, Cleo=4), "FdLR", {"Ben": 4, "Cleo": 2}, column=20)
    state = cash(state, Ben=100, Cleo=100)
    assert state.winners == ("Cleo",)
    assert replace(state, markers=tuple(reversed(state.markers))).winners == ("Ben",)


@rule("ESP-7.1-d")
def test_a_dearer_southern_major_does_not_count() -> None:
    state = major(tied("en", Ben=2, Cleo=4), "N", {"Ben": 4, "Cleo": 2}, column=22)
    state = cash(state, Ben=100 + 2 * price(state, "CFLG"), Cleo=100 + 2 * price(state, "N"))
    assert len(set(list((state.result or {}).values())[:2])) == 1
    assert state.winners == ("Cleo",)


@rule("ESP-7-d")
def test_nobody_has_won_before_the_end() -> None:
    state = replace(tied("de"), ended="")
    assert state.winners == ()
    assert state.result is None
