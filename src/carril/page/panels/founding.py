"""The first token of a corporation: a minor to merge, or a free circle."""

from __future__ import annotations

from carril.engine.actions import MergeMinor, PlaceToken
from carril.engine.board import tokens_of
from carril.page.hexcards import HexCard, hex_card, hex_panel
from carril.page.numbers import last_run
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.places import hex_name


@panel("founding")
def founding(scene: Scene) -> Panel:
    """Return the minors that can be merged, or the cities with a free circle."""
    company = scene.step.company
    lit = {option.hex: scene.words.say("station.lit") for option in scene.of(PlaceToken)}
    for option in scene.of(MergeMinor):
        for hex_id, _ in tokens_of(scene.state.board, option.minor):
            lit[hex_id] = scene.words.say("founding.lit", minor=option.minor)
    key = "founding.merge-sentence" if scene.has(MergeMinor) else "founding.base-sentence"
    return Panel(
        "founding",
        scene.words.say(key, company=company, player=scene.actor),
        {"company": company, "choices": _choices(scene, "")},
        lit=lit,
    )


def _choices(scene: Scene, hex_id: str) -> list[Choice]:
    found = []
    for option in scene.of(MergeMinor):
        at = next(iter(tokens_of(scene.state.board, option.minor)), ("", 0))[0]
        if hex_id in ("", at):
            minor = scene.state.companies[option.minor]
            found.append(
                scene.choice(
                    option,
                    "founding.merge",
                    place=at,
                    minor=option.minor,
                    company=scene.step.company,
                    hex=hex_name(scene.state, at),
                    cash=scene.words.money(minor.cash),
                    last=last_run(scene.words, scene.last_runs, option.minor)
                    or scene.words.say("run-paid.never"),
                    trains=" ".join(minor.trains) or scene.words.say("trains.none"),
                )
            )
    for place in scene.of(PlaceToken):
        if hex_id in ("", place.hex):
            name = hex_name(scene.state, place.hex)
            found.append(scene.choice(place, "founding.place", hex=name))
    return found


@hex_panel("founding")
def found_here(scene: Scene, hex_id: str) -> HexCard:
    """Offer the minors and free circles of a hex."""
    return hex_card(scene, hex_id, choices=_choices(scene, hex_id))
