"""What comes with private companies: a starting value to set, a train to choose, purchases."""

from __future__ import annotations

from carril.engine.actions import ChooseSide, Pass, StartCompany
from carril.page.panels.base import Panel, Scene, panel


@panel("set-par")
def set_par(scene: Scene) -> Panel:
    """Return a button for each starting value."""
    company = scene.step.company
    choices = [
        scene.choice(
            StartCompany(company, par.price), "privates.par", price=scene.words.money(par.price)
        )
        for par in sorted(scene.state.tables.pars, key=lambda par: par.price)
    ]
    return Panel(
        "founding",
        scene.words.say("privates.set-par", player=scene.actor, company=company),
        {"company": company, "choices": choices},
        stage="market",
    )


@panel("private-train", action=ChooseSide)
def side(scene: Scene) -> Panel:
    """Return the sides of the train card that comes with a private."""
    company = scene.step.company
    choices = [
        scene.choice(option, "privates.side", train=option.train) for option in scene.of(ChooseSide)
    ]
    return Panel(
        "founding",
        scene.words.say("privates.choose-side", company=company),
        {"company": company, "choices": choices},
        stage="trains",
    )


@panel("privates")
def purchases(scene: Scene) -> Panel:
    """Return the pass; what can be bought is shown with every panel of a turn."""
    return Panel(
        "choices",
        scene.words.say("privates.purchases", company=scene.step.company),
        main=(scene.choice(Pass(), "privates.no-purchase"),),
        model={"choices": []},
    )
