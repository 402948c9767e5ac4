"""What a title keeps beside shares and trains: privates, tenders, goals, debts.

Titles that have such things keep them in their own part of the state under these names; for the
others there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carril.engine.state import Company, State
from carril.page.places import hex_name
from carril.page.words import Words


def remembered(state: State, name: str, otherwise: Any) -> Any:
    """Return a field of what only the title remembers."""
    return getattr(state.extra, name, otherwise)


def private_owners(state: State) -> Mapping[str, str]:
    """Return the open privates and their owners; "" before they are sold."""
    owners: Mapping[str, str] = remembered(state, "privates", {})
    return owners


def private(state: State, words: Words, symbol: str) -> dict[str, Any]:
    """Return a private as a card: name, income, what it can do."""
    plans = {plan.symbol: plan for plan in getattr(state.tables.figures, "private", ())}
    plan = plans[symbol]
    facts = {
        "share": remembered(state, "share_6", ""),
        "director": remembered(state, "director_7", ""),
        "left": remembered(state, "tenders_private", 0),
    }
    return {
        "symbol": symbol,
        "name": plan.name,
        "income": plan.income,
        "power": words.say(f"power.{state.setup.title}-{symbol}", **facts),
        "owner": private_owners(state).get(symbol, ""),
    }


def privates_of(state: State, words: Words, owner: str) -> list[dict[str, Any]]:
    """Return the open privates of a player or a company."""
    return [private(state, words, p) for p, o in private_owners(state).items() if o == owner]


def notes(state: State, words: Words, company: Company) -> list[tuple[str, str]]:
    """Return what else a charter shows: goals, stations still locked, a tender, a standing."""
    found = []
    if goals := _goals(state, words, company):
        found.append((words.say("card.goals"), goals))
    if company.locked:
        found.append((words.say("card.locked"), words.say("card.locked-more", n=company.locked)))
    if company.symbol in remembered(state, "tenders", ()):
        found.append((words.say("card.tender"), words.say("card.tender-more")))
    if train := remembered(state, "resting", {}).get(company.symbol):
        found.append((words.say("card.resting"), train))
    if company.symbol in remembered(state, "frozen", ()):
        found.append((words.say("card.standing"), words.say("card.frozen")))
    return found


def _goals(state: State, words: Words, company: Company) -> str:
    """Return the goals, those reached marked."""
    reached = remembered(state, "goals", {}).get(company.symbol, ())
    destination = state.tables.companies[company.symbol].destination
    place = hex_name(state, destination) if destination else ""
    return " · ".join(
        f"{'✓' if goal in reached else '○'} {words.say(f'goal.{what}', place=place)}"
        for goal, what in state.title.goals(state, company.symbol).items()
    )
