"""What everybody sees alike at a position, worked out and rendered once for all viewers.

After an action the table is shown to the player who acted, to the others and to those who watch;
market, companies, trains and log are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from carril.engine.cache import Cache
from carril.engine.state import State

T = TypeVar("T")
_shared: Cache[Any] = Cache(512)


def shared(state: State, key: Hashable, make: Callable[[], T]) -> T:
    """Return what `make` returns, from a cache if it was made for this position before.

    `key` names it, with everything that it depends on besides the position and what led to it.
    """
    found: T = _shared.get(key, make, owner=state)
    return found


def forget_shared() -> None:
    """Empty the cache."""
    _shared.clear()
