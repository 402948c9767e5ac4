"""Privates: what they pay, what companies pay for them, when they close (ledger ESP-2.2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    Accept,
    BuyPrivate,
    BuyTrain,
    Decline,
    Pass,
    Range,
    decode_action,
)
from carril.engine.events import MoneyPaid, PrivateClosed
from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.common import esp, face_value, income
from carril.titles.esp.editions import EDITIONS
from carril.titles.esp.title import PRIVATES
from tests.rulebook.esp.positions import extra, game, major, minor, operate, privates, stock_round
from tests.table import at, cash, cited, code, events, offered, phase, play

ALL = dict.fromkeys(PRIVATES, "Ben")


def turn(name: str = "2", owners: dict[str, str] | None = None, **more: Any) -> State:
    """FdSB of Ana begins its turn with 2000; Ben owns every private."""
    state = phase(privates(game(**more), **(ALL if owners is None else owners)), name)
    return operate(major(state, "FdSB", {"Ana": 4}, cash=2000), "FdSB")


def buy(state: State, private: str, price: int) -> State:
    """The company buys, and the owner says yes if he is asked."""
    state = play(state, BuyPrivate(private, price))
    return play(state, Accept()) if state.acting == "Ben" else state


def most(state: State) -> dict[str, int]:
    """Return the highest price offered for each private."""
    found = {}
    for option in offered(state, BuyPrivate):
        assert isinstance(option, Range)
        assert isinstance(option.action, BuyPrivate)
        assert option.least == 1
        found[option.action.private] = option.most
    return found


@rule("ESP-2.2-a")
def test_the_income_of_the_privates() -> None:
    state = game()
    assert [income(state, private) for private in PRIVATES] == [5, 10, 15, 20, 10, 20, 30]


@rule("ESP-2.2-b", "ESP-DE-3.1-a", "ESP-E5")
def test_the_face_values_of_the_privates() -> None:
    german = [face_value(game(), private) for private in PRIVATES]
    assert german == [20, 60, 70, 100, 130, 160, 170]
    for name in ("en", "es"):
        faces = [face_value(game(edition=name), private) for private in PRIVATES]
        assert faces == [10, 40, 70, 100, 130, 160, 190]


@rule("ESP-2.2-c")
def test_the_face_value_stays_and_there_is_no_market_price() -> None:
    for name in ("2", "3", "4"):
        state = turn(name)
        assert face_value(state, "P3") == 70
        assert "P3" not in {marker.company for marker in state.markers}
    bought = buy(turn("3"), "P3", 1)
    assert face_value(bought, "P3") == 70


@rule("ESP-2.2-d")
def test_only_companies_buy_privates() -> None:
    state = turn()
    assert code(state, BuyPrivate("P3", 50)) == ""
    for symbol in ("FdSB", "CM"):
        small = minor(privates(game(), **ALL), "CM", "Ana", cash=500)
        small = major(small, "FdSB", {"Ana": 4}, cash=500)
        assert esp(buy(operate(small, symbol), "P3", 50)).privates["P3"] == symbol
    players = stock_round(cash(privates(game(), **ALL), Ana=500))
    assert code(players, BuyPrivate("P3", 50)) == "not-now"


@rule("ESP-2.2-e")
def test_in_phase_2_a_private_costs_up_to_its_face_value() -> None:
    state = turn("2")
    assert most(state) == {"P1": 20, "P2": 60, "P3": 70, "P4": 100, "P5": 130, "P6": 160}
    assert code(state, BuyPrivate("P2", 60)) == ""
    assert code(state, BuyPrivate("P2", 61)) == "private-price"
    assert code(turn("2", edition="en"), BuyPrivate("P2", 41)) == "private-price"


@rule("ESP-2.2-f")
def test_in_phase_3_up_to_one_and_a_half_times() -> None:
    state = turn("3")
    assert most(state) == {"P1": 30, "P2": 90, "P3": 105, "P4": 150, "P5": 195, "P6": 240}
    assert code(state, BuyPrivate("P3", 105)) == ""
    assert code(state, BuyPrivate("P3", 106)) == "private-price"


@rule("ESP-2.2-g")
def test_in_phase_4_up_to_twice() -> None:
    state = turn("4")
    assert most(state) == {"P1": 40, "P2": 120, "P3": 140, "P4": 200, "P5": 260, "P6": 320}
    assert code(state, BuyPrivate("P4", 200)) == ""
    assert code(state, BuyPrivate("P4", 201)) == "private-price"


@rule("ESP-2.2-h", "ESP-E10")
def test_one_and_a_half_times_is_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """No printed value is odd; with a made-up one the half is dropped."""
    odd = replace(EDITIONS["es"], face_values=(15, 40, 70, 100, 130, 160, 190))
    monkeypatch.setitem(EDITIONS, "es", odd)
    state = turn("3", edition="es")
    assert code(state, BuyPrivate("P1", 22)) == ""
    assert code(state, BuyPrivate("P1", 23)) == "private-price"


@rule("ESP-2.2-i")
def test_the_price_is_a_whole_number_from_one_up() -> None:
    state = turn()
    for wrong in (0, -5):
        assert code(state, BuyPrivate("P3", wrong)) == "private-price"
        assert cited(state, BuyPrivate("P3", wrong)) == "ESP-2.2-i"
    assert code(state, BuyPrivate("P3", 1)) == ""
    with pytest.raises(BadRecord):
        decode_action('{"type":"private","private":"P3","price":1.5}')


@rule("ESP-2.2-j")
def test_the_treasury_pays_the_owner() -> None:
    state = play(turn(), BuyPrivate("P4", 90))
    assert state.acting == "Ben"
    told = events(state, Accept())
    assert MoneyPaid("FdSB", "Ben", 90, "private") in told
    sold = play(state, Accept())
    assert sold.companies["FdSB"].cash == 1910
    assert sold.players["Ben"].cash == state.players["Ben"].cash + 90
    refused = play(state, Decline())
    assert esp(refused).privates["P4"] == "Ben"
    poor = cash(turn(), FdSB=89)
    assert code(poor, BuyPrivate("P4", 90)) == "treasury-short-private"


@rule("ESP-2.2-k", "ESP-2.2-w")
@pytest.mark.parametrize("name", ["2", "3", "4"])
def test_income_goes_to_the_player_or_to_the_company(name: str) -> None:
    state = phase(privates(game(), P3="Ben", P4="FdSB"), name)
    state = major(state, "FdSB", {"Ana": 4})
    state = stock_round(cash(state, Ana=100, Ben=100, Cleo=100, Dan=100))
    while state.round.kind == "SR":
        state = play(state, Pass())
    assert state.players["Ben"].cash == 115
    assert state.companies["FdSB"].cash == 20


@rule("ESP-2.2-k", "ESP-2.2-w")
def test_private_3_pays_the_company_that_owns_it() -> None:
    state = phase(privates(game(), P3="FdSB"), "4")
    state = stock_round(cash(major(state, "FdSB", {"Ana": 4}), Ana=100))
    while state.round.kind == "SR":
        state = play(state, Pass())
    assert state.companies["FdSB"].cash == 15


def five(state: State) -> State:
    """MZA of Cleo is about to buy the first 5."""
    state = major(state, "MZA", {"Cleo": 4}, cash=600)
    left = {**state.depot.left, "2": 0, "3": 0, "4": 0}
    state = replace(state, depot=replace(state.depot, left=left))
    return at(state, TrainStep("MZA"))


@rule("ESP-2.2-l", "ESP-2.2-m")
def test_the_first_5_closes_every_private() -> None:
    owners = {"P1": "Ana", "P4": "FdSB", "P5": "Ben", "P6": "Cleo", "P7": "Dan"}
    state = phase(privates(game(), **owners), "4")
    state = five(major(state, "FdSB", {"Ana": 4}, cash=500))
    told = events(state, BuyTrain("5", "stack", 500))
    assert {event.private for event in told if isinstance(event, PrivateClosed)} == set(owners)
    after = play(state, BuyTrain("5", "stack", 500))
    assert esp(after).privates == {}
    assert esp(after).tenders_private == 0  # unsold tenders leave with it
    later = operate(after, "FdSB")
    assert code(later, BuyPrivate("P1", 1)) == "private-closed"
    assert cited(later, BuyPrivate("P1", 1)) == "ESP-2.2-m"
    open_still = operate(extra(after, privates={"P1": "Ana"}), "FdSB")
    assert code(open_still, BuyPrivate("P1", 1)) == "private-closed"


@rule("ESP-2.2-l")
def test_the_first_5_closes_the_privates_when_it_is_exported_too() -> None:
    state = phase(privates(game(), P1="Ana", P4="Ben"), "4")
    left = {**state.depot.left, "4": 0}
    state = replace(state, depot=replace(state.depot, left=left))
    state = stock_round(cash(state, Ana=0, Ben=0, Cleo=0, Dan=100))
    while state.phase == "4":
        state = play(state, Pass())
    assert esp(state).privates == {}
    assert state.players["Ana"].cash == 2 * 5  # two rounds of income, then the export


@rule("ESP-DE-3.1-g", "ESP-E12")
def test_companies_do_not_resell_privates() -> None:
    state = turn("2", {"P3": "CM", "P4": "FdSB"})
    assert code(state, BuyPrivate("P3", 50)) == "private-not-resold"
    assert cited(state, BuyPrivate("P3", 50)) == "ESP-DE-3.1-g"
    assert code(state, BuyPrivate("P4", 50)) == "private-not-resold"
    assert code(turn("2", {"P3": "Ben"}), BuyPrivate("P3", 50)) == ""


@rule("ESP-2.2-bd")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_private_7_is_not_sold(edition: str) -> None:
    state = turn("2", edition=edition)
    assert code(state, BuyPrivate("P7", 100)) == "private-7-not-sold"
    assert cited(state, BuyPrivate("P7", 100)) == "ESP-2.2-bd"
    assert code(state, BuyPrivate("P6", 100)) == ""
