"""The second bookkeeping: it agrees with every position, and notices what has no event."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from carril.bots import Dice, bot_named
from carril.cli.wall import Outcome, Plan, ledger_outcome, plans
from carril.engine.events import (
    Event,
    MoneyPaid,
    PriceMoved,
    ShareBought,
    TileLaid,
    TokenPlaced,
    TrainBought,
)
from carril.engine.play import start
from carril.engine.registry import title_names
from carril.engine.state import State
from carril.notation.ledger import ACCOUNTS, Ledger

PLANS = [plan for plan in plans(title_names(), 1, 6, editions=True) if plan.players == 4]


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_every_position_agrees(plan: Plan) -> None:
    """A game may end before 250 actions, where the first bankruptcy ends it."""
    outcome = ledger_outcome(plan, most=250)
    assert outcome == Outcome(plan, outcome.actions), "nothing is wrong"
    assert 100 < outcome.actions <= 250


def moves(most: int = 400) -> Iterator[tuple[State, tuple[Event, ...], State]]:
    """Yield the moves of a game: the position, what happened, the next position."""
    state, dice, bot = start("18EU", ("Ana", "Ben", "Cleo"), 5), Dice(5), bot_named("random")
    for _ in range(most):
        outcome = state.apply(bot.choose(state, dice).action)
        yield state, outcome.events, outcome.state
        state = outcome.state


@pytest.mark.parametrize(
    ("kind", "account"),
    [
        (MoneyPaid, "cash"),
        (ShareBought, "shares"),
        (TrainBought, "trains"),
        (TokenPlaced, "tokens"),
        (PriceMoved, "prices"),
        (TileLaid, "tiles"),
    ],
)
def test_a_missing_event_shows(kind: type[Event], account: str) -> None:
    for before, events, after in moves():
        rest = [event for event in events if not isinstance(event, kind)]
        if len(rest) == len(events):
            continue
        ledger = Ledger(before)
        ledger.enter_all(rest)
        assert ledger.difference(after).startswith(f"{account}: ")
        return
    raise AssertionError(f"no {kind.__name__} in the game")


def test_the_difference_names_both_values() -> None:
    state = start("18EU", ("Ana", "Ben", "Cleo"), 1)
    ledger = Ledger(state)
    assert ledger.difference(state) == ""
    richer = replace(state, bank=state.bank + 1)
    wanted = f"cash: bank {state.bank} by the events, {state.bank + 1} in the position"
    assert ledger.difference(richer) == wanted


def test_every_account_is_counted_in_a_position() -> None:
    state = start("18EU", ("Ana", "Ben", "Cleo"), 1)
    accounts = {name for name in vars(Ledger(state)) if not name.startswith("_")}
    assert accounts == set(ACCOUNTS)
