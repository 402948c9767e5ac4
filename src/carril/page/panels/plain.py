"""Any decision without a panel of its own: every option as a button, or on the map."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import Action, LayTile, PlaceToken, Range
from carril.notation import write
from carril.page.panels.base import Amount, Choice, Panel, Scene, encode
from carril.page.places import hex_name


def plain(scene: Scene) -> Panel:
    """List every option in the words of the notation; tiles are chosen on the map."""
    options = scene.options
    hexes = dict.fromkeys(lay.hex for lay in scene.of(LayTile))
    lit = {hex_id: scene.words.say("plain.lit") for hex_id in hexes}
    lit |= {option.hex: scene.words.say("station.lit") for option in scene.of(PlaceToken)}
    return Panel(
        "plain",
        scene.words.describe(scene.state.step),
        {
            "choices": [plain_choice(o) for o in options if not isinstance(o, Range | LayTile)],
            "amounts": [plain_amount(o) for o in options if isinstance(o, Range)],
            "hexes": [
                {"id": hex_id, "name": hex_name(scene.state, hex_id), "note": lit[hex_id]}
                for hex_id in hexes
            ],
        },
        lit=lit,
    )


def plain_choice(option: Action) -> Choice:
    """Return a button with the text form of an action as its label."""
    return Choice(_text(option), encode(option))


def plain_amount(option: Range) -> Amount:
    """Return a field for an option with an amount, with its text form as its label."""
    name = _text(option.action)
    return Amount(
        label=name.split()[0],
        action=encode(option.action),
        field=option.field,
        least=option.least,
        most=option.most,
        step=option.step,
        now=option.least,
        name=name,
    )


def _text(action: Action) -> str:
    return write(replace(action, by=""))
