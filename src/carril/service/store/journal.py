"""The journal of a line: reading it, and appending so that of two simultaneous writers one wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Connection,
    Integer,
    Row,
    bindparam,
    delete,
    insert,
    literal,
    select,
    text,
    update,
)

from carril.engine.state import State
from carril.service.clock import now as now
from carril.service.errors import Stale
from carril.service.store.chain import JournalRecord, link
from carril.service.store.clocks import Step, count_step, settle
from carril.service.store.tables import lines, messages, records, standing, undone
from carril.service.store.turns import begin_turn

_SEATED = ("join", "leave", "seat", "status")
"""Messages about changes for which the clock of a table must be settled."""
CHANNEL = "carril"
"""The PostgreSQL channel that notifies other processes."""


class Line(Struct, frozen=True):
    """The current state of a line of play."""

    id: str
    game: str
    kind: str
    status: str
    owner: str | None
    base: int
    head: int
    version: int
    heard: int
    tip: str
    acting: str | None
    bot: str
    ended: str
    created: datetime
    updated: datetime


# Statements used for every action are built once: building them costs more than running them.
_LINE = select(*(lines.c[name] for name in Line.__struct_fields__)).where(
    lines.c.id == bindparam("wanted")
)
_RECORD = (
    select(records)
    .join(standing, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"), standing.c.number == bindparam("place"))
)
_LAST = (1 << 31) - 1
_RECORDS = (
    select(
        standing.c.number,
        *(records.c[name] for name in ("by", "action", "events", "reason", "moment", "user")),
    )
    .join(standing, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"))
    .where(standing.c.number > bindparam("since"), standing.c.number <= bindparam("until"))
    .order_by(standing.c.number)
)
_WHO_ACTED = (
    select(standing.c.number, records.c.by)
    .join(standing, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"), standing.c.number > 0)
    .order_by(standing.c.number.desc())
)
_RECENT_EVENTS = (
    select(standing.c.number, records.c.by, records.c.events)
    .join(standing, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"), standing.c.number > 0)
    .order_by(standing.c.number.desc())
    .limit(500)  # more than any lot or turn takes
)
_ROUND_STARTS = (
    select(standing.c.number)
    .join(records, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"), standing.c.number > 0)
    .where(standing.c.number <= bindparam("until"))
    .where(records.c.events.contains('"event":"round-began"'))
    .order_by(standing.c.number.desc())
    .limit(bindparam("most", type_=Integer))
)
_TAKE_TURN = (
    update(lines)
    .where(lines.c.id == bindparam("wanted"), lines.c.version == bindparam("seen"))
    .where(lines.c.status == "open")
    .values(heard=lines.c.heard + 1)
    .returning(lines.c.heard)
)
_ADD_RECORD = insert(records).returning(records.c.id)
_ADD_STANDING = insert(standing)
_ADD_MESSAGE = insert(messages)
_MESSAGES = (
    select(messages.c.number, messages.c.kind, messages.c.payload)
    .where(messages.c.line == bindparam("wanted"), messages.c.number > bindparam("place"))
    .order_by(messages.c.number)
)
_NOTIFY = text("SELECT pg_notify(:channel, :line)")


class Draft(Struct, frozen=True):
    """A record to be added, with the position it leads to and the bot that acts next."""

    kind: str
    number: int
    state: State
    snapshot: bytes
    by: str = ""
    user: str = ""
    key: str | None = None
    action: str = ""
    events: str = "[]"
    reason: str = ""
    bot: str = ""


def new_line(name: str, game: str, kind: str, owner: str, base: int, moment: datetime) -> Line:
    """Return a new line without records."""
    return Line(
        id=name,
        game=game,
        kind=kind,
        status="open",
        owner=owner,
        base=base,
        head=base,
        version=0,
        heard=0,
        tip="",
        acting=None,
        bot="",
        ended="",
        created=moment,
        updated=moment,
    )


def read_line(connection: Connection, line: str) -> Line | None:
    """Return a line, or None if there is none."""
    row = connection.execute(_LINE, {"wanted": line}).one_or_none()
    return Line(*row) if row else None


def record_at(connection: Connection, line: str, number: int) -> Row[Any] | None:
    """Return the record that led to the position of this number on a line."""
    return connection.execute(_RECORD, {"wanted": line, "place": number}).one_or_none()


def records_between(
    connection: Connection, line: str, since: int, until: int | None
) -> Sequence[Row[Any]]:
    """Return the records in force with numbers above `since` and up to `until`."""
    last = _LAST if until is None else until
    values = {"wanted": line, "since": max(0, since), "until": last}
    return connection.execute(_RECORDS, values).all()


def who_acted(connection: Connection, line: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the actions in force on a line and who took them, newest first."""
    for row in connection.execute(_WHO_ACTED, {"wanted": line}):
        yield row.number, row.by


def recent_events(connection: Connection, line: str) -> Iterator[tuple[int, str, str]]:
    """Yield number, player and events of the actions in force on a line, newest first."""
    for row in connection.execute(_RECENT_EVENTS, {"wanted": line}):
        yield row.number, row.by, row.events


def round_starts(connection: Connection, line: str, until: int, most: int) -> list[int]:
    """Return the last numbers up to `until` of actions with which a round began, newest first."""
    values = {"wanted": line, "until": until, "most": most}
    return list(connection.execute(_ROUND_STARTS, values).scalars())


def find_key(connection: Connection, line: str, user: str, key: str) -> Row[Any] | None:
    """Return the record made by a request with this key."""
    query = select(records).where(
        records.c.line == line, records.c.user == user, records.c.key == key
    )
    return connection.execute(query).one_or_none()


# --- writing -------------------------------------------------------------------------------


def begin_line(connection: Connection, line: Line, drafts: Iterable[Draft], tip: str = "") -> Line:
    """Write a new line with its first records; a fork continues the chain from the hash `tip`."""
    moment = line.created
    made, state, last = [], None, "[]"
    for version, draft in enumerate(drafts):
        record = _record(line.id, version, draft, moment, tip)
        tip = link(record)
        made.append(msgspec.structs.asdict(record) | {"hash": tip})
        state, last, head, bot = draft.state, draft.events, draft.number, draft.bot
    assert state is not None
    values = msgspec.structs.asdict(line) | _summary(state, last)
    values |= {"head": head, "version": len(made) - 1, "tip": tip, "bot": bot}
    connection.execute(insert(lines).values(**values))
    connection.execute(insert(records), made)
    if line.kind == "game":
        own = select(records.c.line, records.c.number, records.c.id).where(
            records.c.line == line.id
        )
        connection.execute(insert(standing).from_select(["line", "number", "record"], own))
    return msgspec.structs.replace(line, **{name: values[name] for name in Line.__struct_fields__})


def append(connection: Connection, line: Line, draft: Draft, payload: dict[str, Any]) -> Line:
    """Add a record to a line; raise Stale if the line has changed since it was read."""
    moment, version = now(), line.version + 1
    record = _record(line.id, version, draft, moment, line.tip)
    tip = link(record)
    values = {"head": draft.number, "version": version, "tip": tip, "bot": draft.bot}
    values |= {"updated": moment, "wanted": line.id, "seen": line.version}
    values |= _summary(draft.state, draft.events)
    changed = connection.execute(_TAKE_TURN, values).one_or_none()
    if changed is None:
        raise Stale(
            "Somebody else acted first. Look at the new position and try again.",
            {"version": line.version},
        )
    written = msgspec.structs.asdict(record) | {"hash": tip}
    added = connection.execute(_ADD_RECORD, written).scalar_one()
    if draft.kind in ("act", "end"):
        connection.execute(
            _ADD_STANDING, {"line": line.id, "number": draft.number, "record": added}
        )
    payload = {"head": draft.number, "version": version, "acting": draft.state.acting} | payload
    kind = "action" if draft.kind in ("act", "end") else draft.kind
    _add_message(connection, line.id, changed.heard, kind, payload)
    if line.kind == "game":
        begin_turn(connection, line.id, line.acting, draft.state.acting, version)
        count_step(connection, line.id, _step(connection, line, draft, version, moment))
    return msgspec.structs.replace(
        line,
        head=draft.number,
        version=version,
        heard=changed.heard,
        tip=tip,
        acting=draft.state.acting,
        bot=draft.bot,
        ended=draft.state.ended,
        updated=moment,
    )


def _step(connection: Connection, line: Line, draft: Draft, version: int, moment: datetime) -> Step:
    """Return what the clock of a table needs to know of a record."""
    base = None
    if draft.kind in ("undo", "redo"):
        row = record_at(connection, line.id, draft.number)
        base = row.version if row is not None and row.line == line.id else None
    return Step(
        kind=draft.kind,
        version=version,
        before=line.acting,
        state=draft.state,
        events=draft.events,
        user=draft.user,
        base=base,
        moment=moment,
    )


def _record(line: str, version: int, draft: Draft, moment: datetime, before: str) -> JournalRecord:
    return JournalRecord(
        line=line,
        version=version,
        kind=draft.kind,
        number=draft.number,
        by=draft.by,
        user=draft.user,
        key=draft.key,
        action=draft.action,
        events=draft.events,
        reason=draft.reason,
        snapshot=draft.snapshot,
        moment=moment.isoformat(),
        before=before,
    )


def _summary(state: State, events: str) -> dict[str, Any]:
    """Return what the lobby shows of a position."""
    result = state.result
    return {
        "round": str(state.round),
        "acting": state.acting,
        "ended": state.ended,
        "result": None if result is None else msgspec.json.encode(result).decode(),
        "last": events,
    }


def remove_line(connection: Connection, line: str) -> None:
    """Delete a line with all its rows; none of its records may be in force on another line."""
    for table in (standing, undone, messages, records):
        connection.execute(delete(table).where(table.c.line == line))
    connection.execute(delete(lines).where(lines.c.id == line))


def copy_standing(connection: Connection, source: str, target: str, up_to: int) -> None:
    """Make the records in force on one line, up to a number, those in force on another."""
    connection.execute(delete(standing).where(standing.c.line == target))
    chosen = select(literal(target), standing.c.number, standing.c.record).where(
        standing.c.line == source, standing.c.number <= up_to
    )
    connection.execute(insert(standing).from_select(["line", "number", "record"], chosen))


# --- messages ------------------------------------------------------------------------------


def publish(connection: Connection, line: str, kind: str, payload: dict[str, Any]) -> None:
    """Add a message to the stream of a line, in the order of the transactions."""
    heard = connection.execute(
        update(lines)
        .where(lines.c.id == line)
        .values(heard=lines.c.heard + 1)
        .returning(lines.c.heard)
    ).scalar_one()
    _add_message(connection, line, heard, kind, payload)
    if kind in _SEATED:
        settle(connection, line)


def _add_message(
    connection: Connection, line: str, number: int, kind: str, payload: dict[str, Any]
) -> None:
    data = msgspec.json.encode(payload).decode()
    values = {"line": line, "number": number, "kind": kind, "payload": data, "created": now()}
    connection.execute(_ADD_MESSAGE, values)
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": CHANNEL, "line": line})


def messages_after(connection: Connection, line: str, place: int) -> list[tuple[int, str, str]]:
    """Return the messages of a line after a place in its stream."""
    rows = connection.execute(_MESSAGES, {"wanted": line, "place": place})
    return [(row.number, row.kind, row.payload) for row in rows]


def heard_of(connection: Connection, wanted: Iterable[str]) -> dict[str, int]:
    """Return the number of the last message of each of some lines."""
    query = select(lines.c.id, lines.c.heard).where(lines.c.id.in_(list(wanted)))
    return {row.id: row.heard for row in connection.execute(query)}
