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
    return Panel(
        "payout",
        words.say("payout.sentence", company=step.company, earnings=words.money(step.earnings)),
        {
            "company": step.company,
            "earnings": step.earnings,
            "notes": charter_notes(scene.state, words, scene.state.companies[step.company]),
            "ways": [_way(scene, option) for option in scene.of(DeclareDividend)],
        },
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
    return {
        "choice": scene.choice(option, f"payout.{option.kind}", look="primary", company=company),
        "paid": paid,
        "kept": after.companies[company].cash - before.companies[company].cash,
        "price": price_move(scene, price(before, company), price(after, company)),
    }
