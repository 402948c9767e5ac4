"""The planner keeps earnings only if its president gains more than a dividend by it."""

from __future__ import annotations

from functools import cache

import pytest

from carril import start
from carril.bots import Dice, GreedyBot, PlannerBot
from carril.bots.greedy import outlook
from carril.bots.planner.earnings import bought, buyers, forgone
from carril.engine.actions import DeclareDividend
from carril.engine.asides import takes
from carril.engine.market import price
from carril.engine.state import State


@cache
def dividends() -> tuple[State, ...]:
    """Return the positions of a game in which the greedy bot keeps the earnings of a company."""
    state, dice = start("18Cuba", ["Ana", "Ben", "Cleo", "Dan"], seed=1), Dice(1)
    found = []
    while not state.finished:
        action = GreedyBot().choose(state, dice).action
        if action == DeclareDividend("withhold", by=state.acting or "") and choices(state):
            found.append(state)
        state = state.apply(action).state
    return tuple(found)


def choices(state: State) -> dict[str, DeclareDividend]:
    """Return the choices where a dividend can be paid in full or kept, else none."""
    if not takes(state, DeclareDividend):
        return {}
    found = {one.kind: one for one in state.options() if isinstance(one, DeclareDividend)}
    return found if {"full", "withhold"} <= set(found) else {}


def decided(state: State) -> str:
    action = PlannerBot().choose(state, Dice(1)).action
    assert isinstance(action, DeclareDividend)
    return action.kind


def test_a_dividend_is_kept_only_for_a_train_that_brings_more() -> None:
    paid = 0
    for state in dividends():
        company, me, found = state.companies[state.step.subject], state.acting or "", choices(state)
        earned: int = getattr(state.step, "earnings")  # noqa: B009  (a field of this step only)
        with outlook.careful(PlannerBot().care):
            brings = bought(state, company, me, earned)
        cost = forgone(state, me, found["full"], found["withhold"])
        if brings <= cost and earned:
            assert decided(state) == "full"
            paid += 1
    assert paid


def test_nothing_is_kept_in_the_last_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "rounds_left", lambda state: 1)
    earning = [one for one in dividends() if getattr(one.step, "earnings", 0)]
    assert earning
    assert {decided(state) for state in earning} == {"full"}


def test_keeping_costs_the_dividend_and_the_fall_of_the_shares() -> None:
    state = next(one for one in dividends() if getattr(one.step, "earnings", 0))
    found, me, symbol = choices(state), state.acting or "", state.step.subject
    paid, kept = (state.apply(found[kind]).state for kind in ("full", "withhold"))
    cash = paid.players[me].cash - kept.players[me].cash
    fall = price(paid, symbol) - price(kept, symbol)
    assert cash > 0
    assert fall > 0
    held = state.companies[symbol].held(me)
    assert forgone(state, me, found["full"], found["withhold"]) == cash + held * fall


def test_late_only_companies_without_a_train_are_expected_to_buy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states = dividends()
    monkeypatch.setattr(outlook, "rounds_left", lambda state: 6)
    early = [buyers(state) for state in states]
    monkeypatch.setattr(outlook, "rounds_left", lambda state: 2)
    late = [buyers(state) for state in states]
    assert sum(late) < sum(early)
    assert all(one <= other for one, other in zip(late, early, strict=True))
