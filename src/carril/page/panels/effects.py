"""What an action would do, found by applying it to the position."""

from __future__ import annotations

from carril.engine.actions import Accept, Action
from carril.engine.asides import takes
from carril.engine.market import price
from carril.engine.state import State
from carril.page.panels.base import Scene


def effect(scene: Scene, action: Action, company: str) -> str:
    """Return the change of a company's price and presidency as short text; "" if refused."""
    outcome = scene.after(action)
    if outcome is None:
        return ""
    before, after = scene.state, outcome.state
    changes = [price_move(scene, price(before, company), price(after, company))]
    old, new = before.companies[company].owner, after.companies[company].owner
    if old != new and new:
        changes.append(scene.words.say("effect.president", player=new))
    return " · ".join(changes)


def price_move(scene: Scene, old: int, new: int) -> str:
    """Return a change of a price as short text."""
    words = scene.words
    if old == new:
        return words.say("effect.price-stays", price=words.money(old))
    return words.say("effect.price", old=words.money(old), new=words.money(new))


def cost(scene: Scene, action: Action, company: str) -> int:
    """Return what a company pays for an action; 0 if it is refused."""
    outcome = scene.after(action)
    if outcome is None:
        return 0
    return scene.state.companies[company].cash - outcome.state.companies[company].cash


def asked(scene: Scene, action: Action) -> str:
    """Return the player who would be asked before an action takes effect, or ""."""
    outcome = scene.after(action)
    return who_is_asked(scene.state, outcome.state) if outcome else ""


def who_is_asked(before: State, after: State) -> str:
    """Return the player whose answer an action now waits for, or ""."""
    waits = len(after.agenda) > len(before.agenda) and takes(after, Accept)
    return after.acting or "" if waits and after.acting != before.acting else ""
