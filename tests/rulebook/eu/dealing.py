"""Walking through a game: passing on, with what happens on the way."""

from __future__ import annotations

from collections.abc import Callable

from carril.engine.actions import Action, BuyTrain, Pass
from carril.engine.events import Event, RoundBegan
from carril.engine.play import Outcome
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import stack_top, train_def
from tests.table import at, cash, charter, plain, play


def why(state: State, action: Action) -> str:
    """Return the code of a refusal, also for a player whose turn it is not."""
    refusal = state.refusal(action)
    return refusal.code if refusal else ""


def idle(state: State) -> Outcome:
    """Pass, or take the first option where one must act."""
    if state.refusal(Pass()) is None:
        return state.apply(Pass())
    return state.apply(plain(state.options()[0]))


def go_on(state: State, until: Callable[[State], bool], limit: int = 500) -> Outcome:
    """Pass on until the position is as wanted; return it with everything that happened."""
    told: list[Event] = []
    for _ in range(limit):
        if until(state):
            return Outcome(state, tuple(told))
        outcome = idle(state)
        told += outcome.events
        state = outcome.state
    raise AssertionError("the position wanted never comes")


def to_round(state: State, name: str) -> Outcome:
    """Pass on until this round has begun."""
    return go_on(state, lambda now: str(now.round) == name)


def turn_of(state: State, player: str) -> State:
    """Pass on until it is this player's turn."""
    return go_on(state, lambda now: now.acting == player).state


def rounds(told: tuple[Event, ...]) -> list[str]:
    """Return the rounds that began, in order."""
    return [event.round for event in told if isinstance(event, RoundBegan)]


def space(state: State, company: str) -> tuple[int, int]:
    """Return row and column of a price."""
    return next((m.row, m.column) for m in state.markers if m.company == company)


def buying(state: State, company: str, money: int = 3000, trains: tuple[str, ...] = ()) -> State:
    """Put a company with so much money and these trains before its train step."""
    key = f"m{company}" if company.isdigit() else company
    state = charter(cash(state, **{key: money}), company, trains=trains)
    return at(state, BuyTrains(company))


def top(state: State) -> BuyTrain:
    """Return the purchase of the topmost train of the stack."""
    name = stack_top(state)
    return BuyTrain(name, "stack", train_def(state, name).price)


def buy_top(state: State, company: str) -> State:
    """Let a company without a train buy the topmost one."""
    state = buying(state, company)
    return play(state, top(state))
