"""Yes or no: an offer for a train, a consent, a token in a minor's place."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Accept, Decline
from carril.page.panels.base import Panel, Scene, panel
from carril.page.places import hex_name


@panel("consent", "train-offer", "token-choice")
def answer(scene: Scene) -> Panel:
    """Return the question with what hangs on it, and the two answers."""
    step = scene.step
    kind = type(step).__struct_config__.tag
    facts = _facts(scene)
    hex_id = getattr(step, "hex", "")
    return Panel(
        "answer",
        scene.words.say(f"answer.{kind}", **facts),
        {
            "facts": scene.words.say(f"answer.{kind}-more", **facts),
            "company": step.company,
            "other": getattr(step, "seller", "") or getattr(step, "minor", ""),
            "choices": [
                scene.choice(Accept(), f"answer.{kind}-yes", look="primary", **facts),
                scene.choice(Decline(), f"answer.{kind}-no", **facts),
            ],
        },
        lit={hex_id: scene.words.say(f"answer.{kind}-lit", **facts)} if hex_id else {},
    )


def _facts(scene: Scene) -> dict[str, Any]:
    state, step = scene.state, scene.step
    buyer = state.companies[step.company]
    facts: dict[str, Any] = {"company": step.company, "player": scene.actor}
    facts["asker"] = buyer.owner
    facts["tokens"] = buyer.tokens
    for name in ("seller", "train", "minor", "tile"):
        facts[name] = getattr(step, name, "")
    if hasattr(step, "price"):
        facts["price"] = scene.words.money(step.price)
        facts["cash"] = scene.words.money(buyer.cash)
    if hasattr(step, "hex"):
        facts["hex"] = hex_name(state, step.hex)
    return facts
