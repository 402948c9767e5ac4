"""Options with an estimate for each: what the player would be worth at the end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from carril.bots.bot import Decision
from carril.bots.forecast import forecast
from carril.bots.greedy.sight import agreed
from carril.engine.actions import Action, GoBankrupt, Option, Range
from carril.engine.state import State

PER_KIND = 4
"""How many options of one kind are estimated besides the choice."""
MOST = 16
"""How many options are estimated."""


class Ranked(Struct, frozen=True):
    """An option, what its player is expected to be worth at the end, and why it is good or not."""

    action: Action
    estimate: int
    reason: str


def ranked(state: State, choice: Decision, most: int = 3) -> tuple[Ranked, ...]:
    """Return a bot's choice, and after it the options with the highest estimates."""
    me = state.acting or ""
    first = Ranked(choice.action, estimate(state, choice.action, me), choice.reason)
    others = [
        (estimate(state, action, me), number, action)
        for number, action in enumerate(_candidates(state))
        if action != choice.action
    ]
    others.sort(key=lambda row: (-row[0], row[1]))
    rest = tuple(
        Ranked(action, value, _compared(value, first.estimate))
        for value, _, action in others[: most - 1]
    )
    return (first, *rest)


def estimate(state: State, action: Action, player: str) -> int:
    """Return what a player is expected to be worth at the end after an action."""
    return forecast(agreed(state, action)).worth[player]


def _compared(value: int, chosen: int) -> str:
    """Return how an option compares with the choice, by the forecast."""
    if value == chosen:
        return "the forecast sees no difference, but the planner's rules prefer the first choice"
    if value > chosen:
        more = value - chosen
        return f"the forecast sees {more} more in it, but the planner's rules prefer the first"
    return f"the forecast sees {chosen - value} less in it than in the first choice"


def _candidates(state: State) -> Iterator[Action]:
    """Yield some options of every kind, an amount at its least and its most."""
    counts: dict[type[Action], int] = {}
    found = 0
    for option in state.options():
        for action in _amounts(option):
            kind = type(action)
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] > PER_KIND or kind is GoBankrupt or found >= MOST:
                continue
            found += 1
            yield action


def _amounts(option: Option) -> tuple[Action, ...]:
    if not isinstance(option, Range):
        return (option,)
    if option.least == option.most:
        return (option.at(option.least),)
    return option.at(option.least), option.at(option.most)
