"""Garbage collection of a server, between requests instead of during them.

The caches of a server contain hundreds of thousands of objects. A full collection looks at all of
them and stops every request for up to a tenth of a second, although there are hardly any
reference cycles to be found. So what has survived a collection is frozen: later collections look
only at what is new. Once in a while everything is looked at, in case there are cycles after all.
"""

from __future__ import annotations

import gc

PAUSE = 5.0
"""Seconds between two collections."""
THOROUGH = 3600.0
"""Seconds between two collections of everything."""
_RARELY = 1000
"""Collections of the younger generations before Python starts a full one by itself."""


class Collector:
    """Collects garbage at regular times; the clock is given to it."""

    def __init__(self, now: float) -> None:
        """Freeze what is there, and begin to count at this time."""
        self._next, self._thorough = now + PAUSE, now + THOROUGH
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _RARELY)
        gc.collect()
        gc.freeze()

    def tick(self, now: float) -> None:
        """Collect garbage if it is time to."""
        if now < self._next:
            return
        self._next = now + PAUSE
        if now >= self._thorough:
            self._thorough = now + THOROUGH
            gc.unfreeze()
        gc.collect()
        gc.freeze()
