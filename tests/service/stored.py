"""Everything that is stored, in a form that can be compared.

Left out is what two equal runs have different: moments (only whether there is one is kept), hashes,
secrets, numbers that the database gives, and the ids of what is new. All other columns of all
tables count, so a new table is compared without being named here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, Connection, Integer, LargeBinary, String, Table, text

from carril.service.store.tables import Moment, metadata

Rows = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, sorted."""

_TABLES = {"claims", "service_keys", "alembic_version"}
"""Tables of the processes themselves."""
_DIFFERENT = {
    "games.name",  # a random one, if none is given
    "records.hash",
    "records.before",
    "records.moment",
    "lines.tip",
    "messages.told",  # with moments
    "clocks.count",
    "clock_marks.count",
    "sessions.csrf",
    "hooks.secret",
    "outbox.key",  # with ids and links that are new
    "outbox.content",
}
_HASH = re.compile("[0-9a-f]{64}")
_IDS = {"seats.invitation", "games.rematch", "outbox.target", "records.key"}
"""Columns with ids besides keys and foreign keys."""


class Comparison:
    """Reads a database in a form in which equal runs are equal."""

    def __init__(self, connection: Connection) -> None:
        """Take all ids that the database has now for known."""
        self._tables = [table for table in metadata.sorted_tables if table.name not in _TABLES]
        self._query = text(
            " UNION ALL ".join(_select(one, connection.dialect.name) for one in self._tables)
        )
        self._ids = {
            table.name: [place for place, column in enumerate(_shown(table)) if _is_id(column)]
            for table in self._tables
        }
        rows = self._rows(connection)
        self._known = {row[place] for name, row in rows for place in self._ids[name]}

    def read(self, connection: Connection) -> Rows:
        """Return what is stored."""
        found: Rows = {}
        for name, row in self._rows(connection):
            for place in self._ids[name]:
                if row[place] and row[place] not in self._known:
                    row[place] = "new"
            if name == "records":  # one that keeps a what-if line names the hash of its end
                row = [_HASH.sub("", one) if isinstance(one, str) else one for one in row]
            found.setdefault(name, []).append(tuple(row))
        return {name: sorted(rows, key=repr) for name, rows in found.items()}

    def _rows(self, connection: Connection) -> Iterator[tuple[str, list[Any]]]:
        for name, row in connection.execute(self._query):
            yield name, json.loads(row)


def difference(found: Rows, expected: Rows) -> str:
    """Say which rows are stored and not expected, or the other way round."""
    parts = []
    for name in sorted({*found, *expected}):
        here, there = found.get(name, []), expected.get(name, [])
        more = [row for row in here if row not in there]
        less = [row for row in there if row not in here]
        if here != there:
            parts.append(f"{name}: {more} instead of {less} ({len(here)}, {len(there)} rows)")
    return "; ".join(parts)


def _shown(table: Table) -> list[Column[Any]]:
    """Return the columns that are compared."""
    return [one for one in table.columns if _is_shown(table, one)]


def _is_shown(table: Table, column: Column[Any]) -> bool:
    if f"{table.name}.{column.name}" in _DIFFERENT:
        return False
    return not _is_counted(column) and not any(_is_counted(k.column) for k in column.foreign_keys)


def _is_counted(column: Column[Any]) -> bool:
    """Return whether the database numbers the rows of a table by this column."""
    alone = len(column.table.primary_key.columns) == 1 and column.primary_key
    return alone and isinstance(column.type, Integer)


def _is_id(column: Column[Any]) -> bool:
    key = column.primary_key or bool(column.foreign_keys)
    named = f"{column.table.name}.{column.name}" in _IDS
    return named or (key and isinstance(column.type, String))


def _select(table: Table, dialect: str) -> str:
    postgres = dialect == "postgresql"
    build, cast = ("json_build_array", "::text") if postgres else ("json_array", "")
    shown = ", ".join(_value(one, "md5" if postgres else "hex") for one in _shown(table))
    return f"SELECT '{table.name}', {build}({shown}){cast} FROM {table.name}"


def _value(column: Column[Any], digest: str) -> str:
    if isinstance(column.type, LargeBinary):
        return f'{digest}("{column.name}")'
    return f'"{column.name}" IS NULL' if isinstance(column.type, Moment) else f'"{column.name}"'
