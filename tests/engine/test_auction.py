"""The auction: what the rules of a title decide."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest

from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.events import LotSold
from carril.engine.move import Move
from carril.engine.play import Outcome
from carril.engine.registry import TITLES
from carril.engine.state import State
from carril.engine.steps.auction import Auction, AuctionRules
from tests.rulebook.esp.positions import game as privates_game
from tests.table import at, code, events, game, play


def use(monkeypatch: pytest.MonkeyPatch, rules: AuctionRules) -> State:
    """Return a game whose title has other rules for its auction."""
    title = game().title
    monkeypatch.setitem(TITLES, title.name, changed(title, auction=rules))
    return game()


def sold(outcome: Outcome) -> list[LotSold]:
    """Return the sales of an action."""
    return [event for event in outcome.events if isinstance(event, LotSold)]


def test_only_what_the_title_has_is_handled() -> None:
    minors, privates = game(), privates_game()
    assert {ChooseLot, Accept} <= set(minors.step.allowed(minors))
    assert set(privates.step.allowed(privates)) == {Bid, Pass}
    assert code(privates, ChooseLot("P2")) == "not-now"


def test_lots_follow_one_another_and_are_paid_to_the_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def lots(state: State) -> list[str]:
        return [lot for lot in ("A", "B") if lot not in taken]

    ended: list[str] = []

    def finish(move: Move, opener: str) -> None:
        ended.append(opener)
        move.pop()

    rules = AuctionRules(lots=lots, finish=finish)
    state = use(monkeypatch, rules)
    state = at(state, Auction("Ana", "Ana"))
    assert isinstance(state.step, Auction)
    assert (state.step.lot, state.step.least) == ("A", 100)
    state = play(state, Bid(100), Pass(), Pass())
    taken.append("A")
    outcome = state.apply(Pass())
    assert sold(outcome) == [LotSold("Ana", "A", 100)]
    assert outcome.state.bank == state.bank + 100
    step = outcome.state.step
    assert isinstance(step, Auction)
    assert (step.lot, step.opener) == ("B", "Ben")
    taken.append("B")
    assert not play(outcome.state, Bid(100), Pass(), Pass(), Pass()).agenda
    assert ended == ["Cleo"]


def test_a_pass_before_the_first_bid_may_be_final_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    state = play(game(), ChooseLot("8"), Pass(), Bid(100), Pass(), Pass())
    assert state.acting == "Ana"
    rules = changed(state.title.auction, pass_is_final=True)
    state = use(monkeypatch, rules)
    told = events(play(state, ChooseLot("8"), Pass(), Bid(100), Pass()), Pass())
    assert LotSold("Ben", "8", 100) in told


def test_a_lot_that_is_no_private_company_is_no_private() -> None:
    minors, privates = play(game(), ChooseLot("8")).step, privates_game().step
    assert isinstance(minors, Auction)
    assert isinstance(privates, Auction)
    assert (minors.lot, minors.private) == ("8", "")
    assert privates.private == privates.lot == "P1"


def test_the_opener_of_a_lot_may_be_bound_to_bid(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = AuctionRules(lots=lambda state: ("A",), opener_must_bid=True)
    state = at(use(monkeypatch, rules), Auction("Ana", "Ana"))
    assert code(state, Pass()) == "must-open"
    assert not any(isinstance(option, Pass) for option in state.options())
    assert code(play(state, Bid(100)), Pass()) == ""
