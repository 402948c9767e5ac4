"""Stored positions, compressed, and a cache of those used recently."""

from __future__ import annotations

import zlib

from carril.engine.cache import Cache
from carril.engine.state import State
from carril.notation.position import decode, encode, first_position

_LEVEL = 3


def pack(state: State) -> bytes:
    """Return a position as compressed bytes."""
    return zlib.compress(encode(state), _LEVEL)


def unpack(data: bytes) -> State:
    """Return the position of compressed bytes."""
    return decode(zlib.decompress(data))


def unpack_first(data: bytes) -> State:
    """Return the first position of the game that compressed bytes hold a position of."""
    return first_position(zlib.decompress(data))


def recent_positions() -> Cache[State]:
    """Return a cache of positions by the hash of the record that led to them.

    Unpacking one takes a millisecond or two. The cache is small, since each position is thousands
    of objects that lengthen every pause of the garbage collector.
    """
    return Cache(128)
