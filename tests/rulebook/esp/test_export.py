"""Privates bought by companies, and the export of a train at the end of a cycle."""

from __future__ import annotations

import pytest

from carril.engine.actions import Accept, BuyPrivate, BuyTrain, Decline, DiscardTrain, Pass
from carril.engine.events import PhaseBegan, RoundBegan, TrainExported
from carril.engine.state import Round, State
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.stock import StockRound
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.privates import PrivateOffer
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import game, memory, minor, operate, privates
from tests.rulebook.esp.purchases import buying, company, deck, empty, northwards
from tests.table import at, cash, charter, cited, code, events, phase, play

# --- privates ----------------------------------------------------------------------------


def shop(in_phase: str, money: int = 500, **owners: str) -> State:
    """N of Ana has a train, track and money; the privates are as told."""
    state = phase(privates(game(3), **(owners or {"P3": "Ana"})), in_phase)
    return northwards(company(state, "N", trains=("4",), money=money))


@rule("ESP-4.8-a")
def test_a_company_buys_privates_at_any_moment_of_its_turn() -> None:
    state = minor(shop("3"), "MS", "Ana")
    buy = BuyPrivate("P3", 70)
    steps = (Build("N"), RunStep("N"), Earnings("N", earnings=50), Takeovers("N"), TrainStep("N"))
    for step in steps:
        there = at(state, OperatingRound(("N",)), step, round_=Round("OR", 2, 1, 1))
        assert type(there.step) is type(step)
        after = play(there, buy)
        assert memory(after).privates["P3"] == "N"
        assert after.companies["N"].cash == 430
    assert code(operate(state, "N"), buy) == ""


@rule("ESP-4.8-a")
def test_a_full_company_is_still_asked_after_its_run() -> None:
    """It can buy no train, but has just earned what the private costs."""
    state = buying(charter(shop("3"), "N", trains=("4",) * 4), "N")
    assert isinstance(state.step, TrainStep)
    assert code(state, BuyPrivate("P3", 70)) == ""


@rule("ESP-4.8-a")
@pytest.mark.parametrize(("in_phase", "most"), [("2", 70), ("3", 105), ("4", 140)])
def test_the_highest_price_rises_with_the_phases(in_phase: str, most: int) -> None:
    state = operate(shop(in_phase), "N")
    assert code(state, BuyPrivate("P3", most)) == ""
    assert code(state, BuyPrivate("P3", most + 1)) == "private-price"
    assert code(state, BuyPrivate("P3", 1)) == ""
    assert code(state, BuyPrivate("P3", 0)) == "private-price"


@rule("ESP-4.8-a", "ESP-A5")
def test_no_private_from_phase_5_on_and_none_outside_the_own_turn() -> None:
    assert code(operate(shop("5"), "N"), BuyPrivate("P3", 70)) == "private-closed"
    state = company(shop("3"), "MCP", "Ben", par=100, trains=("3",), money=500)
    other = operate(state, "MCP")
    bought = play(other, BuyPrivate("P3", 70), Accept())
    assert memory(bought).privates["P3"] == "MCP"  # not N: it is MCP's turn


@rule("ESP-4.8-a")
def test_a_minor_buys_privates_from_phase_2_on() -> None:
    state = phase(privates(game(3), P1="Ana"), "2")
    state = operate(cash(minor(state, "MS", "Ana"), MS=160), "MS")
    assert memory(play(state, BuyPrivate("P1", 20))).privates["P1"] == "MS"


@rule("ESP-4.8-b")
def test_a_company_pays_no_more_than_it_has() -> None:
    state = operate(shop("3", money=69), "N")
    assert code(state, BuyPrivate("P3", 70)) == "treasury-short-private"
    assert cited(state, BuyPrivate("P3", 70)) == "ESP-4.8-b"
    after = play(state, BuyPrivate("P3", 69))
    assert after.companies["N"].cash == 0
    assert after.players["Ana"].cash == state.players["Ana"].cash + 69


@rule("ESP-4.8-c", "ESP-A6")
def test_any_owner_may_sell_and_must_agree() -> None:
    state = operate(shop("3", P3="Ben"), "N")
    asked = play(state, BuyPrivate("P3", 100))
    assert isinstance(asked.step, PrivateOffer)
    assert asked.acting == "Ben"
    sold = play(asked, Accept())
    assert memory(sold).privates["P3"] == "N"
    assert sold.players["Ben"].cash == state.players["Ben"].cash + 100
    kept = play(asked, Decline())
    assert memory(kept).privates["P3"] == "Ben"
    assert code(kept, BuyPrivate("P3", 100)) == "offer-declined"
    assert cited(kept, BuyPrivate("P3", 100)) == "ESP-4.8-c"


# --- export ------------------------------------------------------------------------------


def cycle_end(state: State, number: int = 1, of: int = 1) -> State:
    """N is the last to act in an operating round and may still buy."""
    return buying(state, "N", number, of)


@rule("ESP-4.9-a")
def test_the_top_train_leaves_the_game_at_the_end_of_a_cycle() -> None:
    state = company(empty("3"), "N", trains=("3",), money=500)
    ended = play(cycle_end(state), Pass())
    assert ended.depot.left["3"] == state.depot.left["3"] - 1
    assert ended.depot.pool == ()
    assert memory(ended).exported == {"3": 1}
    assert str(ended.round) == "SR 3"
    middle = play(cycle_end(state, 1, 2), Pass())
    assert middle.depot.left["3"] == state.depot.left["3"]  # a round of the cycle is left
    assert str(middle.round) == "OR 2.2"


@rule("ESP-4.9-a", "ESP-A57")
def test_a_train_is_exported_even_if_no_company_is_launched() -> None:
    state = at(empty("2"), OperatingRound(), round_=Round("OR", 1, 1, 1))
    assert state.depot.left["2"] == 9
    assert str(state.round) == "SR 2"


@rule("ESP-4.9-b", "ESP-6-a")
def test_an_exported_train_counts_as_bought() -> None:
    state = deck(company(empty("2"), "N", trains=("2",), money=500), "3")
    assert state.phase == "2"  # the 3 is available, and no more
    told = events(cycle_end(state), Pass())
    assert TrainExported("3") in told
    assert PhaseBegan("3") in told
    assert told.index(PhaseBegan("3")) < told.index(RoundBegan("SR 3"))
    after = play(cycle_end(state), Pass())
    assert (after.phase, after.depot.left["3"]) == ("3", 8)


@rule("ESP-4.9-c")
def test_the_stock_round_begins_after_the_export_and_its_discards() -> None:
    """The exported 6 lowers the limit to 2: N discards before anybody buys shares."""
    state = deck(company(empty("5"), "N", trains=("4", "5", "5"), money=500), "6")
    state = company(state, "MCP", "Ben", trains=("5",))
    state = at(state, OperatingRound(("N", "MCP")), round_=Round("OR", 2, 3, 3))
    assert isinstance(state.step, Discards)
    assert state.acting == "Ana"
    after = play(state, DiscardTrain("4"))
    assert isinstance(after.step, StockRound)
    assert after.depot.pool == ("4",)


@rule("ESP-4.9-d")
def test_an_exported_8_counts_for_the_end() -> None:
    state = company(empty("8"), "N", trains=("8",), money=100)
    first = play_out(state)
    assert (memory(first).eights, memory(first).last_rounds) == (1, "")
    bought = buying(cash(company(empty("8"), "N", money=800), N=800), "N")
    bought = play(bought, BuyTrain("8", "stack", 800))
    assert (memory(bought).eights, memory(bought).last_rounds) == (2, "on")  # bought, exported


def play_out(state: State) -> State:
    """End the cycle now."""
    done = tuple(c.symbol for c in state.companies.values() if c.floated)
    return at(state, OperatingRound(done), round_=Round("OR", 4, 3, 3))
