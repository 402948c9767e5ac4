"""Private 5 and its tenders (ledger ESP-2.2-ak to -aw, ESP-DE-3.1-e)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    BuyPrivate,
    BuyTender,
    BuyTrain,
    DeclareDividend,
    Decline,
    RunTrains,
    TakeOver,
)
from carril.engine.events import MoneyPaid
from carril.engine.runs import Route
from carril.engine.state import State
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.common import esp
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import extra, game, major, minor, privates
from tests.table import at, cash, cited, code, events, phase, play, tiles, tokens

MAJORS = ("FdLR", "FdSB", "CFEA", "CFLG", "N", "MZA")
BUY = BuyTender("private")
POOLED = BuyTender("pool")


def owned(name: str = "3", **more: Any) -> State:
    """Ben owns private 5; six majors of Ana have 300 each."""
    state = phase(privates(game(**more), P5="Ben"), name)
    for symbol in MAJORS:
        state = major(state, symbol, {"Ana": 4}, cash=300)
    return state


def turn(symbol: str, state: State) -> State:
    """Begin a company's turn at its first step."""
    return at(state, Build(symbol))


def sell_all(state: State, count: int) -> State:
    """Let so many companies buy a tender of the private, one after the other."""
    for symbol in MAJORS[:count]:
        state = play(turn(symbol, state), BUY, Accept())
    return state


@rule("ESP-2.2-ak", "ESP-DE-3.1-e", "ESP-E9")
@pytest.mark.parametrize(("edition", "count"), [("de", 5), ("en", 4), ("es", 4)])
def test_the_owner_sells_all_tenders_but_one(edition: str, count: int) -> None:
    state = sell_all(owned(edition=edition), count)
    assert esp(state).tenders == MAJORS[:count]
    next_one = turn(MAJORS[count], state)
    assert code(next_one, BUY) == "no-tender-there"
    almost = sell_all(owned(edition=edition), count - 1)
    assert code(turn(MAJORS[count], almost), BUY) == ""


@rule("ESP-2.2-al")
def test_of_80_the_owner_gets_20_and_the_bank_60() -> None:
    state = turn("FdLR", owned())
    asked = play(state, BUY)
    told = [event for event in events(asked, Accept()) if isinstance(event, MoneyPaid)]
    assert told == [
        MoneyPaid("FdLR", "Ben", 20, "tender"),
        MoneyPaid("FdLR", "bank", 60, "tender"),
    ]
    bought = play(asked, Accept())
    assert bought.companies["FdLR"].cash == 220
    assert bought.players["Ben"].cash == state.players["Ben"].cash + 20
    assert code(cash(state, FdLR=79), BUY) == "treasury-short-private"
    assert code(cash(state, FdLR=80), BUY) == ""


@rule("ESP-2.2-am", "ESP-2.2-an", "ESP-DE-3.1-e")
@pytest.mark.parametrize(("edition", "count"), [("de", 5), ("en", 4), ("es", 4)])
def test_the_last_tender_goes_to_the_company_that_buys_the_private(
    edition: str, count: int
) -> None:
    state = sell_all(owned(edition=edition), count)
    last = MAJORS[count]
    state = play(turn(last, state), BuyPrivate("P5", 130), Accept())
    assert last in esp(state).tenders
    assert len(esp(state).tenders) == count + 1
    assert "P5" not in esp(state).privates
    assert esp(state).tenders_pool == 0


@rule("ESP-2.2-an", "ESP-2.2-aq")
def test_unsold_tenders_of_the_private_go_to_the_open_market() -> None:
    state = play(turn("FdLR", owned()), BuyPrivate("P5", 100), Accept())
    assert esp(state).privates == {}
    assert (esp(state).tenders, esp(state).tenders_pool) == (("FdLR",), 5)
    assert code(turn("N", state), BUY) == "no-tender-there"
    assert code(turn("N", state), POOLED) == ""


@rule("ESP-2.2-ao")
def test_a_company_buys_no_second_tender() -> None:
    state = extra(play(turn("FdLR", owned()), BUY, Accept()), tenders_pool=1)
    for action in (BUY, POOLED):
        assert code(state, action) == "second-tender"
        assert cited(state, action) == "ESP-2.2-ao"
        assert code(turn("N", state), action) == ""


@rule("ESP-2.2-ap")
def test_a_second_tender_with_the_private_goes_to_the_open_market() -> None:
    state = play(turn("FdLR", owned()), BUY, Accept(), BuyPrivate("P5", 100), Accept())
    assert esp(state).tenders == ("FdLR",)
    assert esp(state).tenders_pool == 4 + 1  # the unsold ones and that of the card


@rule("ESP-2.2-ap")
def test_a_second_tender_by_takeover_goes_to_the_open_market() -> None:
    state = minor(owned(), "CM", "Ana")
    both = extra(state, tenders=("CM", "MZA"))
    after = play(at(both, Takeovers("MZA")), TakeOver("CM"), Decline())
    assert (esp(after).tenders, esp(after).tenders_pool) == (("MZA",), 1)
    one = play(at(extra(state, tenders=("CM",)), Takeovers("MZA")), TakeOver("CM"), Decline())
    assert (esp(one).tenders, esp(one).tenders_pool) == (("MZA",), 0)


@rule("ESP-2.2-aq")
def test_a_tender_of_the_open_market_costs_80_for_the_bank() -> None:
    state = turn("N", extra(owned(), tenders_pool=1))
    told = [event for event in events(state, POOLED) if isinstance(event, MoneyPaid)]
    assert told == [MoneyPaid("N", "bank", 80, "tender")]
    bought = play(state, POOLED)
    assert (esp(bought).tenders, esp(bought).tenders_pool) == (("N",), 0)
    assert code(turn("MZA", bought), POOLED) == "no-tender-there"
    late = phase(privates(state), "6")  # also when private 5 is long closed
    assert code(turn("N", late), POOLED) == ""


@rule("ESP-2.2-ar")
@pytest.mark.parametrize("symbol", ["CM", "FdLR", "MZA"])
def test_minors_and_majors_of_both_maps_buy_tenders(symbol: str) -> None:
    state = minor(owned(), "CM", "Cleo", cash=100)
    bought = play(turn(symbol, state), BUY, Accept())
    assert esp(bought).tenders == (symbol,)


LINE = ("I5.0", "H4.0", "G5.0", "F4.0", "E5.0")


def railway(trains: tuple[str, ...] = ("1+2",), tender: bool = False) -> State:
    """FdSB in Santander, in phase 3: four towns to the west, Laredo and Bilbao to the east."""
    state = phase(privates(game(), P5="Ben"), "3")
    state = major(state, "FdSB", {"Ana": 4}, cash=300, trains=trains)
    state = tiles(state, H4=("73", 5), G5=("73", 2), F4=("73", 5), E5=("74", 1), J4=("73", 5))
    state = tokens(state, I5=(("FdSB",),))
    return extra(state, tenders=("FdSB",) if tender else ())


def run(*path: str, train: str = "1+2", tender: str = "") -> RunTrains:
    """Run one train, perhaps with the tender."""
    return RunTrains((Route(train, path),), (("tender", tender),) if tender else ())


@rule("ESP-2.2-as")
def test_a_tender_is_bought_at_any_moment_of_the_turn() -> None:
    state = railway()
    for step in (
        Build("FdSB"),
        RunStep("FdSB"),
        Earnings("FdSB", earnings=100),
        TrainStep("FdSB"),
    ):
        bought = play(at(state, step), BUY, Accept())
        assert esp(bought).tenders == ("FdSB",)
    south = minor(owned(), "CM", "Ana")
    assert code(at(south, Takeovers("MZA")), BUY) == ""
    assert code(at(state, Build("FdSB")), DeclareDividend("full")) == "not-now"


@rule("ESP-2.2-as", "ESP-2.2-au")
def test_a_tender_just_bought_is_used_in_the_same_round() -> None:
    state = at(railway(), RunStep("FdSB"))
    long = run(*LINE[:4], tender="1+2")
    assert code(state, long) == "run-no-such-extra"
    assert code(play(state, BUY, Accept()), long) == ""


@rule("ESP-2.2-au")
def test_a_tender_adds_one_town_to_the_range() -> None:
    state = at(railway(tender=True), RunStep("FdSB"))
    assert code(state, run(*LINE[:3])) == ""
    assert code(state, run(*LINE[:4])) == "run-too-many-stops"
    assert code(state, run(*LINE[:4], tender="1+2")) == ""  # one of any kind and three towns
    assert code(state, run(*LINE, tender="1+2")) == "run-too-many-stops"
    # Santander - Laredo - Bilbao needs room for a second city, which a tender does not give
    assert code(state, run("I5.0", "J4.0", "K5.0", tender="1+2")) == "run-too-many-stops"
    two = at(railway(("2+3",), tender=True), RunStep("FdSB"))
    assert code(two, run("I5.0", "J4.0", "K5.0", train="2+3")) == ""


@rule("ESP-2.2-at")
def test_the_tender_goes_with_one_train_of_choice_in_each_round() -> None:
    state = at(railway(("1+2", "2+3"), tender=True), RunStep("FdSB"))
    assert code(state, run(*LINE[:4], tender="1+2")) == ""
    assert code(state, run(*LINE, train="2+3", tender="2+3")) == ""
    west, east = Route("2+3", LINE), Route("1+2", ("I5.0", "J4.0"))
    both = RunTrains((west, east), (("tender", "2+3"), ("tender", "1+2")))
    assert code(state, both) == "run-no-such-extra"
    assert code(state, RunTrains((west, east), (("tender", "1+2"),))) == ""
    ran = play(state, run(*LINE[:4], tender="1+2"))
    assert esp(ran).tenders == ("FdSB",)  # it is there for the next round and any other train
    later = at(ran, RunStep("FdSB"))
    assert code(later, run(*LINE, train="2+3", tender="2+3")) == ""


@rule("ESP-2.2-av")
def test_a_tender_never_rusts() -> None:
    state = extra(owned("5"), tenders=("FdLR", "N"), tenders_pool=1)
    state = cash(privates(state), MZA=2000)
    for card, price in (("6", 600), ("8", 800)):
        left = {name: 0 if name not in (card, "8") else n for name, n in state.depot.left.items()}
        state = replace(state, depot=replace(state.depot, left=left))
        state = play(at(state, TrainStep("MZA")), BuyTrain(card, "stack", price))
        assert state.phase == card
        assert (esp(state).tenders, esp(state).tenders_pool) == (("FdLR", "N"), 1)


@rule("ESP-2.2-aw")
@pytest.mark.parametrize("source", ["FdLR", "Ben", "stack", "bank"])
def test_tenders_are_traded_in_no_other_way(source: str) -> None:
    state = turn("N", extra(owned(), tenders=("FdLR",)))
    assert code(state, BuyTender(source)) == "no-tender-there"
    assert cited(state, BuyTender(source)) == "ESP-2.2-aw"
    assert code(state, BUY) == ""
    assert "price" not in BuyTender.__struct_fields__  # 80, neither more nor less
