"""The hash chain: each hash covers the previous hash and all fields of a record."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct


class JournalRecord(Struct, frozen=True, kw_only=True):
    """One entry of a line: its start, an action, an undo, a redo, or a fork that was kept."""

    line: str
    version: int
    kind: str
    """ "start", "fork", "act", "end" (by agreement), "undo", "redo" or "keep"."""
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


def link(record: JournalRecord) -> str:
    """Return the hash of a record, which includes the previous hash.

    >>> link(JournalRecord(line="a", version=0, kind="start", number=0))[:8]
    'fe43436b'
    """
    return hashlib.sha256(msgspec.msgpack.encode(record)).hexdigest()


def record_of(row: Any) -> JournalRecord:
    """Return the record in a row of the table."""
    fields = {name: getattr(row, name) for name in JournalRecord.__struct_fields__}
    fields["snapshot"] = bytes(fields["snapshot"])
    return JournalRecord(**fields)


def is_whole(row: Any) -> bool:
    """Return whether a row still matches its hash."""
    return link(record_of(row)) == str(row.hash)
