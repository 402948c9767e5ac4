"""The worker that does what is due by the clocks of tables: one process claims it for all."""

from __future__ import annotations

import logging
import threading

from sqlalchemy.exc import SQLAlchemyError

from carril.service.errors import Busy, ServiceError
from carril.service.game_store import GameStore
from carril.service.table_clocks.penalties import overdue, tick

_log = logging.getLogger("carril.service.clocks")
_CLAIM = "clocks"
_LOOK = 1.0
"""Seconds between searches for clocks that have run out."""


class Timekeeper:
    """One thread that ends pauses and carries out penalties."""

    def __init__(self, store: GameStore) -> None:
        """Start with what is due already."""
        self._store = store
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="timekeeper", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self._closing.is_set():
            try:
                if self._store.claims.take(_CLAIM):
                    self._tick_all()
            except (SQLAlchemyError, Busy) as error:
                _log.warning("clocks must wait: %s", error)
            except Exception:
                _log.exception("the thread of the clocks failed")
            self._closing.wait(_LOOK)

    def _tick_all(self) -> None:
        with self._store.database.reading() as connection:
            found = overdue(connection)
        for game in found:
            if self._closing.is_set():
                return
            try:
                tick(self._store, game)
            except ServiceError as error:  # the table was deleted, or is busy
                _log.warning("the clock of game %s must wait: %s", game, error)

    def close(self) -> None:
        """Stop after the current table."""
        self._closing.set()
        self._thread.join(timeout=10)
