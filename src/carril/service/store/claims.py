"""Claims: work that one of several processes does for all of them.

A process claims a name, such as that of a game whose bots are to act, and holds it by renewing its
lease. When the process dies, the lease ends and another takes the claim. Times are those of the
database, so that the clocks of several machines need not agree.

A claim only keeps processes from doing the same work twice at the same time. A process that is
stopped for longer than its lease cannot do harm, since every change checks what it is based on.
"""

from __future__ import annotations

import logging
import secrets
import threading
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Float,
    String,
    Table,
    cast,
    delete,
    extract,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from carril.service.errors import Busy
from carril.service.store.database import Database
from carril.service.store.tables import metadata

_log = logging.getLogger("carril.service.claims")
LEASE = 10.0
"""Seconds after which the claim of a process that has died can be taken by another."""
_EPOCH = 2440587.5
"""The Julian day number of the first moment of 1970."""

claims = Table(
    "claims",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("until", Float(53), nullable=False),
    info={"transient": True},  # not backed up
)


class Claims:
    """The claims of one process. All methods may be called from any thread."""

    def __init__(self, database: Database, lease: float = LEASE) -> None:
        """Hold nothing at first."""
        self._database = database
        self._lease = lease
        self._me = secrets.token_hex(8)
        self._held: set[str] = set()
        self._closing = threading.Event()
        self._renewer: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def now(self) -> ColumnElement[float]:
        """The time of the database, in seconds."""
        if self._database.is_postgres:
            return cast(extract("epoch", func.clock_timestamp()), Float(53))
        return (func.julianday("now") - _EPOCH) * 86400.0

    def take(self, name: str) -> bool:
        """Claim a name; return False if another process holds it."""
        if name in self._held:
            return True
        insert: Any = postgresql.insert if self._database.is_postgres else sqlite.insert
        values = {"holder": self._me, "until": self.now + self._lease}
        statement = insert(claims).values(name=name, **values)
        free = (claims.c.until < self.now) | (claims.c.holder == self._me)
        statement = statement.on_conflict_do_update(
            index_elements=["name"], set_=values, where=free
        )
        with self._database.writing() as connection:
            taken = connection.execute(statement.returning(claims.c.name)).one_or_none()
        if taken is not None:
            self._hold(name)
        return taken is not None

    def release(self, name: str, after: float = 0.0) -> None:
        """Give up a claim, at once or `after` some seconds in which nobody else can take it."""
        self._held.discard(name)
        mine = (claims.c.name == name) & (claims.c.holder == self._me)
        with self._database.writing() as connection:
            if after:
                later = {"holder": "", "until": self.now + after}
                connection.execute(update(claims).where(mine).values(**later))
            else:
                connection.execute(delete(claims).where(mine))

    def taken(self, name: str | ColumnElement[str]) -> ColumnElement[bool]:
        """Return the condition that some process holds a name, for use in a query."""
        held = select(claims.c.name).where(claims.c.name == name, claims.c.until >= self.now)
        return held.exists()

    def close(self) -> None:
        """Give up all claims."""
        self._closing.set()
        if self._renewer:
            self._renewer.join(timeout=10)
        if not self._held:
            return
        self._held.clear()
        try:
            with self._database.writing() as connection:
                connection.execute(delete(claims).where(claims.c.holder == self._me))
        except (SQLAlchemyError, Busy) as error:
            _log.warning("claims were not given up: %s", error)

    def _hold(self, name: str) -> None:
        with self._lock:
            self._held.add(name)
            if self._renewer is None:
                self._renewer = threading.Thread(target=self._renew, name="claims", daemon=True)
                self._renewer.start()

    def _renew(self) -> None:
        """Renew the leases of all claims that are held, well before they end."""
        while not self._closing.wait(self._lease / 3):
            names = list(self._held)
            try:
                kept = self._renewed(names) if names else set()
            except (SQLAlchemyError, Busy):
                _log.exception("claims could not be renewed")
            else:
                self._held.difference_update(set(names) - kept)

    def _renewed(self, names: list[str]) -> set[str]:
        """Renew the leases of these claims; return those that are still held."""
        mine = (claims.c.holder == self._me) & claims.c.name.in_(names)
        later = update(claims).where(mine).values(until=self.now + self._lease)
        with self._database.writing() as connection:
            return set(connection.execute(later.returning(claims.c.name)).scalars())
