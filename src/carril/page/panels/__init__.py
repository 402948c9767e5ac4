"""The panels: one small module for each mechanism, all imported with this package."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from carril.page.panels.asides import asides
from carril.page.panels.base import Amount, Choice, Panel, Scene, maker, panel, tag_of
from carril.page.panels.over import over
from carril.page.panels.plain import plain

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Amount", "Choice", "Panel", "Scene", "panel", "panel_for", "tag_of"]


def panel_for(scene: Scene) -> Panel:
    """Return the panel for the decision that is due, or for a game that is over."""
    if not scene.state.agenda:
        return over(scene)
    make = maker(scene)
    if make is None:
        return plain(scene)
    found = make(scene)
    return replace(found, aside=asides(scene)) if scene.mine else found
