"""What all work on games needs: the database, positions at hand, and how lines are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Row

from carril.engine.state import State
from carril.service.errors import Damaged, NotFound
from carril.service.store.chain import is_whole
from carril.service.store.database import Database
from carril.service.store.infos import read_infos
from carril.service.store.journal import Line, read_line, record_at
from carril.service.store.snapshots import Recent, unpack
from carril.service.values import GameInfo, Position, User


class Desk:
    """The database of a service and the positions it has at hand."""

    def __init__(self, url: str) -> None:
        """Open a database."""
        self.database = Database(url)
        self.recent = Recent()
        self.on_change: list[Callable[[Line], None]] = []

    def changed(self, line: Line) -> None:
        """Tell this process that a line has changed; to be called after the commit."""
        for listener in self.on_change:
            listener(line)

    def info(self, connection: Connection, game: str, user: User | None = None) -> GameInfo:
        """Return a game; NotFound if there is none."""
        found = read_infos(connection, [game], user).get(game)
        if found is None:
            raise NotFound(f"there is no game {game!r}")
        return found

    def line(
        self, connection: Connection, game: str, fork: str | None = None, user: User | None = None
    ) -> Line:
        """Return a game's own line, or a fork of the user's; NotFound if there is none."""
        found = read_line(connection, fork or game)
        if found is None or found.game != game or (found.kind == "fork") != bool(fork):
            raise NotFound(f"there is no game {game!r}" if not fork else "there is no such line")
        if fork and (found.status != "open" or user is None or found.owner != user.id):
            raise NotFound("there is no such line")
        return found

    def position(self, connection: Connection, line: Line, at: int | None = None) -> Position:
        """Return a position of a line."""
        number = line.head if at is None else at
        row = record_at(connection, line.id, number) if 0 <= number <= line.head else None
        if row is None:
            raise NotFound(f"there are {line.head} actions, not {number}", {"head": line.head})
        fork = line.id if line.kind == "fork" else ""
        state = self.recent.get(row.hash, lambda: _unpacked(row))
        return Position(state, number, line.head, line.version, row.hash[:24], fork, line.heard)


def _unpacked(row: Row[Any]) -> State:
    if not is_whole(row):
        raise Damaged(
            f"record {row.version} of {row.line} is damaged", {"line": row.line, "at": row.number}
        )
    return unpack(row.snapshot)
