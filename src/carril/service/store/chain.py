"""A record and its link in the chain: each hash is over the one before and all of the record."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct


class Record(Struct, frozen=True, kw_only=True):
    """What was added to a line: its beginning, an action, an undo, a fork that was kept."""

    line: str
    version: int
    kind: str
    """ "start", "fork", "act", "end" (by agreement), "undo" or "keep"."""
    number: int
    """The position it leads to."""
    by: str = ""
    user: str = ""
    key: str | None = None
    action: str = ""
    events: str = "[]"
    reason: str = ""
    snapshot: bytes = b""
    moment: str = ""
    before: str = ""


def link(record: Record) -> str:
    """Return the hash of a record, which holds the hash before it.

    >>> link(Record(line="a", version=0, kind="start", number=0))[:8]
    'fe43436b'
    """
    return hashlib.sha256(msgspec.msgpack.encode(record)).hexdigest()


def record_of(row: Any) -> Record:
    """Return the record of a row of the table."""
    fields = {name: getattr(row, name) for name in Record.__struct_fields__}
    fields["snapshot"] = bytes(fields["snapshot"])
    return Record(**fields)


def is_whole(row: Any) -> bool:
    """Return whether a row is what was written."""
    return link(record_of(row)) == str(row.hash)
