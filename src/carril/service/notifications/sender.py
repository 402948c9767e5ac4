"""The worker that sends the messages of the outbox: one process claims it for all."""

from __future__ import annotations

import logging
import smtplib
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from carril.service.errors import Busy
from carril.service.game_store import GameStore
from carril.service.store.journal import Line
from carril.service.store.outbox import (
    Stored,
    begin_attempt,
    due_messages,
    end_attempt,
    forget_old,
    postpone,
)

_log = logging.getLogger("carril.service.notifications")
_CLAIM = "outbox"
_LOOK = 1.0
"""Seconds between searches for messages that are due."""
_AT_ONCE = 4
"""Messages that are sent at the same time, so that one slow receiver does not delay the others."""
_BATCH = 20
_TIDY = 3600.0
"""Seconds between deletions of old messages."""


class Dropped(Exception):
    """A message is of no use any more, or there is no way to send it."""


class Refused(Exception):
    """The receiver will never accept a message."""


class NotYet(Exception):
    """A message must wait until a certain moment."""

    def __init__(self, due: datetime) -> None:
        """Wait until `due`."""
        super().__init__(f"not before {due}")
        self.due = due


Deliver = Callable[[Stored], None]
"""Sends a message, or raises Dropped, Refused, NotYet, or an error after which to try again."""


class Postman:
    """One thread that sends what is due, if this process holds the claim on the outbox."""

    def __init__(self, store: GameStore, deliver: Mapping[str, Deliver]) -> None:
        """Start; `deliver` has what sends the messages of each channel."""
        self._store = store
        self._deliver = deliver
        self._news = threading.Event()
        self._closing = False
        self._tidied = 0.0
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="postman")
        store.on_change.append(self._on_change)
        self._thread = threading.Thread(target=self._work, name="postman", daemon=True)
        self._thread.start()

    def _on_change(self, line: Line) -> None:
        if line.kind == "game":
            self._news.set()

    def wake(self) -> None:
        """Look for messages at once, because one was just stored."""
        self._news.set()

    def _work(self) -> None:
        while not self._closing:
            try:
                while not self._closing and self._store.claims.take(_CLAIM) and self._send_due():
                    pass
            except (SQLAlchemyError, Busy) as error:
                _log.warning("messages must wait: %s", error)
            except Exception:
                _log.exception("the thread that sends messages failed")
            self._news.wait(_LOOK)
            self._news.clear()

    def _send_due(self) -> bool:
        """Send what is due; return whether there was something."""
        if time.monotonic() - self._tidied > _TIDY:
            self._tidied = time.monotonic()
            with self._store.database.writing() as connection:
                forget_old(connection)
        with self._store.database.reading() as connection:
            found = due_messages(connection, _BATCH)
        if found and not self._closing:
            return any(list(self._pool.map(self._send, found)))
        return False

    def _send(self, number: int) -> bool:
        """Send a message; return whether this process has dealt with it."""
        if self._closing:
            return False
        try:
            with self._store.database.writing() as connection:
                message = begin_attempt(connection, number)
            if message is None:
                return False
            self._attempt(message)
        except (SQLAlchemyError, Busy) as error:
            _log.warning("message %d must wait: %s", number, error)
            return False
        return True

    def _attempt(self, message: Stored) -> None:
        """Try to send a message and record immediately how that ended."""
        status, error, due = "sent", "", None
        try:
            self._deliver[message.channel](message)
        except (SQLAlchemyError, Busy):
            status, error = "later", "the database did not respond"
        except Dropped as why:
            status, error = "dropped", str(why)
        except Refused as why:
            status, error = "failed", str(why)
        except NotYet as why:
            status, due = "later", why.due
        except (OSError, smtplib.SMTPException) as why:
            status, error = "later", f"{type(why).__name__}: {why}"
        except Exception as why:
            _log.exception("message %s could not be sent", message.key)
            status, error = "later", f"{type(why).__name__}: {why}"
        if error and status != "dropped":
            _log.warning("message %s (%s): %s", message.key, message.channel, error)
        with self._store.database.writing() as connection:
            if status == "later":
                postpone(connection, message, error, due)
            else:
                end_attempt(connection, message.id, status, error)

    def close(self) -> None:
        """Stop after the messages that are being sent."""
        self._closing = True
        self._news.set()
        self._thread.join(timeout=20)
        self._pool.shutdown(wait=False, cancel_futures=True)
