"""Checking hash chains row by row, as records are written to a backup or read from one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from carril.service.store.chain import JournalRecord, link
from carril.service.store.tables import lines, records

_FIELDS = JournalRecord.__struct_fields__


class ChainCheck:
    """Checks the records of all lines, which must come in the order of their lines and versions."""

    def __init__(self) -> None:
        """Start without lines."""
        self._ends: dict[str, tuple[int, str]] = {}
        self._last: tuple[str, int, str] | None = None
        self._damaged: dict[str, str] = {}

    def add(self, table: str, row: Mapping[str, Any]) -> None:
        """Take a row of any table into account; lines come before records."""
        if table == lines.name:
            self._add_line(row)
        elif table == records.name:
            self._add_record(row)

    def _add_line(self, line: Mapping[str, Any]) -> None:
        """Expect the records of a line, the last of which has this version and hash."""
        self._ends[line["id"]] = (line["version"], line["tip"])

    def _add_record(self, row: Mapping[str, Any]) -> None:
        """Check a record and its place in the chain."""
        name, version = row["line"], row["version"]
        same_line = self._last is not None and self._last[0] == name
        expected = self._last[1] + 1 if self._last and same_line else 0
        record = msgspec.convert({field: row[field] for field in _FIELDS}, JournalRecord)
        if version != expected:
            self._wrong(name, f"record {expected} is missing")
        elif link(record) != row["hash"]:
            self._wrong(name, f"record {version} is damaged")
        elif same_line and self._last and row["before"] != self._last[2]:
            self._wrong(name, f"the chain is broken at record {version}")
        if self._ends.get(name) == (version, row["hash"]):
            del self._ends[name]
        self._last = (name, version, row["hash"])

    def problems(self) -> tuple[str, ...]:
        """Return what is wrong once all rows have been added: at most one sentence for a line."""
        for name in self._ends:
            self._wrong(name, "the last record is not the one that was written last")
        return tuple(f"line {name}: {what}" for name, what in self._damaged.items())

    def _wrong(self, name: str, what: str) -> None:
        self._damaged.setdefault(name, what)
