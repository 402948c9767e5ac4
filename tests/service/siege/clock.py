"""A clock for measurements on a machine that may stop this program for a while."""

from __future__ import annotations

import threading
import time

_TICK = 0.05
_STOPPED = 2.0
"""Seconds without a tick that mean that the program itself was stopped."""


class Clock:
    """Seconds during which this program ran: while it was stopped, nobody was kept waiting.

    >>> clock = Clock()
    >>> begun = clock.now()
    >>> 0 <= clock.now() - begun < 60
    True
    """

    def __init__(self) -> None:
        """Start to tick."""
        self.stopped = 0.0
        """Seconds for which the program was stopped so far."""
        self._last = time.monotonic()
        self._lock = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def now(self) -> float:
        """Return the seconds since some moment."""
        self.tick()
        return time.monotonic() - self.stopped

    def tick(self) -> None:
        """Notice whether the program was stopped since the last tick."""
        with self._lock:
            moment = time.monotonic()
            if moment - self._last > _STOPPED:
                self.stopped += moment - self._last
            self._last = moment

    def _run(self) -> None:
        while True:
            time.sleep(_TICK)
            self.tick()


CLOCK = Clock()
