"""Yes or no: an offer for a train, a private or a minor, a consent, a token in a minor's place."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import Accept, Decline
from carril.engine.market import price
from carril.page.assets import private
from carril.page.panels.base import Panel, Scene, panel, tag_of
from carril.page.places import hex_name


@panel(
    "consent",
    "train-offer",
    "token-choice",
    "private-offer",
    "tender-offer",
    "takeover-offer",
    "takeover-station",
)
def answer(scene: Scene) -> Panel:
    """Return the question with what hangs on it, and the two answers."""
    step = scene.step
    kind = tag_of(step)
    facts = _facts(scene)
    hex_id = _hex(scene)
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


def _hex(scene: Scene) -> str:
    """Return the hex the question is about: named, or the home of the minor to be taken over."""
    step = scene.step
    if hasattr(step, "hex"):
        return str(step.hex)
    if not hasattr(step, "minor"):
        return ""
    home = scene.state.tables.companies[step.minor].home
    return home.hex if home else ""


def _facts(scene: Scene) -> dict[str, Any]:
    state, step = scene.state, scene.step
    buyer = state.companies[step.company]
    facts: dict[str, Any] = {"company": step.company, "player": scene.actor}
    facts["asker"] = buyer.owner
    facts["tokens"] = buyer.tokens
    for name in ("seller", "train", "minor", "tile", "private"):
        facts[name] = getattr(step, name, "")
    if hasattr(step, "price"):
        facts["price"] = scene.words.money(step.price)
        facts["cash"] = scene.words.money(buyer.cash)
    if hex_id := _hex(scene):
        facts["hex"] = hex_name(state, hex_id)
    if hasattr(step, "minor"):
        minor = state.companies[step.minor]
        facts["value"] = scene.words.money(price(state, step.minor))
        facts["minor_cash"] = scene.words.money(minor.cash)
        facts["minor_trains"] = " ".join(minor.trains) or scene.words.say("trains.none")
    if hasattr(step, "private"):
        facts |= {"power": private(state, scene.words, step.private)["power"]}
    return facts
