"""Checking a stored game: verify the hash chain and the index, and replay every action."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Row, select

from carril.engine.actions import decode_action
from carril.engine.play import adjourn, apply_recorded
from carril.engine.refusals import CarrilError
from carril.engine.state import State
from carril.service.game_store import GameStore
from carril.service.store.chain import is_whole
from carril.service.store.journal import Line, read_line
from carril.service.store.snapshots import unpack
from carril.service.store.tables import lines, records, standing, undone


class Verified(Struct, frozen=True):
    """The result of a check."""

    records: int
    problems: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(store: GameStore, game: str) -> Verified:
    """Check all lines of a game."""
    with store.reading() as reader:
        reader.line(game)
        return verify_lines(reader.connection, game)


def verify_lines(connection: Connection, game: str, *, replay: bool = True) -> Verified:
    """Check all lines of a game that exists; without `replay`, only the chain and the index."""
    query = select(lines.c.id).where(lines.c.game == game).order_by(lines.c.kind.desc())
    check = _Check(connection, replay)
    for name in connection.execute(query).scalars().all():
        check.stands(name)
    return Verified(check.count, tuple(check.problems))


class _Check:
    """A check in progress: the lines checked so far, and the problems found."""

    def __init__(self, connection: Connection, replay: bool) -> None:
        self._connection = connection
        self._replay = replay
        self._known: dict[str, list[Row[Any]]] = {}
        self._aside: dict[str, dict[int, list[Row[Any]]]] = {}
        self.problems: list[str] = []
        self.count = 0

    def stands(self, name: str) -> list[Row[Any]]:
        """Return the records in force on a line, recomputed from its journal, oldest first."""
        if name not in self._known:
            self._known[name] = []
            line = read_line(self._connection, name)
            if line is None:
                self._wrong(name, "is missing")
            else:
                self._known[name] = self._go_through(line)
        return self._known[name]

    def _wrong(self, name: str, what: str) -> None:
        self.problems.append(f"line {name}: {what}")

    def _go_through(self, line: Line) -> list[Row[Any]]:
        query = select(records).where(records.c.line == line.id).order_by(records.c.version)
        stand: list[Row[Any]] = []
        before: str | None = None
        for version, row in enumerate(self._connection.execute(query).all()):
            self.count += 1
            self._check_link(line, row, version, before)
            stand = self._taken_up(line, stand, row)
            before = row.hash
        if before != line.tip or len(stand) != line.head + 1:
            self._wrong(line.id, "the last record is not the one that was written last")
        self._check_index(line, stand)
        self._check_aside(line)
        return stand

    def _check_link(self, line: Line, row: Row[Any], version: int, before: str | None) -> None:
        if row.version != version:
            self._wrong(line.id, f"record {version} is missing")
        if not is_whole(row):
            self._wrong(line.id, f"record {row.version} is damaged")
        if before is not None and row.before != before:
            self._wrong(line.id, f"the chain is broken at record {row.version}")

    def _taken_up(self, line: Line, stand: list[Row[Any]], row: Row[Any]) -> list[Row[Any]]:
        """Return the records in force after this one."""
        if row.kind == "fork":
            return self._forked(line, row)
        if row.kind in ("undo", "redo", "keep"):
            return self._changed(line, stand, row)
        if row.number != len(stand):
            self._wrong(line.id, f"record {row.version} has the wrong number")
        if stand and self._replay:
            self._play_again(line, stand[-1], row)
        return [*stand, row]

    def _changed(self, line: Line, stand: list[Row[Any]], row: Row[Any]) -> list[Row[Any]]:
        """Return the records in force after some were taken back, put back or replaced."""
        about = msgspec.json.decode(row.action) if row.action else {}
        base, aside = int(about.get("base", -1)), self._aside.setdefault(line.id, {})
        if 0 <= base < len(stand) - 1:  # records of older versions have no base
            aside[row.version] = stand[base:]
        if row.kind == "undo":
            return stand[: row.number + 1]
        if row.kind == "keep":
            return list(self.stands(about["fork"]))
        series = aside.pop(about["series"], [])
        if not series or series[0].id != stand[base].id:
            self._wrong(line.id, f"record {row.version} puts back what does not fit")
        return [*stand[:base], *series]

    def _check_aside(self, line: Line) -> None:
        query = select(undone.c.version, undone.c.record).where(undone.c.line == line.id)
        found: dict[int, list[int]] = {}
        for row in self._connection.execute(query.order_by(undone.c.version, undone.c.number)):
            found.setdefault(row.version, []).append(row.record)
        aside = self._aside.get(line.id, {})
        if found != {version: [row.id for row in rows] for version, rows in aside.items()}:
            self._wrong(line.id, "the index of what was undone is wrong")

    def _forked(self, line: Line, row: Row[Any]) -> list[Row[Any]]:
        """Return the records in force where a fork began, according to the index."""
        query = (
            select(records)
            .join(standing, standing.c.record == records.c.id)
            .where(standing.c.line == line.id, standing.c.number <= line.base)
            .order_by(standing.c.number)
        )
        found = list(self._connection.execute(query).all())
        if len(found) != line.base + 1 or found[-1].hash != row.before:
            self._wrong(line.id, "it does not begin where it was forked")
        return found

    def _play_again(self, line: Line, before: Row[Any], row: Row[Any]) -> None:
        try:
            state, led_to = _state(before), _state(row)
            if row.kind == "end":
                again = adjourn(state).state
            else:
                again = apply_recorded(state, decode_action(row.action)).state
        except (CarrilError, zlib.error) as error:
            self._wrong(line.id, f"action {row.number} cannot be played again: {error}")
            return
        if again != led_to:
            self._wrong(line.id, f"action {row.number} leads to another position")

    def _check_index(self, line: Line, stand: list[Row[Any]]) -> None:
        query = select(standing.c.record).where(standing.c.line == line.id)
        found = self._connection.execute(query.order_by(standing.c.number)).scalars()
        if list(found) != [row.id for row in stand]:
            self._wrong(line.id, "the index of what stands is wrong")


def _state(row: Row[Any]) -> State:
    return unpack(row.snapshot)
