"""The options of positions, asked of the engine once for each and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from carril.draw.same import Same
from carril.engine.actions import Option
from carril.engine.state import State

_KEPT = 128
"""Positions kept at most: a hex that is opened asks for the same options as the page before."""


class Offered:
    """Options by position; those not asked for longest go first."""

    def __init__(self, most: int = _KEPT) -> None:
        """Begin with none, and keep so many at most."""
        self._most = most
        self._found: OrderedDict[Same[State], tuple[Option, ...]] = OrderedDict()
        self._lock = Lock()

    def knows(self, state: State) -> bool:
        """Return whether the options of a position are at hand."""
        return Same(state) in self._found

    def of(self, state: State) -> tuple[Option, ...]:
        """Return the options of a position, asked for if they are not at hand."""
        key = Same(state)
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        options = state.options()
        with self._lock:
            self._found[key] = options
            if len(self._found) > self._most:
                self._found.popitem(last=False)
        return options


offered = Offered()
"""What this process has asked for."""
