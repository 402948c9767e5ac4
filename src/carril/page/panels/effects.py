"""What an action would do, found by trying it on the frozen position."""

from __future__ import annotations

from carril.engine.actions import Action
from carril.engine.market import price
from carril.page.panels.base import Scene


def effect(scene: Scene, action: Action, company: str) -> str:
    """Return what becomes of a company's price and presidency, as short text; "" if refused."""
    outcome = scene.after(action)
    if outcome is None:
        return ""
    before, after = scene.state, outcome.state
    told = [price_move(scene, company, price(before, company), price(after, company))]
    old, new = before.companies[company].owner, after.companies[company].owner
    if old != new and new:
        told.append(scene.words.say("effect.president", player=new))
    return " · ".join(told)


def price_move(scene: Scene, company: str, old: int, new: int) -> str:
    """Return a move of a price as short text."""
    words = scene.words
    if old == new:
        return words.say("effect.price-stays", price=words.money(old))
    return words.say("effect.price", old=words.money(old), new=words.money(new))
