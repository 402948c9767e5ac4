"""What can be done at any moment besides the decision that is due."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Action, BuyPrivate, BuyTender, Range
from carril.engine.asides import open_asides
from carril.page.assets import private_card
from carril.page.panels.base import Choice, Scene
from carril.page.panels.effects import asked, cost
from carril.page.panels.plain import plain_amount, plain_choice


def asides(scene: Scene) -> dict[str, Any]:
    """Return the private companies and tenders on offer, and any other action as a plain button."""
    kinds = tuple(aside.action for aside in open_asides(scene.state))
    if not kinds:
        return {}
    others = tuple(kind for kind in kinds if kind not in (BuyPrivate, BuyTender))
    found = {
        "privates": [_private(scene, option) for option in scene.ranges(BuyPrivate)],
        "tenders": [_tender(scene, option) for option in scene.of(BuyTender)],
        "amounts": [plain_amount(o) for kind in others for o in scene.ranges(kind)],
        "choices": [plain_choice(o) for kind in others for o in _of(scene, kind)],
    }
    return found if any(found.values()) else {}


def _of(scene: Scene, kind: type[Action]) -> list[Action]:
    return scene.of(kind)


def _private(scene: Scene, option: Range) -> dict[str, Any]:
    """Return a private company with a field for its price; its owner may have to agree."""
    assert isinstance(option.action, BuyPrivate)
    symbol = option.action.private
    asks = asked(scene, option.action)
    key = "privates.offer" if asks else "privates.buy"
    card = private_card(scene.state, scene.words, symbol)
    return card | {"asks": bool(asks), "amount": scene.amount(option, key, private=symbol)}


def _tender(scene: Scene, option: BuyTender) -> Choice:
    price = cost(scene, option, scene.state.step.subject)
    key = f"privates.tender-{option.source}"
    return scene.choice(option, key, cost=scene.words.money(price))
