"""The end of a stock round (ledger ESP-3.3, ESP-DE-4.5)."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import Pass
from carril.engine.events import OrderDealt, PriceMoved
from carril.engine.market import operating_order, price
from carril.engine.play import Outcome
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from carril.titles.esp.common import RESERVED
from tests.rulebook.esp.positions import game, major, minor, privates, stock_round
from tests.table import cash, phase, play


def finish(state: State) -> Outcome:
    """Let all four players pass."""
    state = play(stock_round(state), Pass(), Pass(), Pass())
    return state.apply(Pass())


def table(**more: Any) -> State:
    """Nothing is started, in phase 3; everybody can buy."""
    state = phase(privates(game(**more)), "3")
    return cash(state, Ana=500, Ben=500, Cleo=500, Dan=500)


@rule("ESP-3.3-a", "ESP-E17")
def test_a_major_in_players_hands_rises_by_one_step() -> None:
    state = major(table(), "MZA", {"Ana": 6, "Ben": 4}, column=10)
    state = major(state, "A", {"Ana": 6, "Ben": 3, POOL: 1}, column=10)
    state = major(state, "N", {"Ana": 6, "Ben": 3, IPO: 1}, column=10)
    after = finish(state).state
    assert [price(after, symbol) for symbol in ("MZA", "A", "N")] == [105, 100, 100]


@rule("ESP-3.3-b", "ESP-E17")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_nine_tenths_are_enough_beside_a_reserved_share(edition: str) -> None:
    state = major(table(edition=edition), "MZA", {"Ana": 6, "Ben": 3, RESERVED: 1}, column=10)
    state = major(state, "A", {"Ana": 6, "Ben": 3, POOL: 1}, column=10)  # share given away
    state = major(state, "N", {"Ana": 6, "Ben": 2, POOL: 1, RESERVED: 1}, column=10)
    state = major(state, "FdSB", {"Ana": 6, "Ben": 3, IPO: 1}, column=10)
    after = finish(state).state
    prices = [price(after, symbol) for symbol in ("MZA", "A", "N", "FdSB")]
    assert prices == [105, 100, 100, 100]


@rule("ESP-3.3-c", "ESP-DE-4.5.1-a", "ESP-E18")
def test_the_highest_moves_first_and_arrives_under_the_others() -> None:
    full = {"Ana": 6, "Ben": 4}
    state = major(table(), "A", full, column=10)
    state = major(state, "MZA", full, column=12)
    state = major(state, "N", full, column=12)
    state = major(state, "MCP", {"Ana": 5}, column=11)  # does not move
    outcome = finish(state)
    moved = [event.company for event in outcome.events if isinstance(event, PriceMoved)]
    assert moved == ["MZA", "N", "A"]
    order = operating_order(outcome.state, ["A", "MZA", "N", "MCP"])
    assert order == ["MZA", "N", "MCP", "A"]
    assert price(outcome.state, "A") == price(outcome.state, "MCP") == 105


@rule("ESP-3.3-d")
def test_minors_do_not_move() -> None:
    state = minor(major(table(), "MZA", {"Ana": 6, "Ben": 4}, column=10), "CM", "Ana", value=100)
    after = finish(state).state
    assert (price(after, "CM"), price(after, "MZA")) == (100, 105)


def with_company(**amounts: int) -> State:
    """A company that will operate, so that the round after this one waits."""
    return cash(minor(table(), "CM", "Ana", cash=1000), **amounts)


@rule("ESP-3.3-e", "ESP-3.3-f", "ESP-A64")
def test_the_richest_gets_the_first_card_and_ties_stay() -> None:
    outcome = finish(with_company(Ana=250, Ben=400, Cleo=400, Dan=210))
    assert list(outcome.state.players) == ["Ben", "Cleo", "Ana", "Dan"]
    assert OrderDealt(("Ben", "Cleo", "Ana", "Dan")) in outcome.events
    assert outcome.state.priority == "Ben"
    equal = finish(with_company(Ana=300, Ben=300, Cleo=300, Dan=300)).state
    assert list(equal.players) == ["Ana", "Ben", "Cleo", "Dan"]


@rule("ESP-3.3-e")
def test_the_example_with_poor_players() -> None:
    """Who can do nothing passes by himself, so the round is over at once."""
    state = with_company(Ana=50, Ben=200, Cleo=200, Dan=10)
    state = stock_round(state, "Ben")
    after = play(state, Pass(), Pass())
    assert after.round.kind == "OR"
    assert list(after.players) == ["Ben", "Cleo", "Ana", "Dan"]


@rule("ESP-3.3-g")
def test_the_money_of_companies_does_not_count() -> None:
    state = cash(with_company(Ana=200, Ben=300, Cleo=250, Dan=220), CM=2000)
    assert list(finish(state).state.players) == ["Ben", "Cleo", "Dan", "Ana"]
