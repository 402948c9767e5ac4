"""The actions that are worth comparing: the planner's choice, and the best of each kind."""

from __future__ import annotations

from collections.abc import Iterator

from carril.bots.bot import Decision
from carril.bots.greedy.sight import agreed
from carril.bots.search.values import final_worth, utility
from carril.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    DeclareDividend,
    LayTile,
    Option,
    Pass,
    PlaceToken,
    Range,
    RunTrains,
    SellShares,
    StartCompany,
)
from carril.engine.state import State

SEARCHED: tuple[type[Action], ...] = (
    StartCompany,
    BuyShare,
    SellShares,
    DeclareDividend,
    BuyTrain,
)
"""The kinds of decisions that are searched."""
LEFT_ALONE: tuple[type[Action], ...] = (LayTile, PlaceToken, RunTrains)
"""A decision in which these are possible is the planner's."""
MOST = 4
"""How many actions are compared."""
LOOKED_AT = 20
"""How many options are looked at to find them."""


def searched(state: State) -> bool:
    """Return whether a decision is worth a search."""
    kinds = state.kinds()
    if any(issubclass(kind, LEFT_ALONE) for kind in kinds):
        return False
    return any(issubclass(kind, SEARCHED) for kind in kinds)


def candidates(state: State, choice: Decision) -> list[Action]:
    """Return the choice of the planner, then the other actions that promise most.

    Of every kind the best one by the forecast comes first.
    """
    me = state.acting or ""
    rows = [
        (utility(final_worth(agreed(state, action)), me), action)
        for action in _proposed(state)
        if action != choice.action
    ]
    rows.sort(key=lambda row: -row[0])
    leaders: dict[type[Action], Action] = {}
    for _, action in rows:
        leaders.setdefault(type(action), action)
    first = list(leaders.values())
    rest = [action for _, action in rows if action not in first]
    return [choice.action, *first, *rest][:MOST]


def _proposed(state: State) -> list[Action]:
    """Return some options of the kinds that are searched, and the pass."""
    found = [one for option in state.options(*SEARCHED, Pass) for one in _amounts(option)]
    starts = [one for one in found if isinstance(one, StartCompany)]
    if len(found) > LOOKED_AT and starts:
        found = [one for one in found if not isinstance(one, StartCompany)]
        found += _extremes(starts)
    return found[:LOOKED_AT]


def _extremes(starts: list[StartCompany]) -> Iterator[StartCompany]:
    """Yield for each company the start at the highest value, then at the lowest."""
    by_company: dict[str, list[StartCompany]] = {}
    for one in sorted(starts, key=lambda start: start.price):
        by_company.setdefault(one.company, []).append(one)
    yield from (found[-1] for found in by_company.values())
    yield from (found[0] for found in by_company.values() if len(found) > 1)


def _amounts(option: Option) -> tuple[Action, ...]:
    """Return an option at its least and its most; of bids and prices only the least."""
    if not isinstance(option, Range):
        return (option,)
    if isinstance(option.action, SellShares) and option.least < option.most:
        return option.at(option.least), option.at(option.most)
    return (option.at(option.least),)
