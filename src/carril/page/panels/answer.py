"""Yes or no: an offer for a train, a private or a minor, a consent, a token in a minor's place."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from carril.engine.actions import Accept, Decline
from carril.engine.market import price
from carril.page.assets import private_card
from carril.page.panels.base import Panel, Scene, panel
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
    """Return the question with its facts and the two answers."""
    kind, words = scene.step.mechanism, scene.words
    subject = asdict(scene.step)
    facts = _facts(scene, subject)
    hex_id = _hex(scene, subject)
    return Panel(
        "answer",
        words.say(f"answer.{kind}", **facts),
        {
            "facts": words.say(f"answer.{kind}-more", **facts),
            "company": scene.step.company,
            "other": subject.get("seller") or subject.get("minor", ""),
        },
        main=(
            scene.choice(Accept(), f"answer.{kind}-yes", look="primary", **facts),
            scene.choice(Decline(), f"answer.{kind}-no", **facts),
        ),
        lit={hex_id: words.say(f"answer.{kind}-lit", **facts)} if hex_id else {},
    )


def _hex(scene: Scene, subject: dict[str, Any]) -> str:
    """Return the hex that the question is about: named, or the home of the minor it names."""
    if "hex" in subject:
        return str(subject["hex"])
    if "minor" not in subject:
        return ""
    home = scene.state.tables.companies[subject["minor"]].home
    return home.hex if home else ""


def _facts(scene: Scene, subject: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of the sentences: what the question names, and what it is about."""
    state, words = scene.state, scene.words
    buyer = state.companies[scene.step.company]
    facts = subject | {
        "player": scene.actor,
        "asker": buyer.owner,
        "tokens": buyer.tokens,
        "cash": words.money(buyer.cash),
    }
    if "price" in subject:
        facts["price"] = words.money(subject["price"])
    if hex_id := _hex(scene, subject):
        facts["hex"] = hex_name(state, hex_id)
    if "minor" in subject:
        minor = state.companies[subject["minor"]]
        facts["value"] = words.money(price(state, minor.symbol))
        facts["minor_cash"] = words.money(minor.cash)
        facts["minor_trains"] = " ".join(minor.trains) or words.say("trains.none")
    if "private" in subject:
        facts["power"] = private_card(state, words, subject["private"])["power"]
    return facts
