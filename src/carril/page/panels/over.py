"""The game is over: who won, and how."""

from __future__ import annotations

from carril.engine.worth import share_worth
from carril.page.panels.base import Panel, Scene


def over(scene: Scene) -> Panel:
    """Return the final standing."""
    state, result = scene.state, scene.state.result or {}
    most = next(iter(result.values()), 0)
    rows = [
        {
            "place": 1 if name in state.winners else number,
            "behind": max(0, most - worth),
            "player": name,
            "worth": worth,
            "cash": state.players[name].cash,
            "shares": share_worth(state, name),
            "bankrupt": state.players[name].bankrupt,
        }
        for number, (name, worth) in enumerate(result.items(), start=1)
    ]
    sentence = scene.words.say(f"over.{state.ended}")
    return Panel("over", sentence, {"rows": rows, "won": _won(scene)}, stage="map")


def _won(scene: Scene) -> str:
    """Return who won: one player, or several who share the victory."""
    names = list(scene.state.winners or ())
    if not names:
        return ""
    worth = scene.words.money((scene.state.result or {})[names[0]])
    if len(names) == 1:
        return scene.words.say("over.won", player=names[0], worth=worth)
    return scene.words.say("over.shared", players=", ".join(names), worth=worth)
