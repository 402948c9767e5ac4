"""The worker that plays the bots' seats, each action on its own, so that all can watch."""

from __future__ import annotations

import heapq
import logging
import threading
import time
from datetime import timedelta

from sqlalchemy import select

from carril.service.game_store import Desk
from carril.service.playing import play_bot
from carril.service.store.journal import Line, now
from carril.service.store.tables import lines

_log = logging.getLogger("carril.service.bots")
_TROUBLE = 30.0
"""Seconds until a game whose bot failed is tried again."""
_LOOK = 5.0
"""Seconds between two looks for games that other processes left waiting."""


class BotWorker:
    """One thread that goes round the games in which it is a bot's turn."""

    def __init__(self, desk: Desk, pause: float = 0.0) -> None:
        """Begin with the games that were waiting when the service last stopped."""
        self._desk = desk
        self._pause = pause
        self._due: list[tuple[float, str]] = []
        self._queued: set[str] = set()
        self._news = threading.Condition()
        self._closing = False
        desk.on_change.append(self._on_change)
        self._thread = threading.Thread(target=self._work, name="bots", daemon=True)
        self._thread.start()
        self._resume(0)

    def _resume(self, since: float) -> None:
        """Take up the games that have waited so many seconds for a bot, whoever left them."""
        query = select(lines.c.id).where(
            lines.c.kind == "game",
            lines.c.status == "open",
            lines.c.bot != "",
            lines.c.ended == "",
            lines.c.updated <= now() - timedelta(seconds=since),
        )
        with self._desk.database.reading() as connection:
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
        """Wait for the next game that is due, but not for ever; None if there was none."""
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
                if game and not self._closing and play_bot(self._desk, game):
                    self._queue(game, self._pause)
                if time.monotonic() - looked > _LOOK and not self._closing:
                    looked = time.monotonic()
                    self._resume(_LOOK)
            except Exception:
                _log.exception("the bot of game %s failed", game)
                if game:
                    self._queue(game, _TROUBLE)

    def close(self) -> None:
        """Finish the action under way and stop."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(timeout=10)
