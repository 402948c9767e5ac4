"""Redo: what was taken back, which of it can be put back, and putting it back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row

from carril.service.errors import NotFound, Stale
from carril.service.game_store import Reader
from carril.service.playing import bot_of
from carril.service.store.journal import Draft, Line, append, record_at
from carril.service.store.undone import (
    acted_since,
    changes,
    fitting,
    put_back,
    set_aside,
)
from carril.service.values import Change, GameInfo, User

MOST_CHANGES = 100
"""Undos, redos and kept lines that are read at a time."""


def read_changes(connection: Connection, line: str, most: int = MOST_CHANGES) -> list[Change]:
    """Return the newest undos, redos and kept what-if lines of a line, newest first."""
    fit = fitting(connection, line)
    return [_change(row, row.version in fit) for row in changes(connection, line, most)]


def _change(row: Row[Any], fits: bool) -> Change:
    about = msgspec.json.decode(row.action)
    return Change(
        version=row.version,
        kind=row.kind,
        by=row.user,
        by_name=row.name or "",
        base=about["base"],
        old_head=about["from"],
        head=row.number,
        when=datetime.fromisoformat(row.moment),
        fits=fits,
    )


def next_redo(connection: Connection, line: str, found: list[Change]) -> Change | None:
    """Return the newest change that can be redone, unless a person has acted since."""
    newest = next((one for one in found if one.fits), None)
    if newest is None or acted_since(connection, line, newest.base):
        return None
    return newest


def find_series(connection: Connection, line: Line, series: int | None) -> Change:
    """Return a change whose actions can be put back, by default the one that redo means."""
    if series is None:
        found = next_redo(connection, line.id, read_changes(connection, line.id))
        if found is None:
            raise Stale("There is nothing to redo.", {"head": line.head})
        return found
    rows = changes(connection, line.id, 1, [series])
    if not rows:
        raise NotFound("No actions were taken back there.", {"series": series})
    if series not in fitting(connection, line.id):
        raise Stale(
            "These actions cannot be put back, because the position before them is not in force.",
            {"series": series},
        )
    return _change(rows[0], True)


def redo_series(reader: Reader, line: Line, info: GameInfo, user: User, series: int) -> Line:
    """Put the actions of a series back in force; those played since its base are set aside."""
    connection = reader.connection
    change = find_series(connection, line, series)
    if line.head > change.base:
        set_aside(connection, line.id, line.version + 1, change.base)
    head = put_back(connection, line.id, series)
    row = record_at(connection, line.id, head)
    assert row is not None  # it was put back
    state = reader.position(msgspec.structs.replace(line, head=head)).state
    about = {"base": change.base, "from": line.head, "series": series}
    draft = Draft(
        kind="redo",
        number=head,
        state=state,
        snapshot=bytes(row.snapshot),
        user=user.id,
        action=msgspec.json.encode(about).decode(),
        events=row.events,
        bot="" if line.kind == "fork" else bot_of(info, state),
    )
    return append(connection, line, draft, {"from": line.head, "user": user.name})
