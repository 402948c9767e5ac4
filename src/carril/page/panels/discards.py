"""Giving up a train: because of the limit, or voluntarily."""

from __future__ import annotations

from carril.engine.actions import DiscardTrain, Pass
from carril.page.panels.base import Panel, Scene, panel


@panel("discards", action=DiscardTrain)
def discards(scene: Scene) -> Panel:
    """Return a button for each train; disabled for those that must be kept."""
    company = scene.state.companies[scene.step.subject]
    choices = [
        scene.choice(DiscardTrain(train), "discards.give", train=train)
        for train in dict.fromkeys(company.trains)
    ]
    if scene.has(Pass):
        choices.append(scene.choice(Pass(), "discards.keep"))
    return Panel(
        "choices",
        scene.words.say("discards.sentence", company=company.symbol),
        main=tuple(choices),
        model={"company": company.symbol, "choices": []},
        stage="trains",
    )
