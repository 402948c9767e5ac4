"""Stored positions, compressed, and a cache of those used recently."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable

from carril.engine.state import State
from carril.notation.position import decode, encode

_LEVEL = 3


def pack(state: State) -> bytes:
    """Return a position as compressed bytes."""
    return zlib.compress(encode(state), _LEVEL)


def unpack(data: bytes) -> State:
    """Return the position of compressed bytes."""
    return decode(zlib.decompress(data))


class Recent:
    """The positions used last, by the hash of the record that led to them.

    Unpacking takes only a millisecond or two, so few are kept: each consists of thousands of
    objects, which lengthen every garbage collection.
    """

    def __init__(self, most: int = 128) -> None:
        """Start empty; keep at most `most` positions."""
        self._most = most
        self._states: OrderedDict[str, State] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], State]) -> State:
        """Return a position from the cache, or make and cache it."""
        with self._lock:
            found = self._states.get(key)
            if found is not None:
                self._states.move_to_end(key)
                return found
        state = make()
        self.put(key, state)
        return state

    def put(self, key: str, state: State) -> None:
        """Add a position to the cache."""
        with self._lock:
            self._states[key] = state
            while len(self._states) > self._most:
                self._states.popitem(last=False)
