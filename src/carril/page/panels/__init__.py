"""The panels: one small module for each mechanism. Importing this package makes all of them known.

A title with mechanisms of its own adds modules here and names them in `_MODULES`.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from carril.page.panels.base import Amount, Choice, Panel, Scene, maker, panel, tag_of

_MODULES = (
    "answer",
    "auction",
    "build",
    "dealing",
    "discards",
    "exchange",
    "founding",
    "payout",
    "privates",
    "run",
    "station",
    "stock",
    "takeover",
    "track",
    "trains",
)

for _name in _MODULES:
    import_module(f"{__name__}.{_name}")

__all__ = ["Amount", "Choice", "Panel", "Scene", "panel", "panel_for", "tag_of"]


def panel_for(scene: Scene) -> Panel:
    """Return the panel for the decision that is due, or for a game that is over."""
    from carril.page.panels import over, plain, privates

    if not scene.state.agenda:
        return over.over(scene)
    make = maker(tag_of(scene.state.step))
    found = make(scene) if make else plain.plain(scene)
    return replace(found, aside=privates.aside(scene)) if make and scene.mine else found
