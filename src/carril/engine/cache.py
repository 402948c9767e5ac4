"""A bounded cache that threads can share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Cache(Generic[V]):
    """Values by key; when the cache is full, the least recently used value is dropped.

    A key may name an *owner*: a value that is compared by identity, however large it is. The
    cache keeps the owner alive, so its identity cannot pass to another object.

    >>> squares: Cache[int] = Cache(2)
    >>> [squares.get(n, lambda: n * n) for n in (2, 3, 4)]
    [4, 9, 16]
    >>> 2 in squares, 4 in squares
    (False, True)
    >>> board = {"A1": "8"}
    >>> squares.get("tiles", lambda: len(board), owner=board)
    1
    >>> squares.get("tiles", lambda: 0, owner={"A1": "8"})
    0
    """

    __slots__ = ("_entries", "_lock", "_size")

    def __init__(self, size: int) -> None:
        """Create an empty cache that holds at most `size` values."""
        self._size = size
        self._entries: OrderedDict[Hashable, tuple[object, V]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V], owner: object = None) -> V:
        """Return the value of a key; call `make` if it is missing.

        Two threads that miss at the same time both call `make`; both get the value stored first.
        """
        full = (id(owner), key)
        with self._lock:
            found = self._entries.get(full)
            if found is not None:
                self._entries.move_to_end(full)
                return found[1]
        value = make()
        with self._lock:
            stored = self._entries.setdefault(full, (owner, value))
            self._shrink()
        return stored[1]

    def find(self, key: Hashable, owner: object = None) -> V | None:
        """Return the value of a key, or None if it is missing."""
        full = (id(owner), key)
        with self._lock:
            found = self._entries.get(full)
            if found is None:
                return None
            self._entries.move_to_end(full)
            return found[1]

    def put(self, key: Hashable, value: V, owner: object = None) -> None:
        """Store a value, in place of an older one."""
        full = (id(owner), key)
        with self._lock:
            self._entries[full] = (owner, value)
            self._entries.move_to_end(full)
            self._shrink()

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._entries.clear()

    def _shrink(self) -> None:
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def __contains__(self, key: Hashable) -> bool:
        """Return whether there is a value for a key without owner."""
        with self._lock:
            return (id(None), key) in self._entries

    def __len__(self) -> int:
        """Return how many values are stored."""
        with self._lock:
            return len(self._entries)
