"""The worker that plays the bots' seats, one action at a time, so that people can watch."""

from __future__ import annotations

import heapq
import logging
import threading
import time
from datetime import timedelta

from sqlalchemy import select

from carril.service.errors import Busy
from carril.service.game_store import GameStore
from carril.service.playing import play_bot
from carril.service.store.journal import Line, now
from carril.service.store.tables import lines

_log = logging.getLogger("carril.service.bots")
_TROUBLE = 30.0
"""Seconds before retrying a game whose bot failed."""
_BUSY = 1.0
"""Seconds before retrying when too many others are writing."""
_LOOK = 5.0
"""Seconds between searches for games that other processes left waiting."""


class BotWorker:
    """One thread that plays all games in which it is a bot's turn."""

    def __init__(self, store: GameStore, pause: float = 0.0) -> None:
        """Start with the games that were waiting when the service last stopped."""
        self._store = store
        self._pause = pause
        self._due: list[tuple[float, str]] = []
        self._queued: set[str] = set()
        self._news = threading.Condition()
        self._closing = False
        store.on_change.append(self._on_change)
        self._thread = threading.Thread(target=self._work, name="bots", daemon=True)
        self._thread.start()
        self._resume(0)

    def _resume(self, since: float) -> None:
        """Queue the games that have waited for a bot for at least `since` seconds."""
        query = select(lines.c.id).where(
            lines.c.kind == "game",
            lines.c.status == "open",
            lines.c.bot != "",
            lines.c.ended == "",
            lines.c.updated <= now() - timedelta(seconds=since),
        )
        with self._store.database.reading() as connection:
            waiting = list(connection.execute(query).scalars())
        for game in waiting:
            self._queue(game, self._pause)

    def _on_change(self, line: Line) -> None:
        if line.kind == "game" and line.bot and not line.ended:
            self._queue(line.id, self._pause)

    def _queue(self, game: str, wait: float) -> None:
        with self._news:
            if game not in self._queued:
                self._queued.add(game)
                heapq.heappush(self._due, (time.monotonic() + wait, game))
                self._news.notify()

    def _next(self) -> str | None:
        """Wait a limited time for the next game that is due; return None if there is none."""
        with self._news:
            wait = self._due[0][0] - time.monotonic() if self._due else _LOOK
            if wait > 0 and not self._closing:
                self._news.wait(min(wait, _LOOK))
            if not self._due or self._due[0][0] > time.monotonic():
                return None
            game = heapq.heappop(self._due)[1]
            self._queued.discard(game)
            return game

    def _work(self) -> None:
        looked = time.monotonic()
        while not self._closing:
            game = self._next()
            try:
                if game and not self._closing and play_bot(self._store, game):
                    self._queue(game, self._pause)
                if time.monotonic() - looked > _LOOK and not self._closing:
                    looked = time.monotonic()
                    self._resume(_LOOK)
            except Busy:
                if game:
                    self._queue(game, _BUSY)
            except Exception:
                _log.exception("the bot of game %s failed", game)
                if game:
                    self._queue(game, _TROUBLE)

    def close(self) -> None:
        """Finish the current action and stop."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(timeout=10)
