"""The game is over: who won, and how."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.state import State
from carril.engine.worth import share_worth
from carril.page.panels.base import Panel, Scene


def over(scene: Scene) -> Panel:
    """Return the final standing, with everything that a worth is made of."""
    result = scene.state.result or {}
    most = next(iter(result.values()), 0)
    rows = [
        {"place": 1 if name in scene.state.winners else place, "behind": max(0, most - worth)}
        | _row(scene.state, name, worth)
        for place, (name, worth) in enumerate(result.items(), start=1)
    ]
    sentence = scene.words.say(f"over.{scene.state.ended}")
    parts = [key for key in ("debt", "other") if any(row[key] for row in rows)]
    return Panel("over", sentence, {"rows": rows, "parts": parts, "won": _won(scene)}, stage="map")


def _won(scene: Scene) -> str:
    """Return who won: one player, or several who share the victory."""
    names = list(scene.state.winners or ())
    if not names:
        return ""
    worth = scene.words.money((scene.state.result or {})[names[0]])
    if len(names) == 1:
        return scene.words.say("over.won", player=names[0], worth=worth)
    return scene.words.say("over.shared", players=", ".join(names), worth=worth)


def _row(state: State, name: str, worth: int) -> dict[str, Any]:
    """Return the parts of a player's worth; the last is what is neither cash, shares nor debt."""
    player, shares = state.players[name], share_worth(state, name)
    debt = _debt(state, name, worth)
    return {
        "player": name,
        "worth": worth,
        "cash": player.cash,
        "shares": shares,
        "debt": -debt,
        "other": worth + debt - player.cash - shares,
        "bankrupt": player.bankrupt,
    }


def _debt(state: State, name: str, worth: int) -> int:
    """Return what a player's debt costs with its interest: what they would be worth more."""
    player = state.players[name]
    if not player.debt:
        return 0
    free = replace(state, players={**state.players, name: replace(player, debt=0)})
    return state.title.worth(free, name) - worth
