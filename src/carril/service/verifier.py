"""The worker that verifies all games from time to time and reports those that are damaged."""

from __future__ import annotations

import logging
import threading

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from carril.service.errors import Busy, NotFound, TooMany
from carril.service.game_store import GameStore
from carril.service.jobs import JobFailed, Pool
from carril.service.jobs.tasks import verify_game
from carril.service.store.tables import games

_log = logging.getLogger("carril.service.verifier")
_HOUR = 3600.0
_LEAST_PAUSE = 0.5
_RETRY = 60.0
_CLAIM = "verification"


class Verification(Struct, frozen=True):
    """What the worker has found so far."""

    checked: int = 0
    damaged: tuple[str, ...] = ()
    """The ids of games with damaged records."""


class Verifier:
    """One thread that verifies every game once in a number of hours, one after the other.

    Of several processes that use one database, only one verifies.
    """

    def __init__(self, store: GameStore, jobs: Pool, hours: float) -> None:
        """Start, unless the number of hours is 0."""
        self._store = store
        self._jobs = jobs
        self._seconds = hours * _HOUR
        self._closing = threading.Event()
        self._checked = 0
        self._damaged: set[str] = set()
        self._thread = threading.Thread(target=self._work, name="verifier", daemon=True)
        if hours:
            self._thread.start()

    @property
    def found(self) -> Verification:
        """What has been found so far."""
        return Verification(self._checked, tuple(sorted(self._damaged)))

    def check(self, game: str) -> None:
        """Verify a game; log an error if it is damaged."""
        try:
            found = self._jobs.run(verify_game, self._store.address, game, user="verifier")
            problems = found.problems
        except NotFound:  # it has been deleted
            problems = ()
        except (JobFailed, Busy, TooMany) as error:
            _log.warning("game %s was not verified: %s", game, error)
            return
        self._checked += 1
        self._damaged.discard(game)
        if problems:
            self._damaged.add(game)
            _log.error("game %s is damaged: %s", game, "; ".join(problems[:5]))

    def check_all(self, seconds: float = 0.0) -> None:
        """Verify all games, spread over a time."""
        with self._store.reading() as reader:
            known = list(reader.connection.execute(select(games.c.id)).scalars())
        self._damaged &= set(known)
        for game in known:
            if self._closing.wait(max(seconds / len(known), _LEAST_PAUSE) if seconds else 0):
                return
            self.check(game)

    def _work(self) -> None:
        while not self._closing.wait(_RETRY):
            try:
                if self._store.claims.take(_CLAIM):
                    self.check_all(self._seconds)
            except (SQLAlchemyError, Busy):
                _log.exception("the games could not be verified")

    def close(self) -> None:
        """Stop after the current game."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
