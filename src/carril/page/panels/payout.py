"""Dividing the earnings, with what each choice pays and does to the price."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import DeclareDividend
from carril.engine.market import price
from carril.page.assets import charter_notes
from carril.page.panels.base import Panel, Scene, panel
from carril.page.panels.effects import price_move


@panel("earnings")
def payout(scene: Scene) -> Panel:
    """Return the choices with their consequences, found by applying each."""
    step, words = scene.step, scene.words
    ways = [_way(scene, option) for option in scene.of(DeclareDividend)]
    return Panel(
        "payout",
        words.say("payout.sentence", company=step.company, earnings=words.money(step.earnings)),
        {
            "company": step.company,
            "earnings": step.earnings,
            "notes": charter_notes(scene.state, words, scene.state.companies[step.company]),
            "ways": ways,
        },
        main=tuple(way["choice"] for way in ways),
        stage="market",
    )


def _way(scene: Scene, option: DeclareDividend) -> dict[str, Any]:
    before, company = scene.state, scene.step.company
    outcome = scene.after(option)
    after = outcome.state if outcome else before
    paid = {
        name: after.players[name].cash - player.cash
        for name, player in before.players.items()
        if after.players[name].cash != player.cash
    }
    move = price_move(scene, price(before, company), price(after, company))
    kept = after.companies[company].cash - before.companies[company].cash
    choice = scene.choice(
        option,
        f"payout.{option.kind}",
        look="primary" if option.kind == "full" else "",
        company=company,
        move=move,
        own=scene.words.money(paid.get(scene.actor, 0)),
        kept=scene.words.money(kept),
    )
    return {"choice": choice, "paid": paid, "kept": kept, "price": move}
