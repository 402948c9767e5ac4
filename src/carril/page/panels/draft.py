"""A draft: the players take cards at fixed prices, one at a time."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import ChooseLot, Pass
from carril.page.assets import private_card
from carril.page.panels.base import Panel, Scene, panel


@panel("draft")
def draft(scene: Scene) -> Panel:
    """Return the cards that are left, each with a button or the reason against it."""
    cash = scene.state.players[scene.actor].cash
    left = [symbol for symbol, owner in scene.answers.privates(scene.state).items() if not owner]
    return Panel(
        "draft",
        scene.words.say("draft.sentence", player=scene.actor),
        {
            "cash": cash,
            "lots": [_lot(scene, symbol) for symbol in left],
        },
        main=(scene.choice(Pass(), "draft.pass"),),
        stage="market",
    )


def _lot(scene: Scene, symbol: str) -> dict[str, Any]:
    card = private_card(scene.state, scene.words, symbol)
    choice = scene.choice(ChooseLot(symbol), "draft.take", lot=symbol)
    return card | {"choice": choice}
