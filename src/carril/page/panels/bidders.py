"""The players in an auction."""

from __future__ import annotations

from typing import Any

from carril.page.panels.base import Scene


def bidders(scene: Scene, auctioneer: str) -> list[dict[str, Any]]:
    """Return the players with their cash: who leads, who is asked, who is out."""
    step = scene.step
    return [
        {
            "player": name,
            "cash": player.cash,
            "out": name in step.out,
            "leads": name == step.bidder,
            "asked": name == step.turn,
            "auctioneer": name == auctioneer,
        }
        for name, player in scene.state.players.items()
    ]
