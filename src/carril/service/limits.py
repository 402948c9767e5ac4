"""Rate limits: a token bucket for each kind of request and each client."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from carril.service.errors import TooMany
from carril.service.settings import Rate

_MOST_BUCKETS = 20_000


class Limits:
    """Token buckets, refilled over time.

    >>> limits = Limits(clock=lambda: 0.0)
    >>> limits.take("sign-in", "here", Rate(1, 60))
    >>> limits.take("sign-in", "here", Rate(1, 60))
    Traceback (most recent call last):
    carril.service.errors.TooMany: Too many requests. Please wait a moment and try again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets."""
        self._clock = clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, kind: str, client: str, rate: Rate) -> None:
        """Take one token from a bucket; raise TooMany if it is empty."""
        with self._lock:
            left = self._left(kind, client, rate)
            self._buckets.pop((kind, client), None)  # those used last come last
            if len(self._buckets) >= _MOST_BUCKETS:
                self._buckets.pop(next(iter(self._buckets)))
            self._buckets[(kind, client)] = (left - 1, self._clock())

    def check(self, kind: str, client: str, rate: Rate) -> None:
        """Raise TooMany if a bucket is empty; take nothing."""
        with self._lock:
            self._left(kind, client, rate)

    def _left(self, kind: str, client: str, rate: Rate) -> float:
        """Return what is in a bucket; raise TooMany if that is less than one token."""
        now = self._clock()
        left, since = self._buckets.get((kind, client), (float(rate.burst), now))
        left = min(rate.burst, left + (now - since) * rate.per_minute / 60)
        if left < 1:
            wait = (1 - left) * 60 / rate.per_minute
            raise TooMany(
                "Too many requests. Please wait a moment and try again.",
                {"seconds": round(wait, 1)},
            )
        return left
