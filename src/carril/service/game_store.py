"""Access to the stored games: read and write transactions, and a cache of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row

from carril.engine.actions import decode_action
from carril.engine.cache import Cache
from carril.engine.play import adjourn, apply_recorded
from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.service.errors import Damaged, NotFound
from carril.service.settings import Settings
from carril.service.store.chain import is_whole
from carril.service.store.claims import Claims
from carril.service.store.database import Database
from carril.service.store.infos import read_infos
from carril.service.store.journal import Line, read_line, record_at, records_between
from carril.service.store.locks import lock_rows
from carril.service.store.snapshots import recent_positions, unpack, unpack_first
from carril.service.values import GameInfo, Position, User


class Reader:
    """Reads games in one transaction, so that everything it returns is of the same moment."""

    def __init__(self, connection: Connection, recent: Cache[State]) -> None:
        """Read over a connection; unpacked positions are shared through a cache."""
        self.connection = connection
        self._recent = recent

    def info(self, game: str, user: User | None = None) -> GameInfo:
        """Return a game; raise NotFound if there is none."""
        found = read_infos(self.connection, [game], user).get(game)
        if found is None:
            raise NotFound(f"There is no game {game!r}.")
        return found

    def line(self, game: str, fork: str | None = None, user: User | None = None) -> Line:
        """Return the main line of a game or a fork that the user owns; raise NotFound if none."""
        found = read_line(self.connection, fork or game)
        if found is None or found.game != game or (found.kind == "fork") != bool(fork):
            raise NotFound("There is no such line." if fork else f"There is no game {game!r}.")
        if fork and (found.status != "open" or user is None or found.owner != user.id):
            raise NotFound("There is no such line.")
        return found

    def position(self, line: Line, at: int | None = None) -> Position:
        """Return the position of a line after `at` actions, by default the latest."""
        number = line.head if at is None else at
        row = record_at(self.connection, line.id, number) if 0 <= number <= line.head else None
        if row is None:
            facts = {"head": line.head}
            raise NotFound(f"There is no position {number}; the last is {line.head}.", facts)
        fork = line.id if line.kind == "fork" else ""
        state = self._recent.get(row.hash, lambda: self._verified_state(line, row))
        return Position(state, number, line.head, line.version, row.hash[:24], fork, line.heard)

    def _verified_state(self, line: Line, row: Row[Any]) -> State:
        if not is_whole(row):
            facts = {"line": row.line, "at": row.number}
            raise Damaged(f"Record {row.version} of {row.line} is damaged.", facts)
        try:
            return unpack(row.snapshot)
        except BadRecord:
            return self._played_again(line, row)

    def _played_again(self, line: Line, row: Row[Any]) -> State:
        """Return a position from its actions: its snapshot was written by an older version."""
        state = unpack_first(row.snapshot)
        for record in records_between(self.connection, line.id, 0, row.number):
            agreed = not record.action  # the players have ended the game
            outcome = (
                adjourn(state) if agreed else apply_recorded(state, decode_action(record.action))
            )
            state = outcome.state
        return state


class StoreAddress(Struct, frozen=True):
    """What another process needs to open a store."""

    url: str
    most_positions: int

    def open(self) -> GameStore:
        """Open the store, whose tables the first process has migrated."""
        return GameStore(self.url, self.most_positions, migrated=True)


class GameStore:
    """The database of a service and the cache of its positions."""

    def __init__(
        self,
        url: str,
        most_positions: int = Settings().stored_positions,
        *,
        migrated: bool = False,
    ) -> None:
        """Open a database; `most_positions` is what each user may store."""
        self.most_positions = most_positions
        self.database = Database(url, migrated=migrated)
        self.claims = Claims(self.database)
        self.recent = recent_positions()
        self.on_change: list[Callable[[Line], None]] = []

    @property
    def address(self) -> StoreAddress:
        """How another process can open this store."""
        return StoreAddress(self.database.url, self.most_positions)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Open one read transaction."""
        with self.database.reading() as connection:
            yield Reader(connection, self.recent)

    @contextmanager
    def writing(self, user: str = "", game: str = "", fork: str = "") -> Iterator[Reader]:
        """Open one write transaction; until it ends, nobody else can lock the rows named.

        The reader sees what has been written so far.
        """
        with self.database.writing() as connection:
            lock_rows(connection, user, game, fork)
            yield Reader(connection, self.recent)

    def close(self) -> None:
        """Give up all claims and close the database."""
        self.claims.close()
        self.database.close()

    def changed(self, line: Line) -> None:
        """Notify the listeners of this process of a change; call this after the commit."""
        for listener in self.on_change:
            listener(line)
