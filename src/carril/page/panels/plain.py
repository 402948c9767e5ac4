"""Any decision without a panel of its own: every option as a button."""

from __future__ import annotations

from carril.engine.actions import Range
from carril.notation import write
from carril.page.panels.base import Amount, Choice, Panel, Scene, encode


def plain(scene: Scene) -> Panel:
    """List every option in the words of the notation."""
    choices = [
        Choice(write(option).partition(": ")[2], encode(option))
        for option in scene.options
        if not isinstance(option, Range)
    ]
    return Panel(
        "plain",
        scene.words.tell(scene.state.step),
        {"choices": choices, "amounts": [_amount(o) for o in scene.options if type(o) is Range]},
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
