"""Bots and programs: one process claims a game, and lets its workers play what they have to."""

from __future__ import annotations

import heapq
import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy import ColumnElement, and_, bindparam, literal, or_, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from carril.service.errors import Busy, TooMany
from carril.service.game_store import GameStore
from carril.service.jobs import JobFailed, Pool, Ticket
from carril.service.jobs.tasks import play_bots
from carril.service.playing import retire_bot
from carril.service.store.journal import Line, read_line
from carril.service.store.programs import are_due
from carril.service.store.tables import lines

_log = logging.getLogger("carril.service.bots")
_CLAIM = "bots:"
_TROUBLE = 30.0
"""Seconds before retrying a game whose bot failed."""
_BUSY = 1.0
"""Seconds before retrying when there is too much to do."""
_LOOK = 1.0
"""Seconds between searches for games that no process has claimed."""
_HOPELESS = ("time", "memory")
"""Why a job failed if it would fail again."""
_SLICE = 0.2
"""Seconds that bots play in one job, so that others get their turn."""
_AT_ONCE = 8
"""Games that are given to the workers at the same time."""


def _is_waiting() -> ColumnElement[bool]:
    """Return the condition that a line is an open game in which a bot or a program can act."""
    bot = and_(lines.c.bot != "", lines.c.ended == "")
    programs = and_(lines.c.bot == "", are_due())
    return and_(lines.c.kind == "game", lines.c.status == "open", or_(bot, programs))


_WAITS = select(lines.c.id).where(lines.c.id == bindparam("wanted"), _is_waiting())


class BotWorker:
    """One thread that gives games to worker processes: those in which it is a bot's turn, or in
    which programs of players are to be asked.
    """

    def __init__(
        self, store: GameStore, jobs: Pool, pause: float = 0.0, patience: float = 20.0
    ) -> None:
        """Start with the games that are waiting; a bot has `patience` seconds for an action."""
        self._store = store
        self._jobs = jobs
        self._pause = pause
        self._patience = patience
        self._due: list[tuple[float, str]] = []
        self._queued: set[str] = set()
        self._playing: dict[str, Ticket] = {}
        self._ended: list[str] = []
        self._news = threading.Condition()
        self._closing = False
        store.on_change.append(self._on_change)
        self._thread = threading.Thread(target=self._work, name="bots", daemon=True)
        self._thread.start()

    def _on_change(self, line: Line) -> None:
        """Look at a game after a change, whatever the change was; it may have programs."""
        if line.kind == "game":
            self._queue(line.id, self._pause)

    def _queue(self, game: str, wait: float) -> None:
        with self._news:
            if game not in self._queued:
                self._queued.add(game)
                heapq.heappush(self._due, (time.monotonic() + wait, game))
                self._news.notify()

    # --- in the thread -------------------------------------------------------------------

    def _work(self) -> None:
        looked = 0.0
        while not self._closing:
            try:
                if time.monotonic() - looked > _LOOK:
                    looked = time.monotonic()
                    self._find_waiting()
                self._wait(_LOOK)
                while (game := self._pop_ended()) is not None:
                    self._carefully(self._conclude, game)
                while (game := self._pop_due()) is not None:
                    self._carefully(self._begin, game)
            except SQLAlchemyError as error:
                _log.warning("games that wait for bots were not found: %s", error)
            except Exception:
                _log.exception("the thread of the bots failed")
                time.sleep(_BUSY)

    def _carefully(self, do: Callable[[str], None], game: str) -> None:
        """Do something with a game; if that fails, come back to it later."""
        try:
            do(game)
        except (SQLAlchemyError, Busy, TooMany) as error:
            _log.warning("the bots of game %s must wait: %s", game, error)
            self._queue(game, _BUSY)

    def _find_waiting(self) -> None:
        """Queue the games that wait for a bot or a program and are claimed by no process."""
        claimed = self._store.claims.taken(literal(_CLAIM) + lines.c.id)
        query = select(lines.c.id).where(_is_waiting(), ~claimed)
        with self._store.database.reading() as connection:
            waiting = list(connection.execute(query).scalars())
        for game in waiting:
            self._queue(game, self._pause)

    def _wait(self, most: float) -> None:
        """Wait until a game is due or has been played, for a limited time."""
        with self._news:
            free = len(self._playing) < _AT_ONCE
            wait = self._due[0][0] - time.monotonic() if self._due and free else most
            if wait > 0 and not self._ended and not self._closing:
                self._news.wait(min(wait, most))

    def _pop_due(self) -> str | None:
        with self._news:
            due = self._due and self._due[0][0] <= time.monotonic()
            if not due or len(self._playing) >= _AT_ONCE or self._closing:
                return None
            game = heapq.heappop(self._due)[1]
            self._queued.discard(game)
            return game

    def _pop_ended(self) -> str | None:
        with self._news:
            return self._ended.pop() if self._ended else None

    def _begin(self, game: str) -> None:
        """Give a game to a worker, if no other process has claimed it."""
        if game in self._playing or not self._waits(game):
            return
        if not self._store.claims.take(_CLAIM + game):
            return
        args = (self._store.address, game, 0.0 if self._pause else _SLICE, self._patience)
        try:
            ticket = self._jobs.submit(play_bots, *args, user="bots", table=game)
        except JobFailed:  # the service is closing
            return
        self._playing[game] = ticket
        ticket.job.on_finish(lambda: self._on_ended(game))

    def _waits(self, game: str) -> bool:
        """Return whether a game waits for a bot or a program."""
        with self._store.database.reading() as connection:
            return connection.execute(_WAITS, {"wanted": game}).one_or_none() is not None

    def _on_ended(self, game: str) -> None:
        with self._news:
            self._ended.append(game)
            self._news.notify()

    def _conclude(self, game: str) -> None:
        """Go on with a game that a worker has played, or give up the claim."""
        ticket = self._playing.pop(game)
        ticket.close()
        try:
            ticket.job.result()
        except (Busy, OperationalError):
            raise
        except Exception as error:
            reason = error.facts["reason"] if isinstance(error, JobFailed) else ""
            if reason in _HOPELESS:
                retire_bot(self._store, game, reason)
                self._store.claims.release(_CLAIM + game)
                return
            if reason != "closed":
                _log.exception("the bot of game %s failed", game)
                self._store.claims.release(_CLAIM + game, after=_TROUBLE)
            return
        with self._store.database.reading() as connection:
            line = read_line(connection, game)
        if not self._waits(game):
            self._store.claims.release(_CLAIM + game)
        if line is not None:
            self._store.changed(line)

    def close(self) -> None:
        """Stop; a bot that is choosing does not act any more."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(timeout=10)
        for ticket in self._playing.values():
            ticket.close()
