"""Positions as they lie in the store, and those that were looked at lately, ready at hand."""

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

    To unpack one takes a millisecond or two, so few are kept: each is thousands of objects that
    Python looks through whenever it looks for garbage, and all requests wait for that.
    """

    def __init__(self, most: int = 128) -> None:
        """Begin with none."""
        self._most = most
        self._states: OrderedDict[str, State] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], State]) -> State:
        """Return a position, made if it is not at hand."""
        with self._lock:
            found = self._states.get(key)
            if found is not None:
                self._states.move_to_end(key)
                return found
        state = make()
        self.put(key, state)
        return state

    def put(self, key: str, state: State) -> None:
        """Keep a position at hand."""
        with self._lock:
            self._states[key] = state
            while len(self._states) > self._most:
                self._states.popitem(last=False)
