"""What can be done at any moment besides the decision that is due."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Action, BuyPrivate, BuyTender, PlaceBonus, Range
from carril.engine.asides import open_asides
from carril.page.assets import private_card
from carril.page.numbers import usual_price
from carril.page.panels.base import Balance, Choice, Scene
from carril.page.panels.effects import asked, cost
from carril.page.panels.plain import plain_amount, plain_choice


def asides(scene: Scene) -> dict[str, Any]:
    """Return privates and tenders on offer, bonuses to place, and others as plain buttons."""
    kinds = tuple(aside.action for aside in open_asides(scene.state))
    if not kinds:
        return {}
    others = tuple(kind for kind in kinds if kind not in (BuyPrivate, BuyTender, PlaceBonus))
    found: dict[str, Any] = {
        "bonuses": [_bonus(scene, option) for option in scene.of(PlaceBonus)],
        "privates": [_private(scene, option) for option in scene.ranges(BuyPrivate)],
        "tenders": [_tender(scene, option) for option in scene.of(BuyTender)],
        "amounts": [plain_amount(o) for kind in others for o in scene.ranges(kind)],
        "choices": [plain_choice(o) for kind in others for o in _of(scene, kind)],
    }
    if not any(found.values()):
        return {}
    key = "privates.aside" if found["privates"] or found["tenders"] else "bonus.aside"
    return found | {"heading": scene.words.say(key)}


def _of(scene: Scene, kind: type[Action]) -> list[Action]:
    return scene.of(kind)


def _private(scene: Scene, option: Range) -> dict[str, Any]:
    """Return a private company with a field for its price; its owner may have to agree."""
    assert isinstance(option.action, BuyPrivate)
    symbol = option.action.private
    asks = asked(scene, option.action)
    key = "privates.offer" if asks else "privates.buy"
    card = private_card(scene.state, scene.words, symbol)
    balances = _balances(scene, card["owner"])
    amount = scene.amount(
        option, key, now=usual_price(scene.state, option), balances=balances, private=symbol
    )
    return card | {"asks": bool(asks), "amount": amount}


def _balances(scene: Scene, owner: str) -> tuple[Balance, ...]:
    """Return what the buying company and the owner of a private have after a deal."""
    state, buyer = scene.state, scene.state.step.subject
    found = [Balance(buyer, state.companies[buyer].cash, -1)] if buyer else []
    if owner in state.players:
        found.append(Balance(owner, state.players[owner].cash, 1))
    return tuple(found)


def _bonus(scene: Scene, option: PlaceBonus) -> Choice:
    """Return a button that places the bonus of a concession in a company."""
    key = "bonus.place-choice" if option.choice else "bonus.place"
    return scene.choice(
        option, key, concession=option.concession, company=option.company, choice=option.choice
    )


def _tender(scene: Scene, option: BuyTender) -> Choice:
    price = cost(scene, option, scene.state.step.subject)
    key = f"privates.tender-{option.source}"
    return scene.choice(option, key, cost=scene.words.money(price))
