"""Any decision without a panel of its own: every option as a button, or on the map."""

from __future__ import annotations

from carril.engine.actions import LayTile, PlaceToken, Range
from carril.notation import write
from carril.page.panels.base import Amount, Choice, Panel, Scene, encode
from carril.page.places import hex_name


def plain(scene: Scene) -> Panel:
    """List every option in the words of the notation; tiles are chosen on the map."""
    choices = [
        Choice(write(option).partition(": ")[2], encode(option))
        for option in scene.options
        if not isinstance(option, Range | LayTile)
    ]
    hexes = dict.fromkeys(lay.hex for lay in scene.of(LayTile))
    lit = {hex_id: scene.words.say("plain.lit") for hex_id in hexes}
    lit |= {option.hex: scene.words.say("station.lit") for option in scene.of(PlaceToken)}
    return Panel(
        "plain",
        scene.words.describe(scene.state.step),
        {
            "choices": choices,
            "amounts": [_amount(o) for o in scene.options if isinstance(o, Range)],
            "hexes": [
                {"id": hex_id, "name": hex_name(scene.state, hex_id), "note": lit[hex_id]}
                for hex_id in hexes
            ],
        },
        lit=lit,
    )


def _amount(found: Range) -> Amount:
    name = write(found.action).partition(": ")[2]
    return Amount(
        name.split()[0],
        encode(found.action),
        found.field,
        found.least,
        found.most,
        found.step,
        found.least,
        name,
    )
