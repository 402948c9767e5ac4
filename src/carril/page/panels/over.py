"""The game is over: who won, and how."""

from __future__ import annotations

from carril.engine.worth import share_worth
from carril.page.panels.base import Panel, Scene


def over(scene: Scene) -> Panel:
    """Return the final standing."""
    state = scene.state
    rows = [
        {
            "place": place,
            "player": name,
            "worth": worth,
            "cash": state.players[name].cash,
            "shares": share_worth(state, name),
            "bankrupt": state.players[name].bankrupt,
        }
        for place, (name, worth) in enumerate((state.result or {}).items(), start=1)
    ]
    sentence = scene.words.say(f"over.{state.ended}")
    return Panel("over", sentence, {"rows": rows}, stage="map")
