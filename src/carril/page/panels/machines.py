"""Buying machines: a button for each generation, with its price."""

from __future__ import annotations

from carril.engine.actions import BuyMachine, Pass
from carril.page.assets import charter_notes
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import cost


@panel("machines")
def machines(scene: Scene) -> Panel:
    """Return the generations with their prices, and the reason where one cannot be bought."""
    company = scene.state.companies[scene.step.company]
    names = scene.answers.machine_generations(scene.state)
    return Panel(
        "machines",
        scene.words.say("machines.sentence", company=company.symbol),
        {
            "company": company.symbol,
            "cash": company.cash,
            "notes": charter_notes(scene.state, scene.words, company),
            "choices": [_machine(scene, name) for name in names],
        },
        main=(scene.choice(Pass(), "machines.pass"),),
        stage="trains",
    )


def _machine(scene: Scene, generation: str) -> Choice:
    action = BuyMachine(generation, by=scene.actor)
    price = cost(scene, action, scene.step.company)
    key = "machines.buy" if price else "machines.locked"
    return scene.choice(action, key, generation=generation, price=scene.words.money(price))
