"""The options of recent positions."""

from __future__ import annotations

from carril.engine.actions import Option
from carril.engine.cache import Cache
from carril.engine.state import State

_options: Cache[tuple[Option, ...]] = Cache(128)
"""A hex card asks for the same options as the page around it."""


def options_of(state: State) -> tuple[Option, ...]:
    """Return the options of a position."""
    return _options.get("options", state.options, owner=state)


def forget_options() -> None:
    """Empty the cache."""
    _options.clear()
